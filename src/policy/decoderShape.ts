import type { InferenceSession } from 'onnxruntime-node';
import { PolicyError } from '../replay/policy';
import { addedInput, cacheNames } from './graph/names';
import type { ModelConfig } from './modelConfig';
import type { FloatType } from './tensors';

/** How a graph wants to be fed, read from its inputs and outputs and, where those are symbolic, from the configuration. */
export interface DecoderShape {
  readonly inputs: ReadonlySet<string>;
  readonly layers: readonly CacheInput[];
  /** Length of a row of logits; absent: symbolic in the graph. */
  readonly vocabulary?: number;
}

/** One part of the key/value cache: keys or values of a layer. */
export interface CacheInput {
  readonly past: string;
  /** The input for the columns behind those of `past`, where the graph takes them apart (graph/cacheColumns.ts). */
  readonly recent?: string;
  /** The output: what a run adds where there is `recent`, else past and run together. */
  readonly output: string;
  readonly type: FloatType;
  readonly heads: number;
  /** Floats a head. */
  readonly size: number;
}

const known = new Set<string>(['input_ids', 'attention_mask', 'use_cache_branch', 'num_logits_to_keep', ...Object.values(addedInput)]);

/** Rejects with PolicyError `load-failed` where the graph is no decoder with a key/value cache. `file`: for the message. */
export function decoderShape(session: InferenceSession, config: ModelConfig, file: string): DecoderShape {
  const refuse = (what: string): never => {
    throw new PolicyError('load-failed', `${file} ${what}; export it with --task text-generation-with-past.`);
  };
  const outputs = new Set(session.outputNames);
  if (!session.inputNames.includes('input_ids')) refuse('takes no input_ids, so it is no text decoder');
  if (!outputs.has('logits')) refuse('gives no logits, so it is no language model');
  const layers: CacheInput[] = [];
  const recent = new Set(session.inputNames.map((name) => cacheNames(name)?.recent));
  for (const input of session.inputMetadata) {
    if (known.has(input.name) || recent.has(input.name)) continue;
    const names = cacheNames(input.name);
    if (!names) return refuse(`takes an input that Turnlens does not know, ${input.name}`);
    const apart = session.inputNames.includes(names.recent);
    const output = apart ? names.added : names.present;
    if (!outputs.has(output)) return refuse(`has an input ${input.name} but no output ${output}`);
    if (!input.isTensor || (input.type !== 'float32' && input.type !== 'float16')) return refuse(`keeps its cache in a type that Turnlens does not run`);
    const [, heads, , size] = input.shape;
    layers.push({ past: input.name, ...(apart ? { recent: names.recent } : {}), output, type: input.type, heads: numberOr(heads, config.keyValueHeads), size: numberOr(size, config.headSize) });
  }
  if (layers.length === 0) refuse('has no key/value cache');
  const logits = session.outputMetadata.find((output) => output.name === 'logits');
  const vocabulary = logits?.isTensor ? logits.shape.at(-1) : undefined;
  return { inputs: new Set(session.inputNames), layers, ...(typeof vocabulary === 'number' && vocabulary > 0 ? { vocabulary } : {}) };
}

const numberOr = (dimension: number | string | undefined, configured: number): number => (typeof dimension === 'number' && dimension > 0 ? dimension : configured);
