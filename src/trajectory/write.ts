import { findDialect, searchR1 } from './dialect';
import type { Dialect } from './dialect';
import { textOf } from './model';
import type { FinalTurn, Prompt, Span, Trajectory, Turn } from './model';
import { promptOfText } from './question';
import { renderTurn } from './render';
import type { TurnParts } from './render';

/**
 * A trajectory in the native format, to be edited: it reads back to the same text, prompt, golds and group. A turn goes by its parts where
 * these give its text back exactly, else by the text itself.
 */
export function writeNative(t: Trajectory, own: readonly Dialect[] = []): string {
  const dialect = findDialect(t.dialect, own) ?? searchR1;
  const record = {
    question: t.question,
    answers: t.answers,
    ...promptOf(t.prompt),
    dialect: t.dialect,
    turns: [
      ...t.turns.map((turn) => writeTurn(t, turn, dialect)),
      ...(t.final === undefined ? [] : [writeFinal(t, t.final, dialect)]),
      ...(t.tail === undefined ? [] : [exact(textOf(t, t.tail), undefined)]),
    ],
    ...(t.ending === 'damaged' ? { ending: t.ending } : {}),
    ...(t.group === undefined ? {} : { group: t.group }),
    ...recordedOf(t),
    ...tokensOf(t),
  };
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

function promptOf(prompt: Prompt): object {
  switch (prompt.kind) {
    case 'contract':
      return {};
    case 'text':
    case 'stripped':
      return { prompt: promptOfText(prompt.text).kind === prompt.kind ? prompt.text : { [prompt.kind]: prompt.text } };
    case 'messages':
      return { messages: prompt.messages };
    case 'ids':
      return prompt.text === undefined ? {} : { prompt: { text: prompt.text } };
  }
}

function writeTurn(t: Trajectory, turn: Turn, dialect: Dialect): object {
  const of = (span: Span): string => textOf(t, span);
  const [only, ...more] = turn.querySpans.map(of);
  const parts: TurnParts = {
    ...(turn.think === undefined ? {} : { think: of(turn.think) }),
    ...(only === undefined ? {} : { searches: [only, ...more] }),
    ...(turn.result === undefined ? {} : { result: of(turn.result) }),
  };
  const back = turn.observation === undefined ? undefined : of(turn.observation);
  if (!givesBack(dialect, parts, of(turn.policy) + (back ?? ''))) return exact(of(turn.policy), back);
  const { searches, think, result } = parts;
  return {
    ...(think === undefined ? {} : { think }),
    ...(searches === undefined ? {} : { search: more.length === 0 ? only : searches }),
    ...(result === undefined ? {} : { result }),
  };
}

function writeFinal(t: Trajectory, final: FinalTurn, dialect: Dialect): object {
  const parts: TurnParts = { ...(final.think === undefined ? {} : { think: textOf(t, final.think) }), answer: textOf(t, final.answerSpan) };
  const text = textOf(t, final.policy);
  return givesBack(dialect, parts, text) ? parts : exact(text, undefined);
}

function givesBack(dialect: Dialect, parts: TurnParts, text: string): boolean {
  return Object.keys(parts).length > 0 && renderTurn(parts, dialect) === text;
}

/** An empty observation says that nothing came back, so that the text is not searched for one. */
const exact = (text: string, observation: string | undefined): object => ({ text, observation: observation ?? '' });

function recordedOf({ recorded }: Trajectory): object {
  if (recorded === undefined) return {};
  const { extra, ...own } = recorded;
  const all = { ...extra, ...own };
  return Object.keys(all).length === 0 ? {} : { recorded: all };
}

function tokensOf(t: Trajectory): object {
  const turns = t.turns.map((turn) => turn.ids ?? {});
  const some = turns.some((ids) => Object.keys(ids).length > 0);
  if (t.prompt.kind !== 'ids' && !some) return {};
  return { tokens: { ...(t.prompt.kind === 'ids' ? { prompt: t.prompt.ids } : {}), ...(some ? { turns } : {}) } };
}
