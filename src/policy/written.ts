import type { TokenIds, WrittenPiece } from '../replay/requests';
import type { RowScore } from './rowScore';

/** A piece of the context whose own tokens are scored. `first`: the row that predicts its first token. */
export type PreparedPiece = { readonly kind: 'tokens'; readonly first: number; readonly ids: TokenIds } | Extract<WrittenPiece, { kind: 'undefined' }>;

/** Rows and the tokens that follow them, ascending where the pieces are. */
export const writtenRows = (pieces: readonly PreparedPiece[]): { readonly row: number; readonly id: number }[] =>
  pieces.flatMap((piece) => (piece.kind === 'tokens' ? piece.ids.map((id, i) => ({ row: piece.first + i, id })) : []));

/**
 * @param context ids of the whole context, as run
 * @param starts where each of its pieces begins in what was encoded
 * @param cut tokens that are left out of it at the front
 */
export function prepareWritten(written: readonly number[], context: TokenIds, starts: readonly number[], cut: number): PreparedPiece[] {
  return written.map((piece): PreparedPiece => {
    const from = (starts[piece] ?? 0) - cut;
    const to = (starts[piece + 1] ?? context.length + cut) - cut;
    if (to <= from) return { kind: 'undefined', reason: 'the policy wrote nothing here' };
    if (from < 1) return { kind: 'undefined', reason: cut > 0 ? 'its beginning was cut off the context' : 'nothing stands before it' };
    return { kind: 'tokens', first: from - 1, ids: context.slice(from, to) };
  });
}

/** @param rows of all pieces, in the order of {@link writtenRows} */
export function writtenPieces(pieces: readonly PreparedPiece[], rows: readonly (RowScore | undefined)[]): WrittenPiece[] {
  let next = 0;
  return pieces.map((piece): WrittenPiece => {
    if (piece.kind === 'undefined') return piece;
    const own = rows.slice(next, (next += piece.ids.length)).filter((row) => row !== undefined);
    if (own.some(({ logprob, entropy }) => !Number.isFinite(logprob) || !Number.isFinite(entropy))) return { kind: 'undefined', reason: "the policy's logits are not finite here" };
    return { kind: 'value', logprobs: own.map(({ logprob }) => short(logprob)), entropies: own.map(({ entropy }) => short(entropy)), ranks: own.map(({ rank }) => rank) };
  });
}

/** As much as float32 holds. */
const short = (x: number): number => Number(x.toPrecision(7));
