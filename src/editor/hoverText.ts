import { type ExplainedPart, explainProvenance, explainTurn } from '../scoring/explain';
import { spikeTitle, trajectorySummary } from '../scoring/format';
import type { Trajectory } from '../trajectory/model';
import { quoted } from './markdown';
import type { ShownScores } from './scoreBook';
import type { Standing } from './standing';

/** Markdown of a hover: the arithmetic of a turn (counted from 1), or without one of the trajectory. Everything in it is quoted. */
export function hoverText(t: Trajectory, { scores, freshness }: ShownScores, turn?: number): string {
  const parts = turn === undefined ? [explainProvenance(scores)] : explainTurn(scores, t, turn);
  const heading =
    turn === undefined
      ? `**${quoted(trajectorySummary(scores))}**`
      : `**Turn ${turn}** ${quoted(spikeTitle(scores, turn))}`;
  return [heading, ...warnings[freshness], ...parts.map(partText)].join('\n\n');
}

const warnings: Readonly<Record<Standing, readonly string[]>> = {
  fresh: [],
  stale: ['*Stale: the text, the policy or a prompt has changed since. Re-score to see what holds now.*'],
  saved: ['*From the file: what the policy named below gave when it was asked, as the file says. Re-score to see what the policy at hand gives.*'],
};

/** `run on`, where other labels are symbols. */
const isWords = /^[a-z][a-z ]{2,}$/;

function partText({ title, lines }: ExplainedPart): string {
  return [`**${quoted(title)}**`, ...lines.map(({ label, text }) => `${quoted(label)}${isWords.test(label) ? ':' : ' ='} ${quoted(text)}`)].join('  \n');
}
