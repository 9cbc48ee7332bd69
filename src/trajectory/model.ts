/**
 * What a trajectory is: one rollout on one question, as the exact text the policy saw and wrote, and where the parts of each turn stand in it.
 * Offsets are UTF-16 code units into {@link Trajectory.text}, half open.
 */

/** A half-open range [start, end) of UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/**
 * What stood before the first turn.
 * - `contract`: the file recorded no prompt; the policy contract's `agentPrompt` around the question is used.
 * - `stripped`: text of a dump that dropped special tokens (`user\n…\nassistant\n`); the policy's process rebuilds the markers.
 */
export type Prompt =
  | { readonly kind: 'contract' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stripped'; readonly text: string }
  | { readonly kind: 'messages'; readonly messages: readonly ChatMessage[] }
  | { readonly kind: 'ids'; readonly ids: readonly number[]; /** What they decode to, where the file says it. */ readonly text?: string };

export const ineligibles = ['no search', 'invalid action', 'no observation', 'empty observation'] as const;

/** Why a turn gets no gain: it is no executed search with something in return. */
export type Ineligible = (typeof ineligibles)[number];

/** One policy action before the final one, and the observation that came back. */
export interface Turn {
  /** Counted from 1. */
  readonly index: number;
  /** Everything the policy wrote in this turn. */
  readonly policy: Span;
  /** Everything the environment wrote after it, its tags and the blank lines around them included. Absent: nothing came back. */
  readonly observation?: Span;
  /** What stands inside the think tags (absent where there are none). Inside `policy`. */
  readonly think?: Span;
  /** What stands inside the search tags, one span for each parallel call, as {@link queries}. Inside `policy`. */
  readonly querySpans: readonly Span[];
  /** The queries, trimmed; of a tool call that holds several, each; of one that is no search, the call. Empty for an action without a call. */
  readonly queries: readonly string[];
  /** The observation's text inside its tags. Inside `observation`. */
  readonly result?: Span;
  /** Absent: the turn is eligible for a gain. */
  readonly ineligible?: Ineligible;
  readonly ids?: TurnTokens;
}

/** One turn’s tokens, as the rollout recorded them. */
export interface TurnTokens {
  /** Ids of the policy text. */
  readonly policy?: readonly number[];
  readonly observation?: readonly number[];
  /** Of the policy text's tokens when they were sampled, nats. */
  readonly logprobs?: readonly number[];
}

/** The last action with an answer after which no search was executed. */
export interface FinalTurn {
  readonly policy: Span;
  readonly think?: Span;
  /** What stands inside the answer tags; inside `policy`. */
  readonly answerSpan: Span;
  /** The answer, trimmed. */
  readonly answer: string;
}

/**
 * - `complete`: the rollout ended by itself (with or without an answer).
 * - `damaged`: the file breaks off inside this record, so what followed is not known.
 */
export type Ending = 'complete' | 'damaged';

/** How a policy writes turns; see dialect.ts. */
export type DialectId = string;

export interface Trajectory {
  readonly question: string;
  /** Gold answers, in the file's order; empty: the file gives none. */
  readonly answers: readonly string[];
  readonly prompt: Prompt;
  readonly dialect: DialectId;
  /** Everything after the prompt, exactly: turns, final turn and tail, in order and without gaps. */
  readonly text: string;
  readonly turns: readonly Turn[];
  readonly final?: FinalTurn;
  /** Policy text that is cut off at the end, with neither search nor answer. It stays in the context of the gains. */
  readonly tail?: Span;
  readonly ending: Ending;
  /** What names the group (all rollouts of one question). Absent: not known, a group of one. */
  readonly group?: string;
  readonly recorded?: Recorded;
  /** What Turnlens wrote into the file beside it when it saved it. */
  readonly scored?: SavedScores;
  /** What the record holds beside this, its main line. */
  readonly sideLines?: readonly SideLine[];
  readonly findings: readonly Finding[];
}

export const sideKinds = ['attempt', 'branch', 'sub-agent'] as const;

/** A rollout beside a record's main line, reached from it and never merged into it: another attempt, an abandoned branch, a sub-agent's. */
export interface SideLine {
  readonly kind: (typeof sideKinds)[number];
  /** As the file names it, else counted (`attempt 2`); no two of a trajectory are equal. */
  readonly name: string;
  /** The turn of the main line that it belongs to, counted from 1. Absent: none in particular. */
  readonly turn?: number;
  readonly trajectory: Trajectory;
}

/**
 * Scores as a file keeps them, in the keys of `turnlens score --json` (docs/json.md). They are of the policy that their provenance names, and of then:
 * shown as such, never as what the policy at hand says.
 */
export type SavedScores = Readonly<Record<string, unknown>>;

/** Scores that the file itself states; they stand beside ours, never instead. */
export interface Recorded {
  readonly reward?: number;
  readonly step?: number;
  /** Figures of the turns in order, by the file's own names; `null`: it gives none for this turn. */
  readonly turns?: Readonly<Record<string, readonly (number | null)[]>>;
  /** Figures of the states s_0 … s_T. */
  readonly states?: Readonly<Record<string, readonly (number | null)[]>>;
  readonly tokens?: RecordedTokens;
  /** Whatever else the record holds, by its own names. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** By token of the rollout's text as its trainer encoded it; lists of equal length where the file is sound. */
export interface RecordedTokens {
  readonly ids?: readonly number[];
  readonly logprobs?: readonly (number | null)[];
  /** 1: the policy's own token, 0: the environment's. */
  readonly mask?: readonly number[];
  readonly rewards?: readonly (number | null)[];
  readonly values?: readonly (number | null)[];
  readonly advantages?: readonly (number | null)[];
}

export const findingCodes = [
  'answer-in-observation',
  'answer-in-prompt',
  'call-not-json',
  'call-unpaired',
  'context-copied',
  'context-replaced',
  'damaged',
  'duplicate-key',
  'empty-observation',
  'empty-query',
  'fragile-answer',
  'gold-coerced',
  'gold-empty',
  'gold-missing',
  'gold-not-text',
  'invalid-action',
  'kept-copy-differs',
  'newer-version',
  'no-answer',
  'no-model-call',
  'no-observation',
  'no-turns',
  'other-trajectories',
  'outcome-not-shown',
  'prompt-kept-as-text',
  'prompt-rebuilt',
  'question-guessed',
  'question-missing',
  'recorded-ids-differ',
  'recorded-reward-differs',
  'recorded-turns-differ',
  'reward-on-masked-token',
  'run-truncated',
  'self-written-observation',
  'special-token-in-text',
  'special-tokens-stripped',
  'state-without-answer',
  'tags-in-observation',
  'tags-in-prompt',
  'text-after-answer',
  'text-rendered',
  'too-long',
  'truncated-observation',
  'unknown-key',
  'unpaired-tag',
  'wrong-type',
] as const;

export type FindingCode = (typeof findingCodes)[number];

export type Severity = 'error' | 'warning' | 'information';

/** Something a reader of this trajectory should know; one plain sentence that names the place and, where there is one, the remedy. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  /** Counted from 1; absent: the whole trajectory. */
  readonly turn?: number;
  /** Where in {@link Trajectory.text}. */
  readonly at?: Span;
  /** Where in the source document (native files), for what never became part of the text. */
  readonly atSource?: Span;
}

export const textOf = (t: Trajectory, span: Span): string => t.text.slice(span.start, span.end);
