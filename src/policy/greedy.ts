import type { AnswerRequest, AnswerResult, UndefinedResult } from '../replay/requests';
import type { Decoder, KeyValues } from './decoder';
import { choose } from './logits';
import type { PolicyTokenizer } from './tokenizer';

export interface GreedyParts {
  readonly decoder: Decoder;
  readonly tokenizer: PolicyTokenizer;
  /** Ids that end every answer. */
  readonly endTokens: ReadonlySet<number>;
  /** After each run of the model; may reject to stop. */
  readonly afterRun: (started: number) => Promise<void>;
}

type Decoded = Pick<AnswerResult, 'text' | 'ids' | 'logprobs' | 'margin' | 'ended'>;

/** Decodes greedily from `row`, the logits of the context's last token, and `keyValues`, the context's. */
export async function decodeGreedily({ stop, maxTokens }: AnswerRequest, row: Float32Array, keyValues: KeyValues, parts: GreedyParts): Promise<Decoded | UndefinedResult> {
  const { decoder, tokenizer } = parts;
  const stopIds = new Set(parts.endTokens);
  const stopTexts: string[] = [];
  for (const text of stop) {
    const id = tokenizer.specialId(text);
    if (id === undefined) stopTexts.push(text);
    else stopIds.add(id);
  }
  const ids: number[] = [];
  const logprobs: number[] = [];
  let margin = Infinity;
  const decoded = (text: string, ended: Decoded['ended']): Decoded => ({ text, ids, logprobs, margin, ended });
  for (;;) {
    const choice = choose(row);
    if (!choice) return { kind: 'undefined', code: 'not-finite', reason: `The policy's logits are not finite at token ${String(ids.length + 1)} of its answer.` };
    margin = Math.min(margin, choice.margin);
    if (stopIds.has(choice.id)) return decoded(tokenizer.decode(ids, 'keep'), 'stop');
    ids.push(choice.id);
    logprobs.push(choice.logprob);
    const cut = stopTexts.length > 0 ? cutAtStop(tokenizer.decode(ids, 'keep'), stopTexts) : undefined;
    if (cut !== undefined) return decoded(cut, 'stop');
    if (ids.length >= maxTokens) return decoded(tokenizer.decode(ids, 'keep'), 'length');
    const started = performance.now();
    const next = await decoder.forward([choice.id], keyValues, [0], true);
    [row = row] = next.rows;
    keyValues = next.keyValues ?? keyValues;
    await parts.afterRun(started);
  }
}

/** `text` up to the first stop in it; `undefined` where there is none. */
function cutAtStop(text: string, stops: readonly string[]): string | undefined {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return found.length > 0 ? text.slice(0, Math.min(...found)) : undefined;
}
