import { writeCall } from './callSyntax';
import type { CallSyntax } from './callSyntax';
import type { Dialect } from './dialect';
import { isRow } from './formats/row';
import { nestsTooDeep } from './json';
import { readMarkedCall } from './markedCall';
import type { Span } from './model';

/** A tool call as a policy writes it in JSON: `{"name": "search", "arguments": {"query": "…"}}`, or in tags. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** Keys under which tools take what is searched for, the likeliest first. */
const queryKeys = ['query', 'queries', 'query_list', 'search_query', 'q', 'keywords', 'keyword', 'question', 'search_term'];
/** The same of shells and interpreters. */
const commandKeys = ['command', 'cmd', 'code'];
const longest = 1_000_000;

/** `undefined`: the text is no such call. */
export function readCall(text: string): ToolCall | undefined {
  const value = json(text);
  if (!isRow(value)) return callInTags(text);
  const name = value['name'] ?? value['tool'] ?? value['function'];
  if (typeof name !== 'string') return undefined;
  return { name, arguments: argumentsOf(value['arguments'] ?? value['parameters'] ?? value['args'] ?? {}) };
}

/** The same, where the call stands in tags. */
function callInTags(text: string): ToolCall | undefined {
  const call = readMarkedCall(text);
  if (call === undefined) return undefined;
  const { name, given } = call;
  return { name, arguments: typeof given === 'string' ? argumentsOf(given) : Object.fromEntries(Object.entries(given).map(([key, value]) => [key, argumentsOf(value)])) };
}

/** Arguments are an object, or JSON text that writes one out. */
export function argumentsOf(value: unknown): unknown {
  return typeof value === 'string' ? (json(value) ?? value) : value;
}

/** What a call asks for: its queries, where it searches; the command, where it is one for a shell; else the call itself, for people. */
export function queriesOfCall({ name, arguments: given }: ToolCall): readonly string[] {
  const queries = isRow(given) ? (searchedIn(given) ?? commandIn(given)) : undefined;
  if (queries !== undefined) return queries;
  if (typeof given === 'string') return [given.trim() === '' ? name : `${name} ${given}`];
  const shown = JSON.stringify(given);
  return [shown === '{}' || given === null ? name : `${name} ${shown}`];
}

/** Whether a call searches: it has a query among its arguments. */
const isSearch = ({ arguments: given }: ToolCall): boolean => isRow(given) && searchedIn(given) !== undefined;

/** What a reader calls an action, by what stands inside its tags: a search, a command, or the call of another tool. */
export function wordFor(text: string, { start, end }: Span, { fenced, query }: Pick<Dialect, 'fenced' | 'query'>): 'search' | 'command' | 'call' {
  if (fenced === true) return 'command';
  if (query?.kind !== 'json-call') return 'search';
  const call = readCall(text.slice(start, end));
  return call !== undefined && isSearch(call) ? 'search' : 'call';
}

/** Whether a whole message is a call in JSON: a name, arguments in an object, and little more. */
export function isBareCall(text: string): boolean {
  const value = json(text);
  return isRow(value) && typeof value['name'] === 'string' && isRow(value['parameters'] ?? value['arguments']) && Object.keys(value).length <= 4;
}

function searchedIn(given: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const key = queryKeys.find((candidate) => Object.hasOwn(given, candidate));
  return key === undefined ? undefined : textsOf(given[key]);
}

/** `{"command": "ls"}`, or its words in a list. Editors have commands too (`create`), which say little without the path beside them. */
function commandIn(given: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  if (Object.hasOwn(given, 'path')) return undefined;
  const command = commandKeys.map((key) => given[key]).find((value) => value !== undefined);
  const words = textsOf(command);
  return words === undefined || words.join('') === '' ? undefined : [words.join(' ')];
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value.trim()];
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((item): item is string => typeof item === 'string');
  return texts.length === value.length && texts.length > 0 ? texts.map((text) => text.trim()) : undefined;
}

/** A call as it stands, or as this syntax writes it where it is JSON and the syntax is another; a bare query becomes a call of `search`. */
export function callText(text: string, syntax?: CallSyntax): string {
  const call = readCall(text);
  if (call !== undefined && (syntax === undefined || syntax === 'open-ended' || json(text) === undefined)) return text;
  const written = call ?? { name: 'search', arguments: { query: text } };
  return syntax === undefined ? JSON.stringify(written) : writeCall(written, syntax);
}

function json(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || trimmed.length > longest) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return nestsTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
