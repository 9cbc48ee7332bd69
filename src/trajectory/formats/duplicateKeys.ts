import type { Finding } from '../model';
import { quote } from '../visible';

/** Keys that the record's object has twice. One pass over valid JSON; `JSON.parse` has taken the last. */
export function duplicateKeys(text: string): readonly Finding[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (char !== '"') continue;
    const end = closingQuote(text, at);
    if (depth === 1 && /\s*:/y.test(text.slice(end + 1, end + 20))) {
      const key = text.slice(at + 1, end);
      if (seen.has(key)) twice.add(key);
      seen.add(key);
    }
    at = end;
  }
  return [...twice].slice(0, 5).map((key) => ({ code: 'duplicate-key', severity: 'warning', message: `The record has ${quote(key)} twice; the last one counts.` }));
}

function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
