export interface Value {
  readonly value: unknown;
  /** NaN or Infinity stood in it; they read as null. */
  readonly nonFinite: boolean;
}

export type Parsed = Value | { readonly fault: string };

/** Parses strict JSON, and the NaN and Infinity that Python writes into it. */
export function parseNonFinite(text: string): Parsed {
  try {
    return { value: JSON.parse(text), nonFinite: false };
  } catch (error) {
    const plain = withoutNonFinite(text);
    if (plain === undefined) return { fault: faultOf(text, error) };
    try {
      return { value: JSON.parse(plain), nonFinite: true };
    } catch (again) {
      return { fault: faultOf(plain, again) };
    }
  }
}

/** One pass; what strings hold stays. `undefined`: none stood outside of strings. */
function withoutNonFinite(text: string): string | undefined {
  const word = /-?(?:NaN|Infinity)/y;
  let plain = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = stringEnd(text, at);
    } else if (char === 'N' || char === 'I' || char === '-') {
      word.lastIndex = at;
      const found = word.exec(text)?.[0];
      if (found === undefined) continue;
      plain += `${text.slice(copied, at)}null`;
      copied = at + found.length;
      at = copied - 1;
    }
  }
  return copied === 0 ? undefined : plain + text.slice(copied);
}

/** The closing quote of the string that opens at `at`. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i;
  }
  return text.length;
}

/** Engines word their errors differently and quote the text; people need to know whether it breaks off, and where it does not. */
function faultOf(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = /position (\d+)/.exec(message)?.[1];
  const atEnd = /end of JSON|Unterminated/i.test(message) || (position !== undefined && Number(position) >= text.trimEnd().length);
  if (atEnd) return 'it breaks off in the middle of the record';
  return position === undefined ? 'it does not follow the syntax' : `column ${String(Number(position) + 1)} does not follow the syntax`;
}
