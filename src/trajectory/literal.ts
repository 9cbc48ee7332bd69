/**
 * Reads what Python's `str()` writes of lists and dicts, `{'target': array(['Paris'], dtype=object)}`, and JSON. Dumps hold golds like this where a value
 * was no JSON. Numbers come as their text. Returns `undefined` for anything else; never evaluates.
 */
export function readLiteral(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value(0);
  return value === failed || !reader.atEnd() ? undefined : value;
}

const failed = Symbol('not a literal');
const deepest = 50;
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['None', null],
  ['True', true],
  ['False', false],
  ['null', null],
  ['true', true],
  ['false', false],
  ['nan', null],
]);
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"', '/': '/', b: '\b', f: '\f', '\n': '' };

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  atEnd(): boolean {
    this.blank();
    return this.at >= this.text.length;
  }

  value(depth: number): unknown {
    if (depth > deepest) return failed;
    this.blank();
    const next = this.text[this.at];
    if (next === "'" || next === '"') return this.string(next);
    if (next === '[') return this.list(']', depth);
    if (next === '(') return this.list(')', depth);
    if (next === '{') return this.dict(depth);
    const word = /[^\s,:()[\]{}]+/y;
    word.lastIndex = this.at;
    const bare = word.exec(this.text)?.[0];
    if (bare === undefined) return failed;
    this.at += bare.length;
    if (words.has(bare)) return words.get(bare);
    if (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(bare)) return bare;
    return this.take('(') ? this.array(depth) : failed;
  }

  /** `array([...], dtype=object)`: the name and `(` are read. */
  private array(depth: number): unknown {
    const value = this.value(depth + 1);
    if (value === failed) return failed;
    const close = this.text.indexOf(')', this.at);
    if (close < 0) return failed;
    this.at = close + 1;
    return value;
  }

  private list(close: string, depth: number): unknown {
    this.at++;
    const items: unknown[] = [];
    while (!this.take(close)) {
      const item = this.value(depth + 1);
      if (item === failed) return failed;
      items.push(item);
      // numpy writes arrays without commas.
      this.take(',');
      if (this.at >= this.text.length) return failed;
    }
    return items;
  }

  private dict(depth: number): unknown {
    this.at++;
    const entries: [string, unknown][] = [];
    while (!this.take('}')) {
      const key = this.value(depth + 1);
      if (key === failed || !this.take(':')) return failed;
      const value = this.value(depth + 1);
      if (value === failed) return failed;
      entries.push([String(key), value]);
      this.take(',');
      if (this.at >= this.text.length) return failed;
    }
    return Object.fromEntries(entries);
  }

  private string(quote: string): unknown {
    let value = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text.charAt(this.at);
      if (char === quote) {
        this.at++;
        return value;
      }
      if (char !== '\\') value += char;
      else value += this.escape();
    }
    return failed;
  }

  private escape(): string {
    const hex = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y;
    hex.lastIndex = this.at;
    const found = hex.exec(this.text);
    const digits = found?.[1] ?? found?.[2] ?? found?.[3];
    if (found !== null && digits !== undefined && parseInt(digits, 16) <= 0x10ffff) {
      this.at += found[0].length - 1;
      return String.fromCodePoint(parseInt(digits, 16));
    }
    this.at++;
    const char = this.text.charAt(this.at);
    return escapes[char] ?? `\\${char}`;
  }

  private take(char: string): boolean {
    this.blank();
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private blank(): void {
    while (this.at < this.text.length && ' \t\r\n'.includes(this.text.charAt(this.at))) this.at++;
  }
}
