import { recordedOf } from '../recorded';
import type { ReadOptions } from '../options';
import type { Draft, RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { historyOf } from './langgraphHistory';
import { conversation } from './messages/conversation';
import { isLangchain, langchainSaid } from './messages/langchain';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { isList, isRow, isText, listKey, others } from './row';
import type { Row } from './row';

/**
 * Threads of LangGraph: a state or a thread (`values.messages`), the list of a thread's states (its newest is shown, branches and subgraphs beside it),
 * or messages of LangChain alone; LangSmith's runs too, whose `outputs` hold them.
 */
export const langgraph: RowFormat = {
  id: 'langgraph',
  matches: (row, cut) => isState(row) || isHistory(row[listKey]) || [row['messages'], row[listKey], inOutputs(row)].some(isLangchain) || (cut && isRow(row['values']) && row['values']['messages'] !== undefined),
  read: (row, options) => {
    const history = isHistory(row[listKey]) ? historyOf(row[listKey].filter(isRow), (state) => messagesOf(state)) : undefined;
    const state = history?.main ?? row;
    const said = history === undefined ? saidOf(row) : history.said;
    const chat = said === undefined ? 'holds no messages of a chat' : conversation(said, options);
    if (isText(chat)) return chat;
    return {
      ...chat,
      ...goldsOf(others(state, 'answer', 'values'), state['metadata']),
      ...groupOf(state, chat.prompt),
      recorded: recordedOf(others(state, 'values', 'messages', listKey, 'inputs', 'outputs', 'interrupts'), 'reward'),
      sideLines: [...(history?.sides ?? []), ...subgraphs(state)].flatMap(({ said: lines, ...side }) => sideLine(lines, options, side)),
    };
  },
};

const isState = (row: Row): boolean => isRow(row['values']) && isList(row['values']['messages']) && row['values']['messages'].length > 0;

/** States of one thread, newest first as the API gives them. */
const isHistory = (list: unknown): list is readonly unknown[] => isList(list) && list.length > 0 && list.every((state) => isRow(state) && isRow(state['values'])) && list.some((state) => isRow(state) && isState(state));

const inOutputs = ({ outputs }: Row): unknown => (isRow(outputs) ? outputs['messages'] : undefined);

const saidOf = (row: Row): readonly Said[] | undefined => messagesOf(row) ?? langchainSaid(row['messages'] ?? row[listKey] ?? inOutputs(row));

/** Of a state; written by the graph itself they may be those of OpenAI. */
function messagesOf({ values }: Row): readonly Said[] | undefined {
  const list = isRow(values) ? values['messages'] : undefined;
  return langchainSaid(list) ?? saidIn(list);
}

/** What the agents within a state's pending tasks had said. */
function subgraphs({ tasks }: Row): readonly { readonly kind: 'sub-agent'; readonly name: string; readonly said: readonly Said[] }[] {
  return (isList(tasks) ? tasks.filter(isRow) : []).flatMap(({ name, state }) => {
    const said = isRow(state) ? messagesOf(state) : undefined;
    return said === undefined ? [] : [{ kind: 'sub-agent', name: isText(name) && name !== '' ? name : 'subgraph', said }];
  });
}

function sideLine(said: readonly Said[], options: ReadOptions, side: Omit<NonNullable<Draft['sideLines']>[number], 'draft'>): NonNullable<Draft['sideLines']> {
  const draft = conversation(said, options);
  return isText(draft) ? [] : [{ ...side, draft }];
}
