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

/**
 * Sub-agents of a sample, out of its events: what the model was asked and answered last within each span of an agent whose words are not those of the
 * sample's own messages.
 */
export function inspectAgents(row: Row, pool: Pool, resolve: (message: Row) => Row, said: readonly Said[], options: ReadOptions): readonly SideDraft[] {
  const events = eventsOf(row);
  const spans = spansOf(events);
  const last = new Map<string, Row>();
  for (const event of events) {
    if (event['event'] !== 'model' || event['pending'] === true) continue;
    const agent = ancestor(event['span_id'], spans, ({ type }) => type === 'agent');
    if (agent !== undefined) last.set(agent.id, event);
  }
  if (last.size === 0) return [];
  const own = new Set(said.filter(({ role }) => role === 'assistant').map(wordsOf));
  const calls = turnsOfCalls(said);
  return [...last].flatMap(([id, event]): SideDraft[] => {
    const lines = inspectSaid(spokenIn(event, pool).map(resolve));
    if (!lines.some((line) => line.role === 'assistant' && !own.has(wordsOf(line)))) return [];
    const draft = conversation(lines, options);
    if (isText(draft)) return [];
    const call = ancestor(id, spans, ({ call }) => call !== undefined)?.call;
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
  const calls = new Map(events.flatMap((event) => (event['event'] === 'tool' && isText(event['span_id']) && isText(event['id']) ? [[event['span_id'], event['id']] as const] : [])));
  const spans = events.flatMap(({ event, id, parent_id: parent, type, name }): [string, Span][] => {
    if (event !== 'span_begin' || !isText(id)) return [];
    const call = calls.get(id);
    return [[id, { id, parent, type, name: isText(name) && name !== '' ? name : 'agent', ...(call === undefined ? {} : { call }) }]];
  });
  return new Map(spans);
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
