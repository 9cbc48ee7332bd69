/**
 * What a credit method may ask a policy to do. Everything here is data: it crosses a process boundary, and a request's key is a hash of it as text.
 */

export type TokenIds = readonly number[];

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/**
 * A context is pieces: each is encoded on its own, in the policy's process, and the ids are concatenated, so that no token straddles two pieces.
 * - `text`: as it stands.
 * - `ids`: as recorded. With `text`, they hold only if they decode to it under the policy's tokenizer; else the text is encoded and a note says so.
 * - `chat`: rendered through the policy's chat template with add_generation_prompt, encoded as one string.
 * - `stripped`: text of a dump whose special tokens are gone; the markers are rebuilt through the chat template and accepted only if
 *   stripping them gives the text back, else the text is encoded as it stands. A note says which.
 */
export type Piece =
  | { readonly text: string }
  | { readonly ids: TokenIds; readonly text?: string }
  | { readonly chat: readonly ChatMessage[] }
  | { readonly stripped: string };

/** UTF-16 offsets into a string, [start, end). */
export interface CharRange {
  readonly start: number;
  readonly end: number;
}

export type Want = 'logprob' | 'entropy' | 'rank' | 'distribution';

/** log p(target | context), teacher forced; natural log, temperature 1. */
export interface LikelihoodRequest {
  readonly kind: 'likelihood';
  readonly context: readonly Piece[];
  /** Encoded as one string right after the context. */
  readonly target: string;
  /** Ranges of `target`: every target token that overlaps one is scored (a token that straddles the boundary too). May be empty where `written` is not. */
  readonly scored: readonly CharRange[];
  readonly want: readonly Want[];
  /** Pieces of the context, ascending, whose own tokens are scored as well: what the policy wrote. Read off the same run, at no further tokens. */
  readonly written?: readonly number[];
  /** Keep only the last so many context tokens, as a trainer's left truncation does. Absent: nothing is ever cut. */
  readonly keepLast?: number;
}

/** What the policy answers from a context: greedy, one token at a time. */
export interface AnswerRequest {
  readonly kind: 'answer';
  readonly context: readonly Piece[];
  /** One that is a single special token ends decoding by its id; any other cuts the text at its first occurrence. The text never includes it. */
  readonly stop: readonly string[];
  readonly maxTokens: number;
}

export type ReplayRequest = LikelihoodRequest | AnswerRequest;

export interface ScoredToken {
  readonly id: number;
  /** The token's text within the target. */
  readonly text: string;
  /** Nats. */
  readonly logprob: number;
  /** Nats. */
  readonly entropy?: number;
  /** 0: the policy's own first choice. */
  readonly rank?: number;
  /** Log-probabilities of the whole vocabulary at this token's place; nats. */
  readonly distribution?: Float32Array;
}

/** Something the policy's process saw while encoding; the scorer turns it into a finding. */
export interface EncodingNote {
  readonly code: 'prompt-rebuilt' | 'prompt-kept-as-text' | 'special-token-in-text' | 'recorded-ids-differ';
  /** Index into the request's context; -1: the target. */
  readonly piece: number;
  readonly message: string;
}

/** What the policy gave the tokens of one piece of the context, each after all that stands before it; nats, kept to seven digits. */
export type WrittenPiece =
  | { readonly kind: 'value'; readonly logprobs: readonly number[]; readonly entropies: readonly number[]; /** 0: its own first choice. */ readonly ranks: readonly number[] }
  | { readonly kind: 'undefined'; readonly reason: string };

export interface LikelihoodResult {
  readonly kind: 'likelihood';
  /** Only the scored tokens of the target, in order; none where the request asks for what was written alone. */
  readonly tokens: readonly ScoredToken[];
  /** One for each of the request's. */
  readonly written?: readonly WrittenPiece[];
  /** Tokens of the context as run. */
  readonly contextTokens: number;
  /** Tokens that `keepLast` cut off. */
  readonly cut: number;
  readonly notes: readonly EncodingNote[];
}

export interface AnswerResult {
  readonly kind: 'answer';
  /** Without the stop. */
  readonly text: string;
  readonly ids: TokenIds;
  /** Nats, one for each of `ids`. */
  readonly logprobs: readonly number[];
  /** Least distance between the best and the second logit on the way, the step that chose the end included. */
  readonly margin: number;
  readonly ended: 'stop' | 'length';
  readonly contextTokens: number;
  readonly notes: readonly EncodingNote[];
}

/** A request that cannot be answered, and why; the others stand. */
export interface UndefinedResult {
  readonly kind: 'undefined';
  readonly code: 'too-long' | 'nothing-scored' | 'not-finite' | 'bad-ids' | 'bad-template';
  /** One sentence with the numbers. */
  readonly reason: string;
  /** Of `too-long`: the policy's tokens of context. */
  readonly limit?: number;
  /** Of `too-long`: the context would be so without any two neighbouring pieces of it, too. */
  readonly evenWithoutTwo?: true;
  /** What was asked of the pieces of a context that is too long: those of its beginning, as far as that fits, stand. */
  readonly written?: readonly WrittenPiece[];
}

export type ReplayResult = LikelihoodResult | AnswerResult | UndefinedResult;
