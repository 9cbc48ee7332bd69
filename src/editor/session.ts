import * as path from 'node:path';
import * as vscode from 'vscode';
import { defaultContract, type PolicyContract } from '../replay/contract';
import { PolicyError } from '../replay/policy';
import { createScorer } from '../scoring/createScorer';
import { openPolicy, policyIdentity, type PolicyState } from '../scoring/openPolicy';
import type { Scorer } from '../scoring/scorer';
import { memoryStore } from '../scoring/store';
import { demoPolicy, policyProcess } from './bundled';
import type { EditorSettings } from './settings';

interface Opened {
  readonly key: string;
  readonly scorer: Scorer;
}

/** The one policy of this window: opened on the first request, opened anew where its folder or contract changed. Activation opens nothing. */
export class ScoringSession implements vscode.Disposable {
  private readonly store = memoryStore();
  private readonly changed = new vscode.EventEmitter<PolicyState>();
  readonly onDidChangeState = this.changed.event;
  private opened: Opened | undefined;
  private last: PolicyState = { kind: 'unloaded' };

  constructor(
    private readonly settings: () => EditorSettings,
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  get folder(): string {
    return this.settings().policy || demoPolicy;
  }

  /** For people. */
  get policyName(): string {
    const { policy } = this.settings();
    return policy === '' ? 'demo policy' : path.basename(policy);
  }

  get state(): PolicyState {
    return this.last;
  }

  /** What scored something before; `undefined` where no policy has been asked for yet. */
  get known(): Scorer | undefined {
    return this.opened?.key === this.key() ? this.opened.scorer : undefined;
  }

  async scorer(): Promise<Scorer> {
    if (this.opened && this.opened.key !== this.key()) await this.close();
    this.opened ??= { key: this.key(), scorer: this.open() };
    return this.opened.scorer;
  }

  /** What the policy was trained to see, without loading it; the defaults where the folder cannot be read. */
  async contract(): Promise<PolicyContract> {
    const { contract } = this.settings();
    return policyIdentity(this.folder, this.hashCache(), contract).then(
      (identity) => identity.contract,
      () => ({ ...defaultContract, ...contract }),
    );
  }

  /** What is wrong with the folder, as far as it shows without loading it. */
  async check(): Promise<PolicyError | undefined> {
    return policyIdentity(this.folder, this.hashCache(), this.settings().contract).then(
      () => undefined,
      (e: unknown) => (e instanceof PolicyError ? e : Promise.reject(e)),
    );
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    await opened?.scorer.policy.dispose();
    this.show({ kind: 'unloaded' });
  }

  dispose(): void {
    void this.close();
    this.changed.dispose();
  }

  private open(): Scorer {
    const folder = this.folder;
    const contract = this.settings().contract;
    this.log.info(`Policy: ${folder}`);
    const policy = openPolicy({
      folder,
      contract,
      processPath: policyProcess,
      hashCache: this.hashCache(),
      on: { state: (s) => this.show(s), silent, log: (line) => this.log.info(line) },
    });
    return createScorer({
      policy,
      identity: () => policyIdentity(folder, this.hashCache(), contract),
      store: this.store,
      version: String((this.context.extension.packageJSON as { version: unknown }).version),
    });
  }

  private show(state: PolicyState): void {
    this.last = state;
    this.changed.fire(state);
  }

  private key(): string {
    return JSON.stringify([this.folder, this.settings().contract]);
  }

  private hashCache(): string {
    return path.join(this.context.globalStorageUri.fsPath, 'policy-hashes.json');
  }
}

/** Asks once for each silence; no answer waits on. */
async function silent(forMs: number): Promise<'wait' | 'restart'> {
  const choice = await vscode.window.showWarningMessage(`The policy has not answered for ${Math.round(forMs / 1000)} seconds.`, 'Wait', 'Restart');
  return choice === 'Restart' ? 'restart' : 'wait';
}
