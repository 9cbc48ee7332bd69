import { readCall } from '../toolCall';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { isList, isRow, isText } from './row';
import type { Row } from './row';

/** The messages that the agent wrote and read. Calls of the simulated user, and what they gave back, it never saw. */
export function saidInTau(rows: readonly Row[]): readonly Said[] {
  return rows.flatMap((row) => (isList(row['tool_messages']) ? row['tool_messages'].filter(isRow) : [row])).flatMap(saidBy);
}

function saidBy(row: Row): readonly Said[] {
  const byUser = row['requestor'] === 'user' || (row['role'] === 'user' && isList(row['tool_calls']) && row['tool_calls'].length > 0);
  if (byUser) return [];
  const named = row['role'] === 'tool' && row['tool_call_id'] === undefined ? { ...row, tool_call_id: row['id'] } : row;
  return (saidIn([named]) ?? []).map((said) => (said.role === 'assistant' ? oneCall(said) : answered(said)));
}

/** A call that stands in the text as well is written once. */
function oneCall(said: Said): Said {
  return said.calls.length > 0 ? { ...said, content: withoutCalls(said.content) } : acted(said);
}

/** Some models write calls in tags of their own (with or without a prefix), which their interface reads and leaves in the text. */
function withoutCalls(content: string): string {
  const name = 'function_calls>';
  const close = content.lastIndexOf(name);
  const open = close < 0 ? -1 : content.lastIndexOf(name, close - 1);
  const inside = open < 0 ? '' : content.slice(open + name.length, close);
  if (!inside.includes('invoke name=')) return content;
  return (content.slice(0, content.lastIndexOf('<', open)) + content.slice(close + name.length)).trim();
}

/** Agents without function calls write `Action:` and a call in JSON; `respond` speaks to the user. */
function acted(said: Said): Said {
  const at = said.content.lastIndexOf('Action:\n');
  if (at < 0) return said;
  const text = said.content.slice(at + 'Action:\n'.length).trim();
  const call = readCall(text);
  if (call === undefined) return said;
  const { arguments: given } = call;
  const reply = call.name === 'respond' && isRow(given) && isText(given['content']) ? given['content'] : undefined;
  const thought = said.content.slice(0, at).replace(/^Thought:\n/, '').trim();
  const reasoning = thought === '' ? {} : { reasoning: thought };
  return reply === undefined ? { ...said, ...reasoning, content: '', calls: [{ text }] } : { ...said, ...reasoning, content: reply };
}

/** Their environment answers in the user's name. */
function answered(said: Said): Said {
  const label = 'API output: ';
  return said.role === 'user' && said.content.startsWith(label) ? { ...said, role: 'tool', content: said.content.slice(label.length) } : said;
}
