import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import type { ChatMessage } from '../replay/requests';
import { isObject } from './jsonFile';
import { formatTemplateDate } from './templateDate';

/** A template that cannot be parsed or rendered; the message is one sentence. */
export class TemplateError extends Error {}

/** Longest list that a template may ask for with `range`. */
const longestRange = 100_000;
/** Parts of a template that may be evaluated, in loops and calls each time. Some hundred a message are usual. */
const mostSteps = 1_000_000;
/** What each item of a loop counts, whatever is done with it. */
const stepsOfItem = 4;
/** Longest text that it may build, characters, and longest list. */
const longestText = 32 << 20;
const longestList = 1_000_000;

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
    const rendered = new BoundedInterpreter(environment).run(parse(tokenize(template, { lstrip_blocks: true, trim_blocks: true })));
    return String(rendered.value);
  } catch (error) {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new TemplateError(`The policy's chat template cannot render this conversation (${line.slice(0, 300)}).`);
  }
}

type Evaluated = ReturnType<Interpreter['evaluate']>;

/** A template may loop, and double what it holds, for longer than anybody waits. */
class BoundedInterpreter extends Interpreter {
  #steps = 0;
  /** What loops go over. */
  readonly #loopedOver = new Set<unknown>();

  override evaluate(...[statement, environment]: Parameters<Interpreter['evaluate']>): Evaluated {
    this.#count(1);
    if (statement?.type === 'For' && 'iterable' in statement) this.#loopedOver.add(listOf(statement.iterable));
    const result = super.evaluate(statement, environment);
    const { value }: { readonly value: unknown } = result;
    if (typeof value === 'string' && value.length > longestText) throw new TemplateError('it writes too much');
    if (!Array.isArray(value)) return result;
    if (value.length > longestList) throw new TemplateError('it makes too long a list');
    if (this.#loopedOver.has(statement)) this.#count(value.length * stepsOfItem);
    return result;
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps > mostSteps) throw new TemplateError('it goes on for too long');
  }
}

/** Of `all if …`, what is looped over is `all`. */
const listOf = (iterable: unknown): unknown => (isObject(iterable) && iterable['type'] === 'SelectExpression' ? iterable['lhs'] : iterable);

const constants = { true: true, false: false, none: null, True: true, False: false, None: null };

function boundedRange(start: number, stop?: number, step = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  const count = Math.ceil((to - from) / step);
  if (!(count <= longestRange)) throw new TemplateError('range is too long');
  return Array.from({ length: Math.max(0, count) }, (_, index) => from + index * step);
}
