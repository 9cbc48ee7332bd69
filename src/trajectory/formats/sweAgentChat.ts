import { commands } from '../dialects/commands';
import { recordedOf } from '../recorded';
import type { RowFormat } from './format';
import { conversation } from './messages/conversation';
import { contentText } from './messages/content';
import type { Said } from './messages/said';
import { notShown, truncatedBy } from './outcomes';
import { roleOf } from './prompts';
import { isList, isRow, isText, others } from './row';
import type { Row } from './row';
import { taskIn } from './taskText';

/** SWE-agent's runs as data sets of them keep them: `trajectory` is a chat (`role`, `text`, `system_prompt`), the patch is `generated_patch` (or `generated_text`), `target` whether it was right. */
export const sweAgentChat: RowFormat = {
  id: 'swe-agent-chat',
  matches: (row) => isList(row['trajectory']) && row['trajectory'].length > 0 && row['trajectory'].every((item) => isRow(item) && isText(item['role']) && (item['text'] !== undefined || item['system_prompt'] !== undefined)),
  read: (row, options) => {
    const said = isList(row['trajectory']) ? row['trajectory'].filter(isRow).map(saidBy) : [];
    const chat = conversation(said, options, commands);
    if (isText(chat)) return chat;
    const before = said.slice(0, said.findIndex(({ role }) => role === 'assistant'));
    const asked = before.findLast(({ role }) => role === 'user')?.content;
    const question = asked === undefined ? undefined : taskIn(asked);
    const { exit_status: status, instance_id: id } = row;
    const patch = row['generated_patch'] ?? row['generated_text'];
    const cut = isText(status) && status !== '' && status !== 'submitted' ? [truncatedBy(status)] : [];
    const claimed = row['target'] === true && isText(patch) && patch.trim() === '' ? [notShown('the task was resolved', 'there is no patch')] : [];
    return {
      ...chat,
      ...(question === undefined ? {} : { question }),
      ...(isText(id) ? { group: id } : {}),
      recorded: recordedOf(others(row, 'trajectory', 'eval_logs'), 'reward'),
      notes: [...(chat.notes ?? []), ...cut, ...claimed],
    };
  },
};

const saidBy = (message: Row): Said => ({ role: roleOf(message['role']), content: contentText(message['text'] ?? message['system_prompt']), calls: [] });
