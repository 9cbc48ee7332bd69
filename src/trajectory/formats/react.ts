import { react as dialect } from '../dialects/react';
import { recordedOf } from '../recorded';
import { sniff } from '../sniff';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { promptOfText } from '../question';
import { isText, others } from './row';

/** ReAct as FireAct and its ancestors write it: prompt and rollout in one text, `traj`; a member of an object, or an element of an array. */
export const react: RowFormat = {
  id: 'react',
  matches: (row) => isText(row['traj']) && sniff(row['traj']) === dialect,
  read: (row) => {
    const { traj, question } = row;
    if (!isText(traj)) return 'has no "traj" as text, which holds the rollout';
    const start = startOf(traj);
    if (start === undefined) return 'has no line that begins with "Thought:" or "Action:", so no rollout';
    const given = isText(row['prompt']) ? row['prompt'] : '';
    const prompt = promptOfText(given + traj.slice(0, start));
    return {
      rollout: { text: traj.slice(start), dialect },
      ...(given + traj.slice(0, start) === '' ? {} : { prompt }),
      ...(isText(question) ? { question } : {}),
      ...goldsOf(row),
      ...groupOf(row, prompt),
      recorded: recordedOf(others(row, 'traj', 'traj_by_line', 'prompt', 'question', 'gt'), 'reward'),
    };
  },
};

/** The rollout begins after the response's heading; else after the last question's line; else at the first thought. */
function startOf(text: string): number | undefined {
  const heading = text.indexOf('### Response:\n');
  if (heading >= 0) return heading + '### Response:\n'.length;
  const label = /^(?:Thought|Action)(?: \d{1,3})?: /m;
  const question = text.lastIndexOf('Question: ');
  const from = Math.max(0, question);
  const first = label.exec(text.slice(from));
  return first === null ? undefined : from + first.index;
}
