import { turnOfPiece } from '../credit/contexts';
import type { OasesCredit } from '../credit/oases';
import { fullId, writtenId } from '../credit/lotapo';
import { isTooLong } from '../credit/method';
import { stateId } from '../credit/oases';
import type { Score } from '../credit/score';
import type { MetricId } from '../credit/settings';
import type { EncodingNote, ReplayResult } from '../replay/requests';
import type { Finding, Severity, Trajectory } from '../trajectory/model';
import { formatNumber, metricNames } from './format';

const severities: Readonly<Record<EncodingNote['code'], Severity>> = {
  'prompt-rebuilt': 'information',
  'prompt-kept-as-text': 'warning',
  'special-token-in-text': 'warning',
  'recorded-ids-differ': 'warning',
};

const finding = (code: Finding['code'], severity: Severity, message: string, turn = 0): Finding => ({ code, severity, message, ...(turn > 0 ? { turn } : {}) });

/**
 * What the policy's process saw while encoding. A state repeats the text of the states before it and a context without a turn that of the whole one,
 * so a note counts where it first appears.
 */
function encodingFindings(t: Trajectory, results: ReadonlyMap<string, ReplayResult>): Finding[] {
  const found: Finding[] = [];
  const seen = new Set<string>();
  const add = (note: EncodingNote, turn: number): void => {
    const place = `${note.code} ${turn}`;
    if (!seen.has(place)) found.push(finding(note.code, severities[note.code], note.message, turn));
    seen.add(place);
  };
  for (const [name, result] of results) {
    if (!name.startsWith('full/') || result.kind === 'undefined') continue;
    for (const note of result.notes) add(note, turnOfPiece(t, note.piece));
  }
  const inStates = new Set<string>();
  for (let state = 0; state <= t.turns.length; state++) {
    const result = results.get(stateId(state));
    if (result?.kind !== 'answer') continue;
    for (const note of result.notes) {
      if (!inStates.has(note.code)) add(note, state);
      inStates.add(note.code);
    }
  }
  return found;
}

function stateFindings({ states }: OasesCredit): Finding[] {
  return states.flatMap(({ answerless, cut }, state) => {
    if (!answerless) return [];
    const place = state === 0 ? 'from the question alone' : `after turn ${state}`;
    const why = cut ? 'It stopped at maxAnswerTokens of the policy contract, which may be raised.' : 'See answerPattern in the policy contract.';
    return [finding('state-without-answer', 'warning', `What the policy wrote ${place} holds no answer, so its answerability is 0. ${why}`, state)];
  });
}

function outcomeFindings(t: Trajectory, outcome: Score, metric: MetricId): Finding[] {
  const found: Finding[] = [];
  const known = t.findings.some(({ code }) => code === 'no-answer');
  if (t.final === undefined && t.ending === 'complete' && !known) found.push(finding('no-answer', 'warning', 'The rollout ended without an answer, so its outcome is 0.'));
  const reward = t.recorded?.reward;
  if (reward !== undefined && outcome.kind === 'value' && !(Math.abs(reward - outcome.value) <= 1e-6)) {
    found.push(
      finding('recorded-reward-differs', 'information', `The file records a reward of ${formatNumber(reward, 4)}; ${metricNames[metric]} of the final answer is ${formatNumber(outcome.value, 4)}.`),
    );
  }
  return found;
}

/** One for all that does not fit, however many requests that were. */
function lengthFindings(t: Trajectory, results: ReadonlyMap<string, ReplayResult>): Finding[] {
  const state = [...t.turns.keys(), t.turns.length].find((index) => isTooLong(results.get(stateId(index))));
  const full = [fullId(0), writtenId].map((id) => results.get(id)).find(isTooLong);
  const limit = (state === undefined ? full : results.get(stateId(state))) ?? full;
  if (!isTooLong(limit) || limit.limit === undefined) return [];
  // Where only the target does not fit, all that was written is known.
  const written = full?.written === undefined ? 0 : full.written.findIndex(({ kind }) => kind === 'undefined');
  const missing = [
    ...(state === undefined ? [] : [state === 0 ? 'every answer' : `answers after turn ${state} and later`]),
    ...(full === undefined || t.answers.length === 0 ? [] : ['every gain']),
    ...(full === undefined || written === -1 ? [] : [written > 0 ? `log π of turn ${written + 1} and later` : 'log π']),
  ];
  const message = `The rollout is longer than the policy's ${limit.limit.toLocaleString('en')} tokens of context: undefined are ${missing.join(', ')}. A policy with a longer context would tell.`;
  return [finding('too-long', 'warning', message)];
}

/** What scoring adds to the trajectory's own findings. */
export function scoringFindings(t: Trajectory, results: ReadonlyMap<string, ReplayResult>, oases: OasesCredit | undefined, outcome: Score, metric: MetricId): Finding[] {
  return [...lengthFindings(t, results), ...encodingFindings(t, results), ...(oases ? stateFindings(oases) : []), ...outcomeFindings(t, outcome, metric)];
}
