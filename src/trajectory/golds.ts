import type { FindingCode, Severity } from './model';
import { readLiteral } from './literal';
import { quote } from './visible';

export interface Golds {
  /** In the file's order. */
  readonly answers: readonly string[];
  readonly notes: readonly GoldNote[];
}

export interface GoldNote {
  readonly code: Extract<FindingCode, 'gold-coerced' | 'gold-empty' | 'gold-missing' | 'gold-not-text'>;
  readonly severity: Severity;
  readonly message: string;
}

/** Keys under which dumps keep golds, the likeliest first. */
const keys = ['target', 'ground_truth', 'answers', 'answer', 'golden_answers', 'golds', 'gold'];
const deepest = 20;

interface Reading {
  readonly answers: string[];
  readonly coerced: Set<string>;
  notText: number;
}

/**
 * Gold answers from whatever a file holds for them: a list, one text, a number, an object around them, or any of these written by Python's `str()`.
 * `name` is the key they stand under, for messages; `written` gives a number as the file writes it.
 */
export function readGolds(value: unknown, name: string, written: (n: number) => string = String): Golds {
  if (value === undefined || value === null) return { answers: [], notes: [missing] };
  const reading: Reading = { answers: [], coerced: new Set(), notText: 0 };
  collect(value, reading, written, 0);
  return { answers: reading.answers, notes: notesOn(reading, name) };
}

const missing: GoldNote = {
  code: 'gold-missing',
  severity: 'warning',
  message: 'The record holds no gold answer, so that answerability, gains and outcome are undefined; add one to score it.',
};

function notesOn({ answers, coerced, notText }: Reading, name: string): GoldNote[] {
  const notes: GoldNote[] = [];
  if (coerced.size > 0) {
    notes.push({ code: 'gold-coerced', severity: 'information', message: `"${name}" holds ${[...coerced].join(' and ')}; it is read as ${listed(answers)}.` });
  }
  if (notText > 0) {
    notes.push({ code: 'gold-not-text', severity: 'warning', message: `"${name}" holds ${String(notText)} value(s) that are no text and are left out.` });
  }
  if (answers.length === 0 || answers.some((answer) => answer.trim() === '')) {
    notes.push({ code: 'gold-empty', severity: 'warning', message: `"${name}" holds ${answers.length === 0 ? 'no gold answer' : 'an empty gold answer'}; a figure that needs it is undefined.` });
  }
  return notes;
}

function listed(answers: readonly string[]): string {
  const shown = answers.slice(0, 3).map((answer) => quote(answer, 60));
  return shown.length === 0 ? 'nothing' : `${shown.join(', ')}${answers.length > shown.length ? ', …' : ''}`;
}

function collect(value: unknown, into: Reading, written: (n: number) => string, depth: number): void {
  if (typeof value === 'string') {
    const inner = depth < deepest ? stringified(value) : undefined;
    if (inner === undefined) into.answers.push(value);
    else {
      into.coerced.add('a list written as text');
      collect(inner, into, String, depth + 1);
    }
  } else if (typeof value === 'number') {
    into.coerced.add('a number');
    into.answers.push(written(value));
  } else if (typeof value === 'boolean') {
    into.coerced.add('true or false');
    into.answers.push(String(value));
  } else if (Array.isArray(value) && depth < deepest) {
    if (value.some((item) => Array.isArray(item))) into.coerced.add('lists within a list');
    for (const item of value) collect(item, into, written, depth + 1);
  } else if (typeof value === 'object' && value !== null && depth < deepest) {
    const object = value as Readonly<Record<string, unknown>>;
    const key = keys.find((candidate) => Object.hasOwn(object, candidate));
    if (key === undefined) into.notText++;
    else collect(object[key], into, written, depth + 1);
  } else {
    into.notText++;
  }
}

/** The list or object that a string writes out, as JSON or as Python does; `undefined`: it is an answer as it stands. */
function stringified(text: string): unknown {
  const trimmed = text.trim();
  if (!/^(?:\[|\{|array\()/.test(trimmed) || trimmed.length > 1_000_000) return undefined;
  const value = readLiteral(trimmed);
  return typeof value === 'object' && value !== null ? value : undefined;
}
