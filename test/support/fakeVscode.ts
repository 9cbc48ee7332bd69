/** As much of VS Code's API as some classes of the editor ask for, without an editor: `vi.mock('vscode', () => import('…/fakeVscode'))`. */

export class EventEmitter<T> {
  private readonly listeners = new Set<(event: T) => void>();
  readonly event = (listener: (event: T) => void): { dispose(): void } => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export const ProgressLocation = { Notification: 15 };

/** What was said, in order, of progress too, and how each run is stopped. */
export const told: string[] = [];
export const stops: (() => void)[] = [];

/** Forgets all of it. */
export function clear(): void {
  told.length = 0;
  stops.length = 0;
}

const tell = async (message: string): Promise<undefined> => {
  told.push(message);
  return undefined;
};

type Task = (progress: { report(of: { message?: string }): void }, token: { onCancellationRequested(stop: () => void): void }) => Promise<unknown>;

/** What a status bar item shows; hidden: nothing. */
export const bar = { text: '', isShown: false };

export class ThemeColor {
  constructor(readonly id: string) {}
}
export const StatusBarAlignment = { Right: 2 };

export const commands = { executeCommand: async (): Promise<undefined> => undefined };

const nothing = { dispose: (): void => undefined };

export const Disposable = { from: (): { dispose(): void } => nothing };

/** Other editors are in sight. */
export const inSight = new EventEmitter<void>();

export const Uri = { joinPath: (_: unknown, ...parts: string[]): string => parts.join('/') };

export const window = {
  activeTextEditor: undefined as unknown,
  visibleTextEditors: [] as unknown[],
  onDidChangeActiveTextEditor: (): { dispose(): void } => nothing,
  onDidChangeVisibleTextEditors: inSight.event,
  registerWebviewPanelSerializer: (): { dispose(): void } => nothing,
  createStatusBarItem: (): object => Object.assign(bar, { show: () => void (bar.isShown = true), hide: () => void (bar.isShown = false), ...nothing }),
  showErrorMessage: tell,
  showWarningMessage: tell,
  showInformationMessage: tell,
  withProgress: (_: unknown, task: Task): Promise<unknown> =>
    task({ report: ({ message }) => void (message === undefined || told.push(message)) }, { onCancellationRequested: (stop) => void stops.push(stop) }),
};
