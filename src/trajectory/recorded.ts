import type { Recorded, RecordedTokens } from './model';

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

/** The same of a native file, which names figures by turn, by state and by token as {@link Recorded} does. What is not of that shape is kept as it is. */
export function nativeRecorded(columns: Readonly<Record<string, unknown>>): Recorded {
  const { turns, states, tokens, ...others } = columns;
  const byTurn = figuresIn(turns);
  const byState = figuresIn(states);
  const byToken = figuresIn(tokens) as RecordedTokens | undefined;
  const odd = { ...(byTurn === undefined ? { turns } : {}), ...(byState === undefined ? { states } : {}), ...(byToken === undefined ? { tokens } : {}) };
  return {
    ...recordedOf({ ...others, ...Object.fromEntries(Object.entries(odd).filter(([, value]) => value !== undefined)) }, 'reward'),
    ...(byTurn === undefined ? {} : { turns: byTurn }),
    ...(byState === undefined ? {} : { states: byState }),
    ...(byToken === undefined ? {} : { tokens: byToken }),
  };
}

/** Lists of numbers by name; `undefined`: the value is something else. */
function figuresIn(value: unknown): Readonly<Record<string, readonly (number | null)[]>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const lists = Object.values(value);
  const sound = lists.length > 0 && lists.every((list) => Array.isArray(list) && list.every((item) => item === null || typeof item === 'number'));
  return sound ? (value as Record<string, (number | null)[]>) : undefined;
}
