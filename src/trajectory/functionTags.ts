import { skipWhitespace } from './textSearch';

/** A call in tags of XML: `<function=search><parameter=query>…</parameter></function>`, or with JSON in the place of the parameters (Llama 3.1). */
export const functionOpen = '<function=';
export const functionClose = '</function>';
const argument = '<parameter=';
const argumentClose = '</parameter>';

/** A call as far as it goes. */
interface FunctionEnd {
  /** Behind it, or how far it was looked for. */
  readonly end: number;
  readonly whole: boolean;
  /** It has a name, and is no mere mention of the tag. */
  readonly named: boolean;
}

/** Where the call ends whose name begins at `from`. */
export function functionEnd(text: string, from: number): FunctionEnd {
  const name = /^[^<>\s=]{1,200}>/.exec(text.slice(from, from + 201))?.[0];
  if (name === undefined) return { end: from, whole: false, named: false };
  let at = skipWhitespace(text, from + name.length);
  const broken = { end: text.length, whole: false, named: true };
  if (text[at] === '{') {
    const end = text.indexOf(functionClose, at);
    return end < 0 ? broken : { end: end + functionClose.length, whole: true, named: true };
  }
  while (text.startsWith(argument, at)) {
    const end = valueEnd(text, at);
    if (end === undefined) return broken;
    at = skipWhitespace(text, end + argumentClose.length);
  }
  return text.startsWith(functionClose, at) ? { end: at + functionClose.length, whole: true, named: true } : { end: at, whole: false, named: true };
}

/** Where the value of an argument ends: at its first closing tag that another argument, the call's end or nothing follows. */
function valueEnd(text: string, from: number): number | undefined {
  for (let at = text.indexOf(argumentClose, from); at >= 0; at = text.indexOf(argumentClose, at + argumentClose.length)) {
    const next = skipWhitespace(text, at + argumentClose.length);
    if (next >= text.length || text.startsWith(argument, next) || text.startsWith(functionClose, next)) return at;
  }
  return undefined;
}

/** The name and the arguments, each by its name or all as one text of JSON, of a text that is such a call. */
export function readFunction(text: string): { readonly name: string; readonly given: string | Readonly<Record<string, string>> } | undefined {
  const behindName = text.startsWith(functionOpen) ? text.indexOf('>') : -1;
  const name = text.slice(functionOpen.length, Math.max(functionOpen.length, behindName)).trim();
  if (name === '') return undefined;
  const body = skipWhitespace(text, behindName + 1);
  const close = text.lastIndexOf(functionClose);
  if (text[body] === '{') return { name, given: text.slice(body, close < body ? text.length : close).trim() };
  const given: (readonly [string, string])[] = [];
  for (let at = text.indexOf(argument, body); at >= 0; ) {
    const behindKey = text.indexOf('>', at);
    const end = behindKey < 0 ? undefined : valueEnd(text, behindKey);
    if (end === undefined) break;
    given.push([text.slice(at + argument.length, behindKey), text.slice(behindKey + 1, end).trim()]);
    at = text.indexOf(argument, end);
  }
  return { name, given: Object.fromEntries(given) };
}
