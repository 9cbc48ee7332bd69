import type { OasesCredit } from '../credit/oases';
import type { Score } from '../credit/score';
import { logitNoise } from '../replay/noise';
import type { Finding } from '../trajectory/model';
import { formatNumber } from './format';
import type { Provenance } from './model';

type Device = Pick<Provenance, 'device' | 'activations'>;

/** Whether a greedy answer hangs on less than its device's noise. */
export const isFragile = (margin: Score, { device, activations }: Device): boolean => margin.kind === 'value' && margin.value < logitNoise(device, activations);

/** One for each fragile answer. */
export function fragileFindings({ states }: OasesCredit, provenance: Device): Finding[] {
  return states.flatMap(({ margin }, state): Finding[] => {
    if (margin.kind !== 'value' || !isFragile(margin, provenance)) return [];
    const place = state === 0 ? 'from the question alone' : `after turn ${String(state)}`;
    const noise = formatNumber(logitNoise(provenance.device, provenance.activations), 3);
    const message = `The answer ${place} is fragile: two tokens were ${formatNumber(margin.value, 4)} apart, within the noise of ${noise} of this device, so its answerability could as well have come out otherwise.`;
    return [{ code: 'fragile-answer', severity: 'information', message, ...(state > 0 ? { turn: state } : {}) }];
  });
}
