import { normaliseAnswer, normaliseKeepingArticles } from './normalise';
import { type Score, undefinedBecause, value } from './score';
import type { MetricId } from './settings';

/** R(ŷ, y) for one gold, in [0, 1]. */
interface Metric {
  /** What the metric compares; a gold of which nothing is left can be compared with nothing. */
  normalise(text: string): string;
  compare(prediction: string, gold: string): number;
}

const words = (normalised: string): string[] => (normalised === '' ? [] : normalised.split(' '));

/** Words of the prediction that the gold has too, each as often as both have it, in the prediction's order. */
function multisetOverlap(prediction: readonly string[], gold: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const word of gold) left.set(word, (left.get(word) ?? 0) + 1);
  return prediction.filter((word) => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count > 0;
  });
}

function f1(same: number, predicted: number, gold: number): number {
  if (same === 0) return 0;
  const precision = same / predicted;
  const recall = same / gold;
  return (2 * precision * recall) / (precision + recall);
}

function multisetF1(prediction: string, gold: string): number {
  const p = words(prediction);
  const g = words(gold);
  return f1(multisetOverlap(p, g).length, p.length, g.length);
}

const verdicts = new Set(['yes', 'no', 'noanswer']);

/** metrics.py of FlashRAG: a yes, no or noanswer on either side counts only as a whole. */
const flashragF1: Metric = {
  normalise: normaliseAnswer,
  compare(prediction, gold) {
    const p = normaliseAnswer(prediction);
    const g = normaliseAnswer(gold);
    return p !== g && (verdicts.has(p) || verdicts.has(g)) ? 0 : multisetF1(p, g);
  },
};

/** f1_check of LOTAPO: no such rule, and nothing equals nothing. */
const lotapoF1: Metric = {
  normalise: normaliseAnswer,
  compare(prediction, gold) {
    const p = normaliseAnswer(prediction);
    const g = normaliseAnswer(gold);
    return p === '' && g === '' ? 1 : multisetF1(p, g);
  },
};

/** IGPO and DeepResearcher: sets of words, articles kept. */
const setF1: Metric = {
  normalise: normaliseKeepingArticles,
  compare(prediction, gold) {
    const p = new Set(words(normaliseKeepingArticles(prediction)));
    const g = new Set(words(normaliseKeepingArticles(gold)));
    return f1([...p].filter((word) => g.has(word)).length, p.size, g.size);
  },
};

const exactMatch: Metric = {
  normalise: normaliseAnswer,
  compare: (prediction, gold) => (normaliseAnswer(prediction) === normaliseAnswer(gold) ? 1 : 0),
};

/** The gold's normalised text stands somewhere in the prediction's. */
const coverExactMatch: Metric = {
  normalise: normaliseAnswer,
  compare: (prediction, gold) => (normaliseAnswer(prediction).includes(normaliseAnswer(gold)) ? 1 : 0),
};

export const metrics: Readonly<Record<MetricId, Metric>> = {
  f1: flashragF1,
  em: exactMatch,
  'cover-em': coverExactMatch,
  'f1-lotapo': lotapoF1,
  'f1-set': setF1,
};

interface Grade {
  readonly score: Score;
  /** The gold that gave the score: the first of the best. Absent where there is no score. */
  readonly gold?: string;
}

/**
 * R(ŷ, y): the best over all golds that the metric leaves anything of.
 * @param prediction absent: nothing was answered, which is worth 0 under every metric.
 */
export function grade(metric: MetricId, prediction: string | undefined, golds: readonly string[]): Grade {
  if (golds.length === 0) return { score: undefinedBecause('no gold answer') };
  const { compare, normalise } = metrics[metric];
  let best: { gold: string; score: number } | undefined;
  for (const gold of golds) {
    if (normalise(gold) === '') continue;
    const score = prediction === undefined ? 0 : compare(prediction, gold);
    if (best === undefined || score > best.score) best = { gold, score };
  }
  if (best === undefined) return { score: undefinedBecause('the gold answer normalises to nothing') };
  return { score: value(best.score), gold: best.gold };
}

/** The words that a metric finds in both, as its normalisation leaves them. */
export function sharedWords(metric: MetricId, prediction: string, gold: string): { readonly prediction: string[]; readonly gold: string[]; readonly shared: string[] } {
  const { normalise } = metrics[metric];
  const p = words(normalise(prediction));
  const g = words(normalise(gold));
  return { prediction: p, gold: g, shared: multisetOverlap(p, g) };
}
