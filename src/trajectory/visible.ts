/** What an editor would break lines at, hide, or replace on its way through UTF-8. */
const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u0085]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Marks that make a line read in another order than it stands in. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A piece of a file for a message: one line, harmless in a terminal, in the order in which it stands, cut where it is long. */
export const brief = (text: string, most: number): string => visible(text.length > most ? `${text.slice(0, most)}…` : text, true).replace(direction, '\ufffd');

/** The same in quotation marks. */
export const quote = (text: string, most = 40): string => `"${brief(text, most)}"`;

/** Replaces each control character and lone surrogate by one visible character, so that offsets stay; line feeds too where `oneLine`. */
export function visible(text: string, oneLine: boolean): string {
  const shown = text.replace(hidden, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\ufffd';
  });
  return oneLine ? shown.replaceAll('\n', '\u21b5') : shown;
}
