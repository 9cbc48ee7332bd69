import type { Prompt } from '../model';
import type { Dialect } from '../dialect';
import type { Draft } from './format';
import { splitChat } from './prompts';

/** A rollout as flat text; where no column holds its prompt, the text may begin with it. */
export function inWholeChat(text: string, prompt: Prompt | undefined, dialect?: Dialect): Pick<Draft, 'prompt' | 'rollout'> {
  const whole = prompt === undefined ? splitChat(text) : undefined;
  const own = whole?.prompt ?? prompt;
  return { ...(own === undefined ? {} : { prompt: own }), rollout: { text: whole?.rest ?? text, ...(dialect === undefined ? {} : { dialect }) } };
}
