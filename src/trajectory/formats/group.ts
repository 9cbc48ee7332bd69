import type { Prompt } from '../model';
import { textName } from '../textName';
import type { Row } from './row';

/** Columns that name a question's rollouts. */
export const groupColumns = ['uid', 'group_id', 'question_index', 'example_id'];

/** What names the group: a column that does, else the prompt or the question; within one step. */
export function groupOf(row: Row, prompt: Prompt | undefined, question?: unknown): { readonly group?: string } {
  const { step } = row;
  const within = typeof step === 'number' ? ` (step ${String(step)})` : '';
  const named = groupColumns.map((column) => row[column]).find((value) => typeof value === 'string' || typeof value === 'number');
  if (named !== undefined) return { group: `${String(named)}${within}` };
  if (prompt !== undefined && prompt.kind !== 'contract') return { group: `prompt ${textName(promptText(prompt))}${within}` };
  return typeof question === 'string' && question !== '' ? { group: `question ${textName(question)}${within}` } : {};
}

const promptText = (prompt: Prompt): string => ('text' in prompt && prompt.text !== undefined ? prompt.text : JSON.stringify(prompt));
