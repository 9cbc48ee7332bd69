/**
 * Text from files on its way to a terminal. A trajectory can hold escape sequences that move the cursor, set the title or rewrite what was printed before,
 * and direction marks that make a line read as what it is not: all of them are shown, none is sent.
 */

/** C0 and C1 controls, DEL, line and paragraph separators, direction marks, and halves of surrogate pairs. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const visible = (c: string): string => {
  const code = c.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};

/** Many lines: line ends and tabs stay, every other control becomes a visible picture of itself. */
export const plainLines = (text: string): string => text.replace(/\r\n/g, '\n').replace(unsafe, (c) => (c === '\n' || c === '\t' ? c : visible(c)));

/** One line: every run of white space is one space. */
export const plainLine = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(unsafe, visible);

const escape = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The same value as JSON, with what a terminal could obey written as an escape. JSON itself escapes C0 and lone surrogates. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value).replace(unsafe, escape);

/** JSON that stands on several lines, with the same escapes. */
export const plainJsonText = (json: string): string => json.replace(unsafe, (c) => (c === '\n' ? c : escape(c)));

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const stretch = 1024;

/** The characters of a text as people count them. Stretch by stretch, as the segmenter's time grows with the square of the length. */
function* graphemes(text: string): Generator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + stretch;
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end++;
    for (const { segment } of segmenter.segment(text.slice(at, end))) yield segment;
  }
}

/** East Asian wide and full-width blocks (Unicode's EastAsianWidth.txt, W and F), by block. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const withoutWidth = /^[\p{Mn}\p{Me}\p{Cf}]*$/u;

/** Nothing but letters of Europe, Greek, arrows and signs of arithmetic, which take a cell each: most of what is measured. */
const narrow = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03c9\u2010-\u2026\u2190-\u2193\u2200-\u222f]*$/;

const cellsOf = (grapheme: string): number => (withoutWidth.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1);

/** Terminal cells that `text` takes. */
export function cells(text: string): number {
  if (narrow.test(text)) return text.length;
  let n = 0;
  for (const segment of graphemes(text)) n += cellsOf(segment);
  return n;
}

/** Cut to `width` cells, with an ellipsis where something was cut. */
export function cut(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let kept = '';
  let n = 0;
  for (const segment of graphemes(text)) {
    n += cellsOf(segment);
    if (n > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export const padRight = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - cells(text)));
export const padLeft = (text: string, width: number): string => ' '.repeat(Math.max(0, width - cells(text))) + text;

/** Broken at spaces (inside a word where it is wider than the line) into lines of at most `width` cells. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    const length = cells(word);
    if (line !== '' && used + 1 + length <= width) {
      line += ` ${word}`;
      used += 1 + length;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = length <= width ? [word] : piecesOf(word, width);
    line = pieces.pop() ?? '';
    used = cells(line);
    for (const piece of pieces) lines.push(piece);
  }
  lines.push(line);
  return lines;
}

/** Each of at most `width` cells; a character that is wider stands alone. */
function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const segment of graphemes(word)) {
    const length = cellsOf(segment);
    if (piece !== '' && used + length > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += segment;
    used += length;
  }
  return [...pieces, piece];
}
