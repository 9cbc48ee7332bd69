import { describe, expect, it } from 'vitest';
import { atif } from '../../../../src/trajectory/formats/atif';
import type { Draft, KeptDraft } from '../../../../src/trajectory/formats/format';
import type { Row } from '../../../../src/trajectory/formats/row';
import type { Trajectory } from '../../../../src/trajectory/model';
import { textOf } from '../../../../src/trajectory/model';
import { twoTurns } from '../../../support/makeTrajectory';
import { atifOf } from '../../../../src/trajectory/writeAtif';
import { codes, gist, one, open } from './support';

const asked = { step_id: 1, source: 'user', message: 'Where?' };
const call = (id: string, name: string, args: object): object => ({ tool_call_id: id, function_name: name, arguments: args });
const searched = {
  step_id: 2,
  source: 'agent',
  message: 'Two at once.',
  reasoning_content: 'hm',
  tool_calls: [call('c1', 'search', { query: 'first' }), call('c2', 'visit', { url: 'u' })],
  observation: { results: [{ source_call_id: 'c2', content: 'Page' }, { source_call_id: 'c1', content: [{ type: 'text', text: 'Doc 1' }, { type: 'image', source: { media_type: 'image/png', path: 'a.png' } }] }] },
  metrics: { prompt_tokens: 5, completion_token_ids: [1, 2], logprobs: [-0.1, -0.2] },
};
const answered = { step_id: 3, source: 'agent', message: 'Paris' };
const document = (steps: readonly object[], more: object = {}): object => ({ schema_version: 'ATIF-v1.4', session_id: 's', agent: { name: 'a', version: '1', tool_definitions: [{}] }, steps, ...more });

describe('ATIF', () => {
  it('reads steps, and pairs what came back with the calls in their order', async () => {
    const t = await one(document([asked, searched, answered], { extra: { ground_truth: 'Paris', reward: 1 }, final_metrics: { total_steps: 3 } }), 'atif');
    expect(gist(t)).toEqual({
      question: 'Where?',
      answers: ['Paris'],
      queries: [['first', 'visit {"url":"u"}']],
      results: ['Doc 1\n[image]\n</tool_response>\n<tool_response>\nPage'],
      answer: 'Paris',
    });
    expect(textOf(t, t.turns[0]?.think ?? { start: 0, end: 0 })).toBe('\nhm\n');
    expect(t.turns[0]?.ids).toEqual({ policy: [1, 2], logprobs: [-0.1, -0.2] });
    expect(t.recorded).toEqual({ reward: 1, extra: { ground_truth: 'Paris', session_id: 's', agent: { name: 'a', version: '1' }, final_metrics: { total_steps: 3 } } });
    expect(codes(t)).toEqual(['text-rendered', 'question-guessed']);
  });

  it('keeps tokens of the whole run where every step has them', async () => {
    const metrics = { completion_token_ids: [9], logprobs: [-3] };
    expect((await one(document([asked, searched, { ...answered, metrics }]), 'atif')).recorded?.tokens).toEqual({ ids: [1, 2, 9], logprobs: [-0.1, -0.2, -3] });
  });

  it.each(['ATIF-v1.0', 'ATIF-v1.2', 'ATIF-v1.6', 'ATIF-v1.7', 'ATIF-v1.8'])('%s is known', async (version) => {
    expect(codes(await one(document([asked, answered], { schema_version: version }), 'atif'))).not.toContain('newer-version');
  });

  it.each(['ATIF-v1.9', 'ATIF-v1.10', 'ATIF-v2.0'])('%s is read as far as it is understood, and says so', async (version) => {
    const t = await one(document([asked, { ...searched, mood: 'new' }, answered], { schema_version: version }), 'atif');
    expect([codes(t).includes('newer-version'), t.turns.length, t.final?.answer]).toEqual([true, 1, 'Paris']);
  });

  it('is known by its steps where the version does not name it', async () => {
    expect((await one(document([asked, answered], { schema_version: '1.4' }), 'atif')).final?.answer).toBe('Paris');
  });

  it.each([
    ['a result of no call', [{ source_call_id: 'other', content: 'x' }]],
    ['a call without a result', [{ source_call_id: 'c1', content: 'x' }]],
  ])('says what is left over: %s', async (_, results) => {
    const t = await one(document([asked, { ...searched, observation: { results } }, answered]), 'atif');
    expect(t.findings.find(({ code }) => code === 'call-unpaired')?.turn).toBe(1);
  });

  it('what comes back without a call is the environment speaking', async () => {
    const t = await one(document([asked, { source: 'agent', step_id: 2, message: 'ls', observation: { results: [{ content: 'a.txt' }] } }, answered]), 'atif');
    expect([t.turns.length, t.turns[0]?.result && textOf(t, t.turns[0].result), codes(t).includes('call-unpaired')]).toEqual([1, 'a.txt', false]);
  });

  it('copied context is prompt at the start, and not read twice further on', async () => {
    const copied = { is_copied_context: true };
    const steps = [{ ...asked, ...copied }, { ...searched, ...copied }, { step_id: 3, source: 'user', message: 'Go on.' }, searched, { ...searched, ...copied }, answered];
    const t = await one(document(steps), 'atif');
    expect([t.turns.length, t.prompt.kind === 'messages' && t.prompt.messages.map(({ role }) => role)]).toEqual([1, ['user', 'assistant', 'tool', 'tool', 'user']]);
    expect(t.findings.find(({ code }) => code === 'context-copied')?.message).toContain('2 steps at its start are part of the prompt and no turn; 1 step further on repeats');
  });

  it('says where a summary replaced the context, and that a run goes on elsewhere', async () => {
    const summary = { step_id: 3, source: 'system', message: 'Summarised.', extra: { context_management: { type: 'compaction', boundary: 'replace' } } };
    const t = await one(document([asked, searched, summary], { continued_trajectory_ref: '../../etc/next.json' }), 'atif');
    expect([codes(t).includes('context-replaced'), codes(t).includes('no-answer'), t.ending]).toEqual([true, false, 'damaged']);
    expect(t.findings.find(({ code }) => code === 'other-trajectories')?.message).toContain('"../../etc/next.json"');
  });

  it('says which steps no model wrote', async () => {
    expect(codes(await one(document([asked, { ...searched, llm_call_count: 0 }, answered]), 'atif'))).toContain('no-model-call');
  });

  it('sub-agents are lines of their own, at the turn that called them', async () => {
    const reference = (id: object): object => ({ ...searched, observation: { results: [{ source_call_id: 'c1', content: 'Doc 1', subagent_trajectory_ref: [id] }, { source_call_id: 'c2', content: 'x' }] } });
    const child = (more: object): object => document([asked, { ...answered, message: 'Lyon' }], { agent: { name: 'searcher', version: '1' }, ...more });
    const t = await one(
      document([asked, reference({ trajectory_id: 'b' }), reference({ session_id: 's9', trajectory_path: 'elsewhere.json' }), answered], {
        subagent_trajectories: [child({ trajectory_id: 'a', session_id: undefined }), child({ trajectory_id: 'b', session_id: undefined }), document([asked], { trajectory_id: 'c' })],
      }),
      'atif',
    );
    expect(t.sideLines?.map(({ kind, name, turn, trajectory }) => [kind, name, turn, trajectory.final?.answer])).toEqual([
      ['sub-agent', 'searcher', undefined, 'Lyon'],
      ['sub-agent', 'searcher (2)', 1, 'Lyon'],
    ]);
    expect([t.turns.length, t.text.includes('Lyon')]).toEqual([2, false]);
    const said = t.findings.filter(({ code }) => code === 'other-trajectories').map(({ message }) => message);
    expect(said).toEqual([expect.stringContaining('2 sub-agents ("searcher", "searcher (2)")'), expect.stringContaining('holds no step of the agent'), expect.stringContaining('"elsewhere.json"')]);
  });

  it.each([
    ['by their steps', document([asked, answered])],
    ['with kept copies that name what is not there', atifOf({ ...twoTurns(), sideLines: ['a', 'b'].map((name) => ({ kind: 'attempt', name, turn: 1, trajectory: twoTurns() })) }, {})],
  ])('documents within documents are each read once, down to the depth that is shown: %s', async (_, base) => {
    let reads = 0;
    // Counts how often a document's steps are asked for.
    const counted = (inner: readonly object[]): object => {
      const { steps } = base as Row;
      return { ...base, trajectory_id: 'a', subagent_trajectories: inner, get steps() { reads++; return steps; } };
    };
    const nested = Array.from({ length: 40 }).reduce<object>((inner) => counted([inner, document([asked], { trajectory_id: 'b' })]), counted([]));
    const draft = atif.read(nested as Row, {});
    if (typeof draft === 'string') throw new Error(draft);
    const depth = ({ sideLines: [first] = [] }: Draft | KeptDraft): number => (first === undefined ? 0 : 1 + depth(first.draft));
    expect(depth(draft)).toBe(8);
    expect(reads).toBeLessThan(60);
    const t = await one(JSON.stringify(nested), 'atif');
    const deepest = (of: Trajectory): Trajectory => (of.sideLines?.[0] === undefined ? of : deepest(of.sideLines[0].trajectory));
    expect(deepest(t).findings.map(({ message }) => message)).toContainEqual(expect.stringContaining('stands too deep within others'));
  });

  it.each([
    ['no step of the agent', document([asked])],
    ['no steps', document([])],
    ['steps that are no objects', document([asked, ...([7, null, 'x'] as unknown as object[])])],
  ])('%s: one sentence', async (_, content) => {
    const { results } = await open(JSON.stringify(content));
    expect(results).toEqual([{ kind: 'problem', message: expect.stringMatching(/^[^\n]*holds no step of the agent[^\n]*\.$/) as string }]);
  });

  it('odd types are read over', async () => {
    const steps = [asked, { source: 'agent', message: { a: 1 }, tool_calls: [7, { function_name: 3 }], observation: { results: [null, { source_call_id: 4, content: 5 }] }, metrics: 'x', extra: [] }, answered];
    const t = await one(document(steps, { agent: 'me', extra: 'none', subagent_trajectories: { a: 1 } }), 'atif');
    expect([t.turns.length, t.final?.answer]).toEqual([1, 'Paris']);
  });
});
