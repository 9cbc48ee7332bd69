import { createScanner, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { Span } from './model';

/** Deeper than any trajectory; parsers that recurse overflow their stack at about ten thousand. */
export const deepest = 200;

/** jsonc-parser's SyntaxKind, which is a const enum and so not importable here. */
export const token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6, string: 10, number: 11, end: 17 } as const;

/** Where brackets nest deeper than {@link deepest}, if they do. Does not recurse. */
export function tooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind = Number(scanner.scan()); kind !== token.end; kind = Number(scanner.scan())) {
    if (kind === token.openBrace || kind === token.openBracket) depth++;
    if (kind === token.closeBrace || kind === token.closeBracket) depth--;
    if (depth > deepest) return scanner.getTokenOffset();
  }
  return undefined;
}

/** A fault of the JSON text. */
export interface JsonFault {
  readonly at: Span;
  /** For people: `value expected`. */
  readonly what: string;
  /** What follows it cannot be trusted to be where it seems; other faults were read over without loss. */
  readonly breaks: boolean;
}

export interface JsonTree {
  readonly root: Node | undefined;
  readonly faults: readonly JsonFault[];
}

/** Comments and trailing commas are allowed; faults are collected and read over. Call {@link tooDeep} first. */
export function parseJson(text: string): JsonTree {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  return { root, faults: withoutEchoes(text, errors.map((error) => faultOf(text, error))) };
}

/** A comma that is missing, a control character in a string, a bad escape: what was meant is plain. */
const harmless = new Set(['CommaExpected', 'InvalidCharacter', 'InvalidEscapeCharacter', 'InvalidUnicode', 'EndOfFileExpected']);
const nonFinite = /^-?(?:NaN|Infinity)\b/;

function faultOf(text: string, error: ParseError): JsonFault {
  const name = printParseErrorCode(error.error);
  const at = { start: error.offset, end: error.offset + error.length };
  if (nonFinite.test(text.slice(error.offset, error.offset + 12))) return { at, what: 'NaN and Infinity are not JSON', breaks: false };
  return { at, what: name.replace(/(?!^)([A-Z])/g, ' $1').toLowerCase(), breaks: !harmless.has(name) };
}

/** After NaN the parser also misses a value and, for -Infinity, a number: the same fault said again at the same place. */
function withoutEchoes(text: string, faults: readonly JsonFault[]): JsonFault[] {
  const kept: JsonFault[] = [];
  for (const fault of faults) {
    const before = kept.at(-1);
    const gap = before === undefined ? undefined : text.slice(before.at.start, fault.at.start);
    if (before?.breaks === false && gap !== undefined && /^-?(?:NaN|Infinity)?\s*[,\]}]?$/.test(gap) && nonFinite.test(text.slice(before.at.start))) continue;
    kept.push(fault);
  }
  return kept;
}

export interface Property {
  readonly name: string;
  readonly key: Node;
  /** Absent: the text has none that can be read. */
  readonly value?: Node;
}

/** The properties of an object node, as written. */
export function propertiesOf(node: Node): readonly Property[] {
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (key === undefined) return [];
    return [{ name: String(key.value), key, ...(value === undefined ? {} : { value }) }];
  });
}

export const spanOf = (node: Node): Span => ({ start: node.offset, end: node.offset + node.length });

/** A plain value, without prototypes that a key could reach. */
export function valueOf(node: Node | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(propertiesOf(node).flatMap(({ name, value }) => (value === undefined ? [] : [[name, valueOf(value)]])));
}

const kinds: Record<Node['type'], string> = {
  object: 'an object',
  array: 'a list',
  property: 'a property',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** Whether a parsed value nests deeper than {@link deepest}. */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= deepest || Object.values(value).some((item) => nestsTooDeep(item, depth + 1));
}

/** What a node is, for people. */
export const kindOf = (node: Node): string => kinds[node.type];

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
