import type { Finding } from '../model';
import { fencedCommand } from '../fenced';
import type { Said } from './messages/said';
import { notShown, truncated, truncatedBy } from './outcomes';
import { isRow, isText } from './row';
import type { Row } from './row';

/** What `info` claims, held against the steps. A run that a limit ended is submitted for the agent: `submitted (exit_cost)`. */
export function outcomeOf(info: Row, messages: readonly Said[]): readonly Finding[] {
  const { exit_status: status, submission } = info;
  const submits = messages.some(isSubmit);
  if (status === undefined || status === null) {
    return submits || Object.keys(info).length === 0 ? [] : [truncated('before it submitted anything (the file states no exit status)')];
  }
  if (!isText(status) || status.trim() === '') return [];
  if (status !== 'submitted') return status === 'skipped' || status === 'early_exit' ? [] : [truncatedBy(status)];
  if (!submits) return [notShown('a solution was submitted', 'no step submits one')];
  const held = isText(submission) ? submission.trim() !== '' : isRow(submission);
  return held ? [] : [notShown('a solution was submitted', 'it holds no submission')];
}

function isSubmit({ role, content, calls }: Said): boolean {
  if (role !== 'assistant') return false;
  if (calls.some(({ text }) => /^\{"name":"(?:submit\w*|exit_forfeit)"|"command":"submit\b/.test(text))) return true;
  return /^(?:submit\b|exit_forfeit\b)/.test((fencedCommand(content) ?? '').trim());
}
