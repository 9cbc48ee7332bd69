import * as vscode from 'vscode';
import { detectFile, headSize } from '../../trajectory/detect';
import type { Dialect } from '../../trajectory/dialect';
import { nodeByteSource } from '../../scoring/fileSource';
import { debounced } from '../debounce';
import { trajectoryNames } from '../ids';
import { shownRollout } from '../rollout';
import { isPacked, openDocument } from '../sources';

const kept = 'turnlens.listedFiles';
/** Files that *Find Rollouts in Workspace* looks into. */
const mostFound = 2000;

/** Which files the view lists: those that are open, those that the user added, and those that were found in the workspace. */
export class ListedFiles implements vscode.Disposable {
  private readonly added: Set<string>;
  private readonly open = new Set<string>();
  /** Open, and without trajectories so far: they may be filled. */
  private readonly others = new Set<string>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private subscription: vscode.Disposable | undefined;

  /** @param dialects the user's own */
  constructor(
    private readonly memory: vscode.Memento,
    private readonly dialects: () => readonly Dialect[],
  ) {
    this.added = new Set(memory.get<readonly string[]>(kept, []));
  }

  /** Looks at what is open from now on, once. */
  follow(): void {
    if (this.subscription) return;
    const written = debounced(300, (source) => this.look([source]));
    const notice = ({ uri }: vscode.TextDocument): void => {
      if (this.others.has(uri.toString())) written(uri.toString());
    };
    this.subscription = vscode.Disposable.from(
      written,
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        if (closed.length > 0) this.dropClosed();
        if (opened.length > 0) void this.look(sourcesOf(opened));
      }),
      vscode.workspace.onDidOpenTextDocument(notice),
      vscode.workspace.onDidChangeTextDocument(({ document }) => notice(document)),
    );
    void this.look(sourcesOf(allTabs()));
  }

  /** At open files that held no trajectories: other dialects may tell some. */
  lookAgain(): void {
    void this.look([...this.others]);
  }

  /** URIs, those of open files first. */
  get all(): readonly string[] {
    return [...new Set([...this.open, ...this.added])];
  }

  add(...uris: readonly vscode.Uri[]): void {
    for (const uri of uris) this.added.add(uri.toString());
    this.keep();
  }

  /** An open file is gone from the view until it is opened again. */
  remove(source: string): void {
    this.added.delete(source);
    this.open.delete(source);
    this.keep();
  }

  /** Adds the files of the workspace that hold trajectories by their content. @returns how many there are, and how many were looked at */
  async find(token: vscode.CancellationToken): Promise<{ found: number; looked: number }> {
    const candidates = await vscode.workspace.findFiles('**/*.{traj,jsonl,ndjson,jsonl.gz,eval}', '**/node_modules/**', mostFound, token);
    const found: vscode.Uri[] = [];
    for (const uri of candidates) {
      if (token.isCancellationRequested) break;
      if (await holdsTrajectories(uri, this.dialects())) found.push(uri);
    }
    this.add(...found);
    return { found: found.length, looked: candidates.length };
  }

  private keep(): void {
    void this.memory.update(kept, [...this.added]);
    this.changed.fire();
  }

  private dropClosed(): void {
    const inTabs = sourcesOf(allTabs());
    const gone = [...this.open].filter((source) => !inTabs.has(source));
    for (const source of gone) this.open.delete(source);
    for (const source of this.others) if (!inTabs.has(source)) this.others.delete(source);
    if (gone.length > 0) this.changed.fire();
  }

  /** Only at files that were opened just now or held none: one that was there before may have been removed from the view. */
  private async look(sources: Iterable<string>): Promise<void> {
    for (const source of sources) {
      if (this.open.has(source)) continue;
      this.others.add(source);
      if (!(await holdsTrajectories(vscode.Uri.parse(source), this.dialects()))) continue;
      this.others.delete(source);
      if (this.open.has(source) || !sourcesOf(allTabs()).has(source)) continue;
      this.open.add(source);
      this.changed.fire();
    }
  }

  dispose(): void {
    this.subscription?.dispose();
    this.changed.dispose();
  }
}

const allTabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);

const sourcesOf = (tabs: readonly vscode.Tab[]): Set<string> => new Set(tabs.flatMap(sourceOf));

function sourceOf({ input }: vscode.Tab): string[] {
  if (!(input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)) return [];
  const shown = shownRollout(input.uri);
  if (shown) return [shown.source];
  return trajectoryNames.test(input.uri.path) ? [input.uri.toString()] : [];
}

/** By its first bytes, which is cheap; what is packed is only told apart when it is listed. */
async function holdsTrajectories(uri: vscode.Uri, own: readonly Dialect[]): Promise<boolean> {
  if (isPacked(uri)) return true;
  const document = openDocument(uri);
  if (document) return isOurs(Buffer.from(document.getText().slice(0, headSize)), uri, own);
  if (uri.scheme !== 'file') return false;
  const source = nodeByteSource(uri.fsPath);
  try {
    return isOurs(await source.read(0, Math.min(await source.size(), headSize)), uri, own);
  } catch {
    return false;
  } finally {
    await source.close();
  }
}

const isOurs = (head: Uint8Array, uri: vscode.Uri, own: readonly Dialect[]): boolean => detectFile(head, uri.path, own).kind === 'trajectories';
