import { contentText } from './messages/content';
import { callOf } from './messages/said';
import type { Said } from './messages/said';
import type { SaidEvents } from './openHandsLegacy';
import { isList, isRow, isText, others } from './row';
import type { Row } from './row';

/** `{"kind": "ActionEvent", …}`: events of OpenHands since its agent SDK. */
export const isCurrentEvent = (event: Row): boolean => isText(event['kind']) && /^(?:Action|Observation|Message|SystemPrompt|AgentError)Event$/.test(event['kind']);

export function saidInCurrent(events: readonly Row[]): SaidEvents {
  const failed = events.findLast(({ kind }) => kind === 'ConversationErrorEvent');
  const stopped = [failed?.['detail'], failed?.['code']].find((text) => isText(text) && text !== '');
  const last = events.findLast(({ kind, source }) => kind === 'ActionEvent' || (kind === 'MessageEvent' && source === 'agent'));
  const messages: Said[] = [];
  const forgotten: number[] = [];
  // Events of a call behind the Agent Client Protocol tell how far it has come: it stands where it began, with what its last event says.
  const served = new Map(events.flatMap((event) => (event['kind'] === 'ACPToolCallEvent' ? [[event['tool_call_id'], event] as const] : [])));
  for (const event of events) {
    if (event['kind'] === 'Condensation') forgotten.push(messages.length);
    const call = event['kind'] === 'ACPToolCallEvent' ? served.get(event['tool_call_id']) : undefined;
    if (call !== undefined) served.delete(event['tool_call_id']);
    // One by one: more than a call takes arguments.
    for (const said of call === undefined ? saidBy(event) : ofServer(call)) messages.push(said);
  }
  return { messages, forgotten, finished: last !== undefined && isFinish(last), delegated: [], ...(isText(stopped) ? { stopped } : {}) };
}

function ofServer(event: Row): readonly Said[] {
  const { tool_call_id: id, title, raw_input: given, raw_output: output, content } = event;
  const said: Said = { role: 'assistant', content: '', calls: [callOf({ name: title, arguments: given ?? {}, id })] };
  const back = contentText(output ?? content);
  return back === '' && event['status'] !== 'completed' ? [said] : [said, { role: 'tool', content: back, calls: [], ...(isText(id) ? { answers: id } : {}) }];
}

function saidBy(event: Row): readonly Said[] {
  switch (event['kind']) {
    case 'SystemPromptEvent':
      return [{ role: 'system', content: lines(textIn(event['system_prompt']), textIn(event['dynamic_context'])), calls: [] }];
    case 'MessageEvent':
      return [spoken(event, isRow(event['llm_message']) ? event['llm_message'] : {})];
    case 'ActionEvent':
      return [acted(event)];
    case 'ObservationEvent':
      // What `finish` gives back is read by nobody.
      return isFinish(event) ? [] : [answered(event, lines(observedIn(event['observation']), contentText(event['extended_content'])))];
    case 'AgentErrorEvent':
      return [answered(event, contentText(event['error']))];
    case 'UserRejectObservation':
      return [answered(event, contentText(event['rejection_reason']))];
    case 'CondensationSummaryEvent':
      return [{ role: 'user', content: contentText(event['summary']), calls: [] }];
    default:
      return [];
  }
}

const textIn = (part: unknown): string => contentText(isRow(part) ? part['text'] : part);
const lines = (...texts: readonly string[]): string => texts.filter((text) => text.trim() !== '').join('\n');

function spoken(event: Row, message: Row): Said {
  const role = event['source'] === 'agent' || message['role'] === 'assistant' ? 'assistant' : 'user';
  // What skills and hooks add to it, the policy reads behind it.
  return { role, content: lines(contentText(message['content'] ?? event['content']), contentText(event['extended_content'])), calls: [], ...reasoningOf(message) };
}

const callIn = (event: Row): Row => (isRow(event['tool_call']) ? event['tool_call'] : {});
const nameOf = (event: Row): unknown => event['tool_name'] ?? callIn(event)['name'];
const isFinish = (event: Row): boolean => nameOf(event) === 'finish';

function acted(event: Row): Said {
  const action = isRow(event['action']) ? event['action'] : {};
  const call = callIn(event);
  const name = nameOf(event);
  const content = contentText(event['thought']);
  const message = contentText(action['message']);
  const { reasoning } = reasoningOf(event);
  if (isFinish(event) && message.trim() !== '') {
    const thought = lines(reasoning ?? '', content);
    return { role: 'assistant', content: message, calls: [], ...(thought === '' || thought === message ? {} : { reasoning: thought }) };
  }
  if (isFinish(event) && content.trim() !== '') return { role: 'assistant', content, calls: [], ...reasoningOf(event) };
  const id = event['tool_call_id'] ?? call['id'];
  const own = isRow(call['function']) || call['arguments'] !== undefined ? call : { name, arguments: others(action, 'kind') };
  return { role: 'assistant', content, calls: [callOf({ ...own, name: isRow(own['function']) ? own['name'] : (own['name'] ?? name), id })], ...reasoningOf(event) };
}

function reasoningOf(holder: Row): { readonly reasoning?: string } {
  const blocks = isList(holder['thinking_blocks']) ? holder['thinking_blocks'].map((block) => (isRow(block) ? contentText(block['thinking']) : '')) : [];
  const reasoning = [contentText(holder['reasoning_content']), blocks.join('\n')].find((text) => text.trim() !== '');
  return reasoning === undefined ? {} : { reasoning };
}

function answered(event: Row, content: string): Said {
  const id = event['tool_call_id'];
  return { role: 'tool', content, calls: [], ...(isText(id) ? { answers: id } : {}) };
}

/** The texts of an observation; without any, all it holds. */
function observedIn(observation: unknown): string {
  if (!isRow(observation)) return contentText(observation);
  const said = observation['content'] ?? observation['output'] ?? observation['text'];
  return said === undefined ? JSON.stringify(others(observation, 'kind')) : contentText(said);
}
