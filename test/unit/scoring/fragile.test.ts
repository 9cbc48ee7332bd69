import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../src/credit/settings';
import { logitNoise } from '../../../src/replay/noise';
import type { PolicyInfo } from '../../../src/replay/policy';
import type { ReplayRequest, ReplayResult } from '../../../src/replay/requests';
import { createScorer } from '../../../src/scoring/createScorer';
import { explainTurn } from '../../../src/scoring/explain';
import type { TrajectoryScores } from '../../../src/scoring/model';
import { memoryStore } from '../../../src/scoring/store';
import { FakePolicy, textOfContext } from '../../support/fakePolicy';
import { twoTurns } from '../../support/makeTrajectory';

const withMargin = (margin: number) => (request: ReplayRequest): ReplayResult | undefined => {
  const last = request.kind === 'answer' && textOfContext(request.context).includes('Ada Quill');
  return last ? { kind: 'answer', text: '<answer>Ada Quill</answer>', ids: [1], logprobs: [-0.1], margin, ended: 'stop', contextTokens: 9, notes: [] } : undefined;
};

async function scored(margin: number, info: Partial<PolicyInfo> = {}): Promise<TrajectoryScores> {
  const policy = new FakePolicy({ result: withMargin(margin), info });
  const scorer = createScorer({ policy, identity: () => Promise.resolve(policy.info), store: memoryStore(), version: '0' });
  const [scores] = await scorer.score([twoTurns()], { settings: defaultSettings, scope: 'trajectory' }, { requests: () => undefined, turns: () => undefined });
  if (!scores) throw new Error('no scores');
  return scores;
}

describe('an answer that hangs on less than the noise of its device', () => {
  it('is named in findings, states and explanation', async () => {
    const scores = await scored(0.0004);
    expect(scores.states.map(({ fragile }) => fragile)).toEqual([undefined, undefined, true]);
    expect(scores.findings).toEqual([
      {
        code: 'fragile-answer',
        severity: 'information',
        turn: 2,
        message: 'The answer after turn 2 is fragile: two tokens were 0.0004 apart, within the noise of 0.001 of this device, so its answerability could as well have come out otherwise.',
      },
    ]);
    const [line] = explainTurn(scores, twoTurns(), 2).flatMap(({ lines }) => lines.filter(({ label }) => label === 'ỹ₂'));
    expect(line?.text).toContain('(fragile: within the noise of the device)');
  });

  it('depends on how activations are computed, and where', async () => {
    expect((await scored(0.1)).findings).toEqual([]);
    expect((await scored(0.1, { dtype: 'int4', activations: 'exported' })).states[2]?.fragile).toBe(true);
    expect((await scored(0.2, { dtype: 'int4', activations: 'exported' })).states[2]).not.toHaveProperty('fragile');
    expect((await scored(0.002, { device: 'webgpu' })).states[2]?.fragile).toBe(true);
  });

  it('is judged by the worst figure where nothing was measured', () => {
    expect([logitNoise('cpu', 'fp32'), logitNoise('dml', 'fp32'), logitNoise('cpu', 'exported'), logitNoise('npu', 'int2')]).toEqual([1e-3, 5e-3, 0.15, 0.15]);
  });
});
