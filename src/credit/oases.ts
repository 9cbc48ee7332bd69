import { fill, type PolicyContract } from '../replay/contract';
import type { ReplayResult } from '../replay/requests';
import type { Trajectory } from '../trajectory/model';
import { extractAnswer } from './extract';
import { grade } from './metrics';
import { asReason, type Asked, type CreditMethod, isTooLong, type Known } from './method';
import { notScored, type Score, undefinedBecause, value } from './score';
import type { CreditSettings } from './settings';

/** OASES (arXiv 2604.03675): the policy answers from every state, and a turn is paid for what it changed. */
export interface OasesCredit {
  /** T + 1 of them. */
  readonly states: readonly OasesState[];
  /** r_1 … r_T. */
  readonly rewards: readonly Score[];
  readonly rewardSum: Score;
  /** α(γ_T − γ_0), which the sum of the rewards must equal. */
  readonly telescoped: Score;
}

interface OasesState {
  /** What was generated. Absent: nothing was. */
  readonly text?: string;
  /** ỹ_t; empty where the text has no answer. Absent: nothing was generated. */
  readonly answer?: string;
  /** The text holds no answer, so ỹ_t is empty and γ_t is 0. */
  readonly answerless: boolean;
  /** Decoding ended for want of room. */
  readonly cut: boolean;
  readonly answerability: Score;
  readonly exactMatch: Score;
  readonly margin: Score;
}

export const stateId = (state: number): string => `state/${state}`;

/** The text of s_t: everything up to the end of turn t, its own trailing newlines cut. */
function stateText(t: Trajectory, state: number): string {
  const turn = t.turns[state - 1];
  if (turn === undefined) return '';
  let end = (turn.observation ?? turn.policy).end;
  while (end > 0 && t.text[end - 1] === '\n') end--;
  return t.text.slice(0, end);
}

/** From the shortest state on: each begins with the one before, so that after one that is too long none fits. */
function* asks(t: Trajectory, _settings: CreditSettings, contract: PolicyContract, known: Known): Generator<readonly [string, Asked]> {
  for (let state = 0; state <= t.turns.length; state++) {
    if (state > 0 && isTooLong(known(stateId(state - 1)))) return;
    const content = fill(contract.evaluatorPrompt, { question: t.question, state: stateText(t, state) });
    const request = { kind: 'answer', context: [{ chat: [{ role: 'user', content }] }], stop: contract.stop, maxTokens: contract.maxAnswerTokens } as const;
    yield [stateId(state), { turn: state, request }];
  }
}

/** The results of all states: after one that is too long, its own where none was asked for. */
function resultsOf(t: Trajectory, results: ReadonlyMap<string, ReplayResult>): (ReplayResult | undefined)[] {
  let tooLong: ReplayResult | undefined;
  return [undefined, ...t.turns].map((_, state) => {
    const result = results.get(stateId(state));
    if (isTooLong(result)) tooLong = result;
    return result ?? tooLong;
  });
}

const unknownState = (score: Score): OasesState => ({ answerless: false, cut: false, answerability: score, exactMatch: score, margin: score });

function judge(t: Trajectory, result: ReplayResult | undefined, settings: CreditSettings, contract: PolicyContract): OasesState {
  if (result?.kind === 'undefined') return unknownState(undefinedBecause(asReason(result)));
  if (result?.kind !== 'answer') return unknownState(notScored);
  const answer = extractAnswer(result.text, contract.answerPattern);
  return {
    text: result.text,
    answer: answer ?? '',
    answerless: answer === undefined,
    cut: result.ended === 'length',
    answerability: grade(settings.metric, answer, t.answers).score,
    exactMatch: grade('em', answer, t.answers).score,
    margin: Number.isFinite(result.margin) ? value(result.margin) : undefinedBecause('the policy had no second choice'),
  };
}

/** α(to − from), unknown where a part of it is. */
function rise(alpha: number, from: Score | undefined, to: Score | undefined): Score {
  if (from?.kind === 'value' && to?.kind === 'value') return value(alpha * (to.value - from.value));
  if (to?.kind === 'undefined') return undefinedBecause(to.reason);
  if (from?.kind === 'undefined') return undefinedBecause(from.reason);
  return notScored;
}

function sum(scores: readonly Score[]): Score {
  let total = 0;
  for (const score of scores) {
    if (score.kind === 'not scored') return notScored;
    if (score.kind === 'undefined') return undefinedBecause(score.reason);
    total += score.value;
  }
  return value(total);
}

function assign(t: Trajectory, results: ReadonlyMap<string, ReplayResult>, settings: CreditSettings, contract: PolicyContract): OasesCredit {
  const states = resultsOf(t, results).map((result) => judge(t, result, settings, contract));
  const rewards = t.turns.map((_, i) => rise(settings.alpha, states[i]?.answerability, states[i + 1]?.answerability));
  return { states, rewards, rewardSum: sum(rewards), telescoped: rise(settings.alpha, states[0]?.answerability, states.at(-1)?.answerability) };
}

export const oases: CreditMethod<OasesCredit> = {
  asks,
  count: (t) => t.turns.length + 1,
  assign,
};
