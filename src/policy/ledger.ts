import type { Plan, PlanNode } from '../replay/plan';
import type { AnswerResult, ReplayResult, UndefinedResult } from '../replay/requests';
import type { Decoded } from './greedy';
import type { PreparedAnswer, PreparedLikelihood } from './prepare';
import { scoredToken, type RowScore } from './rowScore';
import { writtenPieces, writtenRows } from './written';

/** A request that has a place in the tree. `index`: into the requests. */
export type Entry = { readonly index: number } & (PreparedLikelihood | PreparedAnswer);

/** Requests for one and the same answer. */
export type PreparedGroup = readonly (PreparedAnswer & Entry)[];

/** A row that an entry waits for. */
export interface Wanted {
  readonly entry: Entry;
  /** Depth of the token after which it stands. */
  readonly depth: number;
  /** What may come next; of an answer's first choice, any. */
  readonly token: number;
  readonly distribution: boolean;
  /** Which of the entry's rows it is. */
  readonly slot: number;
}

/** Which rows of the tree are wanted and by whom. A likelihood is reported as soon as its last row is there. */
export class Ledger {
  readonly #entries: readonly Entry[];
  readonly #report: (index: number, result: ReplayResult) => void;
  readonly #wanted = new Map<PlanNode, Wanted[]>();
  readonly #rows = new Map<Entry, { readonly scores: (RowScore | undefined)[]; left: number }>();

  constructor(entries: readonly Entry[], tree: Plan, report: (index: number, result: ReplayResult) => void) {
    this.#entries = entries;
    this.#report = report;
    for (const entry of entries) this.#place(entry, tree);
  }

  /** In the order of depth. */
  wantedIn(node: PlanNode): readonly Wanted[] {
    return this.#wanted.get(node) ?? [];
  }

  /** Answers whose context ends with `node`; those that ask for the same stand together. */
  answersAt(node: PlanNode): PreparedGroup[] {
    const groups = new Map<string, PreparedGroup>();
    for (const end of node.ends) {
      const entry = this.#entries[end];
      if (entry?.kind !== 'answer') continue;
      const asked = JSON.stringify([entry.request.stop, entry.request.maxTokens]);
      groups.set(asked, [...(groups.get(asked) ?? []), entry]);
    }
    return [...groups.values()];
  }

  take({ entry, slot }: Wanted, score: RowScore): void {
    const rows = this.#rows.get(entry) ?? { scores: [], left: entry.sequence.rows.length };
    this.#rows.set(entry, rows);
    rows.scores[slot] = score;
    rows.left--;
    if (entry.kind !== 'likelihood' || rows.left > 0) return;
    this.#reportLikelihood(entry, rows.scores);
    this.#rows.delete(entry);
  }

  firstChoice(entry: Entry): RowScore {
    const row = this.#rows.get(entry)?.scores[0];
    if (!row) throw new Error(`no row after the context of request ${String(entry.index)}`);
    return row;
  }

  answered(group: PreparedGroup, result: Decoded | UndefinedResult): void {
    for (const { index, contextTokens, notes } of group) {
      this.#report(index, 'kind' in result ? result : ({ kind: 'answer', ...result, contextTokens, notes } satisfies AnswerResult));
    }
  }

  #reportLikelihood({ index, request, scored, written, contextTokens, cut, notes, tooLong }: PreparedLikelihood & Entry, rows: readonly (RowScore | undefined)[]): void {
    const before = rows.length - scored.length;
    const tokens = scored.flatMap((position, i) => {
      const row = rows[before + i];
      return (row && scoredToken(row, position, request.want)) ?? [];
    });
    const own = written ? { written: writtenPieces(written, rows) } : {};
    if (tooLong) this.#report(index, { ...tooLong, ...own });
    else if (tokens.length === scored.length) this.#report(index, { kind: 'likelihood', tokens, ...own, contextTokens, cut, notes });
    else this.#report(index, { kind: 'undefined', code: 'not-finite', reason: "The policy's logits are not finite at a token of the target." });
  }

  /** Walks down the entry's own path. */
  #place(entry: Entry, { roots }: Plan): void {
    const tokens = entry.sequence.tokens;
    const rows: Omit<Wanted, 'entry' | 'slot'>[] =
      entry.kind === 'answer'
        ? [{ depth: tokens.length - 1, token: 0, distribution: false }]
        : [
            ...writtenRows(entry.written ?? []).map(({ row, id }) => ({ depth: row, token: id, distribution: false })),
            ...entry.scored.map(({ row, id }) => ({ depth: row, token: id, distribution: entry.request.want.includes('distribution') })),
          ];
    let level = roots;
    for (let slot = 0; slot < rows.length; ) {
      const node = level.find((candidate) => candidate.tokens[0] === tokens[candidate.start]);
      if (!node) throw new Error(`request ${String(entry.index)} is not in the tree`);
      const wanted = this.#wanted.get(node) ?? [];
      for (let row = rows[slot]; row && row.depth < node.start + node.tokens.length; row = rows[++slot]) wanted.push({ entry, slot, ...row });
      this.#wanted.set(node, wanted);
      level = node.children;
    }
  }
}

