import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleOne } from '../../scripts/lib/bundle.mjs';
import type { Score } from '../../src/credit/score';
import { defaultSettings } from '../../src/credit/settings';
import { createScorer } from '../../src/scoring/createScorer';
import { nodeByteSource } from '../../src/scoring/fileSource';
import type { TrajectoryScores } from '../../src/scoring/model';
import { openPolicy, policyIdentity } from '../../src/scoring/openPolicy';
import type { Scorer } from '../../src/scoring/scorer';
import { memoryStore } from '../../src/scoring/store';
import { openTrajectoryFile } from '../../src/trajectory/file';
import type { Trajectory } from '../../src/trajectory/model';
import { demoPolicy, root, samples } from '../support/fixtures';
import demo from './demo-policy.json';

/** Files, readers, engine and the demo policy in its process, against torch in float32 with one full forward for each request. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const processPath = path.join(root, 'out', 'golden', 'policyProcess.js');
let scorer: Scorer;

beforeAll(async () => {
  await bundleOne(path.relative(root, processPath), { entry: 'src/policy/process.ts', external: ['onnxruntime-node'], without: /^\b$/ });
  const policy = openPolicy({ folder: demoPolicy, processPath });
  scorer = createScorer({ policy, identity: () => policyIdentity(demoPolicy), store: memoryStore(), version: '0' });
});
afterAll(() => scorer.policy.dispose());

async function read(name: string): Promise<Trajectory[]> {
  const source = nodeByteSource(path.join(samples, name));
  const { contract } = await policyIdentity(demoPolicy);
  const file = await openTrajectoryFile(source, name);
  const results = await Promise.all(file.records.map(({ record }) => file.read(record, { agentPrompt: contract.agentPrompt })));
  await source.close();
  return results.map((result) => {
    if (result.kind === 'problem') throw new Error(result.message);
    return result.trajectory;
  });
}

const score = (trajectories: readonly Trajectory[], scope: 'trajectory' | 'question'): Promise<readonly TrajectoryScores[]> =>
  scorer.score(trajectories, { settings: defaultSettings, scope, tokens: true }, { requests: () => undefined, turns: () => undefined });

const stated = (figure: Score | undefined): number => (figure === undefined || figure.kind === 'not scored' ? NaN : (figure.value ?? NaN));
const near = (figure: Score | undefined, expected: number | undefined, tolerance: number): void => {
  expect(Math.abs(stated(figure) - (expected ?? NaN))).toBeLessThan(tolerance);
};

type Reference = (typeof demo.rollouts)[number] | (typeof demo.samples)['one-hop.traj'];

function compare(scores: TrajectoryScores, reference: Reference): void {
  expect(scores.states.map(({ answer }) => answer)).toEqual(reference.states.map(({ answer }) => answer));
  expect(scores.states.map(({ answerability }) => stated(answerability))).toEqual(reference.states.map(({ answerability }) => answerability));
  expect(stated(scores.outcome)).toBe(reference.outcome);
  expect(scores.turns.map(({ processReward }) => stated(processReward))).toEqual(reference.turns.map(({ processReward }) => processReward));
  scores.turns.forEach(({ gain }, i) => near(gain, reference.turns[i]?.gain, 1e-3));
  near(scores.checks.rewardSum, stated(scores.checks.telescoped), 1e-12);
}

describe.each(Object.entries(demo.samples))('%s', (name, reference) => {
  it('gets the figures of the reference run', async () => {
    const [scores] = await score(await read(name), 'trajectory');
    if (!scores) throw new Error('scores expected');
    compare(scores, reference);
    near(scores.fullLogprob, reference.fullLogprob, 1e-3);
    scores.turns.forEach(({ withoutLogprob }, i) => near(withoutLogprob, reference.turns[i]?.withoutLogprob, 1e-3));
    scores.states.forEach(({ margin, exactMatch }, i) => {
      near(margin, reference.states[i]?.margin, 1e-2);
      expect(stated(exactMatch)).toBe(reference.states[i]?.exactMatch);
    });
    expect(scores.tokens?.full).toHaveLength(reference.goldLogprobs.length);
    scores.tokens?.full.forEach(({ logprob }, i) => expect(Math.abs(logprob - (reference.goldLogprobs[i] ?? NaN))).toBeLessThan(1e-3));
    expect(scores.findings).toEqual([]);
  });
});

describe('the rollouts of eight questions', () => {
  it('get the figures of the reference run, over their group', async () => {
    const scores = await score(await read('group.jsonl'), 'question');
    expect(scores).toHaveLength(demo.rollouts.length);
    scores.forEach((rollout, record) => {
      const reference = demo.rollouts[record];
      if (!reference) throw new Error('no reference');
      compare(rollout, reference);
      near(rollout.outcomeAdvantage, reference.outcomeAdvantage, 1e-6);
      near(rollout.scale, reference.scale, 1e-3);
    });
  });

  it('are rebuilt from a dump without markers, and say so', async () => {
    const [first] = await read('group.jsonl');
    if (!first) throw new Error('a record expected');
    const [scores] = await score([first], 'trajectory');
    expect(scores?.findings.map(({ code }) => code)).toEqual(['prompt-rebuilt']);
  });
});

describe('harm', () => {
  it('is a negative reward and a negative gain on the harmful turn', async () => {
    const [scores] = await score(await read('harmful-turn.traj'), 'trajectory');
    const [last] = scores?.turns.slice(-1) ?? [];
    expect([stated(last?.processReward) < 0, stated(last?.gain) < 0, last?.spike]).toEqual([true, true, 'down']);
  });
});
