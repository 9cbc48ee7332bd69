import type { PolicyContract } from '../replay/contract';
import type { LikelihoodRequest, Piece, ReplayResult, ScoredToken, UndefinedResult } from '../replay/requests';
import type { Trajectory, Turn } from '../trajectory/model';
import { gainContext, writtenPieces } from './contexts';
import { asReason, type Asked, type CreditMethod, isTooLong, type Known } from './method';
import { strip } from './pythonText';
import { notScored, type Score, undefinedBecause, value } from './score';
import type { CreditSettings } from './settings';
import { whyUncredited } from './uncredited';
import { assignWritten, type WrittenScore } from './written';

/**
 * LOTAPO (arXiv 2607.13501): what the gold answer's likelihood loses when one turn is taken out of the context.
 * The gains of one trajectory; what the group makes of them is in lotapoGroup.ts.
 */
export interface LotapoCredit {
  /** Golds the gains used, trimmed: one, or all with `mean`. Empty: none. */
  readonly golds: readonly string[];
  /** S(C), nats a token. */
  readonly full: Score;
  readonly turns: readonly LotapoTurn[];
  /** What the policy thought of the words of each turn; no gain uses it. */
  readonly written: readonly WrittenScore[];
  /** Scored tokens of the gold under the whole context. Absent: not scored, or several golds. */
  readonly tokens?: readonly ScoredToken[];
}

interface LotapoTurn {
  /** S(C₋ᵢ). */
  readonly without: Score;
  /** Δ_i = S(C) − S(C₋ᵢ). */
  readonly gain: Score;
  readonly tokens?: readonly ScoredToken[];
}

export const fullId = (gold: number): string => `full/${gold}`;
const withoutId = (turn: number, gold: number): string => `without/${turn}/${gold}`;

/** Golds that may be asked for, by their place in the file. */
function candidates(t: Trajectory, settings: CreditSettings): ReadonlyMap<number, string> {
  const golds = settings.gold === 'first' ? t.answers.slice(0, 1) : t.answers;
  return new Map(golds.map((gold, i) => [i, strip(gold)] as const).filter(([, gold]) => gold !== ''));
}

function likelihood(context: readonly Piece[], gold: string, settings: CreditSettings, contract: PolicyContract): LikelihoodRequest {
  const start = contract.goldPrefix.length;
  return {
    kind: 'likelihood',
    context,
    target: contract.goldPrefix + gold + contract.goldSuffix,
    scored: [{ start, end: start + gold.length }],
    want: ['logprob'],
    ...(settings.keepLast === undefined ? {} : { keepLast: settings.keepLast }),
  };
}

/** Of a rollout without a gold: what was written alone. */
export const writtenId = 'written';

function* asks(t: Trajectory, settings: CreditSettings, contract: PolicyContract, known: Known): Generator<readonly [string, Asked]> {
  const golds = candidates(t, settings);
  const full = gainContext(t, contract);
  const [first] = golds.keys();
  const [firstGold] = golds.values();
  if (first === undefined) {
    if (t.turns.length > 0) yield [writtenId, { turn: 0, request: { ...likelihood(full, '', settings, contract), target: '', scored: [], written: writtenPieces(t) } }];
    return;
  }
  for (const [g, gold] of golds) {
    const request = likelihood(full, gold, settings, contract);
    // One of them is enough: the context is the same for all.
    yield [fullId(g), { turn: 0, request: gold === firstGold ? { ...request, written: writtenPieces(t) } : request }];
  }
  for (const turn of eligible(t)) {
    if (noneFits(known(fullId(first)))) return;
    const context = gainContext(t, contract, { turn: turn.index, replace: settings.replace });
    for (const [g, gold] of golds) yield [withoutId(turn.index, g), { turn: turn.index, request: likelihood(context, gold, settings, contract) }];
  }
}

const eligible = (t: Trajectory): Turn[] => t.turns.filter((turn) => turn.ineligible === undefined);

/** Without one turn, which is two pieces at most, the context is too long as well. */
const noneFits = (full: ReplayResult | undefined): full is UndefinedResult => isTooLong(full) && full.evenWithoutTwo === true;

function count(t: Trajectory, settings: CreditSettings): number {
  const golds = candidates(t, settings).size;
  return golds === 0 ? Math.min(1, t.turns.length) : golds * (1 + eligible(t).length);
}

/** Mean log-probability of the scored tokens. The official code counts what is not finite as 0. */
function meanLogprob(result: ReplayResult | undefined): Score {
  if (result?.kind === 'undefined') return undefinedBecause(asReason(result), result.code === 'not-finite' ? 0 : undefined);
  if (result?.kind !== 'likelihood') return notScored;
  const mean = result.tokens.reduce((sum, token) => sum + token.logprob, 0) / result.tokens.length;
  return Number.isFinite(mean) ? value(mean) : undefinedBecause('the log-probability is not finite', 0);
}

/** Over golds: the first that is no value decides. */
function meanScore(scores: readonly Score[]): Score {
  let sum = 0;
  for (const score of scores) {
    if (score.kind !== 'value') return score;
    sum += score.value;
  }
  return value(sum / scores.length);
}

function difference(full: Score, without: Score): Score {
  if (full.kind === 'value' && without.kind === 'value') return value(full.value - without.value);
  if (full.kind === 'undefined') return undefinedBecause(full.reason, full.value);
  return without.kind === 'value' ? full : without;
}

/** `best` is chosen once, by the whole context, and kept for every turn. */
function chosen(all: readonly number[], results: ReadonlyMap<string, ReplayResult>, settings: CreditSettings): readonly number[] {
  if (settings.gold !== 'best') return all;
  let best = all[0];
  let highest = -Infinity;
  for (const g of all) {
    const score = meanLogprob(results.get(fullId(g)));
    if (score.kind === 'value' && score.value > highest) [best, highest] = [g, score.value];
  }
  return best === undefined ? [] : [best];
}

const tokensOf = (result: ReplayResult | undefined): { readonly tokens?: readonly ScoredToken[] } =>
  result?.kind === 'likelihood' ? { tokens: result.tokens } : {};

function assign(t: Trajectory, results: ReadonlyMap<string, ReplayResult>, settings: CreditSettings): LotapoCredit {
  const golds = candidates(t, settings);
  const used = chosen([...golds.keys()], results, settings);
  const only = used.length === 1 ? used[0] : undefined;
  const none = undefinedBecause(whyUncredited(t) ?? 'the gold answer is empty');
  const [first] = golds.keys();
  const whole = results.get(first === undefined ? writtenId : fullId(first));
  const implied = noneFits(whole) ? whole : undefined;
  const score = (id: (gold: number) => string): Score => (used.length === 0 ? none : meanScore(used.map((g) => meanLogprob(results.get(id(g)) ?? implied))));
  const full = score(fullId);
  const turns = t.turns.map((turn): LotapoTurn => {
    if (turn.ineligible !== undefined) return { without: undefinedBecause(turn.ineligible), gain: undefinedBecause(turn.ineligible) };
    const without = score((g) => withoutId(turn.index, g));
    return { without, gain: difference(full, without), ...(only === undefined ? {} : tokensOf(results.get(withoutId(turn.index, only)))) };
  });
  const written = assignWritten(t, whole);
  return { golds: used.map((g) => golds.get(g) ?? ''), full, turns, written, ...(only === undefined ? {} : tokensOf(results.get(fullId(only)))) };
}

export const lotapo: CreditMethod<LotapoCredit> = { asks, count, assign };
