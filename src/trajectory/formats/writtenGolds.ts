import { createScanner } from 'jsonc-parser';
import { token as kinds } from '../json';
import { isRow } from './row';

/** Golds that are numbers are compared as text, `1.0` and not `1`: gives each as the record's text has it under that key. */
export function writtenUnder(text: string, key: string, value: unknown): ((n: number) => string) | undefined {
  if (!holdsNumber(value)) return undefined;
  const written = new Map<number, string>();
  const scanner = createScanner(text, true);
  let depth = 0;
  /** Depth of the key whose value is read. */
  let inside: number | undefined;
  let last: string | undefined;
  for (let kind = Number(scanner.scan()); kind !== kinds.end; kind = Number(scanner.scan())) {
    if (kind === kinds.colon && inside !== undefined && depth <= inside) inside = undefined;
    if (kind === kinds.colon && last === key) inside ??= depth;
    if (kind === kinds.openBrace || kind === kinds.openBracket) depth++;
    if (kind === kinds.closeBrace || kind === kinds.closeBracket) depth--;
    if (inside !== undefined && depth < inside) inside = undefined;
    if (kind === kinds.number && inside !== undefined) written.set(Number(scanner.getTokenValue()), scanner.getTokenValue());
    last = kind === kinds.string ? scanner.getTokenValue() : undefined;
  }
  return (n) => written.get(n) ?? String(n);
}

const deepest = 20;

function holdsNumber(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return true;
  if (depth > deepest) return false;
  return Array.isArray(value) ? value.some((item) => holdsNumber(item, depth + 1)) : isRow(value) && Object.values(value).some((item) => holdsNumber(item, depth + 1));
}
