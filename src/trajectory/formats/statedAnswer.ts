import type { Finding } from '../model';
import { quote } from '../visible';
import type { Said } from './messages/said';

/** A final answer that the file states beside the messages, where the policy's last words do not show it: the outcome is scored from those alone. */
export function statedAnswer(stated: unknown, said: readonly Said[]): readonly Finding[] {
  if (typeof stated !== 'string' || stated.trim() === '') return [];
  const last = said.findLast(({ role }) => role === 'assistant');
  if (last === undefined || plain([last.content, ...last.calls.map(({ text }) => text)].join('\n')).includes(plain(stated))) return [];
  const message = `The file states the final answer ${quote(stated.trim(), 80)}, which the policy's last message does not show; the outcome is scored from the message.`;
  return [{ code: 'outcome-not-shown', severity: 'warning', message }];
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
