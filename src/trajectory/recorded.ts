import type { Recorded } from './model';

/** What a record states of itself: its reward under that key, its step, and everything else by its own names. */
export function recordedOf(columns: Readonly<Record<string, unknown>>, rewardKey: string): Recorded {
  const { [rewardKey]: reward, step, ...others } = columns;
  const extra = {
    ...others,
    ...(reward === undefined || typeof reward === 'number' ? {} : { [rewardKey]: reward }),
    ...(step === undefined || typeof step === 'number' ? {} : { step }),
  };
  return {
    ...(typeof reward === 'number' ? { reward } : {}),
    ...(typeof step === 'number' ? { step } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}
