/**
 * Unknown is not zero. A figure is a value, or undefined for a stated reason (with what the official arithmetic returns there, where it returns something),
 * or it was not scored.
 */
export type Score = Value | Undefined | NotScored;

interface Value {
  readonly kind: 'value';
  readonly value: number;
}

export interface Undefined {
  readonly kind: 'undefined';
  /** A short phrase that completes "undefined: …". */
  readonly reason: string;
  /** What the official code returns here; shown beside the reason, never alone. */
  readonly value?: number;
}

export interface NotScored {
  readonly kind: 'not scored';
}

export const value = (v: number): Value => ({ kind: 'value', value: v });
export const undefinedBecause = (reason: string, official?: number): Undefined =>
  official === undefined ? { kind: 'undefined', reason } : { kind: 'undefined', reason, value: official };
export const notScored: NotScored = { kind: 'not scored' };
