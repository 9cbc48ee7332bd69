import * as vscode from 'vscode';
import type { PolicyContract } from '../replay/contract';
import { readingOf } from '../scoring/readingOf';
import type { Dialect } from '../trajectory/dialect';
import type { ReadOptions } from '../trajectory/options';
import { watch } from './watch';

/** What the contract comes from. */
export interface Contracted {
  /** The policy's. */
  readonly folder: string;
  contract(): Promise<PolicyContract>;
}

/** How files are read into rollouts: by the user's dialects and what the policy's contract says of prompts. Tells when that is another. */
export class ReadingOptions implements vscode.Disposable {
  private options: Promise<ReadOptions> | undefined;
  /** What was given last, to tell whether it is another now. */
  private given = '';
  private followed: { readonly folder: string; readonly watcher: vscode.Disposable } | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly policy: Contracted,
    /** The user's own. */
    private readonly dialects: () => readonly Dialect[],
  ) {}

  current(): Promise<ReadOptions> {
    return (this.options ??= this.first());
  }

  /** After a change of settings or of the policy. */
  async lookAgain(): Promise<void> {
    const before = this.options;
    // Nothing was read by them yet.
    if (!before) return;
    const next = before.then(() => this.read());
    this.options = next;
    const given = JSON.stringify(await next);
    if (this.options !== next || given === this.given) return;
    this.given = given;
    this.changed.fire();
  }

  private async first(): Promise<ReadOptions> {
    const options = await this.read();
    this.given = JSON.stringify(options);
    return options;
  }

  private async read(): Promise<ReadOptions> {
    this.follow(this.policy.folder);
    return readingOf(await this.policy.contract(), this.dialects());
  }

  /** A contract may be written beside the policy while the window is open. */
  private follow(folder: string): void {
    if (this.followed?.folder === folder) return;
    this.followed?.watcher.dispose();
    const file = vscode.Uri.joinPath(vscode.Uri.file(folder), 'turnlens.json');
    this.followed = { folder, watcher: watch(file, () => void this.lookAgain()) };
  }

  dispose(): void {
    this.followed?.watcher.dispose();
    this.changed.dispose();
  }
}
