import type { Finding } from '../model';
import { recordedOf } from '../recorded';
import { brief } from '../visible';
import type { Draft, RowFormat } from './format';
import { inspectAgents } from './inspectAgents';
import { resolver } from './inspectAttachments';
import { inspectSaid, messagesOf, poolOf } from './inspectMessages';
import { conversation } from './messages/conversation';
import { statedAnswer } from './statedAnswer';
import { defined, isList, isRow, isText, others } from './row';
import type { Row } from './row';

/**
 * Samples of Inspect logs (inspect_ai/log/_log.py, EvalSample), versions 1 to 3: `id`, `epoch`, `input`, `target`, `messages`, `output`, `scores`, `events`;
 * long texts as `attachments`; of a sample in chunks (.eval) its sequences beside it.
 */
export const inspect: RowFormat = {
  id: 'inspect',
  matches: (row, cut) => typeof row['epoch'] === 'number' && row['id'] !== undefined && (isList(row['messages']) || isList(row['message_refs']) || (cut && row['input'] !== undefined)),
  read: (row, options) => {
    const resolve = resolver(row);
    const pool = poolOf(row);
    const messages = messagesOf(row, pool).map(resolve.message);
    const said = inspectSaid(messages);
    if (said.length === 0) return 'holds no messages, which are the rollout';
    const chat = conversation(withPolicy(said), options);
    if (isText(chat)) return chat;
    const input = resolve.text(row['input']);
    const stated = statedAnswer(isRow(row['output']) ? resolve.text(row['output']['completion']) : undefined, said);
    const sideLines = inspectAgents(row, pool, resolve.message, { messages, said }, options);
    return {
      ...chat,
      ...(isText(input) && input.trim() !== '' ? { question: input } : {}),
      ...targetOf(row),
      group: `sample ${String(row['id'])}`,
      recorded: recordedOf({ ...others(row, ...read), ...scoreOf(row) }, 'score'),
      notes: [...(chat.notes ?? []), ...pool.notes(), ...resolve.notes(), ...endings(row), ...stated],
      sideLines,
    };
  },
};

/** What of a sample is read into the trajectory, or is of the log's machinery. */
const read = ['input', 'target', 'messages', 'message_refs', 'sequences', 'events', 'attachments', 'events_data', 'message_pool', 'call_pool', 'message_chunks', 'attachment_chunks', 'event_chunks', 'timelines', 'output'];

/** A log whose policy never spoke still shows what came back. */
function withPolicy(said: ReturnType<typeof inspectSaid>): ReturnType<typeof inspectSaid> {
  if (said.some(({ role }) => role === 'assistant')) return said;
  const first = said.findIndex(({ role }) => role === 'tool');
  return first < 0 ? said : [...said.slice(0, first), { role: 'assistant', content: '', calls: [] }, ...said.slice(first)];
}

/** An empty target is that of a sample which is scored by other means. */
function targetOf({ target }: Row): Pick<Draft, 'golds'> {
  const none = target === undefined || target === null || (isText(target) && target.trim() === '') || (isList(target) && target.length === 0);
  return none ? {} : { golds: { key: 'target', value: target } };
}

/** Inspect's own values of the grades of its scorers. */
const grades: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

/** The only score, or the first one that is a figure; version 1 had one. */
function scoreOf({ scores, score }: Row): { readonly score?: number } {
  const all = isRow(scores) ? Object.values(scores) : [score];
  const figures = all.map((each) => (isRow(each) ? figureOf(each['value']) : undefined)).filter((figure) => figure !== undefined);
  return defined({ score: figures[0] });
}

function figureOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return isText(value) && Object.hasOwn(grades, value) ? grades[value] : undefined;
}

/** Why a sample ended before its policy said so. */
function endings({ error, limit, output }: Row): readonly Finding[] {
  const said: string[] = [];
  if (isRow(error)) said.push(`an error ended it (${oneLine(error['message'])})`);
  if (isRow(limit)) said.push(`it was stopped by its ${oneLine(limit['type'])} limit${typeof limit['limit'] === 'number' ? ` of ${String(limit['limit'])}` : ''}`);
  const reason = isRow(output) && isList(output['choices']) && isRow(output['choices'][0]) ? output['choices'][0]['stop_reason'] : undefined;
  if (reason === 'max_tokens' || reason === 'model_length') said.push(`its last message was cut off (${reason})`);
  return said.map((why) => ({ code: 'run-truncated', severity: 'warning', message: `The run did not end by itself: ${why}.` }));
}

const oneLine = (value: unknown): string => brief((isText(value) ? value : 'unknown').slice(0, 1000).replace(/\s+/g, ' ').trim(), 200);
