/** Marks that change the reading direction or cannot be seen: in quoted text they would make it read as something else. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const longest = 600;

/** Text of a file as markdown that shows it and does nothing else: on one line, cut where it is long, nothing in it a link, an image or a tag. */
export function quoted(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut
    .replace(/\s+/g, ' ')
    .replace(invisible, '\ufffd')
    .replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
