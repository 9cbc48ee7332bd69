import { z } from 'zod';
import { isRow } from '../formats/row';
import { nestsTooDeep } from '../json';
import { findingCodes, ineligibles, sideKinds } from '../model';
import type { SavedScores, Span, Trajectory } from '../model';

/** Of what stands under `extra.turnlens`. It grows when a reader of before would misread it. */
export const keptVersion = 1;

/** A trajectory without what is written as documents of their own. */
export type KeptTrajectory = Omit<Trajectory, 'sideLines' | 'scored'>;

/** What ATIF has no fields for: the exact text, where its parts stand, golds, group. With it a document reads back to the same trajectory. */
export interface Kept {
  readonly version: typeof keptVersion;
  /** Names the steps that it was written with (fingerprint.ts): others were changed since, and count. */
  readonly steps: string;
  readonly trajectory: KeptTrajectory;
  /** By the `trajectory_id` of `subagent_trajectories`, in order; a line's id is its name. */
  readonly sideLines: readonly { readonly kind: (typeof sideKinds)[number]; readonly name: string; readonly turn?: number }[];
  readonly scores?: SavedScores;
}

// Compiled checks need code from strings, which an extension host may refuse.
z.config({ jitless: true });

/** More than any reading of a record lists. */
const mostFindings = 500;

const count = z.int().min(0);
const span = z.object({ start: count, end: count });
const ids = z.array(z.int());
const figures = z.array(z.number().nullable());
// Records of zod leave out a key that is called __proto__; these are taken whole.
const anything = z.custom<Readonly<Record<string, unknown>>>(isRow);
const byName = z.custom<Readonly<Record<string, readonly (number | null)[]>>>((value) => isRow(value) && Object.values(value).every((list) => figures.safeParse(list).success));

const prompt = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('contract') }),
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('stripped'), text: z.string() }),
  z.object({ kind: z.literal('messages'), messages: z.array(z.object({ role: z.string(), content: z.string() })) }),
  z.object({ kind: z.literal('ids'), ids, text: z.string().exactOptional() }),
]);

const turn = z.object({
  index: z.int().min(1),
  policy: span,
  observation: span.exactOptional(),
  think: span.exactOptional(),
  querySpans: z.array(span),
  queries: z.array(z.string()),
  result: span.exactOptional(),
  ineligible: z.enum(ineligibles).exactOptional(),
  ids: z.object({ policy: ids.exactOptional(), observation: ids.exactOptional(), logprobs: z.array(z.number()).exactOptional() }).exactOptional(),
});

const recorded = z.object({
  reward: z.number().exactOptional(),
  step: z.number().exactOptional(),
  turns: byName.exactOptional(),
  states: byName.exactOptional(),
  tokens: z
    .object({
      ids: ids.exactOptional(),
      logprobs: figures.exactOptional(),
      mask: z.array(z.number()).exactOptional(),
      rewards: figures.exactOptional(),
      values: figures.exactOptional(),
      advantages: figures.exactOptional(),
    })
    .exactOptional(),
  extra: anything.exactOptional(),
});

const trajectory = z.object({
  question: z.string(),
  answers: z.array(z.string()),
  prompt,
  dialect: z.string(),
  text: z.string(),
  turns: z.array(turn),
  final: z.object({ policy: span, think: span.exactOptional(), answerSpan: span, answer: z.string() }).exactOptional(),
  tail: span.exactOptional(),
  ending: z.enum(['complete', 'damaged']),
  group: z.string().exactOptional(),
  recorded: recorded.exactOptional(),
  findings: z
    .array(
      z.object({
        code: z.enum(findingCodes),
        severity: z.enum(['error', 'warning', 'information']),
        message: z.string(),
        turn: count.exactOptional(),
        at: span.exactOptional(),
        atSource: span.exactOptional(),
      }),
    )
    .max(mostFindings),
}) satisfies z.ZodType<KeptTrajectory>;

const kept = z.object({
  version: z.literal(keptVersion),
  steps: z.string(),
  trajectory,
  sideLines: z.array(z.object({ kind: z.enum(sideKinds), name: z.string(), turn: z.int().min(1).exactOptional() })),
  scores: anything.exactOptional(),
}) satisfies z.ZodType<Kept>;

/** Brackets within a record’s own columns, so that a document around them does not nest too deep to be read. */
const deepestColumns = 100;

/** As a document holds it: columns that nest deep stand there as the text of their JSON. */
export function packed(t: KeptTrajectory): KeptTrajectory {
  const extra = t.recorded?.extra;
  if (extra === undefined || !nestsTooDeep(extra, deepestColumns)) return t;
  return { ...t, recorded: { ...t.recorded, extra: { [asText]: JSON.stringify(extra) } } };
}

const asText = 'JSON as text';

/** `undefined`: it is not of that shape, or its spans do not cover its text. Never throws. */
export function readKept(value: unknown): Kept | undefined {
  const parsed = kept.safeParse(value);
  if (!parsed.success || !covers(parsed.data.trajectory)) return undefined;
  return { ...parsed.data, trajectory: unpacked(parsed.data.trajectory) };
}

function unpacked(t: KeptTrajectory): KeptTrajectory {
  const text = t.recorded?.extra?.[asText];
  if (typeof text !== 'string' || Object.keys(t.recorded?.extra ?? {}).length !== 1) return t;
  try {
    const extra = anything.safeParse(JSON.parse(text));
    return extra.success ? { ...t, recorded: { ...t.recorded, extra: extra.data } } : t;
  } catch {
    return t;
  }
}

/** Turns, final turn and tail cover the text in order and without gaps, and every part lies within its owner. */
function covers({ text, turns, final, tail }: KeptTrajectory): boolean {
  let at = 0;
  const next = (part: Span | undefined): boolean => {
    if (part === undefined) return true;
    const follows = part.start === at && part.end >= part.start;
    at = part.end;
    return follows;
  };
  const inside = (owner: Span | undefined, parts: readonly (Span | undefined)[]): boolean =>
    parts.every((part) => part === undefined || (owner !== undefined && owner.start <= part.start && part.start <= part.end && part.end <= owner.end));
  const sound = turns.every(
    (one, i) => one.index === i + 1 && next(one.policy) && next(one.observation) && inside(one.policy, [one.think, ...one.querySpans]) && inside(one.observation, [one.result]),
  );
  return sound && (final === undefined || (next(final.policy) && inside(final.policy, [final.think, final.answerSpan]))) && next(tail) && at === text.length;
}
