import type { Dialect } from '../dialect';
import { sniff } from '../sniff';
import { promptColumns, rolloutColumns } from './flatRow';
import { goldColumns, goldsOf } from './golds';
import { groupColumns } from './group';
import { messagesIn } from './messages/written';
import { roleOf } from './prompts';
import { isList, isMessage, isRow, isText, others, questionColumns, questionIn } from './row';
import type { Row } from './row';
import { sharedBy } from './sampledShare';
import { formatOfRow } from './table';

/** Columns that samplers and evaluations keep all rollouts of a prompt under. What a policy said turn by turn is kept under some of them too. */
const columns = [
  'responses', 'rollouts', 'completions', 'generations', 'samples', 'outputs', 'trajectories', 'attempts', 'candidates', 'model_outputs',
  'generated_responses', 'generated_texts', 'resps', 'response', 'output', 'completion', 'generation',
];
/** Where a sample that is an object has its chat. */
const chats = ['messages', 'conversations', 'conversation', 'chat_completions', 'trajectory', 'history', 'dialogue'];
/** Where it has its text. */
const texts = [...rolloutColumns, 'text', 'content', 'raw_output', 'pred', 'prediction'];
/** What an evaluation calls the sample's own answer, and others the gold. */
const ownAnswers = ['answer', 'answers', 'solution'];

/** The rollouts of one row. */
export interface Samples {
  readonly count: number;
  /** Each as a row of its own, counted from 0. */
  readonly row: (i: number) => Row;
}

/**
 * The rollouts of a row that holds several of one question (`{"prompt", "responses": ["…", "…"], "reward_model"}` of verl's main_generation,
 * `{"prompt", "outputs": [{"text"}, …]}` of vLLM, lm-eval's `resps`), each as a row of its own: what the row says for all, and of lists with a figure for
 * each rollout its own. `undefined`: the row is no such. @param cut the row breaks off, so that missing keys may lie beyond
 */
export function samplesOf(row: Row, cut = false): Samples | undefined {
  for (const column of columns) {
    const list = samplesIn(row[column]);
    if (list.length === 0) continue;
    const rest = sharedBy(row, column, list.length);
    const first = rest(0);
    const isOfOneQuestion = asked(first) || goldsOf(row).golds !== undefined || (cut && list.every(isText));
    if (isOfOneQuestion && list.every((sample) => isSample(sample, first))) return { count: list.length, row: (i) => rowOfSample(list[i], rest(i)) };
  }
  return undefined;
}

/** The same where a rollout of the row is known for one, by whose format all are read; a row of a format of its own is none. */
export function knownSamples(row: Row, cut = false, own: readonly Dialect[] = []): { readonly samples: Samples; readonly format: string } | undefined {
  const samples = samplesOf(row, cut);
  const of = samples === undefined ? undefined : formatOfRow(row, cut, own)?.id;
  if (samples === undefined || (of !== undefined && !['messages', 'verifiers', 'tagged-text'].includes(of))) return undefined;
  for (let i = 0; i < samples.count; i++) {
    const one = samples.row(i);
    const format = isWhole(one, own) ? formatOfRow(one, cut, own)?.id : undefined;
    if (format !== undefined) return { samples, format };
  }
  return undefined;
}

/** lm-eval keeps a list for each request. */
function samplesIn(value: unknown): readonly unknown[] {
  if (!isList(value) || value.every((sample) => sample === null || isMessage(sample))) return [];
  const [only] = value;
  return value.length === 1 && isList(only) && only.length > 0 && only.every(isText) ? only : value;
}

const asked = (row: Row): boolean => questionIn(row) !== undefined || promptColumns.some((column) => row[column] !== undefined && row[column] !== null);

/** A text, messages, or an object with either; one that failed is empty. */
function isSample(sample: unknown, rest: Row): boolean {
  if (sample === null || isText(sample) || messagesIn(sample) !== undefined) return true;
  return isRow(sample) && (!asked(sample) || asks(rest, sample)) && columnOf(sample) !== undefined;
}

/** Where a sample that is an object has what was said. */
const columnOf = (sample: Row): string | undefined => chats.find((column) => messagesIn(sample[column]) !== undefined) ?? texts.find((column) => isText(sample[column]) || sample[column] === null);

function rowOfSample(sample: unknown, rest: Row): Row {
  if (!isRow(sample)) return { ...rest, ...saidIn(sample, rest) };
  const column = columnOf(sample) ?? '';
  return { ...renamed(others(sample, column), rest), ...restBeside(rest, sample), ...saidIn(sample[column], rest) };
}

/** An empty text is a rollout without one, which reading it says. */
function saidIn(said: unknown, rest: Row): Row {
  const list = messagesIn(said);
  return list === undefined ? { response: said ?? '' } : chatOf(list, rest);
}

/** A chat that begins with the policy goes on from the row's prompt. */
function chatOf(list: readonly Row[], rest: Row): Row {
  const prompt = rest['prompt'] ?? questionIn(rest);
  const goesOn = roleOf(list[0]?.['role'] ?? list[0]?.['from']) === 'assistant' && prompt !== undefined;
  return goesOn ? { prompt, completion: list } : { messages: list };
}

/** Whether the row asks what the sample says it was asked. */
function asks(rest: Row, sample: Row): boolean {
  const question = questionIn(sample);
  return question === undefined ? asked(rest) : question === questionIn(rest);
}

/** What the row says of its question counts for all its samples; other figures of a sample are its own. */
function restBeside(rest: Row, sample: Row): Row {
  const kept = Object.entries(rest).filter(([key]) => sample[key] === undefined || [...questionColumns, ...promptColumns, ...groupColumns, ...goldColumns].includes(key));
  return Object.fromEntries(kept);
}

/** Keys of a sample that would be read as the row's gold, or as what names its group. */
function renamed(sample: Row, rest: Row): Row {
  const hasGold = goldsOf(rest).golds !== undefined;
  const taken = [...groupColumns, ...(hasGold ? goldColumns : ownAnswers)];
  return Object.fromEntries(Object.entries(sample).map(([key, value]) => [taken.includes(key) ? `${key} of the sample` : key, value]));
}

/** Whether it is a rollout with a search and what came back; what a policy said in one turn has nothing that came back. */
function isWhole(row: Row, own: readonly Dialect[]): boolean {
  const { response } = row;
  if (!isText(response)) return [row['messages'], row['completion']].some((list) => isList(list) && list.length > 1);
  const tags = sniff(response, { dialects: own })?.tags;
  return tags !== undefined && response.includes(tags.search.close) && response.includes(tags.observation.open);
}
