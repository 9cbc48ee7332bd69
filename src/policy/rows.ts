import { Tensor, type InferenceSession } from 'onnxruntime-node';
import { logits, rowOutput } from './graph/names';
import { scoreRow, type RowScore } from './rowScore';
import { copyFloats } from './tensors';

/** What is wanted after one token of a run. */
export interface RowAsk {
  /** Which token of the run. */
  readonly at: number;
  /** The token that may come next, whose log-probability is wanted. */
  readonly token: number;
  /** The log-probabilities of all tokens too. */
  readonly distribution?: boolean;
}

type Outputs = InferenceSession.OnnxValueMapType;

export const rowOutputs: readonly string[] = Object.values(rowOutput);

/** From a graph that scores its rows itself. */
export function gatheredRows(outputs: Outputs, asks: readonly RowAsk[]): RowScore[] {
  const [logprob, entropy, rank, margin, bestLogprob] = [rowOutput.logprob, rowOutput.entropy, rowOutput.rank, rowOutput.margin, rowOutput.bestLogprob].map((name) => tensorOf(outputs, name).data);
  const best = tensorOf(outputs, rowOutput.best).data;
  const all = asks.some((ask) => ask.distribution) ? tensorOf(outputs, logits) : undefined;
  const at = (values: Tensor['data'] | undefined, i: number): number => Number(values?.[i]);
  return asks.map(({ token, distribution }, i) => ({
    logprob: at(logprob, i),
    rank: at(rank, i),
    entropy: at(entropy, i),
    best: at(best, i),
    bestLogprob: at(bestLogprob, i),
    margin: at(margin, i),
    ...(all && distribution ? { distribution: scoreRow(logitsOf(all, i), token, true).distribution } : {}),
  }));
}

/** From a graph that gives the logits of every token, or of the last ones. `count`: tokens of the run. */
export function logitRows(outputs: Outputs, asks: readonly RowAsk[], count: number): RowScore[] {
  const all = tensorOf(outputs, logits);
  const left = count - (all.dims[1] ?? 0);
  return asks.map(({ at, token, distribution }) => scoreRow(logitsOf(all, at - left), token, distribution));
}

function logitsOf(all: Tensor, row: number): Float32Array {
  const vocabulary = all.dims[2] ?? 0;
  return copyFloats(all, row * vocabulary, vocabulary);
}

function tensorOf(outputs: Outputs, name: string): Tensor {
  const tensor = outputs[name];
  if (!(tensor instanceof Tensor)) throw new TypeError(`the run gave no ${name}`);
  return tensor;
}
