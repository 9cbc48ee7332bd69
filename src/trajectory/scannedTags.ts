import type { Dialect, TagKind } from './dialect';
import { functionClose, functionEnd, functionOpen } from './functionTags';
import { withoutEndToken } from './roles';
import type { TagHit } from './tags';
import { occurrences } from './textSearch';

/** Tags that were found by what they are, and the kinds that literal strings need not be looked for then. */
interface Scanned {
  readonly kinds: readonly TagKind[];
  readonly hits: readonly TagHit[];
}

/** Tags of calls that literal strings alone do not find; `undefined`: the dialect has none such. Each scan goes over the text once. */
export function scannedTags(text: string, { query, tags }: Dialect): Scanned | undefined {
  if (query?.kind !== 'json-call') return undefined;
  switch (query.syntax) {
    case 'function-tags':
      return { kinds: ['search'], hits: functionTags(text) };
    case 'channels':
      return { kinds: ['think', 'search', 'answer'], hits: channelTags(text) };
    case 'open-ended':
      return { kinds: ['search'], hits: openEnded(text, tags.search.open) };
    default:
      return undefined;
  }
}

const pair = (kind: TagKind, from: number, inside: number, end: number, to: number): TagHit[] => [
  { kind, closes: false, start: from, end: inside },
  { kind, closes: true, start: end, end: to },
];

/** Each whole call; the beginning of one that is not whole stands alone. What the value of an argument quotes is no call. */
function functionTags(text: string): readonly TagHit[] {
  const hits: TagHit[] = [];
  for (let at = text.indexOf(functionOpen); at >= 0; ) {
    const inside = at + functionOpen.length;
    const { end, whole, named } = functionEnd(text, inside);
    if (whole) hits.push(...pair('search', at, inside, end - functionClose.length, end));
    else if (named) hits.push({ kind: 'search', closes: false, start: at, end: inside });
    at = text.indexOf(functionOpen, end);
  }
  return hits;
}

const message = '<|message|>';
/** A message's end, or the next one's beginning where the end is missing. */
const over = /<\|(?:end|call|return)\|>|(?=<\|(?:start|channel)\|>)/g;
/** Longer than any header. */
const longestHeader = 400;

/** Messages of the policy in harmony: calls are those to a recipient, thoughts and answers are told by their channels; other messages are text. */
function channelTags(text: string): readonly TagHit[] {
  const hits: TagHit[] = [];
  let before = 0;
  for (let at = text.indexOf(message); at >= 0; at = text.indexOf(message, before)) {
    const from = Math.max(before, at - longestHeader);
    const inside = at + message.length;
    over.lastIndex = inside;
    const found = over.exec(text);
    const end = found?.index ?? withoutEndToken(text).length;
    before = found === null ? text.length : end + found[0].length;
    hits.push(...hitsOfMessage(text.slice(from, at), from, inside, Math.max(inside, end), Math.max(inside, before)));
  }
  return hits;
}

function hitsOfMessage(header: string, from: number, inside: number, end: number, to: number): readonly TagHit[] {
  const recipient = /(?:^|[\s>])to=(?=[\w.:-])(?!assistant\b|user\b|all\b)/.exec(header);
  if (recipient !== null) {
    const name = from + recipient.index + recipient[0].length;
    return pair('search', name - 'to='.length, name, end, to);
  }
  const channel = /<\|channel\|>\s{0,10}(\w{1,40})[^<>]{0,80}$/.exec(header);
  const start = from + (channel?.index ?? header.length);
  if (channel?.[1] === 'analysis') return pair('think', start, inside, end, to);
  return channel === null || channel[1] === 'final' ? pair('answer', start, inside, end, to) : [];
}

/** Each call up to the next one or the end of what was said. */
function openEnded(text: string, open: string): readonly TagHit[] {
  const starts = occurrences(text, open);
  const end = withoutEndToken(text).length;
  return starts.flatMap((start, i) => {
    const inside = start + open.length;
    const to = Math.max(inside, starts[i + 1] ?? end);
    return pair('search', start, inside, to, to);
  });
}
