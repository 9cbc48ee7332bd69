import type { Sequence } from '../replay/plan';
import type { AnswerRequest, EncodingNote, LikelihoodRequest, Piece, ReplayRequest, TokenIds, UndefinedResult } from '../replay/requests';
import { PieceError, type Encoder } from './encoder';
import { prepareWritten, writtenRows, type PreparedPiece } from './written';

/** A request in token ids, ready to be planned. */
interface Prepared {
  readonly sequence: Sequence;
  readonly contextTokens: number;
  readonly notes: readonly EncodingNote[];
}

export interface PreparedLikelihood extends Prepared {
  readonly kind: 'likelihood';
  readonly request: LikelihoodRequest;
  /** In order; their rows follow those of `written`. There is a row at least. */
  readonly scored: readonly ScoredPosition[];
  /** Absent: not asked for. */
  readonly written?: readonly PreparedPiece[];
  /** Tokens that `keepLast` cut off. */
  readonly cut: number;
  /** What is reported in the place of the target's tokens, which do not fit: only the beginning of the context is run, for what was written in it. */
  readonly tooLong?: UndefinedResult;
}

export interface PreparedAnswer extends Prepared {
  readonly kind: 'answer';
  readonly request: AnswerRequest;
}

/** A target token to score and the row of logits that predicts it. */
export interface ScoredPosition {
  readonly row: number;
  readonly id: number;
  readonly text: string;
}

/** Encodes a request, or says why it cannot be answered. `contextLength`: tokens. */
export function prepare(request: ReplayRequest, encoder: Encoder, contextLength: number): PreparedLikelihood | PreparedAnswer | UndefinedResult {
  const characters = request.context.reduce((sum, piece) => sum + charactersOf(piece), 0);
  const partly = request.kind === 'likelihood' && (request.keepLast !== undefined || request.written !== undefined);
  // Encoding a document of many megabytes would take longer than anybody waits, to say the same.
  if (!partly && encoder.tokenizer.fewest(characters) > contextLength) {
    return tooLong(`${count(characters)} characters of context`, contextLength, ' tokens');
  }
  try {
    return request.kind === 'likelihood' ? likelihood(request, encoder, contextLength) : answer(request, encoder, contextLength);
  } catch (error) {
    if (error instanceof PieceError) return undefinedResult(error.code, error.message);
    throw error;
  }
}

function answer(request: AnswerRequest, encoder: Encoder, contextLength: number): PreparedAnswer | UndefinedResult {
  const { ids, notes } = encodeContext(request.context, encoder);
  if (ids.length === 0) return undefinedResult('nothing-scored', 'The context is empty, so there is nothing to answer from.');
  if (ids.length + request.maxTokens > contextLength) {
    return tooLong(`${count(ids.length)} tokens of context and ${count(request.maxTokens)} for the answer`, contextLength);
  }
  return { kind: 'answer', request, sequence: { tokens: ids, rows: [ids.length - 1] }, contextTokens: ids.length, notes };
}

function likelihood(request: LikelihoodRequest, encoder: Encoder, contextLength: number): PreparedLikelihood | UndefinedResult {
  const whole = encodeContext(request.context, encoder, request.keepLast === undefined ? contextLength : Infinity);
  const { ids, starts, notes } = whole;
  const cut = request.keepLast === undefined ? 0 : Math.max(0, ids.length - request.keepLast);
  const context = cut > 0 ? ids.slice(cut) : ids;
  if (encoder.tokenizer.fewest(request.target.length) > contextLength) return beginningOf(request, whole, Infinity, contextLength);
  const target = encoder.tokenizer.encode(request.target);
  const offsets = request.target === '' ? [] : encoder.tokenizer.offsets(request.target, target);
  if (!offsets) return undefinedResult('nothing-scored', "The policy's tokenizer changes the target in a way that leaves no exact place to its tokens.");
  const scored = target.ids.flatMap((id, index): ScoredPosition[] => {
    const token = offsets[index];
    if (!token || !request.scored.some((range) => token.end > range.start && token.start < range.end)) return [];
    return [{ row: context.length + index - 1, id, text: request.target.slice(token.start, token.end) }];
  });
  if (scored.length === 0 && request.scored.length > 0) return undefinedResult('nothing-scored', 'No token of the target is to be scored.');
  if (scored[0]?.row === -1) return undefinedResult('nothing-scored', 'The context is empty, so nothing predicts the first token of the target.');
  if (!whole.complete || context.length + target.ids.length > contextLength) return beginningOf(request, whole, target.ids.length, contextLength);
  const tokens = [...context, ...target.ids];
  const targetNotes = encoder.specialNotes(request.target).map((note) => ({ ...note, piece: -1 }));
  tokens.pop();
  const written = request.written && prepareWritten(request.written, context, starts, cut);
  const rows = [...writtenRows(written ?? []), ...scored].map(({ row }) => row);
  if (rows.length === 0) return { ...undefinedResult('nothing-scored', 'No token of the context is to be scored.'), ...ownReasons(written) };
  const prepared = { kind: 'likelihood' as const, request, sequence: { tokens, rows }, contextTokens: context.length, cut, notes: [...notes, ...targetNotes], scored };
  return written ? { ...prepared, written } : prepared;
}

/**
 * A context that does not fit: why, and what was written in as many of its first pieces as do.
 * @param targetTokens `Infinity`: more than fit by themselves
 */
function beginningOf(request: LikelihoodRequest, { ids, starts, notes, complete, hopeless, largestTwo }: EncodedContext, targetTokens: number, contextLength: number): PreparedLikelihood | UndefinedResult {
  const ofTarget = Number.isFinite(targetTokens) ? count(targetTokens) : `more than ${count(contextLength)}`;
  const sum = !complete ? `More than ${count(ids.length)} tokens of context` : `${count(ids.length)} tokens of context and ${ofTarget} of target`;
  const evenWithoutTwo = hopeless || (complete && ids.length - largestTwo > contextLength);
  const why: UndefinedResult = { ...tooLong(sum, contextLength), ...(evenWithoutTwo ? { evenWithoutTwo } : {}) };
  if (request.written === undefined || request.keepLast !== undefined) return why;
  const ends = [...starts.slice(1), ids.length];
  const fits = ends.findLast((end) => end <= contextLength) ?? 0;
  const beyond: PreparedPiece = { kind: 'undefined', reason: `beyond the policy's ${count(contextLength)} tokens of context` };
  const inside = prepareWritten(request.written, ids.slice(0, fits), starts, 0);
  const written = request.written.map((piece, i) => ((ends[piece] ?? Infinity) <= fits ? (inside[i] ?? beyond) : beyond));
  const rows = writtenRows(written).map(({ row }) => row);
  const last = rows.at(-1);
  if (last === undefined) return { ...why, ...ownReasons(written) };
  return { kind: 'likelihood', request, sequence: { tokens: ids.slice(0, last + 1), rows }, contextTokens: fits, cut: 0, notes, scored: [], written, tooLong: why };
}

/** Where no piece has a token to score. */
const ownReasons = (written: readonly PreparedPiece[] | undefined): Pick<UndefinedResult, 'written'> => (written === undefined ? {} : { written: written.filter((piece) => piece.kind === 'undefined') });

interface EncodedContext {
  readonly ids: number[];
  readonly starts: number[];
  readonly notes: EncodingNote[];
  /** Every piece is encoded; else the first ones, since no context that holds all fits. */
  readonly complete: boolean;
  /** Whatever two neighbouring pieces are left out, it does not fit. */
  readonly hopeless: boolean;
  /** Tokens of the two neighbouring pieces that have the most. */
  readonly largestTwo: number;
}

/** @param most tokens; encoding goes on until so many are sure to be exceeded whatever turn is left out, or a piece alone exceeds them */
function encodeContext(pieces: ReplayRequest['context'], encoder: Encoder, most = Infinity): EncodedContext {
  const ids: number[] = [];
  const starts: number[] = [];
  const notes: EncodingNote[] = [];
  let largestTwo = 0;
  let before = 0;
  for (const [piece, content] of pieces.entries()) {
    if (encoder.tokenizer.fewest(charactersOf(content)) > most) return { ids, starts, notes, complete: false, hopeless: false, largestTwo };
    const encoded = encoder.encode(content, piece === 0);
    starts.push(ids.length);
    append(ids, encoded.ids);
    for (const note of encoded.notes) notes.push({ ...note, piece });
    largestTwo = Math.max(largestTwo, before + encoded.ids.length);
    before = encoded.ids.length;
    if (ids.length - largestTwo > most) return { ids, starts, notes, complete: false, hopeless: true, largestTwo };
  }
  return { ids, starts, notes, complete: true, hopeless: false, largestTwo };
}

/** Of text that is to be encoded. */
function charactersOf(piece: Piece): number {
  if ('chat' in piece) return piece.chat.reduce((sum, { content }) => sum + content.length, 0);
  if ('stripped' in piece) return piece.stripped.length;
  return 'ids' in piece ? 0 : piece.text.length;
}

/** Not `push(...)`: a long document would overflow the stack. */
function append(to: number[], from: TokenIds): void {
  for (const id of from) to.push(id);
}

const undefinedResult = (code: UndefinedResult['code'], reason: string): UndefinedResult => ({ kind: 'undefined', code, reason });
const tooLong = (sum: string, contextLength: number, unit = ''): UndefinedResult => ({
  ...undefinedResult('too-long', `${sum} do not fit into the policy's ${count(contextLength)}${unit}.`),
  limit: contextLength,
});
const count = (value: number): string => value.toLocaleString('en');
