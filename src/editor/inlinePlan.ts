import { inlineText } from '../scoring/format';
import type { Spike } from '../scoring/model';
import type { Anchors } from '../trajectory/anchors';
import type { ShownScores } from './scoreBook';
import { standingMark } from './standing';

/** What a text is coloured by; its words carry a shape that says the same. */
export type Tone = Spike | 'quiet' | 'stale';

export const tones: readonly Tone[] = ['up', 'down', 'mixed', 'quiet', 'stale'];

export interface PlannedInline {
  /** Offset in the document: the end of the query. The text stands at the end of its line. */
  readonly at: number;
  readonly text: string;
  readonly tone: Tone;
}

/** One text for each scored turn. */
export function planInline({ scores, freshness }: ShownScores, anchors: Anchors): PlannedInline[] {
  return scores.turns.flatMap(({ index, spike }) => {
    const anchor = anchors.turns[index - 1];
    if (!anchor) return [];
    return [{ at: anchor.query.end, text: standingMark(freshness) + inlineText(scores, index), tone: freshness === 'fresh' ? (spike ?? 'quiet') : 'stale' }];
  });
}
