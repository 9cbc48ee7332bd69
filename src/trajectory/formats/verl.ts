import type { Finding, Recorded } from '../model';
import { inWholeChat } from './chatText';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { promptIn } from './prompts';
import { isText, others } from './row';
import type { Row } from './row';
import { recordedWithTokens } from './tokenColumns';

/**
 * verl's rollout dumps ({step}.jsonl, trainer/ppo/ray_trainer.py): `input`, `output`, `gts` (older: none), `score`, `step` and whatever the reward
 * function adds. IGPO's are the same with figures by turn.
 */
export const verl: RowFormat = {
  id: 'verl',
  matches: (row, cut) => isText(row['input']) && row['instruction'] === undefined && (isText(row['output']) || (cut && Object.keys(row)[0] === 'input')),
  read: (row) => readDump(row, recordedWithTokens(others(row, 'input', 'output', 'gts'), 'score')),
};

export function readDump(row: Row, recorded: Recorded): ReturnType<RowFormat['read']> {
  const { input, output } = row;
  if (!isText(output)) return 'has no "output" as text, which holds the rollout';
  const prompt = promptIn(input);
  const notes: readonly Finding[] =
    prompt === undefined ? [{ code: 'wrong-type', severity: 'warning', message: 'The row has no "input" as text; the prompt of the policy\'s contract is used.' }] : [];
  return {
    ...inWholeChat(output, prompt),
    ...goldsOf(row),
    ...groupOf(row, prompt),
    recorded,
    notes,
  };
}
