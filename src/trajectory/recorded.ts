import type { Recorded } from './model';

/** What a record states of itself: its reward under that key, its step, and everything else by its own names. */
export function recordedOf(columns: Readonly<Record<string, unknown>>, rewardKey: string): Recorded {
  const { [rewardKey]: reward, step, ...others } = columns;
  const extra = {
    ...others,
    ...(reward === undefined || isFigure(reward) ? {} : { [rewardKey]: reward }),
    ...(step === undefined || isFigure(step) ? {} : { step }),
  };
  return {
    ...(isFigure(reward) ? { reward } : {}),
    ...(isFigure(step) ? { step } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
