import { isList, isRow, isText } from '../row';

/** What a message says as text: a string, the texts of its parts, or the JSON of something else. */
export function contentText(content: unknown): string {
  if (content === null || content === undefined) return '';
  if (isText(content)) return content;
  if (isList(content)) return content.map(partText).filter((text) => text !== '').join('\n');
  return JSON.stringify(content);
}

function partText(part: unknown): string {
  if (isText(part)) return part;
  if (!isRow(part)) return '';
  const text = part['text'] ?? part['content'] ?? part['refusal'];
  if (isText(text)) return text;
  // A page that a search found, whose text is for the model alone.
  const found = [part['title'], part['url']].filter(isText);
  if (found.length > 0) return found.join('\n');
  return isText(part['type']) ? `[${part['type']}]` : JSON.stringify(part);
}
