import * as vscode from 'vscode';
import type { TrajectoryFile } from '../trajectory/file';
import { activeUri, say } from './activeTab';
import type { Documents } from './documents';
import { pickRecord } from './pickRecord';
import { holdsRecords, recordAt } from './recordLenses';
import type { Target } from './rescore';
import { shownRollout, type Rollout } from './rollout';
import { recordUnder } from './sourcePlaces';
import { name, openDocument, type SourceFiles, unreadable } from './sources';

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
    const chosen = file.records.length === 1 ? 0 : await pickRecord(file, name(uri), (r) => this.sources.read({ source: uri.toString(), record: r }));
    return chosen === undefined ? undefined : { source: uri.toString(), record: chosen };
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
  async file(uri: vscode.Uri): Promise<TrajectoryFile | undefined> {
    const file = await this.sources.open(uri).catch((e: unknown) => unreadable(uri, e));
    if (typeof file === 'string') return say(file);
    return file.kind.kind === 'foreign' ? say(file.kind.message) : file;
  }

  /** Every readable record of the file that `of` comes from, `of` first; a line beside a main one stands alone. */
  async siblings(of: Target): Promise<Target[]> {
    if (of.rollout.line !== undefined) return [of];
    return [of, ...(await this.targets(of.rollout.source, 'all')).filter(({ rollout }) => rollout.record !== of.rollout.record)];
  }

  /** Those of these records that can be read; how many cannot is said in one sentence. */
  async targets(source: string, records: readonly number[] | 'all'): Promise<Target[]> {
    const uri = vscode.Uri.parse(source);
    const document = openDocument(uri);
    const annotated = document && this.documents.annotated(document);
    if (annotated) return [annotated];
    const wanted = records === 'all' ? ((await this.file(uri))?.records.map(({ record }) => record) ?? []) : records;
    const targets: Target[] = [];
    for (const record of wanted) {
      const rollout = { source, record };
      const result = await this.sources.read(rollout);
      if (result.kind === 'trajectory') targets.push({ rollout, trajectory: result.trajectory });
    }
    const unread = wanted.length - targets.length;
    if (unread > 0) say(`${unread} of ${wanted.length} records could not be read; they are left out.`);
    return targets;
  }
}
