import * as vscode from 'vscode';
import { count } from '../scoring/format';
import type { TrajectoryFile } from '../trajectory/file';
import type { Trajectory } from '../trajectory/model';
import { activeUri, say } from './activeTab';
import type { Documents } from './documents';
import { pickRecord } from './pickRecord';
import { holdsRecords, recordAt } from './recordList';
import type { FoundListener } from './openFile';
import type { Gathering, Target } from './rescore';
import { shownRollout, type Rollout } from './rollout';
import { orAborted } from './runQueue';
import { recordUnder } from './sourcePlaces';
import { name, openDocument, type SourceFiles, unreadable, whileUsed } from './sources';

/** Between two times that it is said how far the reading is, milliseconds. */
const pause = 100;

type Wanted = (trajectory: Trajectory) => boolean;

/** What a command works on: from the lens or the explorer's menu that named it, else from the active tab. Says itself why there is none. */
export class Resolver {
  constructor(
    private readonly documents: Documents,
    private readonly sources: SourceFiles,
  ) {}

  /** @param record of the file, where the caller knows it; else the cursor's line, the only one, or a list to choose from. */
  async rollout(uri = activeUri(), record?: number): Promise<Rollout | undefined> {
    if (!uri) return say('Open a trajectory first.');
    const shown = shownRollout(uri);
    if (shown) return shown;
    if (record !== undefined) return { source: uri.toString(), record };
    const document = openDocument(uri);
    const annotated = document && this.documents.annotated(document);
    if (annotated) return annotated.rollout;
    const editor = vscode.window.activeTextEditor;
    const cursor = document && editor?.document === document ? editor.selection.active : undefined;
    if (document && cursor && holdsRecords(document, this.documents.dialects()) && !document.lineAt(cursor.line).isEmptyOrWhitespace) {
      return { source: uri.toString(), record: recordAt(document, cursor.line) };
    }
    const file = await this.file(uri);
    if (!file) return undefined;
    if (file.records.length === 0) return say(`${name(uri)} holds no trajectory.`);
    const under = document && cursor && (await recordUnder(document, cursor, file));
    if (under !== undefined) return { source: uri.toString(), record: under };
    const chosen = file.records.length === 1 ? 0 : await this.choose(uri);
    return chosen === undefined ? undefined : { source: uri.toString(), record: chosen };
  }

  /** From a list of the file's records. */
  private async choose(uri: vscode.Uri): Promise<number | undefined> {
    return whileUsed(async (until) => pickRecord(await this.sources.open(uri, undefined, until), name(uri), await this.sources.options()));
  }

  async target(rollout: Rollout | undefined): Promise<Target | undefined> {
    if (!rollout) return undefined;
    const document = rollout.line === undefined ? openDocument(vscode.Uri.parse(rollout.source)) : undefined;
    const reading = document && (await this.documents.read(document));
    if (reading?.kind === 'trajectory') return reading;
    const result = await this.sources.read(rollout);
    return result.kind === 'problem' ? say(result.message) : { rollout, trajectory: result.trajectory };
  }

  /** Says itself why there is none. */
  async file(uri: vscode.Uri, found?: FoundListener, until?: Promise<unknown>): Promise<TrajectoryFile | undefined> {
    const file = await this.sources.open(uri, found, until).catch((e: unknown) => unreadable(uri, e));
    if (typeof file === 'string') return say(file);
    return file.kind.kind === 'foreign' ? say(file.kind.message) : file;
  }

  /** The target, and with it those of these records of its file that can be read and are `wanted`; a line beside a main one stands alone. */
  async siblings(of: Target, records: readonly number[] | 'all', on: Gathering, wanted: Wanted = () => true): Promise<Target[]> {
    const { source, record, line } = of.rollout;
    if (line !== undefined) return [of];
    const targets = await this.targets(source, records, on, wanted);
    return [of, ...(targets ?? []).filter(({ rollout }) => rollout.record !== record)];
  }

  /** Those of these records that can be read and are `wanted`; how many cannot is said in one sentence. `undefined`: the file cannot, which is said. */
  async targets(source: string, records: readonly number[] | 'all', { say: tell, signal }: Gathering, wanted: Wanted = () => true): Promise<Target[] | undefined> {
    const uri = vscode.Uri.parse(source);
    const document = openDocument(uri);
    const annotated = document && this.documents.annotated(document);
    if (annotated) return wanted(annotated.trajectory) ? [annotated] : [];
    const found: FoundListener = (file) => tell(`looking for rollouts, ${file.records.length} found so far`);
    // Opened once: to open it for each record is to ask for its state on disk each time.
    return whileUsed(async (until) => {
      const file = await orAborted(this.file(uri, found, until), signal);
      if (!file) return undefined;
      const options = await this.sources.options();
      const listed = records === 'all' ? file.records.map(({ record }) => record) : records;
      const targets: Target[] = [];
      let unread = 0;
      let told = performance.now();
      for (const [i, record] of listed.entries()) {
        signal.throwIfAborted();
        const result = await file.read(record, options).catch(() => undefined);
        if (result?.kind !== 'trajectory') unread++;
        else if (wanted(result.trajectory)) targets.push({ rollout: { source, record }, trajectory: result.trajectory });
        if (performance.now() - told < pause) continue;
        tell(`${i + 1} of ${listed.length} rollouts read`);
        // For the news that the user has stopped it.
        await new Promise((resume) => setTimeout(resume));
        told = performance.now();
      }
      if (unread > 0) say(`${unread} of ${count(listed.length, 'record')} of ${name(uri)} could not be read and are left out; the Rollouts view says why.`);
      return targets;
    });
  }
}
