import { lengthOf, type Branch, type Stretch } from '../replay/branch';
import type { TokenIds } from '../replay/requests';
import type { Ran, Step } from './decoder';
import type { GreedyAnswer } from './greedy';
import { guessNext } from './guess';
import type { KeyValues } from './keyValues';
import type { Ledger, PreparedGroup } from './ledger';
import type { RowScore } from './rowScore';

/** An answer that is being decoded. */
export interface OpenAnswer {
  readonly group: PreparedGroup;
  /** Of the tokens that are decoded. */
  readonly branch: Branch;
  readonly answer: GreedyAnswer;
}

/**
 * Tokens that are decoded into one cache at most, or as many as it holds already: all of them stay in it until all answers are there, and what was guessed
 * wrongly beside them, which with {@link patience} is hardly more.
 */
const mostDecoded = 1024;
/** Tokens that an answer is guessed to go on with, in one run. */
const mostGuessed = 4;
/** The same of all answers in it: with many, a run costs little beside its tokens. */
const mostGuessedInRun = 32;
/** So many guesses more may be wrong than right before an answer goes on without. */
const patience = 8;

/** Of tokens that were guessed wrongly: no branch comes from it, so nobody sees them. */
const nobody: Branch = { start: 0 };

/**
 * Decodes answers side by side, each run one token of every answer that goes on, and what it is guessed to go on with: where the policy chooses the
 * same, runs are saved. `cache`: holds the contexts of all. `guesses`: whether wrong ones can be hidden in the cache.
 */
export async function decodeTogether(answers: readonly OpenAnswer[], cache: KeyValues, guesses: boolean, ledger: Ledger, run: (step: Step) => Promise<Ran>): Promise<void> {
  const room = Math.max(mostDecoded, lengthOf(cache.columns));
  for (const group of grouped(answers, room)) await decodeGroup(group, cache, guesses, ledger, run);
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

async function decodeGroup(answers: readonly OpenAnswer[], start: KeyValues, guesses: boolean, ledger: Ledger, run: (step: Step) => Promise<Ran>): Promise<void> {
  let cache = start;
  let going = answers.map((open) => new Writer(open, ledger)).filter((writer) => writer.begin());
  while (going.length > 0) {
    const most = guesses ? Math.min(mostGuessed, Math.floor(mostGuessedInRun / going.length)) : 0;
    const runs = going.map((writer) => writer.next(most));
    let before = 0;
    const stretches = runs.map(({ stretch }) => stretch);
    const { rows, keyValues } = await run({
      tokens: runs.flatMap(({ tokens }) => [...tokens]),
      stretches,
      past: cache,
      asks: stretches.flatMap(({ length }) => Array.from({ length }, () => ({ at: before++, token: 0 }))),
      keep: going.some(({ open }) => !open.answer.nearlyFull),
    });
    let from = 0;
    const columns = going.flatMap((writer, i) => writer.take(rows.slice(from, (from += stretches[i]?.length ?? 0))));
    if (keyValues) cache = { columns: [...cache.columns, ...columns], tensors: keyValues.tensors };
    going = going.filter(({ isWriting }) => isWriting);
  }
}

/** One answer, what it is guessed to go on with, and how far that was right. */
class Writer {
  isWriting = true;
  private guessed: TokenIds = [];
  private allowance = patience;

  constructor(
    readonly open: OpenAnswer,
    private readonly ledger: Ledger,
  ) {}

  /** Takes the choice after the context; whether the answer goes on. */
  begin(): boolean {
    const [entry] = this.open.group;
    if (!entry) return false;
    this.choose([this.ledger.firstChoice(entry)]);
    return this.isWriting;
  }

  /** The token that was chosen last, and what is guessed to follow. */
  next(most: number): { readonly tokens: TokenIds; readonly stretch: Stretch } {
    const { branch, answer, group } = this.open;
    const context = group[0]?.sequence.tokens ?? [];
    this.guessed = this.allowance > 0 ? guessNext(context, answer.ids, Math.min(most, answer.left - 1)) : [];
    const tokens = [...answer.ids.slice(-1), ...this.guessed];
    return { tokens, stretch: { branch, from: branch.start + answer.ids.length - 1, length: tokens.length } };
  }

  /** Takes the choices after each of those tokens. Gives whose columns they are in the cache now. */
  take(choices: readonly RowScore[]): Stretch[] {
    const { branch, answer } = this.open;
    const from = branch.start + answer.ids.length - 1;
    const wrong = this.guessed.length - this.choose(choices);
    this.allowance += this.guessed.length - 2 * wrong;
    const right = { branch, from, length: choices.length - wrong };
    return wrong > 0 ? [right, { branch: nobody, from, length: wrong }] : [right];
  }

  /** As far as what was guessed is what the policy chooses; so many guesses were. */
  private choose(choices: readonly RowScore[]): number {
    for (const [right, choice] of choices.entries()) {
      const taken = this.open.answer.take(choice);
      if (typeof taken !== 'number') {
        this.isWriting = false;
        this.ledger.answered(this.open.group, taken);
        return right;
      }
      if (taken !== this.guessed[right]) return right;
    }
    return choices.length;
  }
}
