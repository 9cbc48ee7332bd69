import type { ReadOptions } from '../options';
import type { SideDraft } from './format';
import { inspectSaid } from './inspectMessages';
import type { Pool } from './inspectMessages';
import { turnsOfCalls } from './messages/callTurns';
import { conversation } from './messages/conversation';
import type { Said } from './messages/said';
import { isList, isRow, isText } from './row';
import type { Row } from './row';

/** Steps up from a model's call to the span of its agent that are followed. */
const furthest = 64;

/** The sample's own messages, and what they say. */
interface SampleMessages {
  readonly messages: readonly Row[];
  readonly said: readonly Said[];
}

/**
 * Sub-agents of a sample, out of its events: what the model was asked and answered last within each span of an agent whose words are not those of the
 * sample's own messages. What the model was asked first there is its prompt: an agent that took over the talk was handed what others had said.
 */
export function inspectAgents(row: Row, pool: Pool, resolve: (message: Row) => Row, { messages, said }: SampleMessages, options: ReadOptions): readonly SideDraft[] {
  const events = eventsOf(row);
  const spans = spansOf(events);
  const asked = new Map<string, { readonly first: Row; last: Row }>();
  for (const event of events) {
    if (event['event'] !== 'model' || event['pending'] === true) continue;
    const agent = ancestor(event['span_id'], spans, ({ type }) => type === 'agent');
    const known = agent && asked.get(agent.id);
    if (known !== undefined) known.last = event;
    else if (agent !== undefined) asked.set(agent.id, { first: event, last: event });
  }
  if (asked.size === 0) return [];
  const own = new Set(said.filter(({ role }) => role === 'assistant').map(wordsOf));
  const ownIds = new Set(messages.map(({ id }) => id).filter(isText));
  const calls = turnsOfCalls(said);
  return [...asked].flatMap(([id, { first, last }]): SideDraft[] => {
    const rows = spokenIn(last, pool);
    const call = ancestor(id, spans, ({ call: began }) => began !== undefined)?.call;
    // The sample's own agent: what it says to submit its answer is rewritten in the sample's messages.
    const isOwn = (message: Row): boolean => call === undefined && isText(message['id']) && ownIds.has(message['id']);
    const spoken = rows.map((message) => inspectSaid([resolve(message)]));
    const isOthers = (line: Said): boolean => line.role === 'assistant' && !own.has(wordsOf(line));
    if (!spoken.some((lines, i) => !isOwn(rows[i] ?? {}) && lines.some(isOthers))) return [];
    const lines = spoken.flat();
    const before = spoken.slice(0, countAsked(first)).flat().length;
    const draft = conversation(lines, options, undefined, lines[before]?.role === 'assistant' ? before : undefined);
    if (isText(draft)) return [];
    const turn = call === undefined ? undefined : calls.get(call);
    return [{ kind: 'sub-agent', name: spans.get(id)?.name ?? 'agent', draft, ...(turn === undefined ? {} : { turn }) }];
  });
}

const wordsOf = ({ content, calls }: Said): string => JSON.stringify([content, calls.map(({ text }) => text)]);

function eventsOf({ events, event_chunks: chunks }: Row): readonly Row[] {
  const list = isList(chunks) ? chunks.flatMap((chunk) => (isList(chunk) ? chunk : [])) : events;
  return isList(list) ? list.filter(isRow) : [];
}

interface Span {
  readonly id: string;
  readonly parent: unknown;
  readonly type: unknown;
  readonly name: string;
  /** Of a tool's span: the call that began it. */
  readonly call?: string;
}

function spansOf(events: readonly Row[]): ReadonlyMap<string, Span> {
  const calls = callsOf(events);
  const spans = events.flatMap(({ event, id, parent_id: parent, type, name }): [string, Span][] => {
    if (event !== 'span_begin' || !isText(id)) return [];
    const call = calls.get(id);
    return [[id, { id, parent, type, name: isText(name) && name !== '' ? name : 'agent', ...(call === undefined ? {} : { call }) }]];
  });
  return new Map(spans);
}

/** Which call began each span. A call's event stands right after the beginning of its tool's span; only in older logs it names that span and not the caller's. */
function callsOf(events: readonly Row[]): ReadonlyMap<string, string> {
  const calls = new Map<string, string>();
  const tools = new Set<unknown>();
  let latest: Row = {};
  for (const event of events) {
    const { event: kind, id, span_id: within, agent_span_id: agent } = event;
    if (!isText(id)) continue;
    if (kind === 'span_begin' && event['type'] === 'tool') {
      tools.add(id);
      latest = event;
    }
    if (kind !== 'tool') continue;
    if (isText(agent)) calls.set(agent, id);
    const span = tools.has(within) ? within : latest['name'] === event['function'] ? latest['id'] : undefined;
    if (isText(span)) calls.set(span, id);
  }
  return calls;
}

/** The nearest span from this one up that is asked for. */
function ancestor(from: unknown, spans: ReadonlyMap<string, Span>, wanted: (span: Span) => boolean): Span | undefined {
  let at = isText(from) ? spans.get(from) : undefined;
  for (let steps = 0; at !== undefined && steps < furthest; steps++) {
    if (wanted(at)) return at;
    at = isText(at.parent) ? spans.get(at.parent) : undefined;
  }
  return undefined;
}

/** What a model was asked, and its answer. */
function spokenIn({ input, input_refs: refs, output }: Row, pool: Pool): readonly Row[] {
  const asked = isList(refs) ? pool.ranges(refs) : isList(input) ? input.filter(isRow) : [];
  const choice = isRow(output) && isList(output['choices']) ? output['choices'][0] : undefined;
  const answer = isRow(choice) ? choice['message'] : undefined;
  return isRow(answer) ? [...asked, answer] : asked;
}

/** How many messages a model was asked with. */
function countAsked({ input, input_refs: refs }: Row): number {
  if (!isList(refs)) return isList(input) ? input.filter(isRow).length : 0;
  return refs.reduce<number>((sum, range) => {
    const [start, end] = isList(range) ? range : [];
    return typeof start === 'number' && typeof end === 'number' ? sum + Math.max(0, end - start) : sum;
  }, 0);
}
