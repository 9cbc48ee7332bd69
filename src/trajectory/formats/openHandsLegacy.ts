import { contentText } from './messages/content';
import { callOf } from './messages/said';
import type { Call, Said } from './messages/said';
import { isList, isRow, isText, others } from './row';
import type { Row } from './row';

/** Events as messages. */
export interface SaidEvents {
  readonly messages: readonly Said[];
  /** Before which of these messages the harness put a summary in the place of what was said, or left it out. */
  readonly forgotten: readonly number[];
  /** Why the run was stopped, where an event says so. */
  readonly stopped?: string;
  /** The agent's last action ended its run. */
  readonly finished: boolean;
  /** What other agents did for this one. */
  readonly delegated: readonly { readonly name: string; readonly turn: number; readonly events: readonly Row[] }[];
}

/** `{"source", "action" | "observation", …}`: events of OpenHands up to 0.x. */
export const isLegacyEvent = (event: Row): boolean => isText(event['source']) && (isText(event['action']) || isText(event['observation'])) && !isText(event['role']);

/** What concerns the harness alone. */
const silent = ['change_agent_state', 'agent_state_changed', 'null', 'pause', 'resume', 'recall', 'condensation', 'condense', 'summarize', 'start'];

/** Events in their order. What stands between a delegation and its result is another agent's, and that one's own delegations with it. */
export function saidInLegacy(events: readonly Row[]): SaidEvents {
  const messages: Said[] = [];
  const forgotten: number[] = [];
  const delegated: { name: string; turn: number; events: Row[] }[] = [];
  let stopped: string | undefined;
  let finished = false;
  let turn = 0;
  // Delegations that no result has closed yet.
  let open = 0;
  for (const event of events) {
    if (event['observation'] === 'delegate') open = Math.max(0, open - 1);
    if (open > 0) {
      delegated.at(-1)?.events.push(event);
      if (event['action'] === 'delegate') open++;
      continue;
    }
    if (event['action'] === 'condensation') forgotten.push(messages.length);
    stopped = stoppedBy(event) ?? stopped;
    const said = saidBy(event);
    // Messages of the policy in a row are one turn.
    if (said?.role === 'assistant' && messages.at(-1)?.role !== 'assistant') turn++;
    if (said !== undefined) messages.push(said);
    if (said?.role === 'assistant') finished = isEnd(event['action']);
    if (event['action'] !== 'delegate') continue;
    open = 1;
    delegated.push({ name: agentOf(event), turn, events: [] });
  }
  return { messages, forgotten, finished, delegated: delegated.filter((line) => line.events.length > 0), ...(stopped === undefined ? {} : { stopped }) };
}

const isEnd = (action: unknown): boolean => action === 'finish' || action === 'reject';

const argumentsOf = (event: Row): Row => (isRow(event['args']) ? event['args'] : {});

function agentOf(event: Row): string {
  const { agent } = argumentsOf(event);
  return isText(agent) && agent !== '' ? agent : 'delegate';
}

function stoppedBy(event: Row): string | undefined {
  const extras = isRow(event['extras']) ? event['extras'] : {};
  const state = extras['agent_state'];
  if (event['observation'] !== 'agent_state_changed' || !isText(state)) return undefined;
  if (!['error', 'stopped', 'rate_limited'].includes(state)) return undefined;
  const reason = extras['reason'];
  return isText(reason) && reason.trim() !== '' ? reason : state;
}

/** `undefined`: it concerns the harness alone. */
function saidBy(event: Row): Said | undefined {
  const { action, observation } = event;
  if (isText(action)) return silent.includes(action) ? undefined : acted(event, action);
  if (!isText(observation) || silent.includes(observation)) return undefined;
  return { role: event['cause'] === undefined ? 'user' : 'tool', content: contentText(event['content']), calls: [], ...answersOf(event) };
}

function answersOf(event: Row): { readonly answers?: string } {
  const id = idOf(event['tool_call_metadata']) ?? event['cause'];
  return isText(id) || typeof id === 'number' ? { answers: String(id) } : {};
}

const idOf = (metadata: unknown): unknown => (isRow(metadata) ? metadata['tool_call_id'] : undefined);

function acted(event: Row, action: string): Said {
  const args = argumentsOf(event);
  const content = contentText(args['content']);
  if (action === 'system') return { role: 'system', content, calls: [] };
  if (event['source'] === 'user') return { role: 'user', content: action === 'message' ? content : `${action} ${JSON.stringify(args)}`, calls: [] };
  if (action === 'message') return { role: 'assistant', content, calls: [] };
  const thought = contentText(args['thought']);
  if (isEnd(action)) {
    const last = [args['final_thought'], args['message'], isRow(args['outputs']) ? args['outputs']['content'] : undefined, thought, event['message']].find((text) => isText(text) && text.trim() !== '');
    return isText(last) ? { role: 'assistant', content: last, calls: [], ...(thought === '' || thought === last ? {} : { reasoning: thought }) } : { role: 'assistant', content: '', calls: [callIn(event, action)] };
  }
  return { role: 'assistant', content: action === 'think' ? '' : thought, calls: [callIn(event, action)] };
}

/** As the policy wrote it, where the event keeps the model's response; else the action and its arguments. */
function callIn(event: Row, action: string): Call {
  const metadata = event['tool_call_metadata'];
  const response = isRow(metadata) ? metadata['model_response'] : undefined;
  const [choice] = isRow(response) && isList(response['choices']) ? response['choices'] : [];
  const message = isRow(choice) && isRow(choice['message']) ? choice['message'] : {};
  const calls = isList(message['tool_calls']) ? message['tool_calls'].filter(isRow) : [];
  const own = calls.find((call) => call['id'] === idOf(metadata));
  if (own !== undefined) return callOf(own);
  const id = idOf(metadata) ?? event['id'];
  const name = isRow(metadata) && isText(metadata['function_name']) ? metadata['function_name'] : action;
  const args = others(argumentsOf(event), 'thought', 'image_urls', 'confirmation_state', 'security_risk', 'impl_source', 'translated_ipython_code', 'hidden', 'blocking', 'is_static');
  const given = action === 'think' ? { thought: argumentsOf(event)['thought'] } : args;
  return { text: JSON.stringify({ name, arguments: given }), ...(isText(id) || typeof id === 'number' ? { id: String(id) } : {}) };
}
