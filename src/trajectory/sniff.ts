import { calledIn, messagesIn } from './calledIn';
import type { Message } from './calledIn';
import { findDialect, searchR1 } from './dialect';
import type { Dialect } from './dialect';
import { aSearcher, subSearch } from './dialects/searchR1';
import { chatTools, qwenTools } from './dialects/qwenTools';
import { r1Searcher } from './dialects/r1Searcher';
import { react } from './dialects/react';
import { research } from './dialects/research';
import { searchO1 } from './dialects/searchO1';
import type { ReadOptions } from './options';

/** Marks of a dialect that no other shares, the surest first. */
const marks: readonly { readonly dialect: Dialect; readonly tests: readonly RegExp[] }[] = [
  { dialect: r1Searcher, tests: [/<\|begin_of_query\|>|<\|begin_of_documents\|>/] },
  { dialect: searchO1, tests: [/<\|begin_search_query\|>|<\|begin_search_result\|>/] },
  { dialect: aSearcher, tests: [/<\/access>\s{0,20}<information>/] },
  { dialect: searchR1, tests: [/<search>/, /<information>/] },
  { dialect: research, tests: [/<search>/, /<result>/] },
  { dialect: qwenTools, tests: [/<tool_call>|<tool_response>/] },
  { dialect: searchR1, tests: [/<search>|<information>/] },
];

const isReact = (text: string): boolean => /^(?:Thought|Action)(?: \d{1,3})?: /m.test(text) && /^(?:Action|Final Answer|Action Input)(?: \d{1,3})?: /m.test(text);

/**
 * The dialect a rollout is written in: one of the user's own whose search tags it holds, else told by its tags.
 * `undefined`: it has none of them.
 * @param said what the policy said in it, where the file tells it
 */
export function sniff(text: string, options: ReadOptions = {}, said: readonly Message[] = messagesIn(text)): Dialect | undefined {
  const own = options.dialects?.find(({ tags, labels }) => labels === undefined && text.includes(tags.search.open) && text.includes(tags.observation.open));
  if (own !== undefined) return own;
  return calledIn(said, (message) => byMarks(message) !== undefined || isReact(message)) ?? byMarks(text) ?? (isReact(text) ? react : undefined);
}

function byMarks(text: string): Dialect | undefined {
  const found = marks.find(({ tests }) => tests.every((test) => test.test(text)))?.dialect;
  if (found === searchR1 && hasParallelQueries(text)) return subSearch;
  if (found === qwenTools && !text.includes('<answer>') && /\\boxed\{[^]{0,2000}$/.test(text)) return chatTools;
  return found;
}

/** By string searches: a pattern would go over the same text again and again. */
function hasParallelQueries(text: string): boolean {
  const { open, close } = searchR1.tags.search;
  for (let at = text.indexOf(open); at >= 0; ) {
    const end = text.indexOf(close, at);
    if (end < 0) return false;
    const inside = text.slice(text.lastIndexOf(open, end) + open.length, end);
    if (inside.includes('##')) return true;
    at = text.indexOf(open, end);
  }
  return false;
}

/** The same, with what stands in for a dialect where there is no tag. */
export function dialectOf(text: string, options: ReadOptions): Dialect {
  return sniff(text, options) ?? findDialect(options.defaultDialect ?? searchR1.id, options.dialects) ?? searchR1;
}
