import { createScanner } from 'jsonc-parser';

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

/** jsonc-parser's SyntaxKind, a const enum that cannot be imported here. */
const kinds = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6, string: 10, unknown: 16, end: 17 } as const;

/** Reads keys by scanning tokens, without a parser: broken, cut and deeply nested text are fine. */
export function topLevelOf(text: string): TopLevel {
  const scanner = createScanner(text, true);
  let kind = Number(scanner.scan());
  if (kind === kinds.end) return { kind: 'none', keys: new Map() };
  const array = kind === kinds.openBracket;
  if (!array && kind !== kinds.openBrace) return { kind: 'other', keys: new Map() };
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
    if (kind === kinds.end) return { kind: array ? 'array' : 'object', keys };
    if (depth === at && objects === 1) {
      if (afterColon && name !== undefined) keys.set(name, valueKind(kind));
      afterColon = kind === kinds.colon;
      if (kind === kinds.string && !keys.has(scanner.getTokenValue())) name = scanner.getTokenValue();
      if (kind === kinds.colon && name !== undefined) keys.set(name, 'unknown');
    }
    if (kind === kinds.openBrace && depth === at - 1) objects++;
    if (kind === kinds.openBrace || kind === kinds.openBracket) depth++;
    if (kind === kinds.closeBrace || kind === kinds.closeBracket) depth--;
  }
  return { kind: array ? 'array' : 'object', keys, empty: tokens === 1, end: scanner.getPosition() };
}

function valueKind(kind: number): ValueKind {
  if (kind === kinds.openBrace) return 'object';
  if (kind === kinds.openBracket) return 'array';
  return kind === kinds.string ? 'string' : 'other';
}
