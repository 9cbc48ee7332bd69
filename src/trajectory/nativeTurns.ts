import type { Node } from 'jsonc-parser';
import { shiftAction, shiftObservation } from './action';
import type { Action } from './action';
import type { Dialect } from './dialect';
import { exactAction, exactObservation } from './exactTurn';
import { Fields } from './fields';
import { kindOf, spanOf } from './json';
import type { Finding, TurnTokens, Span } from './model';
import type { SourcePiece, SourceTurn } from './records';
import { layTurn, renderTurn } from './render';
import { splitActions } from './segment';

/** What the turns of a native file give: the text after the prompt, its actions, and where each part stands in the source. */
export interface NativeTurns {
  readonly text: string;
  readonly actions: readonly Action[];
  /** One for each action. */
  readonly sources: readonly SourceTurn[];
  readonly pieces: readonly SourcePiece[];
}

/** Reads turn objects in order. `ids`: as recorded, by turn. */
export function readNativeTurns(
  source: string,
  nodes: readonly Node[],
  dialect: Dialect,
  ids: readonly (TurnTokens | undefined)[],
  findings: Finding[],
): NativeTurns {
  const into: Building = { text: '', actions: [], sources: [], pieces: [], source, dialect, findings };
  nodes.forEach((node, i) => {
    if (node.type !== 'object') {
      const message = `Turn ${String(i + 1)} is ${kindOf(node)} and should be an object with "think", "search" and "result"; it is left out.`;
      findings.push({ code: 'wrong-type', severity: 'error', message, atSource: spanOf(node) });
      return;
    }
    const fields = new Fields(`turn ${String(i + 1)}`, node, findings, i + 1);
    const first = into.actions.length;
    if (fields.node('text') === undefined) addStructured(into, node, fields);
    else addExact(into, node, fields);
    fields.reportUnknown();
    const own = ids[i];
    const action = into.actions[first];
    if (own !== undefined && action !== undefined && into.actions.length === first + 1) into.actions[first] = { ...action, ids: own };
  });
  return into;
}

interface Building {
  text: string;
  readonly actions: Action[];
  readonly sources: SourceTurn[];
  readonly pieces: SourcePiece[];
  readonly source: string;
  readonly dialect: Dialect;
  readonly findings: Finding[];
}

/** A turn by its parts; what came back may be given exactly all the same. A search and an answer in one object are two actions. */
function addStructured(into: Building, node: Node, fields: Fields): void {
  const [think, searches, answer] = [fields.text('think'), fields.texts('search'), fields.text('answer')];
  const exact = fields.text('observation');
  const result = fields.text('result');
  const both = searches !== undefined && answer !== undefined;
  if (both) fields.report('wrong-type', 'information', `Turn ${String(into.actions.length + 1)} has a search and an answer; they are read as two actions.`, spanOf(node));
  if ([think, searches, result, exact, answer].every((part) => part === undefined)) return;
  const parts = {
    ...(think === undefined ? {} : { think: stringOf(think) }),
    ...(searches === undefined ? {} : { searches: searches.map(stringOf) }),
    ...(result === undefined || exact !== undefined ? {} : { result: stringOf(result) }),
    ...(answer === undefined || both ? {} : { answer: stringOf(answer) }),
  };
  const laid = layTurn(parts, into.dialect, into.text.length);
  const back = exact === undefined ? undefined : shiftObservation(exactObservation(stringOf(exact), into.dialect), into.text.length + laid.text.length);
  const action = back === undefined ? laid.action : { ...laid.action, observation: back };
  const backNode = exact ?? result;
  const query = searches?.[0] ?? answer ?? think ?? backNode ?? node;
  append(into, laid.text + (exact === undefined ? '' : stringOf(exact)), action, {
    whole: spanOf(node),
    query: spanOf(query),
    ...(backNode === undefined ? {} : { observation: spanOf(backNode) }),
  });
  link(into, action.think, think);
  action.queries.forEach((span, i) => {
    link(into, span, searches?.[i]);
  });
  link(into, exact === undefined ? action.observation?.result : back?.whole, backNode);
  if (!both) {
    link(into, action.answer, answer);
    return;
  }
  const last = layTurn({ answer: stringOf(answer) }, into.dialect, into.text.length);
  append(into, last.text, last.action, { whole: spanOf(node), query: spanOf(answer) });
  link(into, last.action.answer, answer);
}

/**
 * A turn by its exact text. Where `observation` or `result` says what came back (an empty one: nothing), the text is the policy's alone;
 * else the text may hold both, and one turn or several, and is segmented.
 */
function addExact(into: Building, node: Node, fields: Fields): void {
  const [text, observation, result] = [fields.text('text'), fields.text('observation'), fields.text('result')];
  for (const unused of ['think', 'search', 'answer']) {
    const other = fields.node(unused);
    if (other !== undefined) fields.wrongType(unused, other, 'left out where "text" gives the exact text', '"text" counts');
  }
  if (text === undefined) return;
  const whole = spanOf(node);
  const policy = stringOf(text);
  const start = into.text.length;
  if (observation === undefined && result === undefined) {
    const actions = splitActions(policy, into.dialect).map((action) => shiftAction(action, start));
    into.text += policy;
    for (const action of actions) {
      into.actions.push(action);
      into.sources.push({ whole, query: spanOf(text) });
    }
    link(into, { start, end: start + policy.length }, text);
    return;
  }
  const action = shiftAction(exactAction(policy, into.dialect), start);
  const at = start + policy.length;
  const back = observation === undefined ? renderTurn({ result: stringOf(result) }, into.dialect) : stringOf(observation);
  const seen = shiftObservation(exactObservation(back, into.dialect), at);
  const backNode = observation ?? result;
  append(into, policy + back, seen === undefined ? action : { ...action, observation: seen }, {
    whole,
    query: spanOf(text),
    ...(seen === undefined || backNode === undefined ? {} : { observation: spanOf(backNode) }),
  });
  link(into, action.policy, text);
  link(into, observation === undefined ? seen?.result : seen?.whole, backNode);
}

function append(into: Building, text: string, action: Action, source: SourceTurn): void {
  into.text += text;
  into.actions.push(action);
  into.sources.push(source);
}

function link(into: Building, text: Span | undefined, node: Node | undefined): void {
  if (text === undefined || node === undefined) return;
  const quotes = node.type === 'string' ? 1 : 0;
  const source = { start: node.offset + quotes, end: Math.max(node.offset + quotes, node.offset + node.length - quotes) };
  into.pieces.push({ text, source, raw: into.source.slice(source.start, source.end) });
}

const stringOf = (node: Node | undefined): string => String(node?.value ?? '');
