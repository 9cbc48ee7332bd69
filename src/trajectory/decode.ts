export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** From the byte order mark, or from where the NULs of ASCII in UTF-16 stand. */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const [first, second, third, fourth] = head;
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== undefined && fourth !== 0) return 'utf-16be';
  return 'utf-8';
}

export interface Decoded {
  /** Without byte order mark. */
  readonly text: string;
  /** Some bytes are no text in this encoding; they became U+FFFD. */
  readonly lossy: boolean;
}

export function decode(bytes: Uint8Array, encoding: Encoding): Decoded {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), lossy: false };
  } catch {
    return { text: new TextDecoder(encoding).decode(bytes), lossy: true };
  }
}
