import path from 'node:path';
import { PolicyError } from '../replay/policy';
import { isObject, readObject, type JsonObject } from './jsonFile';

/** What `config.json` or `genai_config.json` say of a decoder. */
export interface ModelConfig {
  /** For people: `qwen2`, `llama`, … */
  readonly architecture: string;
  readonly keyValueHeads: number;
  /** Floats a head. */
  readonly headSize: number;
  /** Tokens; absent: not said. */
  readonly contextLength?: number;
  readonly vocabulary?: number;
  /** End tokens of this file and of `generation_config.json`. */
  readonly endTokens: readonly number[];
}

/** Reads the configuration of a policy's folder; `config.json` comes before `genai_config.json`. Rejects with PolicyError `bad-folder` naming the file and the key. */
export async function readModelConfig(folder: string): Promise<ModelConfig> {
  const generation = await readObject(path.join(folder, 'generation_config.json'));
  const config = await readObject(path.join(folder, 'config.json'));
  if (config) return fromConfig(path.join(folder, 'config.json'), config, generation);
  const genai = await readObject(path.join(folder, 'genai_config.json'));
  if (genai) return fromGenai(path.join(folder, 'genai_config.json'), genai, generation);
  throw new PolicyError('bad-folder', `${folder} has neither config.json nor genai_config.json; copy the model's config.json into it.`);
}

function fromConfig(file: string, outer: JsonObject, generation: JsonObject | undefined): ModelConfig {
  // Models that also see or hear keep the decoder's part apart.
  const config = isObject(outer['text_config']) ? outer['text_config'] : outer;
  const first = (...keys: string[]): number | undefined => keys.map((key) => config[key]).find(isCount);
  const heads = required(file, 'num_attention_heads', first('num_attention_heads', 'n_head'));
  return shape({
    architecture: text(outer['model_type']),
    keyValueHeads: first('num_key_value_heads') ?? heads,
    headSize: first('head_dim') ?? required(file, 'hidden_size', first('hidden_size', 'n_embd')) / heads,
    contextLength: first('max_position_embeddings', 'n_positions'),
    vocabulary: first('vocab_size'),
    endTokens: [...ids(config['eos_token_id']), ...ids(generation?.['eos_token_id'])],
  });
}

function fromGenai(file: string, genai: JsonObject, generation: JsonObject | undefined): ModelConfig {
  const model = isObject(genai['model']) ? genai['model'] : {};
  const decoder = isObject(model['decoder']) ? model['decoder'] : {};
  const count = (from: JsonObject, key: string): number | undefined => (isCount(from[key]) ? from[key] : undefined);
  const heads = required(file, 'model.decoder.num_attention_heads', count(decoder, 'num_attention_heads'));
  return shape({
    architecture: text(model['type']),
    keyValueHeads: count(decoder, 'num_key_value_heads') ?? heads,
    headSize: count(decoder, 'head_size') ?? required(file, 'model.decoder.hidden_size', count(decoder, 'hidden_size')) / heads,
    contextLength: count(model, 'context_length'),
    vocabulary: count(model, 'vocab_size'),
    endTokens: [...ids(model['eos_token_id']), ...ids(generation?.['eos_token_id'])],
  });
}

interface Parts extends Pick<ModelConfig, 'architecture' | 'keyValueHeads' | 'headSize' | 'endTokens'> {
  readonly contextLength: number | undefined;
  readonly vocabulary: number | undefined;
}

function shape({ contextLength, vocabulary, ...rest }: Parts): ModelConfig {
  return { ...rest, ...(contextLength === undefined ? {} : { contextLength }), ...(vocabulary === undefined ? {} : { vocabulary }) };
}

function required(file: string, key: string, value: number | undefined): number {
  if (value === undefined) throw new PolicyError('bad-folder', `${file} lacks ${key}, a whole number; take the config.json that came with the model.`);
  return value;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const ids = (value: unknown): number[] => (Array.isArray(value) ? value : [value]).filter((id): id is number => Number.isSafeInteger(id));
const text = (value: unknown): string => (typeof value === 'string' && value !== '' ? value.slice(0, 60) : 'decoder');
