import { describe, expect, it } from 'vitest';

import { plainJson } from '../../../src/cli/plainText';
import { scoreLine } from '../../../src/scoring/scoreJson';
import { oasesAlone, scores, severalGolds, tokens, trajectory } from './example';

describe('a line of turnlens score --json', () => {
  it('has the keys of docs/json.md in their order', () => {
    expect(plainJson(scoreLine({ file: 'a.traj', record: 0 }, trajectory, scores))).toBe(
      '{"version":1,"file":"a.traj","record":0,"question":"Who wrote it?","answers":["Ann Lee","Lee"],"gold":"Ann Lee","outcome":1,' +
        '"states":[{"index":0,"answer":"a0","answerability":0,"exactMatch":0,"margin":3.2},{"index":1,"answer":"a1","answerability":0.5,"exactMatch":0,"margin":3.2},' +
        '{"index":2,"answer":"a2","answerability":0.5,"exactMatch":0,"margin":3.2}],' +
        '"turns":[{"index":1,"queries":["it"],"processReward":0.25,"gain":1.31,"withoutLogprob":-1.43,"scaledGain":0.9,"advantage":1,"gatedAdvantage":1,' +
        '"gate":"kept","turnAdvantage":{"undefined":"a group of one","value":0.49},"spike":"up"},' +
        '{"index":2,"queries":[],"processReward":0,"gain":{"undefined":"no search"},"withoutLogprob":{"undefined":"no search"},"scaledGain":{"undefined":"no search"},' +
        '"advantage":{"undefined":"no search"},"gatedAdvantage":{"undefined":"no search"},"gate":"undefined","turnAdvantage":{"undefined":"a group of one","value":0.49}}],' +
        '"fullLogprob":-0.12,"scale":1.310001,"outcomeAdvantage":{"undefined":"a group of one","value":0},"checks":{"rewardSum":0.25,"telescoped":0.25},' +
        '"group":{"scope":"trajectory","id":null,"rollouts":1,"turns":1},' +
        '"findings":[{"code":"self-written-observation","turn":2,"message":"The policy wrote it."}],' +
        `"provenance":{"policy":"sha256:${'a'.repeat(64)}","contract":"sha256:${'b'.repeat(64)}","device":"cpu","dtype":"float32","activations":"fp32","metric":"f1",` +
        '"alpha":0.5,"lambda":0.5,"epsilon":0.000001,"replace":"turn","turnlens":"0.1.0","runtime":"onnxruntime 1.30.0"}}',
    );
  });

  it('has each gold token with and without every turn', () => {
    expect(scoreLine({ file: 'a', record: 0 }, trajectory, { ...scores, tokens })).toMatchObject({ tokens: [{ id: 7, text: 'Ann', logprob: -0.12, without: [-1.43, null] }] });
  });

  it('leaves out what was not asked for', () => {
    const line = JSON.parse(plainJson(scoreLine({ file: 'a', record: 0 }, trajectory, oasesAlone))) as { turns: object[] };
    expect(line.turns[0]).toEqual({ index: 1, queries: ['it'], processReward: 0.25 });
    expect(line).not.toHaveProperty('fullLogprob');
    expect(line).not.toHaveProperty('scale');
    expect(line).toHaveProperty('checks');
  });

  it('names all golds where the gains used several, and what was not the default', () => {
    expect(scoreLine({ file: 'a', record: 0 }, trajectory, severalGolds)).toMatchObject({ gold: null, golds: ['Ann Lee', 'Lee'], provenance: { gold: 'mean' } });
  });
});
