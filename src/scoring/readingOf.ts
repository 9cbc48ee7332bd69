import type { PolicyContract } from '../replay/contract';
import type { Dialect } from '../trajectory/dialect';
import type { ReadOptions } from '../trajectory/options';

/** What reading a file needs of a policy's contract: how its prompt is written, to find a question in it, and its dialect. @param dialects the user's own */
export function readingOf({ agentPrompt, dialect }: PolicyContract, dialects: readonly Dialect[]): ReadOptions {
  return { agentPrompt, dialects, ...(dialect !== undefined && { defaultDialect: dialect }) };
}
