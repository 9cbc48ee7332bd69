import type { FinalTurn, Ineligible, Span, Trajectory, Turn } from '../../src/trajectory/model';

export interface TurnText {
  readonly think?: string;
  readonly search?: string;
  /** Absent: nothing came back. */
  readonly result?: string;
  readonly ids?: Turn['ids'];
  readonly ineligible?: Ineligible;
}

export interface TrajectoryText extends Partial<Omit<Trajectory, 'turns' | 'final' | 'text' | 'tail'>> {
  readonly turns: readonly TurnText[];
  /** Absent: no final turn. */
  readonly answer?: string;
  readonly tail?: string;
}

/** A trajectory in the search-r1 dialect from the texts of its parts, without the readers. */
export function makeTrajectory({ turns, answer, tail, ...rest }: TrajectoryText): Trajectory {
  let text = '';
  const write = (part: string): Span => {
    const start = text.length;
    text += part;
    return { start, end: text.length };
  };
  const made = turns.map(({ think = 'I need to look.', search, result, ids, ineligible }, i): Turn => {
    const start = text.length;
    write(`<think>${think}</think>\n`);
    let query: Span | undefined;
    if (search !== undefined) {
      write('<search>');
      query = write(search);
      write('</search>');
    }
    const policy = { start, end: text.length };
    const why = ineligible ?? (search === undefined ? 'no search' : result === undefined ? 'no observation' : result.trim() === '' ? 'empty observation' : undefined);
    const observation = result === undefined ? undefined : write(`\n\n<information>${result}</information>\n\n`);
    return {
      index: i + 1,
      policy,
      querySpans: query ? [query] : [],
      queries: search === undefined ? [] : [search.trim()],
      ...(observation ? { observation } : {}),
      ...(ids ? { ids } : {}),
      ...(why ? { ineligible: why } : {}),
    };
  });
  let final: FinalTurn | undefined;
  if (answer !== undefined) {
    const start = text.length;
    write('<think>I know it.</think>\n<answer> ');
    const answerSpan = write(answer);
    write(' </answer>');
    final = { policy: { start, end: text.length }, answerSpan, answer: answer.trim() };
  }
  const tailSpan = tail === undefined ? undefined : write(tail);
  return {
    question: 'Who wrote it?',
    answers: ['Ada Quill'],
    prompt: { kind: 'contract' },
    dialect: 'search-r1',
    ending: 'complete',
    findings: [],
    ...rest,
    text,
    turns: made,
    ...(final ? { final } : {}),
    ...(tailSpan ? { tail: tailSpan } : {}),
  };
}

/** Two turns of which the second finds the answer. */
export const twoTurns = (rest: Partial<TrajectoryText> = {}): Trajectory =>
  makeTrajectory({
    turns: [
      { search: 'the book', result: 'Doc 1(Title: "The Book") The Book’s series is Nightfall.' },
      { search: 'Nightfall', result: 'Doc 1(Title: "Nightfall") Nightfall’s author is Ada Quill.' },
    ],
    answer: 'Ada Quill',
    ...rest,
  });
