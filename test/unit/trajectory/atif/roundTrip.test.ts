import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTrajectoryFile } from '../../../../src/trajectory/file';
import type { Trajectory } from '../../../../src/trajectory/model';
import { readText } from '../../../../src/trajectory/read';
import { atifOf, writeAtif } from '../../../../src/trajectory/writeAtif';
import { anyScores, anyTrajectory } from '../../../support/arbitraryTrajectory';
import { twoTurns } from '../../../support/makeTrajectory';
import { bytesSource, checkCover } from '../support';

async function readBack(document: string): Promise<Trajectory> {
  const file = await openTrajectoryFile(bytesSource(document), 'x.json');
  const read = await file.read(0);
  if (read.kind === 'problem' || file.records.length !== 1) throw new Error(JSON.stringify([file.kind, read]));
  return read.trajectory;
}

interface Step {
  source: string;
  message: string;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: Record<string, unknown> }[];
  observation?: { results: { source_call_id?: string; content?: string }[] };
}
interface Document {
  steps: Step[];
  extra?: { turnlens: { scores?: unknown; sideLines: unknown[]; version: number; trajectory: Record<string, unknown> } };
  subagent_trajectories?: Document[];
}
/** The document as another program has it: parsed and written again. */
const edited = (t: Trajectory, change: (document: Document) => void): string => {
  const document = JSON.parse(writeAtif(t)) as Document;
  change(document);
  return JSON.stringify(document);
};

describe('a trajectory through ATIF', () => {
  it('is the same trajectory with the same scores, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(anyTrajectory(), fc.option(anyScores, { nil: undefined }), async (t, scores) => {
        const again = await readBack(writeAtif(t, scores === undefined ? {} : { scores }));
        expect(again).toEqual(scores === undefined ? t : { ...t, scored: scores });
        // What it is read as is written the same.
        expect(atifOf(again)).toEqual(atifOf(t, scores === undefined ? {} : { scores }));
      }),
      { numRuns: 400 },
    );
  }, 120_000);

  it('is one document a line too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTrajectory(1), { minLength: 1, maxLength: 4 }), async (all) => {
        const file = await openTrajectoryFile(bytesSource(all.map((t) => `${JSON.stringify(atifOf(t))}\n`).join('')), 'x.jsonl');
        const read = await Promise.all(file.records.map(({ record }) => file.read(record)));
        expect(read.map((result) => result.kind === 'trajectory' && result.trajectory)).toEqual(all);
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('keeps columns that nest deep', async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 190; i++) deep = [deep];
    const t = twoTurns({ recorded: { extra: { deep } } });
    expect(await readBack(writeAtif(t))).toEqual(t);
  });

  it('stands in steps that any viewer of the format reads', async () => {
    await fc.assert(
      fc.asyncProperty(anyTrajectory(), async (t) => {
        const document = JSON.parse(writeAtif(t)) as Document;
        checkDocument(document);
        // Without what only Turnlens reads, it is still a rollout, or none where the policy did nothing.
        delete document.extra;
        const read = readText(JSON.stringify(document), 'atif');
        if (read.kind === 'trajectory') checkCover(read.trajectory.text, read.trajectory);
        else expect([t.turns.length, t.final, t.tail]).toEqual([0, undefined, undefined]);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('says in its steps what was thought, searched, found and answered', () => {
    const turns = [{ text: 'So. <think> hm </think> <search>the book</search>', result: ' Doc 1 ' }, { think: 'I know it.', answer: ' Ada Quill ' }];
    const native = readText(JSON.stringify({ question: 'Who wrote it?', answers: ['Ada Quill'], turns }), 'native');
    if (native.kind === 'problem') throw new Error(native.message);
    expect((JSON.parse(writeAtif(native.trajectory)) as Document).steps).toEqual([
      { step_id: 1, source: 'user', message: 'Who wrote it?' },
      {
        step_id: 2,
        source: 'agent',
        message: 'So.',
        reasoning_content: 'hm',
        tool_calls: [{ tool_call_id: 'call_1_1', function_name: 'search', arguments: { query: 'the book' } }],
        observation: { results: [{ source_call_id: 'call_1_1', content: 'Doc 1' }] },
      },
      { step_id: 3, source: 'agent', message: 'Ada Quill', reasoning_content: 'I know it.' },
    ]);
  });
});

describe('what came back for several calls', () => {
  const resultsOf = (record: object): unknown => {
    const read = readText(JSON.stringify({ question: 'q', answers: ['a'], ...record }), 'native');
    if (read.kind === 'problem') throw new Error(read.message);
    const step = (JSON.parse(writeAtif(read.trajectory)) as Document).steps[1];
    return [step?.tool_calls?.length, step?.observation?.results];
  };

  it('is one result where no tags part it, whatever its lines', () => {
    const turns = [{ text: 'Look.\n```\nls\n```\n```\npwd\n```<|im_end|>', observation: '\n<|im_start|>user\na.txt\n/home<|im_end|>\n<|im_start|>assistant\n' }];
    expect(resultsOf({ dialect: 'commands', turns })).toEqual([2, [{ content: 'a.txt\n/home' }]]);
  });

  it('is a result a call where tags part it', () => {
    const call = (query: string): string => JSON.stringify({ name: 'search', arguments: { query } });
    const turns = [{ search: [call('a'), call('b')], result: '\nA\nA\n</tool_response>\n<tool_response>\nB\n' }];
    expect(resultsOf({ dialect: 'qwen-tools', turns })).toEqual([2, [{ source_call_id: 'call_1_1', content: 'A\nA' }, { source_call_id: 'call_1_2', content: 'B' }]]);
  });
});

/** The rules of Harbor's validator that a step can break. */
function checkDocument(document: Document): void {
  document.steps.forEach((step, i) => {
    expect(step).toMatchObject({ step_id: i + 1, source: expect.stringMatching(/^(system|user|agent)$/) as string, message: expect.any(String) as string });
    const calls = (step.tool_calls ?? []).map((call) => call.tool_call_id);
    expect(new Set(calls).size).toBe(calls.length);
    for (const { source_call_id: id } of step.observation?.results ?? []) if (id !== undefined) expect(calls).toContain(id);
    if (step.source !== 'agent') expect(Object.keys(step).filter((key) => ['reasoning_content', 'tool_calls', 'metrics'].includes(key))).toEqual([]);
  });
  document.subagent_trajectories?.forEach(checkDocument);
}

describe('a document that was changed', () => {
  const t = twoTurns({ recorded: { reward: 1 }, group: 'g' });

  it.each<[string, (document: Document) => void]>([
    ['a message', (document) => (document.steps[1] ??= { source: 'agent', message: '' }).message = 'I shall look.'],
    ['an argument', (document) => (document.steps[1]?.tool_calls?.[0] ?? { arguments: {} as Record<string, unknown> }).arguments['query'] = 'another book'],
    ['what came back', (document) => (document.steps[1]?.observation?.results[0] ?? {}).content = 'nothing'],
    ['a step more', (document) => document.steps.push({ source: 'agent', message: 'Bye.' })],
    ['a step less', (document) => document.steps.splice(1, 1)],
    ['a thought', (document) => (document.steps[1] ?? { source: '', message: '' }).reasoning_content = 'no'],
    ['the copy itself', (document) => document.extra && (document.extra.turnlens.trajectory['turns'] = [])],
    ['a version of the copy that is not known', (document) => document.extra && (document.extra.turnlens.version = 9)],
    ['lines that are not there', (document) => document.extra?.turnlens.sideLines.push({ kind: 'attempt', name: 'x' })],
  ])('%s: its steps count, and it says so', async (_, change) => {
    const read = await readBack(edited({ ...t, scored: { outcome: 1 } }, change));
    expect(read.findings.map(({ code }) => code)).toContain('kept-copy-differs');
    expect([read.scored, read.dialect]).toEqual([undefined, 'chat-tools']);
    checkCover(read.text, read);
  });

  it.each<[string, (document: Document) => void]>([
    ['keys in another order', (document) => (document.steps = document.steps.map((step) => Object.fromEntries(Object.entries(step).reverse()) as unknown as Step))],
    ['fields beside those that say what happened', (document) => document.steps.forEach((step) => Object.assign(step, { timestamp: '2026-01-01T00:00:00Z', extra: { seen: true }, metrics: { cost_usd: 1 } }))],
    ['nulls and empty lists', (document) => document.steps.forEach((step) => Object.assign(step, { tool_calls: step.tool_calls ?? [], observation: step.observation ?? null, is_copied_context: false }))],
    ['more at its root', (document) => Object.assign(document, { notes: 'x', final_metrics: { total_steps: 4 } })],
  ])('%s: nothing that counts', async (_, change) => {
    expect(await readBack(edited(t, change))).toEqual(t);
  });

  it('only a line beside: that line alone is read by its steps', async () => {
    const whole: Trajectory = { ...t, sideLines: [{ kind: 'sub-agent', name: 'searcher', turn: 1, trajectory: twoTurns() }] };
    const read = await readBack(edited(whole, (document) => (document.subagent_trajectories?.[0]?.steps[1] ?? { message: '' }).message = 'Changed.'));
    expect(read).toMatchObject({ ...t, sideLines: [{ kind: 'sub-agent', name: 'searcher', turn: 1 }] });
    expect(read.sideLines?.[0]?.trajectory.findings.map(({ code }) => code)).toContain('kept-copy-differs');
  });
});
