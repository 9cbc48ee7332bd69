import type { Dialect } from '../dialect';
import { commands } from '../dialects/commands';
import { qwenTools } from '../dialects/qwenTools';
import { fencedCommand, inFence } from '../fenced';
import { contentText } from './messages/content';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { isList, isRow, isText } from './row';
import type { Row } from './row';

interface SaidSteps {
  readonly messages: readonly Said[];
  readonly dialect: Dialect;
}

/**
 * Steps as messages: what the policy wrote, and what came back. Function calls stand in `history` alone; where it has none, the command stands in the response,
 * and is put into a fence where the response does not hold it. `undefined`: there is no step.
 * @param history from the first message of the policy on
 */
export function saidInSteps(steps: readonly Row[], history: readonly Row[]): SaidSteps | undefined {
  const calling = history.some((entry) => isList(entry['tool_calls']) && entry['tool_calls'].length > 0);
  if (steps.length === 0) return history.length === 0 ? undefined : { messages: history.flatMap((entry) => ofHistory(entry, calling)), dialect: calling ? qwenTools : commands };
  const acted = actedIn(steps, history);
  const messages = steps.flatMap((step, i): readonly Said[] => {
    const entry = acted[i];
    const said = calling ? called(step, entry) : fenced(step);
    const observation = contentText(step['observation']);
    // A last step that gives nothing back ends the run; where it has no action either, the blank answer makes a turn of it.
    const silent = observation === '' && i === steps.length - 1 && contentText(step['action']).trim() !== '';
    const answers = said.calls[0]?.id;
    return silent ? [said] : [said, { role: calling ? 'tool' : 'user', content: observation, calls: [], ...(answers === undefined ? {} : { answers }) }];
  });
  return { messages, dialect: calling ? qwenTools : commands };
}

/** For each step, the message of the history that it wrote, in order; a step that failed may have none. */
function actedIn(steps: readonly Row[], history: readonly Row[]): readonly (Row | undefined)[] {
  const entries = history.filter((entry) => entry['role'] === 'assistant');
  let next = 0;
  return steps.map((step) => {
    const entry = entries[next];
    if (entry === undefined || (entry['action'] !== step['action'] && contentText(entry['content']) !== contentText(step['response']))) return undefined;
    next++;
    return entry;
  });
}

function called(step: Row, entry: Row | undefined): Said {
  const [own] = saidIn(entry === undefined ? [] : [entry]) ?? [];
  const action = contentText(step['action']).trim();
  const content = contentText(step['response'] ?? step['thought']);
  const reasoning = thinkingOf(entry);
  const calls = own !== undefined && own.calls.length > 0 ? own.calls : action === '' ? [] : [{ text: JSON.stringify({ name: 'command', arguments: { command: action } }) }];
  return { role: 'assistant', content: content === action ? '' : content, calls, ...(reasoning === '' ? {} : { reasoning }) };
}

const thinkingOf = (entry: Row | undefined): string =>
  isList(entry?.['thinking_blocks']) ? entry['thinking_blocks'].map((block) => (isRow(block) ? contentText(block['thinking']) : '')).join('\n').trim() : '';

function fenced(step: Row): Said {
  const action = contentText(step['action']);
  const response = isText(step['response']) ? step['response'] : '';
  const holds = action.trim() === '' ? response !== '' : fencedCommand(response)?.trim() === action.trim();
  return { role: 'assistant', content: holds ? response : thoughtAndCommand(contentText(step['thought']), action), calls: [] };
}

function thoughtAndCommand(thought: string, action: string): string {
  const command = inFence(action);
  return thought === '' || thought.endsWith('\n') || command === '' ? thought + command : `${thought}\n${command}`;
}

/** A message of a history that is a file of its own. */
function ofHistory(entry: Row, calling: boolean): readonly Said[] {
  if (entry['role'] === 'assistant') return [calling ? called({ ...entry, response: entry['content'] }, entry) : fenced({ ...entry, response: entry['content'] })];
  const [answers] = isList(entry['tool_call_ids']) ? entry['tool_call_ids'] : [];
  return [{ role: isText(entry['role']) ? entry['role'] : 'user', content: contentText(entry['content']), calls: [], ...(isText(answers) ? { answers } : {}) }];
}
