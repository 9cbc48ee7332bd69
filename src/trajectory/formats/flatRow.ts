import type { Dialect } from '../dialect';
import { rolesOf } from '../roles';
import { sniff } from '../sniff';
import { inWholeChat } from './chatText';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { beginsMessages } from './messages/written';
import { promptIn } from './prompts';
import { isMessage, isRow, isText, others, questionColumns, questionIn } from './row';
import type { Row } from './row';
import { recordedWithTokens } from './tokenColumns';

/** Columns that rollouts are written under, the plainest first. */
export const rolloutColumns = ['response', 'output', 'generation', 'completion', 'final_response', 'rollout', 'trajectory', 'full_output', 'full_response', 'generated_text', 'model_output', 'sequences_str'];
/** Columns that may hold one, or something else; any other text with a dialect's tags comes after them. */
const columns = [...rolloutColumns, 'text', 'pred', 'prediction'];
export const promptColumns = ['original_prompt', 'prompt', 'input', 'instruction', 'query_prompt'];

/** Evaluations of everybody's own (ReSearch through FlashRAG, ZeroSearch, StepSearch, SubSearch): a row with a text that has a dialect's tags. */
export const flatRow: RowFormat = {
  id: 'tagged-text',
  matches: (row, _, own) => !isMessage(row) && textIn(row, own) !== undefined,
  read: (row, options) => {
    const found = textIn(row, options.dialects) ?? textWithoutSearch(row);
    if (found === undefined) return 'has no text with the tags of a search agent';
    const prompt = promptIn(promptOf(others(row, found.column), found.text));
    // WebThinker keeps what was asked in an object of its own.
    const asked = isRow(row['item']) ? row['item'] : row;
    const question = questionIn(row) ?? questionIn(asked);
    return {
      ...inWholeChat(found.text, prompt, sniff(found.text, options)),
      ...(question === undefined ? {} : { question }),
      ...goldsOf(others(row, found.column), asked),
      ...groupOf(row, prompt, question),
      recorded: recordedWithTokens(others(row, found.column, ...questionColumns, ...promptColumns), row['score'] === undefined ? 'reward' : 'score'),
    };
  },
};

/** What the policy read before this text. An instruction and its input are one prompt, and a prompt that grew may end in the rollout itself. */
function promptOf(row: Row, text: string): unknown {
  const { instruction, input } = row;
  if (row['prompt'] === undefined && isText(instruction) && isText(input)) return [instruction, input].filter((part) => part !== '').join('\n');
  const prompt = promptColumns.map((column) => row[column]).find((value) => value !== undefined && value !== '');
  return isText(prompt) && prompt.endsWith(text) ? prompt.slice(0, prompt.length - text.length) : prompt;
}

/** The text with the rollout: of the row, else of its `output` object. */
function textIn(row: Row, dialects: readonly Dialect[] = []): { readonly column: string; readonly text: string } | undefined {
  // A trajectory of our own has turns, and may quote tags in these.
  const own = taggedColumn(Array.isArray(row['turns']) ? others(row, 'question', 'group') : row, dialects);
  if (own !== undefined) return { column: own, text: String(row[own]) };
  const nested = row['output'];
  const inner = isRow(nested) ? taggedColumn(nested, dialects) : undefined;
  return isRow(nested) && inner !== undefined ? { column: 'output', text: String(nested[inner]) } : undefined;
}

function taggedColumn(row: Row, dialects: readonly Dialect[]): string | undefined {
  const names = [...columns.filter((column) => isText(row[column])), ...Object.keys(row).filter((name) => isText(row[name]) && !columns.includes(name) && !promptColumns.includes(name))];
  return names.find((name) => isTagged(row[name], dialects));
}

/** Of a file whose other rows have tags: a rollout that answered at once has those of an answer alone, or none. */
function textWithoutSearch(row: Row): { readonly column: string; readonly text: string } | undefined {
  const nested = row['output'];
  for (const source of isRow(nested) ? [row, nested] : [row]) {
    const names = Object.keys(source).filter((name) => !promptColumns.includes(name) && isText(source[name]));
    const name = rolloutColumns.find((column) => names.includes(column) && source[column] !== '') ?? names.find((column) => /<(?:answer|think)>/.test(String(source[column])));
    if (name !== undefined) return { column: source === row ? name : 'output', text: String(source[name]) };
  }
  return undefined;
}

/** Tags in use, which a question about tags or a prompt does not have: a search that is closed, and more than its example. */
function isTagged(value: unknown, dialects: readonly Dialect[]): boolean {
  if (!isText(value) || beginsMessages(value)) return false;
  const dialect = sniff(value, { dialects });
  if (dialect === undefined || dialect.labels !== undefined) return false;
  // A call that nothing closes ends with its message.
  return dialect.tags.search.close === '' ? rolesOf(value) !== undefined : value.includes(dialect.tags.search.close);
}
