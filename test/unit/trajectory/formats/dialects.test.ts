import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../src/trajectory/dialect';
import type { Dialect } from '../../../../src/trajectory/dialect';
import type { Trajectory } from '../../../../src/trajectory/model';
import { readNative } from '../../../../src/trajectory/read';
import { renderTurn } from '../../../../src/trajectory/render';
import type { TurnParts } from '../../../../src/trajectory/render';
import { segment } from '../../../../src/trajectory/segment';
import { callText } from '../../../../src/trajectory/toolCall';
import { writeNative } from '../../../../src/trajectory/write';
import { checkCover } from '../support';

/** Text that no dialect takes for its own: words, blanks, markup and unpaired braces apart. */
const word = fc.stringMatching(/^[a-zé😀"'&*/ -]{0,8}[a-z]$/u);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' ').trim());
const turn = fc.record({ think: fc.option(words, { nil: undefined }), searches: fc.array(words, { minLength: 1, maxLength: 3 }), result: words });

/** Parts as this dialect can write them: calls in its syntax, and reasoning where there is none without it. */
function suited(parts: TurnParts, { query }: Dialect): TurnParts {
  const { searches } = parts;
  const calls = query?.kind === 'json-call' ? searches?.map((search) => callText(search, query.syntax)) : searches;
  return { ...parts, ...(calls === undefined ? {} : { searches: calls }) };
}

const defined = (parts: object): TurnParts => Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));

function partsOf(text: string, dialect: Dialect): TurnParts[] {
  const read = segment(text, dialect);
  checkCover(text, read);
  const of = (span: { start: number; end: number }): string => text.slice(span.start, span.end);
  const turns = read.turns.map(({ think, querySpans, result }) => defined({ think: think && of(think), searches: querySpans.map(of), result: result && of(result) }));
  const { final } = read;
  return [...turns, ...(final === undefined ? [] : [defined({ think: final.think && of(final.think), answer: of(final.answerSpan) })])];
}

describe.each(builtinDialects.map((dialect) => [dialect.id, dialect] as const))('%s', (_, dialect) => {
  const rollout = fc.tuple(fc.array(turn, { minLength: 1, maxLength: 4 }), words, words).map(([turns, think, answer]) => [...turns.map((parts) => suited(defined(parts), dialect)), { think, answer }]);

  it('segments what it renders into the same parts', () => {
    fc.assert(
      fc.property(rollout, (parts) => {
        const text = parts.map((part) => renderTurn(part, dialect)).join('');
        // An answer without tags is all that the policy wrote.
        expect(partsOf(text, dialect)).toEqual(parts);
      }),
      { numRuns: 150 },
    );
  });

  it('reads back from a native copy', () => {
    fc.assert(
      fc.property(rollout, (parts) => {
        const text = parts.map((part) => renderTurn(part, dialect)).join('');
        const first = readNative(JSON.stringify({ question: 'q', answers: ['a'], dialect: dialect.id, turns: [{ text }] }));
        if (first.kind !== 'trajectory') throw new Error(first.message);
        const again = readNative(writeNative(first.trajectory));
        if (again.kind !== 'trajectory') throw new Error(again.message);
        const kept = ({ turns, final, tail, text: written, prompt }: Trajectory): object => ({ turns, final, tail, written, prompt });
        expect(kept(again.trajectory)).toEqual(kept(first.trajectory));
      }),
      { numRuns: 60 },
    );
  });

  it('covers any text, and takes time in proportion to it', () => {
    const { tags } = dialect;
    const pieces = Object.values(tags).flatMap(({ open, close }) => [open, close]);
    const noise = fc.array(fc.constantFrom(...pieces, '\n\n', ' ', 'x', '{', '}', '\n<|im_start|>user\n', '<|im_end|>', '\nuser\n<tool_response>', '\nObservation: ', '##', '\n'), { maxLength: 40 });
    fc.assert(fc.property(noise, (list) => checkCover(list.join(''), segment(list.join(''), dialect))), { numRuns: 300 });
    const long = pieces.join('x').repeat(3_000);
    const start = performance.now();
    checkCover(long, segment(long, dialect));
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
