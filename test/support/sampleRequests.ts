import { readFileSync } from 'node:fs';
import { fill, type PolicyContract } from '../../src/replay/contract';
import type { Piece, ReplayRequest } from '../../src/replay/requests';

/** A sample's requests, written down a second time and as plainly as can be, so that the product is checked against something. */

interface SampleTurn {
  readonly think: string;
  readonly search?: string;
  readonly result?: string;
}

export interface SampleRequests {
  /** S(C). */
  readonly whole: ReplayRequest;
  /** S(C₋ᵢ), T of them. */
  readonly without: readonly ReplayRequest[];
  /** Answers from s_0 … s_T. */
  readonly states: readonly ReplayRequest[];
}

export function sampleRequests(file: string, contract: PolicyContract): SampleRequests {
  const { question, answers, turns } = JSON.parse(readFileSync(file, 'utf8')) as { question: string; answers: string[]; turns: SampleTurn[] };
  const searches = turns.flatMap(({ think, search, result }) => (search === undefined ? [] : [{ policy: `<think>${think}</think>\n<search>${search}</search>`, observation: `\n\n<information>${result ?? ''}</information>\n\n` }]));
  const gold = answers[0] ?? '';
  const prompt: Piece = { chat: [{ role: 'user', content: fill(contract.agentPrompt, { question }) }] };
  const likelihood = (without?: number): ReplayRequest => ({
    kind: 'likelihood',
    context: [prompt, ...searches.flatMap((turn, index): Piece[] => (index === without ? [{ text: contract.placeholder }] : [{ text: turn.policy }, { text: turn.observation }]))],
    target: contract.goldPrefix + gold + contract.goldSuffix,
    scored: [{ start: contract.goldPrefix.length, end: contract.goldPrefix.length + gold.length }],
    want: ['logprob'],
  });
  const state = (count: number): ReplayRequest => {
    const text = searches.slice(0, count).map((turn) => turn.policy + turn.observation).join('').replace(/\n+$/, '');
    return { kind: 'answer', context: [{ chat: [{ role: 'user', content: fill(contract.evaluatorPrompt, { question, state: text }) }] }], stop: contract.stop, maxTokens: contract.maxAnswerTokens };
  };
  return { whole: likelihood(), without: searches.map((_, index) => likelihood(index)), states: [0, ...searches.map((_, index) => index + 1)].map(state) };
}

export interface ExpectedSample {
  readonly states: readonly { readonly text: string; readonly margin: number }[];
  readonly turns: readonly { readonly goldLogprobsWithout: readonly number[] }[];
  readonly goldLogprobs: readonly number[];
}

export function expectedSamples(file: string): ReadonlyMap<string, ExpectedSample> {
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, ExpectedSample>));
}

