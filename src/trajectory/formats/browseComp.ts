import { recordedOf } from '../recorded';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { conversation } from './messages/conversation';
import { responseItems } from './messages/responseItems';
import { isList, isRow, isText, others } from './row';
import type { Row } from './row';

/**
 * Runs of BrowseComp-Plus (search_agent/): `{"query_id", "status", "tool_call_counts", "retrieved_docids", "result": [{"type", "tool_name", "arguments", "output"}]}`.
 * A call and what came back for it are one item.
 */
export const browseComp: RowFormat = {
  id: 'browsecomp-plus',
  matches: (row, cut) => row['query_id'] !== undefined && (isSteps(row['result']) || (cut && isRow(row['tool_call_counts']))),
  read: (row, options) => {
    const { result } = row;
    if (!isSteps(result)) return 'has no "result" with the steps of a run';
    const question = row['query'] ?? row['question'];
    const asked = isText(question) ? [{ type: 'message', role: 'user', content: question }] : [];
    const chat = conversation(responseItems([...asked, ...result.flatMap(itemsOf)]), options);
    if (isText(chat)) return chat;
    return {
      ...chat,
      ...(isText(question) ? { question } : {}),
      ...goldsOf(others(row, 'result')),
      ...groupOf({ uid: row['query_id'] }, undefined),
      recorded: recordedOf(others(row, 'result', 'query', 'question', 'retrieved_docids'), 'score'),
    };
  },
};

const types = ['reasoning', 'tool_call', 'output_text'];

/** The first tells: later ones may be of a kind that is not known, or cut. */
const isSteps = (value: unknown): value is readonly Row[] => isList(value) && value.every(isRow) && types.includes(String(value[0]?.['type']));

/** As the Responses API has them. */
function itemsOf({ type, tool_name: name, arguments: given, output }: Row, i: number): readonly Row[] {
  const id = `call_${String(i)}`;
  switch (type) {
    case 'reasoning':
      return [{ type, content: output }];
    case 'tool_call':
      return [{ type: 'function_call', name, arguments: given, call_id: id }, ...(output === undefined || output === null ? [] : [{ type: 'function_call_output', output, call_id: id }])];
    default:
      return output === undefined ? [] : [{ type: 'message', role: 'assistant', content: output }];
  }
}
