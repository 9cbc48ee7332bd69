import { createScanner } from 'jsonc-parser';
import { token } from './json';

/** What the first JSON value of a text is, as far as the text goes: it may break off anywhere. */
export interface TopLevel {
  readonly kind: 'object' | 'array' | 'other' | 'none';
  /** Keys of the object, or of the first object of the array, with the kind of their values. */
  readonly keys: ReadonlyMap<string, ValueKind>;
  /** `{}` or `[]`. */
  readonly empty?: boolean;
  /** Where the value ends; absent: the text breaks off before. */
  readonly end?: number;
}

export type ValueKind = 'object' | 'array' | 'string' | 'other' | 'unknown';

/** Reads keys by scanning tokens, without a parser: broken, cut and deeply nested text are fine. */
export function topLevelOf(text: string): TopLevel {
  const scanner = createScanner(text, true);
  let kind = Number(scanner.scan());
  if (kind === token.end) return { kind: 'none', keys: new Map() };
  const array = kind === token.openBracket;
  if (!array && kind !== token.openBrace) return { kind: 'other', keys: new Map() };
  const keys = new Map<string, ValueKind>();
  const at = array ? 2 : 1;
  let depth = 1;
  let objects = array ? 0 : 1;
  let name: string | undefined;
  let afterColon = false;
  let tokens = 0;
  while (depth > 0) {
    kind = Number(scanner.scan());
    tokens++;
    if (kind === token.end) return { kind: array ? 'array' : 'object', keys };
    if (depth === at && objects === 1) {
      if (afterColon && name !== undefined) keys.set(name, valueKind(kind));
      afterColon = kind === token.colon;
      if (kind === token.string && !keys.has(scanner.getTokenValue())) name = scanner.getTokenValue();
      if (kind === token.colon && name !== undefined) keys.set(name, 'unknown');
    }
    if (kind === token.openBrace && depth === at - 1) objects++;
    if (kind === token.openBrace || kind === token.openBracket) depth++;
    if (kind === token.closeBrace || kind === token.closeBracket) depth--;
  }
  return { kind: array ? 'array' : 'object', keys, empty: tokens === 1, end: scanner.getPosition() };
}

function valueKind(kind: number): ValueKind {
  if (kind === token.openBrace) return 'object';
  if (kind === token.openBracket) return 'array';
  return kind === token.string ? 'string' : 'other';
}
