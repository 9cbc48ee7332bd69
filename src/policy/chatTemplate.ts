import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import type { ChatMessage } from '../replay/requests';
import { formatTemplateDate } from './templateDate';

/** A template that cannot be parsed or rendered; the message is one sentence. */
export class TemplateError extends Error {}

/** Longest list that a template may ask for with `range`. */
const longestRange = 100_000;

/** Renders `messages` with the generation prompt. The template is untrusted: it sees the messages and the special tokens' texts, nothing else. Throws TemplateError. */
export function renderChat(template: string, messages: readonly ChatMessage[], specials: Readonly<Record<string, string>>): string {
  try {
    const environment = new Environment();
    const globals = {
      ...constants,
      ...specials,
      messages: messages.map(({ role, content }) => ({ role, content })),
      add_generation_prompt: true,
      raise_exception: (message: unknown) => {
        throw new TemplateError(`it says: ${String(message).slice(0, 200)}`);
      },
      range: boundedRange,
      strftime_now: formatTemplateDate,
    };
    for (const [name, value] of Object.entries(globals)) environment.set(name, value);
    const rendered = new Interpreter(environment).run(parse(tokenize(template, { lstrip_blocks: true, trim_blocks: true })));
    return String(rendered.value);
  } catch (error) {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new TemplateError(`The policy's chat template cannot render this conversation (${line.slice(0, 300)}).`);
  }
}

const constants = { true: true, false: false, none: null, True: true, False: false, None: null };

function boundedRange(start: number, stop?: number, step = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  const count = Math.ceil((to - from) / step);
  if (!(count <= longestRange)) throw new TemplateError('range is too long');
  return Array.from({ length: Math.max(0, count) }, (_, index) => from + index * step);
}
