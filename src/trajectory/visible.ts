/** What an editor would break lines at, hide, or replace on its way through UTF-8. */
const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u0085]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A piece of a file for a message: one line, harmless in a terminal, cut where it is long. */
export function quote(text: string, most = 40): string {
  return `"${visible(text.length > most ? `${text.slice(0, most)}…` : text, true)}"`;
}

/** Replaces each control character and lone surrogate by one visible character, so that offsets stay; line feeds too where `oneLine`. */
export function visible(text: string, oneLine: boolean): string {
  const shown = text.replace(hidden, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\ufffd';
  });
  return oneLine ? shown.replaceAll('\n', '\u21b5') : shown;
}
