import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchR1 } from '../../../src/trajectory/dialect';
import type { Trajectory } from '../../../src/trajectory/model';
import { readNative, readText } from '../../../src/trajectory/read';
import type { RecordResult } from '../../../src/trajectory/records';
import { writeNative } from '../../../src/trajectory/write';

function trajectory(result: RecordResult): Trajectory {
  if (result.kind === 'problem') throw new Error(result.message);
  return result.trajectory;
}
/** What a copy must keep. */
const kept = (t: Trajectory): unknown => [
  t.question,
  t.answers,
  t.prompt,
  t.text,
  t.group,
  t.recorded,
  t.final?.answer,
  t.tail,
  t.turns.map((turn) => [turn.policy, turn.observation, turn.result, turn.queries, turn.ineligible, turn.ids]),
];
const copy = (t: Trajectory): Trajectory => trajectory(readNative(writeNative(t)));

describe('a copy in the native format', () => {
  const row = { input: 'user\nQuestion: q?\nassistant\n', gts: ['g'], score: 1, step: 2, uid: 'u', more: { x: [1] } };

  it('goes by parts where these give the text back', () => {
    const output = '<think>a</think>\n<search>q</search>\n\n<information>D</information>\n\n<think>b</think>\n<answer> A </answer>';
    const t = trajectory(readText(JSON.stringify({ ...row, output }), 'verl'));
    expect((JSON.parse(writeNative(t)) as { turns: unknown }).turns).toEqual([
      { think: 'a', search: 'q', result: 'D' },
      { think: 'b', answer: ' A ' },
    ]);
    expect(kept(copy(t))).toEqual(kept(t));
  });

  it('goes by the exact text elsewhere', () => {
    const output = `hm${searchR1.invalidAction}<search> q </search>\n<information>D</information>\n<answer>A</answer>.`;
    const t = trajectory(readText(JSON.stringify({ ...row, output }), 'verl'));
    expect((JSON.parse(writeNative(t)) as { turns: unknown }).turns).toEqual([
      { text: 'hm', observation: searchR1.invalidAction },
      { text: '<search> q </search>', observation: '\n<information>D</information>\n' },
      { text: '<answer>A</answer>.', observation: '' },
    ]);
    expect(kept(copy(t))).toEqual(kept(t));
  });

  it('reads back the same, whatever the rollout and its prompt', () => {
    const tags = Object.values(searchR1.tags).flatMap((tag) => [tag.open, tag.close]);
    const part = fc.constantFrom(...tags, '<search>q</search>', '\n\n', '\n\n<information>D</information>\n\n', searchR1.invalidAction, ' ', 'x', '\ud800', '\u2028');
    const prompt = fc.constantFrom('user\nq\nassistant\n', '<|im_start|>user\nq<|im_end|>\n', 'plain', '');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), prompt, fc.oneof(fc.string(), fc.array(fc.string())), (parts, input, gts) => {
        const t = trajectory(readText(JSON.stringify({ ...row, input, gts, output: parts.join('') }), 'verl'));
        const again = copy(t);
        expect([again.text, again.prompt, again.answers, again.group, again.recorded]).toEqual([t.text, t.prompt, t.answers, t.group, t.recorded]);
        expect(again.turns.map((turn) => [turn.policy, turn.observation, turn.ineligible])).toEqual(t.turns.map((turn) => [turn.policy, turn.observation, turn.ineligible]));
        expect([again.final?.answer, again.tail]).toEqual([t.final?.answer, t.tail]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps recorded ids and messages', () => {
    const source = JSON.stringify({
      question: 'q',
      answers: ['g'],
      messages: [{ role: 'user', content: 'q' }],
      turns: [{ search: 'q', result: 'D' }, { answer: 'A' }],
      tokens: { turns: [{ policy: [1], observation: [2] }] },
    });
    const t = trajectory(readNative(source));
    expect(kept(copy(t))).toEqual(kept(t));
    const ids = trajectory(readNative(source.replace('"turns":[{"policy"', '"prompt":[7],"turns":[{"policy"')));
    expect(ids.prompt).toEqual({ kind: 'ids', ids: [7] });
    expect(kept(copy(ids))).toEqual(kept(ids));
  });
});
