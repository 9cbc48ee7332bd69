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
  /** At least one, in order; their rows follow those of `written`. */
  readonly scored: readonly ScoredPosition[];
  /** Absent: not asked for. */
  readonly written?: readonly PreparedPiece[];
  /** Tokens that `keepLast` cut off. */
  readonly cut: number;
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
  const cuttable = request.kind === 'likelihood' && request.keepLast !== undefined;
  // Encoding a document of many megabytes would take longer than anybody waits, to say the same.
  if (!cuttable && encoder.tokenizer.fewest(characters) > contextLength) {
    return undefinedResult('too-long', `${count(characters)} characters of context do not fit into the policy's ${count(contextLength)} tokens.`);
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
    const sum = `${count(ids.length)} tokens of context and ${count(request.maxTokens)} for the answer`;
    return undefinedResult('too-long', `${sum} do not fit into the policy's ${count(contextLength)}.`);
  }
  return { kind: 'answer', request, sequence: { tokens: ids, rows: [ids.length - 1] }, contextTokens: ids.length, notes };
}

function likelihood(request: LikelihoodRequest, encoder: Encoder, contextLength: number): PreparedLikelihood | UndefinedResult {
  const { ids: whole, starts, notes } = encodeContext(request.context, encoder);
  const cut = request.keepLast === undefined ? 0 : Math.max(0, whole.length - request.keepLast);
  const context = cut > 0 ? whole.slice(cut) : whole;
  const target = encoder.tokenizer.encode(request.target);
  const offsets = encoder.tokenizer.offsets(request.target, target);
  if (!offsets) return undefinedResult('nothing-scored', "The policy's tokenizer changes the target in a way that leaves no exact place to its tokens.");
  const scored = target.ids.flatMap((id, index): ScoredPosition[] => {
    const token = offsets[index];
    if (!token || !request.scored.some((range) => token.end > range.start && token.start < range.end)) return [];
    return [{ row: context.length + index - 1, id, text: request.target.slice(token.start, token.end) }];
  });
  if (scored.length === 0) return undefinedResult('nothing-scored', 'No token of the target is to be scored.');
  if (scored[0]?.row === -1) return undefinedResult('nothing-scored', 'The context is empty, so nothing predicts the first token of the target.');
  const tokens = [...context, ...target.ids];
  if (tokens.length > contextLength) {
    const sum = `${count(context.length)} tokens of context and ${count(target.ids.length)} of target`;
    return undefinedResult('too-long', `${sum} do not fit into the policy's ${count(contextLength)}.`);
  }
  const targetNotes = encoder.specialNotes(request.target).map((note) => ({ ...note, piece: -1 }));
  tokens.pop();
  const written = request.written && prepareWritten(request.written, context, starts, cut);
  const rows = [...writtenRows(written ?? []), ...scored].map(({ row }) => row);
  const prepared = { kind: 'likelihood' as const, request, sequence: { tokens, rows }, contextTokens: context.length, cut, notes: [...notes, ...targetNotes], scored };
  return written ? { ...prepared, written } : prepared;
}

function encodeContext(pieces: ReplayRequest['context'], encoder: Encoder): { ids: number[]; starts: number[]; notes: EncodingNote[] } {
  const ids: number[] = [];
  const starts: number[] = [];
  const notes: EncodingNote[] = [];
  for (const [piece, content] of pieces.entries()) {
    const encoded = encoder.encode(content, piece === 0);
    starts.push(ids.length);
    append(ids, encoded.ids);
    for (const note of encoded.notes) notes.push({ ...note, piece });
  }
  return { ids, starts, notes };
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
const count = (value: number): string => value.toLocaleString('en');
