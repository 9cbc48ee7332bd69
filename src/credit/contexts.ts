import { fill, type PolicyContract } from '../replay/contract';
import type { Piece } from '../replay/requests';
import type { Span, Trajectory, Turn } from '../trajectory/model';
import { textOf } from '../trajectory/model';

/** The context of the gains: what the policy had read and written when it could have answered, with or without one turn. */

function promptPiece(t: Trajectory, contract: PolicyContract): Piece {
  switch (t.prompt.kind) {
    case 'contract':
      return { chat: [{ role: 'user', content: fill(contract.agentPrompt, { question: t.question }) }] };
    case 'messages':
      return { chat: t.prompt.messages };
    case 'text':
      return { text: t.prompt.text };
    case 'stripped':
      return { stripped: t.prompt.text };
    case 'ids':
      return { ids: t.prompt.ids };
  }
}

const recorded = (text: string, ids: readonly number[] | undefined): Piece => (ids === undefined ? { text } : { ids, text });

function turnPieces(t: Trajectory, turn: Turn): Piece[] {
  const pieces = [recorded(textOf(t, turn.policy), turn.ids?.policy)];
  if (turn.observation) pieces.push(recorded(textOf(t, turn.observation), turn.ids?.observation));
  return pieces;
}

/** The queries of a turn with the tags that touch them. */
function searchSpan(t: Trajectory, turn: Turn): Span | undefined {
  const first = turn.querySpans[0];
  const last = turn.querySpans.at(-1);
  if (!first || !last) return undefined;
  const open = /<[^<>]*>\s*$/.exec(t.text.slice(turn.policy.start, first.start));
  const close = /^\s*<[^<>]*>/.exec(t.text.slice(last.end, turn.policy.end));
  return { start: first.start - (open?.[0].length ?? 0), end: last.end + (close?.[0].length ?? 0) };
}

/** Query and observation replaced, reasoning kept: one placeholder, or two where the policy wrote on after its query. */
function withoutEvidence(t: Trajectory, turn: Turn, placeholder: Piece): Piece[] {
  const search = searchSpan(t, turn);
  if (!search) return [recorded(textOf(t, turn.policy), turn.ids?.policy), placeholder];
  const before = t.text.slice(turn.policy.start, search.start);
  const after = t.text.slice(search.end, turn.policy.end);
  return [...(before === '' ? [] : [{ text: before }]), placeholder, ...(after.trim() === '' ? [] : [{ text: after }, placeholder])];
}

/**
 * The prompt and all search turns (official LOTAPO code: up to the start of the final turn), one piece for each segment that was encoded on its own.
 * @param without the turn to replace by the placeholder, counted from 1
 */
export function gainContext(t: Trajectory, contract: PolicyContract, without?: { readonly turn: number; readonly replace: 'turn' | 'evidence' }): Piece[] {
  const placeholder: Piece = { text: contract.placeholder };
  const pieces = t.turns.flatMap((turn) => {
    if (turn.index !== without?.turn) return turnPieces(t, turn);
    return without.replace === 'turn' ? [placeholder] : withoutEvidence(t, turn, placeholder);
  });
  return [promptPiece(t, contract), ...pieces, ...(t.tail ? [{ text: textOf(t, t.tail) }] : [])];
}

/** Where the policy's own text of each turn stands in the whole context: one piece a turn. */
export function writtenPieces(t: Trajectory): number[] {
  let next = 1;
  return t.turns.map((turn) => {
    const piece = next;
    next += turn.observation ? 2 : 1;
    return piece;
  });
}

/** Which turn a piece of the whole context belongs to; 0 for the prompt and the tail. */
export function turnOfPiece(t: Trajectory, piece: number): number {
  let next = 1;
  for (const turn of t.turns) {
    next += turn.observation ? 2 : 1;
    if (piece >= 1 && piece < next) return turn.index;
  }
  return 0;
}
