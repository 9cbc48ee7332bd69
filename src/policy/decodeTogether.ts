import { lengthOf, type Branch } from '../replay/branch';
import type { Ran, Step } from './decoder';
import type { GreedyAnswer } from './greedy';
import type { KeyValues } from './keyValues';
import type { Ledger, PreparedGroup } from './ledger';

/** An answer that is being decoded. */
export interface OpenAnswer {
  readonly group: PreparedGroup;
  /** Of the tokens that are decoded. */
  readonly branch: Branch;
  readonly answer: GreedyAnswer;
}

/** Tokens that are decoded into one cache at most, or as many as it holds already: all of them stay in it until all answers are there. */
const mostDecoded = 1024;

/** Decodes answers side by side, each run one token of every answer that goes on. `cache`: holds the contexts of all. */
export async function decodeTogether(answers: readonly OpenAnswer[], cache: KeyValues, ledger: Ledger, run: (step: Step) => Promise<Ran>): Promise<void> {
  const room = Math.max(mostDecoded, lengthOf(cache.columns));
  for (const group of grouped(answers, room)) await decodeGroup(group, cache, ledger, run);
}

function grouped(answers: readonly OpenAnswer[], room: number): OpenAnswer[][] {
  const groups: { readonly answers: OpenAnswer[]; tokens: number }[] = [];
  for (const answer of answers) {
    const most = answer.group[0]?.request.maxTokens ?? 0;
    const last = groups.at(-1);
    if (last && last.tokens + most <= room) {
      last.answers.push(answer);
      last.tokens += most;
    } else groups.push({ answers: [answer], tokens: most });
  }
  return groups.map((group) => group.answers);
}

async function decodeGroup(answers: readonly OpenAnswer[], start: KeyValues, ledger: Ledger, run: (step: Step) => Promise<Ran>): Promise<void> {
  let cache = start;
  let choices = answers.flatMap((open) => (open.group[0] ? [{ open, choice: ledger.firstChoice(open.group[0]) }] : []));
  for (;;) {
    const going = choices.flatMap(({ open, choice }) => {
      const taken = open.answer.take(choice);
      if (typeof taken === 'number') return [{ open, token: taken }];
      ledger.answered(open.group, taken);
      return [];
    });
    if (going.length === 0) return;
    const { rows, keyValues } = await run({
      tokens: going.map(({ token }) => token),
      stretches: going.map(({ open: { branch, answer } }) => ({ branch, from: branch.start + answer.length - 1, length: 1 })),
      past: cache,
      asks: going.map((_, at) => ({ at, token: 0 })),
      keep: going.some(({ open }) => !open.answer.nearlyFull),
    });
    cache = keyValues ?? cache;
    choices = going.flatMap(({ open }, i) => {
      const choice = rows[i];
      return choice ? [{ open, choice }] : [];
    });
  }
}
