import type { CallSyntax } from './callSyntax';
import { commands } from './dialects/commands';
import { mcpTools } from './dialects/mcpTools';
import { deepseekTools, functionTools, harmony, kimiTools, llamaTools, mistralTools } from './dialects/modelTools';
import { chatTools, qwenTools } from './dialects/qwenTools';
import { r1Searcher } from './dialects/r1Searcher';
import { react } from './dialects/react';
import { research } from './dialects/research';
import { searchO1 } from './dialects/searchO1';
import { aSearcher, searchR1, subSearch } from './dialects/searchR1';
import type { DialectId } from './model';

export { searchR1 };

/** A pair of literal tags. */
export interface TagPair {
  readonly open: string;
  /** Where it is `}` and the opening tag ends in `{`, braces between them are counted. */
  readonly close: string;
}

export const tagKinds = ['think', 'search', 'observation', 'answer'] as const;

export type TagKind = (typeof tagKinds)[number];

/**
 * How a policy writes its turns and what the environment writes around an observation, as literal strings: a grammar that is data.
 * Everything the environment does not write by this grammar is policy text.
 */
export interface Dialect {
  readonly id: DialectId;
  readonly tags: Readonly<Record<TagKind, TagPair>>;
  /** Between the closing think tag and the action, and between parallel searches of one action. */
  readonly beforeAction: string;
  /** What the environment writes before and after the observation's tags. */
  readonly beforeObservation: string;
  readonly afterObservation: string;
  /** What the environment writes, without tags, after an action that is neither a search nor an answer. */
  readonly invalidAction: string;
  /** What the policy writes after each action: the end token of its chat template. */
  readonly endOfAction?: string;
  /** More tools whose calls are searches too. */
  readonly moreTools?: readonly { readonly search: TagPair; readonly observation: TagPair }[];
  /**
   * Where reasoning stands: between think tags (absent); before the action, without tags (`bare`); or between think tags that open in the prompt
   * and close before the answer, with all searches inside (`spanning`).
   */
  readonly reasoning?: 'bare' | 'spanning';
  /** What stands inside the search tags: one query (absent), several with a separator between them, or a tool call in JSON or in a syntax of its own. */
  readonly query?: { readonly kind: 'list'; readonly separator: string } | { readonly kind: 'json-call'; readonly syntax?: CallSyntax };
  /** What the policy writes around all calls of one action. */
  readonly aroundCalls?: TagPair;
  /** More of what the format writes around the parts, which is no word of the policy's. */
  readonly markers?: readonly string[];
  /** A whole message that is a call in JSON is one, without tags. */
  readonly bareCalls?: true;
  /** Inside the answer tags (or an earlier pair of these), what is the answer alone, where it is there. */
  readonly answerWithin?: readonly TagPair[];
  /** An action without a search is the answer, where no answer tags say more. */
  readonly plainAnswer?: true;
  /** The environment speaks in a chat role of its own, so that its tags within the policy's are the policy's own. */
  readonly roles?: true;
  /** The action is the command in a fenced block of code, whatever language the fence names; the literal search tags are then used to write turns alone. */
  readonly fenced?: true;
  /** Parts begin with labels at the start of a line, in the place of tags: `Action: search[query]`. The literal tags are then used to write turns alone. */
  readonly labels?: Labels;
}

/** Names before a colon, possibly numbered (`Thought 1:`); upper and lower case are the same. */
export interface Labels {
  readonly think: readonly string[];
  readonly action: readonly string[];
  /** The action's argument on a line of its own. */
  readonly input: readonly string[];
  readonly observation: readonly string[];
  readonly answer: readonly string[];
  /** Actions that give the answer: `finish[…]`. */
  readonly finish: readonly string[];
}

/** The dialects that ship, `search-r1` first. */
export const builtinDialects: readonly Dialect[] = [searchR1, subSearch, aSearcher, research, r1Searcher, searchO1, qwenTools, chatTools, mcpTools, functionTools, harmony, kimiTools, deepseekTools, mistralTools, llamaTools, react, commands];

/** The dialect of that name, the caller's own before the built-in ones. */
export function findDialect(id: DialectId, own: readonly Dialect[] = []): Dialect | undefined {
  return [...own, ...builtinDialects].find((dialect) => dialect.id === id);
}
