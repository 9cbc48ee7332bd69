import type { AnswerRequest, AnswerResult, TokenIds, UndefinedResult } from '../replay/requests';
import type { RowScore } from './rowScore';
import type { PolicyTokenizer } from './tokenizer';

export type Decoded = Pick<AnswerResult, 'text' | 'ids' | 'logprobs' | 'margin' | 'ended'>;

/** An answer that is being written, one greedy choice after the other. */
export class GreedyAnswer {
  readonly #tokenizer: PolicyTokenizer;
  readonly #maxTokens: number;
  readonly #stopIds: Set<number>;
  readonly #stopTexts: string[] = [];
  readonly #ids: number[] = [];
  readonly #logprobs: number[] = [];
  #margin = Infinity;

  /** `endTokens`: ids that end every answer. */
  constructor({ stop, maxTokens }: AnswerRequest, tokenizer: PolicyTokenizer, endTokens: ReadonlySet<number>) {
    this.#tokenizer = tokenizer;
    this.#maxTokens = maxTokens;
    this.#stopIds = new Set(endTokens);
    for (const text of stop) {
      const id = tokenizer.specialId(text);
      if (id === undefined) this.#stopTexts.push(text);
      else this.#stopIds.add(id);
    }
  }

  /** So far. */
  get ids(): TokenIds {
    return this.#ids;
  }

  /** Tokens that it may still take. */
  get left(): number {
    return this.#maxTokens - this.#ids.length;
  }

  /** Whether the next choice is the last in any case. */
  get nearlyFull(): boolean {
    return this.left <= 1;
  }

  /** Takes the policy's choice. Gives the answer where that ends it; else the token chosen, to be run for the next. */
  take(choice: RowScore): Decoded | UndefinedResult | number {
    if (!Number.isFinite(choice.bestLogprob) || Number.isNaN(choice.margin)) {
      return { kind: 'undefined', code: 'not-finite', reason: `The policy's logits are not finite at token ${String(this.#ids.length + 1)} of its answer.` };
    }
    this.#margin = Math.min(this.#margin, choice.margin);
    if (this.#stopIds.has(choice.best)) return this.#ended(this.#text(), 'stop');
    this.#ids.push(choice.best);
    this.#logprobs.push(choice.bestLogprob);
    const cut = this.#stopTexts.length > 0 ? cutAtStop(this.#text(), this.#stopTexts) : undefined;
    if (cut !== undefined) return this.#ended(cut, 'stop');
    return this.#ids.length >= this.#maxTokens ? this.#ended(this.#text(), 'length') : choice.best;
  }

  #ended(text: string, ended: Decoded['ended']): Decoded {
    return { text, ids: this.#ids, logprobs: this.#logprobs, margin: this.#margin, ended };
  }

  #text(): string {
    return this.#tokenizer.decode(this.#ids, 'keep');
  }
}

/** `text` up to the first stop in it; `undefined` where there is none. */
function cutAtStop(text: string, stops: readonly string[]): string | undefined {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return found.length > 0 ? text.slice(0, Math.min(...found)) : undefined;
}
