/** What the panel's page and its host say to each other. Both sides import this file, and the page nothing else of `src`. */

/** A figure as it is drawn and as it is said; drawn only where it has a number. */
export interface Figure {
  /** Absent: undefined or not scored. */
  readonly value?: number;
  /** Short: the number, `undefined` or `not scored`. */
  readonly text: string;
  /** Why it is undefined. */
  readonly reason?: string;
}

export interface StateFigures {
  /** 0 … T. */
  readonly index: number;
  readonly answer: string;
  /** γ_t. */
  readonly answerability: Figure;
}

export interface TurnFigures {
  /** Counted from 1. */
  readonly index: number;
  readonly query: string;
  /** ▲ ▼ ◆ ○ */
  readonly shape: string;
  readonly spike: 'up' | 'down' | 'mixed' | 'quiet';
  /** r_t. */
  readonly reward: Figure;
  /** Δ_i, nats a token. */
  readonly gain: Figure;
  /** Â. */
  readonly advantage: Figure;
  /** Ã. */
  readonly gated: Figure;
  /** `kept`, `zeroed`, `undefined` or `not scored`. */
  readonly gate: string;
}

/** Everything the page shows: messages to a hidden page are lost, so that each one is whole. */
export type Snapshot =
  | { readonly kind: 'empty'; readonly message: string }
  | {
      readonly kind: 'trajectory';
      /** URI of the document that shows it: what a selection belongs to. */
      readonly document: string;
      readonly title: string;
      readonly question: string;
      /** Outcome, γ, Σr, scope; or that nothing is scored. */
      readonly summary: string;
      /** Policy and device; absent: nothing is scored. */
      readonly provenance?: string;
      readonly stale: boolean;
      /** Empty: nothing is scored. */
      readonly states: readonly StateFigures[];
      readonly turns: readonly TurnFigures[];
      /** The turn in which the editor's cursor stands. */
      readonly selected?: number;
    };

/** What the page may ask for, with what it gives and gets. */
export interface Requests {
  readonly snapshot: { readonly params: null; readonly result: Snapshot };
  /** Moves the editor's cursor to a turn. */
  readonly select: { readonly params: { readonly turn: number }; readonly result: null };
  readonly rescore: { readonly params: null; readonly result: null };
}

export type Method = keyof Requests;

export type Request = { readonly [M in Method]: { readonly id: number; readonly method: M; readonly params: Requests[M]['params'] } }[Method];

export type ToPage =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'answer'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string };
