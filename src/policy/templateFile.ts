import path from 'node:path';
import { isObject, readObject, readText } from './jsonFile';

/** The chat template of a policy's folder as text: `chat_template.jinja`, else `tokenizer_config.json`'s, of several the one named `default`. `undefined`: none. */
export async function readChatTemplate(folder: string): Promise<string | undefined> {
  const file = await readText(path.join(folder, 'chat_template.jinja'));
  if (file !== undefined) return file;
  const template = (await readObject(path.join(folder, 'tokenizer_config.json')))?.['chat_template'];
  if (typeof template === 'string') return template;
  const named = Array.isArray(template) ? template.filter(isObject) : [];
  const chosen = (named.find((entry) => entry['name'] === 'default') ?? named[0])?.['template'];
  return typeof chosen === 'string' ? chosen : undefined;
}
