import type { ReplayResult } from '../replay/requests';
import type { Stored } from './store';

/** The line of a store, or absent where it is not one: files are cut off, and other versions write other things. */
export function parseStored(line: string): Stored | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isStored(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const numbers = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'number');

function isStored(value: unknown): value is Stored {
  return isFields(value) && typeof value['runtime'] === 'string' && typeof value['at'] === 'string' && isResult(value['result']);
}

function isResult(value: unknown): value is ReplayResult {
  if (!isFields(value)) return false;
  const { kind } = value;
  if (kind === 'undefined') return typeof value['code'] === 'string' && typeof value['reason'] === 'string' && isWritten(value['written']);
  const notes = value['notes'];
  if (!Array.isArray(notes) || !notes.every(isNote)) return false;
  if (kind === 'answer') return typeof value['text'] === 'string' && typeof value['margin'] === 'number' && numbers(value['ids']) && numbers(value['logprobs']);
  const tokens = value['tokens'];
  return kind === 'likelihood' && Array.isArray(tokens) && (tokens.length > 0 || value['written'] !== undefined) && tokens.every(isToken) && isWritten(value['written']);
}

function isWritten(written: unknown): boolean {
  if (written === undefined) return true;
  if (!Array.isArray(written)) return false;
  return written.every((piece) => {
    if (!isFields(piece)) return false;
    if (piece['kind'] === 'undefined') return typeof piece['reason'] === 'string';
    return piece['kind'] === 'value' && numbers(piece['logprobs']) && numbers(piece['entropies']) && numbers(piece['ranks']);
  });
}

const isNote = (note: unknown): boolean =>
  isFields(note) && typeof note['code'] === 'string' && typeof note['piece'] === 'number' && typeof note['message'] === 'string';
const isToken = (token: unknown): boolean =>
  isFields(token) && typeof token['id'] === 'number' && typeof token['text'] === 'string' && typeof token['logprob'] === 'number';
