import { expect, it } from 'vitest';
import { notScored, undefinedBecause, value } from '../../../src/credit/score';
import { pageHtml } from '../../../src/panel/page';
import { snapshotOf } from '../../../src/panel/snapshot';
import { makeTrajectory } from '../../support/makeTrajectory';
import { scores } from '../editor/sampleScores';

const trajectory = makeTrajectory({ turns: [{ search: 'one' }, { search: 'two' }, { search: 'three' }], answer: 'a' });

it('is whole: states, turns, selection, provenance', () => {
  expect(snapshotOf({ document: 'file:///t', title: 't', trajectory, scores, policy: 'demo policy', stale: true, selected: 2 })).toMatchObject({
    kind: 'trajectory',
    document: 'file:///t',
    stale: true,
    selected: 2,
    provenance: 'demo policy on cpu, fp32 activations, onnxruntime 1.30.0',
    states: [{ index: 0, answerability: { value: 0, text: '0.00' } }, {}, { index: 2, answer: 'Jasper Weber' }, {}],
    turns: [{ query: 'one', shape: '○' }, { shape: '▲', reward: { value: 0.5, text: '+0.50' }, gate: 'kept' }, { shape: '▼' }],
  });
});

it('what is not known is words, never a number', () => {
  const [first] = scores.turns;
  if (!first) throw new Error('no turn');
  const turns = [{ ...first, gain: undefinedBecause('no observation'), gatedAdvantage: undefinedBecause('one eligible turn', 0), processReward: notScored, advantage: value(0) }];
  const snapshot = snapshotOf({ document: 'file:///t', title: 't', trajectory, scores: { ...scores, turns }, stale: false });
  expect(snapshot).toMatchObject({
    turns: [
      {
        reward: { text: 'not scored' },
        gain: { text: 'undefined', reason: 'undefined: no observation' },
        gated: { reason: 'undefined: one eligible turn (the official arithmetic gives 0.00)' },
      },
      { gain: { text: 'not scored' }, gate: 'not scored' },
      {},
    ],
  });
  expect(JSON.stringify(snapshot)).not.toContain('"value":null');
});

it('the page runs its own script alone', () => {
  const html = pageHtml({ script: 's.js', style: 's.css', cspSource: 'https://host', nonce: 'abc' });
  expect(html).toContain(`content="default-src 'none'; script-src 'nonce-abc'; style-src https://host"`);
  expect(html).not.toMatch(/style=|unsafe-/);
});
