import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { LRUCache } from 'lru-cache';
import { PolicyError } from '../replay/policy';
import type { CharRange, TokenIds } from '../replay/requests';
import { isObject, readObject, type JsonObject } from './jsonFile';
import { offsetsByBytes, offsetsByPrefixes } from './offsets';

export interface Encoded {
  readonly ids: TokenIds;
  /** As the tokenizer spells them: in the byte alphabet for byte-level ones. */
  readonly tokens: readonly string[];
}

/** Characters of text whose ids are kept for the next request that holds it. */
const cachedCharacters = 8_000_000;

/** Composing (NFC) makes at most so many code units one. */
const mostComposed = 4;

/** A tokenizer of a policy's folder. Text never gets tokens that it does not spell; BOS is {@link PolicyTokenizer.bos}'s business. */
export class PolicyTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #byteLevel: boolean;
  readonly #added: ReadonlyMap<number, string>;
  readonly #specialText: RegExp | undefined;
  /** Code units that one token can spell; absent where one (unknown text) can stand for any length. */
  readonly #longest: number | undefined;
  readonly #cache = new LRUCache<string, Encoded>({ maxSize: cachedCharacters, sizeCalculation: (_, text) => text.length + 1 });
  /** One more than the largest id. */
  readonly size: number;
  /** Prepended to raw text, where `tokenizer_config.json` says so. */
  readonly bos: number | undefined;
  /** The special tokens' texts by the names that chat templates know: `bos_token`, `eos_token`, … */
  readonly specials: Readonly<Record<string, string>>;

  constructor(file: JsonObject, config: JsonObject) {
    this.#tokenizer = new Tokenizer(file, config);
    this.#byteLevel = JSON.stringify(file['decoder'] ?? null).includes('"ByteLevel"');
    const added = [...this.#tokenizer.get_added_tokens_decoder()];
    this.#added = new Map(added.map(([id, token]) => [id, token.content]));
    const special = added.map(([, token]) => token).filter((token) => token.special && token.content !== '');
    this.#specialText = special.length > 0 ? new RegExp(special.map((token) => escapeRegExp(token.content)).join('|')) : undefined;
    this.#longest = this.#byteLevel ? mostComposed * longestOf([...this.#tokenizer.get_vocab().keys(), ...this.#added.values()]) : undefined;
    this.size = [...this.#tokenizer.get_vocab().values()].reduce((most, id) => Math.max(most, id + 1), 0);
    this.specials = specialTexts(config);
    const bos = this.specials['bos_token'];
    this.bos = config['add_bos_token'] === true && bos !== undefined ? this.idOf(bos) : undefined;
  }

  /** Ids of `text`, special tokens in it parsed as such, nothing added. */
  encode(text: string): Encoded {
    if (text === '') return { ids: [], tokens: [] };
    const cached = this.#cache.get(text);
    if (cached) return cached;
    const { ids, tokens } = this.#tokenizer.encode(text, { add_special_tokens: false });
    const encoded = { ids, tokens };
    this.#cache.set(text, encoded);
    return encoded;
  }

  /** The fewest tokens that so many UTF-16 code units of text can have, told without encoding them; 0 where that cannot be told. */
  fewest(codeUnits: number): number {
    return this.#longest === undefined ? 0 : Math.ceil(codeUnits / this.#longest);
  }

  /** The text of `ids`, special tokens kept or left out. */
  decode(ids: TokenIds, special: 'keep' | 'skip'): string {
    if (ids.length === 0) return '';
    return this.#tokenizer.decode([...ids], { skip_special_tokens: special === 'skip', clean_up_tokenization_spaces: false });
  }

  /** UTF-16 offsets of each token in `text`, where they can be told exactly; `undefined` where not. */
  offsets(text: string, { ids, tokens }: Encoded): readonly CharRange[] | undefined {
    if (!this.#byteLevel) return offsetsByPrefixes(text, ids, (some) => this.decode(some, 'keep'));
    const literal = ids.map((id, index) => (this.#added.get(id) === tokens[index] ? tokens[index] : undefined));
    const normalise = this.#tokenizer.normalizer;
    return offsetsByBytes(text, tokens, literal, normalise ? (part) => normalise(part) : undefined);
  }

  idOf(token: string): number | undefined {
    return this.#tokenizer.token_to_id(token);
  }

  /** The first special token that stands in `text`, if any. */
  specialIn(text: string): string | undefined {
    return this.#specialText?.exec(text)?.[0];
  }

  /** The id of `text` if it is one special token. */
  specialId(text: string): number | undefined {
    const id = this.#tokenizer.token_to_id(text);
    return id !== undefined && this.#added.has(id) ? id : undefined;
  }
}

/** Reads the tokenizer of a policy's folder. Rejects with PolicyError `bad-folder` where it is missing or of a kind that cannot be run. */
export async function readTokenizer(folder: string): Promise<PolicyTokenizer> {
  const file = await readObject(path.join(folder, 'tokenizer.json'));
  if (!file) throw new PolicyError('bad-folder', `${folder} has no tokenizer.json; copy the tokenizer.json and tokenizer_config.json of the model into it.`);
  const config = (await readObject(path.join(folder, 'tokenizer_config.json'))) ?? {};
  try {
    return new PolicyTokenizer(file, config);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new PolicyError('bad-folder', `${path.join(folder, 'tokenizer.json')} is no tokenizer that Turnlens can run (${reason ?? ''}); take the one that came with the model.`);
  }
}

/** Tokens of `tokenizer_config.json` by name; each is a string or an object with `content`. */
function specialTexts(config: JsonObject): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    if (!/^(bos|eos|unk|sep|pad|cls|mask)_token$/.test(name)) continue;
    const content = isObject(value) ? value['content'] : value;
    if (typeof content === 'string') texts[name] = content;
  }
  return texts;
}

/** A vocabulary with ids that no text spells has holes. */
const longestOf = (texts: readonly (string | undefined)[]): number => texts.reduce((most, text) => Math.max(most, text?.length ?? 0), 1);

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
