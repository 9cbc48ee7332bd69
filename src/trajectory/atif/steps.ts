import { partsOfFinal, partsOfTurn, withTextBetween } from '../betweenParts';
import type { Dialect } from '../dialect';
import { isRow } from '../formats/row';
import { textOf } from '../model';
import type { ChatMessage, FinalTurn, Prompt, Span, Trajectory, Turn } from '../model';
import { readCall } from '../toolCall';

/** The fields of an ATIF step (Harbor's RFC 0001, v1.7) that a trajectory fills. */
export interface AtifStep {
  readonly step_id: number;
  readonly source: 'system' | 'user' | 'agent';
  readonly message: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly AtifCall[];
  readonly observation?: { readonly results: readonly AtifResult[] };
  readonly metrics?: { readonly completion_token_ids: readonly number[]; readonly logprobs?: readonly number[] };
  readonly is_copied_context?: true;
}

export interface AtifCall {
  readonly tool_call_id: string;
  readonly function_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface AtifResult {
  readonly source_call_id?: string;
  readonly content?: string;
  readonly subagent_trajectory_ref?: readonly { readonly trajectory_id: string }[];
}

type Unnumbered = Omit<AtifStep, 'step_id'>;

/** The steps that another viewer reads: the prompt, a step for each action with what came back, the answer. Tags and chat markers are left out. */
export function stepsOf(t: Trajectory, dialect: Dialect): readonly AtifStep[] {
  const steps: readonly Unnumbered[] = [
    ...promptSteps(t.prompt, t.question),
    ...t.turns.map((turn) => turnStep(t, turn, dialect)),
    ...(t.final === undefined ? [] : [finalStep(t, t.final, dialect)]),
    ...(t.tail === undefined ? [] : [{ source: 'agent', message: textOf(t, t.tail) } as const]),
  ];
  return steps.map((step, i) => ({ step_id: i + 1, ...step }));
}

function promptSteps(prompt: Prompt, question: string): readonly Unnumbered[] {
  switch (prompt.kind) {
    case 'messages':
      return prompt.messages.map(messageStep);
    case 'text':
    case 'stripped':
      return [{ source: 'user', message: prompt.text }];
    case 'ids':
      return [{ source: 'user', message: prompt.text ?? question }];
    case 'contract':
      return [{ source: 'user', message: question }];
  }
}

/** What an assistant says in a prompt, the policy has read and not written. */
function messageStep({ role, content }: ChatMessage): Unnumbered {
  if (role === 'assistant') return { source: 'agent', message: content, is_copied_context: true };
  return { source: role === 'system' ? 'system' : 'user', message: content };
}

function turnStep(t: Trajectory, turn: Turn, dialect: Dialect): Unnumbered {
  const pieces = withTextBetween(t.text, dialect, turn.policy, partsOfTurn(turn));
  const calls = turn.querySpans.map((span, i) => callOf(textOf(t, span), `call_${String(turn.index)}_${String(i + 1)}`, dialect));
  const results = resultsOf(t, turn, calls, dialect);
  const metrics = metricsOf(turn);
  return {
    source: 'agent',
    message: joined(t, pieces, 'text'),
    ...reasoning(t, turn.think),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(results.length === 0 ? {} : { observation: { results } }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

function finalStep(t: Trajectory, final: FinalTurn, dialect: Dialect): Unnumbered {
  const pieces = withTextBetween(t.text, dialect, final.policy, partsOfFinal(final));
  return { source: 'agent', message: joined(t, pieces, 'text', 'answer'), ...reasoning(t, final.think) };
}

const joined = (t: Trajectory, pieces: ReturnType<typeof withTextBetween>, ...labels: readonly string[]): string =>
  pieces
    .filter(({ label }) => labels.includes(label))
    .map(({ span }) => textOf(t, span).trim())
    .join('\n');

const reasoning = (t: Trajectory, think: Span | undefined): { readonly reasoning_content?: string } =>
  think === undefined ? {} : { reasoning_content: textOf(t, think).trim() };

/** Where the dialect has no tool calls, a search or a command is the call of one. */
function callOf(inside: string, id: string, dialect: Dialect): AtifCall {
  if (dialect.fenced === true) return { tool_call_id: id, function_name: 'run_command', arguments: { command: inside.trim() } };
  const call = dialect.query?.kind === 'json-call' ? readCall(inside) : undefined;
  if (call === undefined) return { tool_call_id: id, function_name: 'search', arguments: { query: inside.trim() } };
  return { tool_call_id: id, function_name: call.name, arguments: isRow(call.arguments) ? call.arguments : { input: call.arguments } };
}

/** One result a call where tags within the observation part them; else one for all. */
function resultsOf(t: Trajectory, turn: Turn, calls: readonly AtifCall[], dialect: Dialect): readonly AtifResult[] {
  const back = turn.result ?? turn.observation;
  if (back === undefined) return [];
  const text = textOf(t, back);
  const { open, close } = dialect.tags.observation;
  const tagged = dialect.roles === true && open !== '' && close !== '';
  const parts = tagged && calls.length > 1 ? text.split(`${close}\n${open}`) : [text];
  const paired = parts.length === calls.length;
  return (paired ? parts : [text]).map((content, i) => {
    const call = paired ? calls[i] : undefined;
    return { ...(call === undefined ? {} : { source_call_id: call.tool_call_id }), content: content.trim() };
  });
}

function metricsOf({ ids }: Turn): AtifStep['metrics'] {
  if (ids?.policy === undefined) return undefined;
  return { completion_token_ids: ids.policy, ...(ids.logprobs === undefined ? {} : { logprobs: ids.logprobs }) };
}
