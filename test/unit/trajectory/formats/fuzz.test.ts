import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openTrajectoryFile } from '../../../../src/trajectory/file';
import { rowFormats } from '../../../../src/trajectory/formats/table';
import { LineScanner } from '../../../../src/trajectory/lines';
import { scanRecords } from '../../../../src/trajectory/scan';
import { renderTranscript } from '../../../../src/trajectory/transcript';
import { atifOf } from '../../../../src/trajectory/writeAtif';
import { twoTurns } from '../../../support/makeTrajectory';
import { readNative } from '../../../../src/trajectory/read';
import { writeNative } from '../../../../src/trajectory/write';
import { bytesSource, checkCover } from '../support';

const search = '<think>a</think>\n<search>q ## r</search>\n\n<information>D</information>\n\n<answer> A </answer>';
const tools = '<tool_call>\n{"name": "s", "arguments": {"query": ["q"]}}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\nD\n</tool_response><|im_end|>\n<|im_start|>assistant\n<answer>A</answer>';
const o1 = 'x<|begin_search_query|>q<|end_search_query|>\n\n<|begin_search_result|>D<|end_search_result|>\n\n\\boxed{\\text{A}}';
const r1 = 'x<|begin_of_query|>q<|end_of_query|>\n\n<|begin_of_documents|>D<|end_of_documents|>\n\n</think>\n\n<answer>A</answer>';
const react = 'Question: Q?\nThought 1: x\nAction 1: Search[q]\nObservation 1: D\nThought 2: y\nAction 2: Finish[A]\n';
const call = { id: 'c', type: 'function', function: { name: 's', arguments: '{"query": "q"}' } };
const mcp = '<use_mcp_tool>\n<server_name>w</server_name>\n<tool_name>s</tool_name>\n<arguments>\n{"q": "q"}\n</arguments>\n</use_mcp_tool>';
const messages = [{ role: 'user', content: 'Q?' }, { role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: 'c', content: 'D' }, { role: 'assistant', content: 'A' }];

const atifSteps = [
  { step_id: 1, source: 'user', message: 'Q?' },
  { step_id: 2, source: 'agent', message: '', reasoning_content: 'r', tool_calls: [{ tool_call_id: 'c', function_name: 's', arguments: { query: 'q' } }], observation: { results: [{ source_call_id: 'c', content: 'D', subagent_trajectory_ref: [{ trajectory_id: 's' }] }] } },
  { step_id: 3, source: 'agent', message: 'A' },
];
const simulation = { task_id: '1', termination_reason: 'max_steps', reward_info: { reward: 1 }, messages };

const rows: readonly object[] = [
  { input: 'user\nQuestion: Q?\nassistant\n', output: search, gts: { target: ['A'] }, score: 1, step: 2 },
  { input: 'q', output: tools, info_gain_rewards: [1], rewards: [0, 1], ground_truth: 'A' },
  { question_index: 1, response_text: search, turns: [{ raw_ig: 1 }], ground_truth: ['A'] },
  { prompt: 'q', response: tools, main_score: 1, info_reward: { phi_values: [1, 2] } },
  { question: 'Q?', gen_text_store: r1, answer: 'A' },
  { Question: 'Q?', Output: o1, answer: 'A', Metrics: {} },
  { input_prompt: 'q', output_response: search, score: [0, 1], env_extras: { reward_spec: { ground_truth: 'A' } } },
  { traj: react, gt: 'A' },
  { messages, answer: "[['A']]" },
  { prompt: [messages[0]], completion: messages.slice(1), answer: 'A', reward: 1 },
  { query_id: '1', query: 'Q?', result: [{ type: 'reasoning', output: 'r' }, { type: 'tool_call', tool_name: 's', arguments: '{"query": "q"}', output: 'D' }, { type: 'output_text', output: 'A' }] },
  { prompt: '<start_of_turn>user\nQ?<end_of_turn>\n<start_of_turn>model\n', text: '<search>q</search><end_of_turn>\n<start_of_turn>user\n<information>D</information><end_of_turn>\n<start_of_turn>model\n<answer>A</answer>' },
  { responses_create_params: { input: 'Q?' }, response: { output: [{ type: 'function_call', name: 's', arguments: '{}', call_id: 'c' }, { type: 'function_call_output', call_id: 'c', output: 'D' }] } },
  { id: 't:1', task: 'Q?', trajectories: [{ reward: 1, steps: [{ chat_completions: messages, reward: 1 }] }] },
  { question: 'Q?', golden_answers: ['A'], output: { pred: search } },
  { id: 1, epoch: 1, input: 'attachment://a', target: 'A', messages, attachments: { a: 'Q?' }, events: [{ event: 'span_begin', id: 's', type: 'agent' }, { event: 'model', span_id: 's', input: messages }], scores: { m: { value: 'C' } } },
  { values: { messages: [{ type: 'human', content: 'Q?' }, { type: 'ai', content: '', tool_calls: [{ name: 's', args: { query: 'q' }, id: 'c' }] }, { type: 'tool', tool_call_id: 'c', content: 'D' }, { type: 'ai', content: 'A' }] }, checkpoint: { checkpoint_id: 'x' } },
  { ground_truth: 'A', status: 'completed', main_agent_message_history: { message_history: [messages[0], { role: 'assistant', content: mcp }, { role: 'user', content: 'D' }] }, sub_agent_message_history_sessions: { 'w_1': { message_history: messages } } },
  { schema_version: 'ATIF-v1.7', agent: { name: 'a', version: '1' }, steps: atifSteps, subagent_trajectories: [{ trajectory_id: 's', agent: { name: 'b' }, steps: atifSteps }], extra: { answers: ['A'] } },
  atifOf({ ...twoTurns(), sideLines: [{ kind: 'attempt', name: 's', turn: 1, trajectory: twoTurns() }] }, { scores: { outcome: 1 } }),
  { trajectory: [{ action: 'ls', observation: 'D', response: 'x\n```\nls\n```', thought: 'x' }], history: [{ role: 'user', content: 'ISSUE:\nQ?', agent: 'main' }], info: { exit_status: 'submitted' } },
  { attempts: [{ trajectory: [{ action: 'ls', observation: 'D', thought: '' }], history: [], info: {} }, { trajectory: [{ action: 'cd', observation: '', thought: '' }] }], info: { best_attempt_idx: 0 } },
  { info: { exit_status: 'Submitted', config: {} }, messages: [messages[0], { role: 'assistant', content: '```bash\nls\n```' }, { role: 'exit', content: '' }], trajectory_format: 'mini-swe-agent-1.1' },
  { query: 'Q?', turn_history: { actions: ['ls', 'submit'], observations: ['D', ''], rewards: [0, 1] }, summary: { max_reward: 1, turns_max: 2 } },
  { instance_id: 1, history: [[{ source: 'agent', action: 'run', id: 1, args: { command: 'ls' } }, { source: 'agent', observation: 'run', cause: 1, content: 'D' }]], test_result: { git_patch: '' }, resolved: true },
  { task_id: 1, reward: 1, traj: messages, info: { task: { instruction: 'Q?' } } },
  simulation,
  { prompt: 'Question: Q?', response: search, tokens: [1, 2, 3], loss_mask: [1, 0, 1], rollout_log_probs: [-1, 0, -2], reward: 1, label: 'A' },
  { idx: 1, question: 'Q?', message_str: `<|im_start|>user\nQ?<|im_end|>\n<|im_start|>assistant\n${search}`, ground_truth: 'A<|answer_split|>B' },
  { question: 'Q?', solution: r1, score: 1, finished: true },
  { sessionId: 's', projectHash: 'h', messages: [{ id: '1', type: 'user', content: [{ text: 'Q?' }] }, { id: '2', type: 'gemini', content: 'A', toolCalls: [{ id: 'c', name: 's', args: {}, result: null }] }, { id: '3', type: 'error', content: 'x' }] },
  { instance_id: 'i', trajectory: JSON.stringify(messages) },
  { instance_id: 'i', model_name: 'm', target: true, trajectory: [{ role: 'system', text: '', system_prompt: 's' }, { role: 'user', text: 'Q?' }, { role: 'ai', text: 'x\n```\nls\n```' }, { role: 'user', text: 'D' }] },
];

const gemini = [{ id: '1', type: 'user', content: 'Q?' }, { id: '2', type: 'gemini', content: '', thoughts: [{ subject: 't' }], toolCalls: [{ id: 'c', name: 's', args: {}, result: [{ functionResponse: { response: { output: 'D' } } }] }] }, { id: '3', type: 'gemini', content: 'A' }];

/** Files whose lines are steps of one record. */
const traces: readonly (readonly object[])[] = [
  [{ sessionId: 's', projectHash: 'h' }, ...gemini, { $rewindTo: '3' }, { $set: { messages: gemini } }],
  [{ text: '[s({}) -> D]', action: 'tool_call', task: 'Q?', tool_events: [{ name: 's', args: {}, result: 'D' }] }, { text: 'A', action: 'x', task: 'R?', tool_events: [] }],
  [{ action: 'ls', observation: 'D', episode: 1 }, { action: { tool: 's' }, observation: null, episode: 2 }],
  messages.map((message, i) => ({ type: message.role, sessionId: 's', uuid: String(i), parentUuid: String(i - 1), isSidechain: i === 2, message })),
  [{ type: 'session_meta', payload: { id: 'x' } }, { type: 'response_item', payload: { type: 'function_call', name: 's', arguments: '{}', call_id: 'c' } }, { type: 'response_item', payload: { type: 'message', role: 'assistant', content: 'A' } }],
  [{ record_type: 'event', kind: 'tool', id: 'e', sequence: 1, input: { name: 's' }, output: 'D' }, { record_type: 'event', kind: 'generation', sequence: 2, output: { content: 'A' } }, { record_type: 'case', name: 'Q?' }],
  [{ kind: 'MessageEvent', source: 'user', llm_message: { content: 'Q?' } }, { kind: 'ActionEvent', tool_name: 's', tool_call_id: 'c', action: {} }, { kind: 'ObservationEvent', tool_call_id: 'c', observation: { content: 'D' }, extended_content: [{ text: 'E' }] }, { kind: 'Condensation', summary: 'S' }, { kind: 'ACPToolCallEvent', tool_call_id: 'd', title: 's', status: 'completed', raw_output: 'D' }],
  [{ source: 'agent', action: 'delegate', id: 1, args: { agent: 'B' } }, { source: 'agent', action: 'finish', args: { thought: 'A' } }, { source: 'agent', observation: 'delegate', cause: 1, content: 'D' }],
  messages,
];

const lines = rows.map((row) => JSON.stringify(row));
const files: readonly string[] = [
  ...lines.map((line) => `${line}\n${line}\n${line}\n`),
  ...rows.map((row) => JSON.stringify([row, row], undefined, 1)),
  ...lines.map((line) => `{"x": ${line}, "y": ${line}}`),
  lines.join('\n'),
  lines.join('\\n'),
  JSON.stringify(messages),
  JSON.stringify({ version: 2, status: 'success', eval: { task: 't' }, samples: [rows[13], rows[13]], reductions: [{}] }, undefined, 1),
  JSON.stringify([rows[14], rows[14]], undefined, 1),
  ...traces.flatMap((trace) => [trace.map((row) => `${JSON.stringify(row)}\n`).join(''), JSON.stringify(trace, undefined, 1)]),
  `{"info": {}, "tasks": [{"id": 1}], "simulations": [${JSON.stringify(simulation)}, ${JSON.stringify(simulation)}]}`,
  `<|im_start|>system\ns<|im_end|>\n<|im_start|>user\nQ?<|im_end|>\n<|im_start|>assistant\n${search}\n`.repeat(3),
];

it('knows every format', async () => {
  const seen = new Set<string>();
  for (const text of files) {
    const { kind } = await openTrajectoryFile(bytesSource(text), 'x.json');
    if (kind.kind === 'trajectories') seen.add(kind.format);
  }
  expect(rowFormats.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
});

const inserted = fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\n', '\r', '\0', '\\n', 'NaN', 'null', '1e999', '<search>', '</search>', '<information>', '\\ud800', '\ufeff', '<|im_start|>user\n', '\nuser\n<tool_response>', '-', 'é', '\u2028');

const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(12), inserted);

/** A file, and the same with some of its characters changed. */
const changed = fc.tuple(fc.constantFrom(...files), fc.array(edit, { minLength: 1, maxLength: 6 })).map(([base, edits]) => {
  let text = base;
  for (const [where, length, insert] of edits) {
    const at = Math.floor(where * text.length);
    text = text.slice(0, at) + insert + text.slice(at + length);
  }
  return { base, text };
});

it('never throws and never loses a record, whatever is changed in a file', async () => {
  await fc.assert(
    fc.asyncProperty(changed, async ({ base, text }) => {
      const source = bytesSource(text);
      const file = await openTrajectoryFile(source, 'x.json');
      if (file.kind.kind === 'foreign') {
        expect(file.kind.message).toMatch(/^x\.json [^\n]*\.$/);
        return;
      }
      expect(file.records.length).toBeGreaterThan(0);
      let end = 0;
      for (const range of file.records) {
        if (range.start < end || range.end < range.start) throw new Error('records overlap');
        end = range.end;
        const read = await file.read(range.record);
        if (read.kind === 'problem') {
          if (!/^[^\n]+\.$/.test(read.message)) throw new Error(read.message);
          continue;
        }
        for (const t of [read.trajectory, ...(read.trajectory.sideLines ?? []).map((line) => line.trajectory)]) {
          checkCover(t.text, t);
          renderTranscript(t);
        }
      }
      // Every line that begins with a brace at its very start is a record of its own, or part of one.
      const covered = (at: number): boolean => file.records.some((range) => range.start <= at && at < range.end);
      for (const { start } of await scanRecords(source, new LineScanner('utf-8'))) {
        const first = (await source.read(start, start + 1))[0];
        if (first === 0x7b && base.startsWith('{"') && base.includes('\n{') && !covered(start)) throw new Error(`the line at ${String(start)} is in no record`);
      }
    }),
    { numRuns: 10_000 },
  );
}, 600_000);

it('saves what it read, whatever was changed in the file', async () => {
  await fc.assert(
    fc.asyncProperty(changed, async ({ text }) => {
      // Spans that a document states of itself are kept as stated, and need not be those that a reader finds.
      fc.pre(!text.includes('"turnlens"'));
      const file = await openTrajectoryFile(bytesSource(text), 'x.json');
      for (const { record } of file.records) {
        const read = await file.read(record);
        if (read.kind === 'problem') continue;
        const { trajectory: t } = read;
        const copy = readNative(writeNative(t));
        expect(copy.kind === 'trajectory' && [copy.trajectory.text, copy.trajectory.turns, copy.trajectory.final, copy.trajectory.ending]).toEqual([t.text, t.turns, t.final, t.ending]);
      }
    }),
    { numRuns: 2_000 },
  );
}, 600_000);
