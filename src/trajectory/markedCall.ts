import { readParted } from './callSyntax';
import { readFunction } from './functionTags';

/** A call that is written in tags, its arguments as texts by their names. */
export interface MarkedCall {
  readonly name: string;
  /** One text that writes them all out, or each by its name. */
  readonly given: string | Readonly<Record<string, string>>;
}

const longest = 1_000_000;

/** Calls as chat templates other than Qwen's first one have them in tags (MCP, Qwen3-Coder, GLM) or behind a token (gpt-oss, Kimi, DeepSeek, Mistral), or as JSON with a program after it. `undefined`: the text is none. */
export function readMarkedCall(text: string): MarkedCall | undefined {
  if (text.length > longest) return undefined;
  return readFunction(text.trim()) ?? readParted(text) ?? mcpCall(text) ?? argumentPairs(text) ?? programCall(text);
}

/** `<tool_name>…</tool_name><arguments>{…}</arguments>` (MiroFlow). */
function mcpCall(text: string): MarkedCall | undefined {
  const name = within(text, '<tool_name>', '</tool_name>', 0)?.inside.trim();
  if (name === undefined || name === '') return undefined;
  return { name, given: within(text, '<arguments>', '</arguments>', 0)?.inside.trim() ?? '{}' };
}

/** `search<arg_key>query</arg_key><arg_value>…</arg_value>` (GLM-4.5 and after). */
function argumentPairs(text: string): MarkedCall | undefined {
  const open = text.indexOf('<arg_key>');
  const name = text.slice(0, Math.max(0, open)).trim();
  if (name === '' || /\s/.test(name)) return undefined;
  const given: (readonly [string, string])[] = [];
  for (let at = open; ; ) {
    const key = within(text, '<arg_key>', '</arg_key>', at);
    const value = key === undefined ? undefined : within(text, '<arg_value>', '</arg_value>', key.end);
    if (key === undefined || value === undefined) break;
    given.push([key.inside.trim(), value.inside.trim()]);
    at = value.end;
  }
  return { name, given: Object.fromEntries(given) };
}

/** `{"name": "PythonInterpreter", "arguments": {}}<code>…</code>` (Tongyi DeepResearch), or the program alone. */
function programCall(text: string): MarkedCall | undefined {
  const program = within(text, '<code>', '</code>', 0);
  if (program === undefined || text.slice(program.end).trim() !== '') return undefined;
  const before = text.slice(0, program.start).trim();
  const name = before === '' ? 'code' : /^\{\s*"name"\s*:\s*"([^"\\]{1,100})"/.exec(before)?.[1];
  return name === undefined ? undefined : { name, given: { code: program.inside.trim() } };
}

/** What stands between two tags from an offset on, where it begins and where it ends with them. */
function within(text: string, open: string, close: string, from: number): { readonly inside: string; readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(open, from);
  const inner = start + open.length;
  const end = start < 0 ? -1 : text.indexOf(close, inner);
  return end < 0 ? undefined : { inside: text.slice(inner, end), start, end: end + close.length };
}
