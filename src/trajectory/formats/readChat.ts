import type { ReadOptions } from '../options';
import type { RecordResult } from '../records';
import { inWholeChat } from './chatText';
import { finish } from './finish';
import { groupOf } from './group';

/** Reads one rollout that is plain text: a chat with its markers, prompt and all, or what a policy wrote with a dialect's tags. Never throws. */
export function readChatText(source: string, options: ReadOptions): RecordResult {
  const text = source.replaceAll('\0', '');
  if (text.trim() === '') return { kind: 'problem', message: 'This record holds nothing but blank space; it is skipped.' };
  const chat = inWholeChat(text.trimEnd() === '' ? text : `${text.trimEnd()}\n`, undefined);
  return finish({ ...chat, ...groupOf({}, chat.prompt) }, options);
}
