import { writeFileSync } from 'node:fs';

import { defaultSettings } from '../../src/credit/settings';
import type { Policy, ReplayStats } from '../../src/replay/policy';
import type { Scorer } from '../../src/scoring/scorer';
import type { Trajectory } from '../../src/trajectory/model';
import { agreement } from './agreement';
import { figure, median, type Figure } from './figures';
import type { Peer } from './peerProcess';
import { empty, type Recording } from './product';
import { tokenRequests, type TokenRequest } from './tokenRequests';

/** Everybody who takes part; all of them hold the same policy, loaded and warm, on the same machine, and compute with the same floats. */
export interface Contestants {
  readonly policy: Policy;
  readonly scorer: Scorer;
  readonly recording: Recording;
  /** What the policy's process has used so far. */
  readonly usage: () => Usage;
  /** Bytes of the policy's process once it was loaded. */
  readonly loaded: number;
  readonly bareForks: Peer;
  readonly naive: Peer;
  readonly endToken: string | undefined;
  /** Weights in four or eight bits magnify what fp32 rounds away: the mean over the gold's tokens is compared then. */
  readonly quantised: boolean;
  readonly rounds: number;
}

export interface Usage {
  /** User and system, milliseconds. */
  readonly cpu: number;
  /** Resident at most since the start, bytes. */
  readonly peak: number;
  /** Resident now, bytes. */
  readonly resident: number;
}

export interface Workload {
  readonly name: string;
  readonly trajectories: readonly Trajectory[];
  /** Whether the bars of speed stand on it; else its times are reported. Rollouts of a few hundred tokens leave little to share. */
  readonly barred: boolean;
}

interface Time {
  readonly cpu: number;
  readonly ms: number;
}

const overBareForks = 0.9;
/** Of the speed-up that the plan promises over running each request alone. */
const ofThePlan = 0.9;
/** MB of memory for all but the model and the keys and values of the longest context, twice. No trunk is warm in the bench. */
const besidesCaches = 300;
/** The naive peer is slow. */
const naiveRounds = 3;

/** The product and both peers in turn, several times over, since a machine's speed drifts: the median of each round's own ratio counts. */
export async function contest({ name, trajectories, barred }: Workload, c: Contestants, requestsFile: string): Promise<Figure[]> {
  const score = async (ignoreCache: boolean): Promise<Time> => {
    empty(c.recording);
    const before = c.usage().cpu;
    const start = performance.now();
    await c.scorer.score(
      trajectories,
      { settings: defaultSettings, scope: trajectories.length > 1 ? 'question' : 'trajectory', ignoreCache },
      { requests: () => undefined, turns: () => undefined },
    );
    return { ms: performance.now() - start, cpu: c.usage().cpu - before };
  };

  await score(true);
  const { stats } = c.recording;
  const answered = c.recording.requests.flatMap((request, i) => {
    const result = c.recording.results[i];
    return result === undefined || result.kind === 'undefined' ? [] : [{ request, result }];
  });
  const requests = await tokenRequests(c.policy, answered.map(({ request }) => request), c.endToken);
  writeFileSync(requestsFile, JSON.stringify({ requests }));
  const longest = requests.reduce((most, request) => Math.max(most, lengthOf(request)), 0);
  const warm = { bareForks: await c.bareForks.run(requestsFile), naive: await c.naive.run(requestsFile) };

  const overBare: Ratio[] = [];
  const overNaive: Ratio[] = [];
  for (let round = 0; round < c.rounds; round++) {
    // Who goes first alternates, so that neither always finds the caches warm.
    const first = round % 2 === 0 ? await score(true) : undefined;
    const peer = await c.bareForks.run(requestsFile);
    const product = first ?? (await score(true));
    overBare.push(ratio(product, peer));
    if (round < naiveRounds) overNaive.push(ratio(product, await c.naive.run(requestsFile)));
  }
  await score(false);
  const ranFromCache = c.recording.requests.length;

  const promised = total(stats, 'tokensNaive') / total(stats, 'tokensTree');
  const results = answered.map(({ result }) => result);
  return [
    figure(`${name}: CPU time, warm re-score / bare forks`, medianOf(overBare, 'cpu'), barred ? overBareForks : null),
    figure(`${name}: wall time, the same`, medianOf(overBare, 'ms')),
    figure(`${name}: tokens of one forward each / tokens of the tree`, promised),
    figure(`${name}: CPU time, (warm re-score / naive) × that`, promised * medianOf(overNaive, 'cpu'), barred ? 1 / ofThePlan : null),
    figure(`${name}: wall time, the same`, promised * medianOf(overNaive, 'ms')),
    figure(`${name}: tokens run / tokens of the tree`, total(stats, 'tokensRun') / total(stats, 'tokensTree'), 1),
    figure(`${name}: requests run by a second re-score`, ranFromCache, 0),
    ...agreement(`${name}: against bare forks`, results, warm.bareForks, c.quantised),
    ...agreement(`${name}: against naive`, results, warm.naive, c.quantised),
    figure(`${name}: peak memory of the policy's process beyond the loaded model, MB`, (c.usage().peak - c.loaded) / 2 ** 20, barred ? besidesCaches + (2 * longest * c.naive.columnBytes) / 2 ** 20 : null),
  ];
}

/** Tokens, with those that may be decoded. */
const lengthOf = (request: TokenRequest): number => request.context.length + (request.kind === 'answer' ? request.maxTokens : request.target.length);

type Ratio = Time;
const ratio = (product: Time, peer: Time): Ratio => ({ cpu: product.cpu / peer.cpu, ms: product.ms / peer.ms });
const medianOf = (ratios: readonly Ratio[], key: keyof Ratio): number => median(ratios.map((each) => each[key]));
const total = (stats: readonly ReplayStats[], key: 'tokensNaive' | 'tokensRun' | 'tokensTree'): number => stats.reduce((sum, s) => sum + s[key], 0);
