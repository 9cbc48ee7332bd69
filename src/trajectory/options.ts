import type { Dialect } from './dialect';

/** What a reader needs beside the file. */
export interface ReadOptions {
  /** The contract's, with `{question}`: a prompt that follows it gives the question back. */
  readonly agentPrompt?: string;
  /** The user's own dialects, found before the built-in ones. */
  readonly dialects?: readonly Dialect[];
  /** Of files that name none; `search-r1` where this names none either. */
  readonly defaultDialect?: string;
}
