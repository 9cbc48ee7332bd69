import * as path from 'node:path';
import * as vscode from 'vscode';
import { defaultContract, type PolicyContract } from '../replay/contract';
import type { DeviceChoice } from '../replay/device';
import { PolicyError, type PolicyInfo } from '../replay/policy';
import type { PolicyChoices } from '../replay/policyChoices';
import { createScorer } from '../scoring/createScorer';
import { diskStore } from '../scoring/diskStore';
import { openPolicy, policyContract, policyIdentity, recallIdentity, rememberIdentity, type PolicyProcessOptions, type PolicyState, type RecallOptions } from '../scoring/openPolicy';
import type { ForecastIdentity, Scorer } from '../scoring/scorer';
import { layeredStore, memoryStore, type ResultStore } from '../scoring/store';
import { demoPolicy, policyLabel, policyProcess } from './bundled';
import type { EditorSettings } from './settings';

interface Opened {
  readonly key: string;
  readonly scorer: Scorer;
}

/** How a policy is run; tests run one that breaks, and wait less. */
export type PolicyRun = Pick<PolicyProcessOptions, 'processPath' | 'patience'>;

/** The one policy of this window: opened on the first request, opened anew where its folder or contract changed. Activation opens nothing. */
export class ScoringSession implements vscode.Disposable {
  run: PolicyRun = { processPath: policyProcess };
  private readonly store: ResultStore;
  private readonly changed = new vscode.EventEmitter<PolicyState>();
  readonly onDidChangeState = this.changed.event;
  private opened: Opened | undefined;
  private info: PolicyInfo | undefined;
  private last: PolicyState = { kind: 'unloaded' };
  /** Of the folder and settings that {@link last} speaks of. */
  private lastKey = '';

  constructor(
    private readonly settings: () => EditorSettings,
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.store = layeredStore(memoryStore(), diskStore(this.kept('results')));
  }

  get folder(): string {
    return this.settings().policy || demoPolicy;
  }

  /** For people. */
  get policyName(): string {
    return policyLabel(this.folder);
  }

  get device(): DeviceChoice {
    return this.settings().device;
  }

  /** Of the policy of the settings, since it was loaded. */
  get loaded(): PolicyInfo | undefined {
    return this.lastKey === this.key() ? this.info : undefined;
  }

  get state(): PolicyState {
    return this.lastKey === this.key() ? this.last : { kind: 'unloaded' };
  }

  /** What scored something before; `undefined` where no policy has been asked for yet. */
  get known(): Scorer | undefined {
    return this.opened?.key === this.key() ? this.opened.scorer : undefined;
  }

  /** The same of an earlier session, where the policy's folder is still as it was then. Neither reads nor loads the policy. */
  async recall(): Promise<Scorer | undefined> {
    if (this.known) return this.known;
    if (!(await recallIdentity(this.recallOptions()))) return undefined;
    const scorer = await this.scorer();
    return (await scorer.identity()) && scorer;
  }

  /** Keeps what {@link recall} needs: called when something was scored. */
  async remember(): Promise<void> {
    const identity = await this.known?.identity();
    if (identity) await rememberIdentity(this.recallOptions(), identity, this.hashCache());
  }

  async scorer(): Promise<Scorer> {
    if (this.opened && this.opened.key !== this.key()) await this.close();
    this.opened ??= { key: this.key(), scorer: this.open() };
    return this.opened.scorer;
  }

  /** What the policy was trained to see, without loading it; the defaults where that cannot be read, which a score says. */
  async contract(): Promise<PolicyContract> {
    return policyContract(this.folder, this.settings().contract).catch(() => defaultContract);
  }

  /** What is wrong with the folder, as far as it shows without loading it. */
  async check(): Promise<PolicyError | undefined> {
    return policyIdentity(this.folder, this.hashCache(), this.choices()).then(
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
    const choices = this.choices();
    const key = this.key();
    this.log.info(`Policy: ${folder}`);
    const policy = openPolicy({
      folder,
      ...choices,
      ...this.settings().upkeep,
      ...this.run,
      hashCache: this.hashCache(),
      on: { state: (s) => this.opened?.key === key && this.show(s, key), silent, log: (line) => this.log.info(line) },
    });
    const recall = this.recallOptions();
    const identity = async (): Promise<ForecastIdentity> => {
      const recalled = await recallIdentity(recall);
      return recalled ? { ...recalled, name: folder } : policyIdentity(folder, this.hashCache(), choices);
    };
    return createScorer({ policy, identity, store: this.store, version: this.version() });
  }

  /** What is wrong with a folder may show before anything is loaded from it. */
  failed(error: PolicyError): void {
    if (error.code === 'bad-folder' || error.code === 'load-failed') this.show({ kind: 'failed', error });
  }

  private show(state: PolicyState, key = this.key()): void {
    this.last = state;
    this.lastKey = key;
    if (state.kind === 'ready') this.info = state.info;
    else if (state.kind === 'unloaded' || state.kind === 'failed') this.info = undefined;
    this.changed.fire(state);
  }

  private key(): string {
    return JSON.stringify([this.folder, this.choices(), this.settings().upkeep, this.run]);
  }

  private choices(): PolicyChoices {
    const { contract, activations, device } = this.settings();
    return { contract, activations, device };
  }

  private hashCache(): string {
    return this.kept('policy-hashes.json');
  }

  private recallOptions(): RecallOptions {
    return { folder: this.folder, ...this.choices(), file: this.kept('policy-identities.json'), version: this.version() };
  }

  /** Where this is kept between sessions, for all windows. */
  private kept(name: string): string {
    return path.join(this.context.globalStorageUri.fsPath, name);
  }

  private version(): string {
    return String((this.context.extension.packageJSON as { version: unknown }).version);
  }
}

/** Asks once for each silence; no answer waits on. */
async function silent(forMs: number): Promise<'wait' | 'restart'> {
  const choice = await vscode.window.showWarningMessage(`The policy has not answered for ${Math.round(forMs / 1000)} seconds.`, 'Wait', 'Restart');
  return choice === 'Restart' ? 'restart' : 'wait';
}
