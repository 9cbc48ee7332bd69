import * as vscode from 'vscode';
import { activeUri, say } from './activeTab';
import { columnOf } from './columns';
import type { Commands } from './commands';
import type { Documents } from './documents';
import { commands, transcriptScheme } from './ids';
import { rawUri } from './rawRecords';
import type { Resolver } from './resolve';
import { shownRollout, type Rollout } from './rollout';
import { largestDocument, openTranscript, showAt } from './showRollout';
import type { SourcePlaces } from './sourcePlaces';
import { isPacked, openDocument, sizeOf } from './sources';
import { offsetInText } from './wholeParts';

/** From the source to the transcript, and back again. */
export function registerTranscriptCommands(register: Commands, resolver: Resolver, documents: Documents, places: SourcePlaces): vscode.Disposable {
  return vscode.Disposable.from(
    register.add(commands.openTranscript, async (uri, record) => {
      if (typeof record === 'number') return transcriptAt(await resolver.rollout(uri, record));
      const rollout = await resolver.rollout(uri);
      const editor = vscode.window.activeTextEditor;
      const isHere = editor && editor.document.uri.scheme !== transcriptScheme && (!uri || editor.document.uri.toString() === uri.toString());
      return transcriptAt(rollout, rollout && isHere ? await places.textOffset(editor.document, editor.selection.active, rollout) : undefined);
    }),
    register.add(commands.revealInSource, async (uri = activeUri(), record) => {
      if (uri && typeof record === 'number') return revealInSource({ source: uri.toString(), record });
      const rollout = uri && shownRollout(uri);
      if (!rollout) return say('Only a transcript leads back to its source; open one first.');
      return revealInSource(rollout, textUnderCursor(uri, documents));
    }),
  );

  async function transcriptAt(rollout: Rollout | undefined, at?: number): Promise<void> {
    if (!rollout) return;
    const editor = await openTranscript(rollout);
    if (at === undefined) return;
    const reading = await documents.reading(editor.document);
    const place = reading && 'place' in reading ? reading.place({ start: at, end: at + 1 }) : undefined;
    if (place) showAt(editor, place.start);
  }

  /** To the record, and in it to what stands at `at` of its text. Where no editor can hold the file, the record alone is shown, as it is written. */
  async function revealInSource(rollout: Rollout, at?: number): Promise<void> {
    const source = vscode.Uri.parse(rollout.source);
    const open = openDocument(source);
    if (!(open && documents.annotated(open)) && !(await resolver.file(source))) return;
    const document = (await documentOf(source)) ?? (await vscode.workspace.openTextDocument(rawUri(rollout)));
    const editor = await vscode.window.showTextDocument(document, { viewColumn: columnOf(document) ?? vscode.ViewColumn.Active });
    const { offset, pointer } = await places.inDocument(document, rollout, at);
    showAt(editor, offset);
    vscode.window.setStatusBarMessage(`Record ${rollout.record}${pointer === '' ? '' : ` at ${pointer}`}`, 10_000);
  }
}

/** `undefined`: too large for an editor, packed, or no text. */
async function documentOf(source: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = openDocument(source);
  if (open) return open;
  if (isPacked(source) || (await sizeOf(source)) > largestDocument) return undefined;
  return vscode.workspace.openTextDocument(source).then(
    (document) => document,
    () => undefined,
  );
}

/** Of a transcript or a part of one that is active: the trajectory's text at the cursor, or where the turn begins in which that stands. */
function textUnderCursor(uri: vscode.Uri, documents: Documents): number | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri.toString()) return undefined;
  const ofPart = offsetInText(editor.document, editor.selection.active);
  if (ofPart !== undefined) return ofPart;
  const shown = documents.annotated(editor.document);
  if (!shown) return undefined;
  const offset = editor.document.offsetAt(editor.selection.active);
  const { turns, final } = shown.trajectory;
  const turn = [...(shown.anchors?.turns ?? []), ...(shown.anchors?.final ? [shown.anchors.final] : [])].findLast(({ whole }) => whole.start <= offset)?.turn;
  return shown.textAt?.(offset) ?? (turn === undefined ? undefined : (turns[turn - 1]?.querySpans[0] ?? turns[turn - 1]?.policy ?? final?.answerSpan)?.start);
}
