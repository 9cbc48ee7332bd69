import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anchorsOfSource, sourcePlacer } from '../../../src/trajectory/anchors';
import { sideKinds, type Span, type Trajectory } from '../../../src/trajectory/model';
import { readNative, readText } from '../../../src/trajectory/read';
import type { ReadRecord } from '../../../src/trajectory/records';
import { renderTranscript } from '../../../src/trajectory/transcript';
import { sampleNames, samples } from '../../support/fixtures';
import { twoTurns } from '../../support/makeTrajectory';

function native(source: string): ReadRecord {
  const result = readNative(source);
  if (result.kind === 'problem') throw new Error(result.message);
  return result;
}
function flat(output: string): Trajectory {
  const result = readText(JSON.stringify({ input: 'user\nQuestion: q?\nassistant\n', output, gts: ['g'], score: 1 }), 'verl');
  if (result.kind === 'problem') throw new Error(result.message);
  return result.trajectory;
}
const cut = (text: string, span: Span | undefined): string | undefined => span && text.slice(span.start, span.end);

describe('a transcript of a chat', () => {
  const chat = (...messages: readonly object[]): string => {
    const result = readText(JSON.stringify({ messages: [{ role: 'user', content: 'Who?' }, ...messages] }), 'messages');
    if (result.kind === 'problem') throw new Error(result.message);
    return renderTranscript(result.trajectory).text;
  };
  const call = { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'search', arguments: '{"query":"q"}' } }] };

  it('shows what a person says behind the answer of a tool', () => {
    const shown = (...behind: readonly object[]): string => chat(call, { role: 'tool', tool_call_id: 'c', content: 'Doc' }, ...behind, { role: 'assistant', content: 'g' }).split('━━━')[2]?.trim() ?? '';
    const alone = shown();
    expect(alone.endsWith('Doc')).toBe(true);
    expect(shown({ role: 'user', content: 'Hurry.' })).toBe(`${alone}\n\n▸ text\nHurry.`);
    expect(shown({ role: 'user', content: 'Hurry.' }, { role: 'system', content: 'Go.' })).toBe(`${alone}\n\n▸ text\nHurry.<|im_end|>\n<|im_start|>system\nGo.`);
  });

  it('shows no token that ends a message', () => {
    expect(chat({ role: 'assistant', content: 'Thought: hm\nAction: search[q]\n' }, { role: 'user', content: 'Observation: Doc' }, { role: 'assistant', content: 'Thought: hm\nAction: finish[g]\n' })).not.toContain('<|im_end|>');
  });
});

describe('a transcript', () => {
  const source = JSON.stringify({
    question: 'Who?',
    answers: ['g', 'h'],
    turns: [{ think: 'one\ntwo', search: ['q', 'r\ns'], result: 'D\r\u001b[31m\ud800' }, { text: 'hm <search>t</search>', observation: '' }, { think: 'b', answer: ' A ' }],
  });
  const { trajectory } = native(source);
  const { text, anchors, place } = renderTranscript(trajectory);

  it('shows everything but the tags', () => {
    expect(text).toBe(
      [
        'Question: Who?',
        'Gold: g | h',
        '',
        '━━━ Turn 1 ━━━',
        '▸ think',
        'one',
        'two',
        '▸ search: q',
        '▸ search: r↵s',
        '▸ observation',
        'D␍␛[31m\ufffd',
        '',
        '━━━ Turn 2 (no observation) ━━━',
        '▸ text',
        'hm',
        '▸ search: t',
        '',
        '━━━ Answer ━━━',
        '▸ think',
        'b',
        '▸ answer:  A ',
        '',
      ].join('\n'),
    );
  });

  it('anchors the trajectory, each turn, its query on one line, and its observation', () => {
    expect(cut(text, anchors.trajectory)).toBe('Question: Who?');
    expect(anchors.turns.map((turn) => cut(text, turn.query))).toEqual(['▸ search: q', '▸ search: t']);
    expect(cut(text, anchors.turns[0]?.observation)).toBe('▸ observation\nD␍␛[31m\ufffd');
    expect(anchors.turns.map((turn) => turn.observation !== undefined)).toEqual([true, false]);
    expect(cut(text, anchors.final?.query)).toBe('▸ answer:  A ');
  });

  it('places spans of the text', () => {
    const [first] = trajectory.turns;
    expect(cut(text, place(first?.think ?? { start: 0, end: 0 }))).toBe('one\ntwo');
    expect(cut(text, place(first?.querySpans[1] ?? { start: 0, end: 0 }))).toBe('r↵s');
    const tag = trajectory.text.indexOf('<search>');
    expect(cut(text, place({ start: tag, end: tag + 8 }))).toBe('▸ search: q');
  });

  it('stays a size an editor can show, and says what it leaves out', () => {
    const turn = (length: number): string => `<search>q</search>\n\n<information>${'x'.repeat(length)}</information>\n\n`;
    const many = renderTranscript(flat(turn(3_000).repeat(1_500)));
    expect(many.text.length).toBeLessThan(2_000_000);
    const long = renderTranscript(flat(`${turn(9_000_000)}${turn(100_000)}<answer>A</answer>`));
    expect(long.text.length).toBeLessThan(2_000_000);
    expect(long.text).toContain('x'.repeat(100_000));
    const [cutOff, ...others] = long.anchors.shortened ?? [];
    expect(others).toEqual([]);
    expect(cut(long.text, cutOff?.at)).toMatch(/^… \d+ characters not shown …$/);
    expect(cutOff && cutOff.text.end - cutOff.text.start).toBe(9_000_000);
    expect(many.anchors.shortened?.length).toBe(1_500);
    expect(cut(long.text, long.anchors.final?.query)).toBe('▸ answer: A');
  });

  it('survives an editor: no carriage returns, well formed, the same each time, everything placed within it', () => {
    const part = fc.constantFrom('<search>q</search>', '\n\n<information>', '</information>\n\n', '<think>', '</think>', '<answer>', '</answer>', '\r\n', '\u2028', '\ud800', '\0', 'x', ' ');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const t = flat(parts.join(''));
        const shown = renderTranscript(t);
        expect(shown.text).toBe(renderTranscript(t).text);
        expect(shown.text).not.toMatch(/\p{Surrogate}/u);
        expect(shown.text).not.toMatch(/[\r\u2028\u2029\0]/);
        expect(shown.anchors.turns).toHaveLength(t.turns.length);
        for (const { query } of shown.anchors.turns) expect(cut(shown.text, query)).not.toContain('\n');
        for (const { at } of t.findings) {
          const placed = at && shown.place(at);
          if (placed) expect(placed.end).toBeLessThanOrEqual(shown.text.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the source', () => {
  it.each(sampleNames())('anchors every turn of %s on a line of its own', (name) => {
    const text = readFileSync(`${samples}/${name}`, 'utf8');
    const { trajectory, source } = native(text);
    const anchors = source && anchorsOfSource(source, trajectory);
    const lines = anchors?.turns.map((turn) => text.slice(0, turn.query.start).split('\n').length);
    expect(new Set(lines).size).toBe(trajectory.turns.length);
    expect(anchors?.turns.map((turn) => JSON.parse(cut(text, turn.query) ?? '') as string)).toEqual(trajectory.turns.map((turn) => turn.queries[0]));
    expect(cut(text, anchors?.trajectory)).toMatch(/^"question": "/);
  });

  it('has no anchors where turns share a line', () => {
    expect(native('{"question":"q","answers":["g"],"turns":[{"search":"q","result":"D"},{"answer":"A"}]}').source).toBeUndefined();
    expect(native('{"question":"q","answers":["g"],\n"turns":[{"search":"q","result":"D"},{"answer":"A"}]}').source).toBeUndefined();
  });

  it('places spans through escapes', () => {
    const text = '{\n"question": "q",\n"answers": ["g"],\n"turns": [\n{"search": "q\\n\\u00e9<\\/x>y", "result": "D"},\n{"answer": "A"}]}';
    const { trajectory, source } = native(text);
    if (source === undefined) throw new Error('no source map');
    const place = sourcePlacer(source, trajectory);
    const at = trajectory.text.indexOf('</x>');
    expect(cut(text, place({ start: at, end: at + 4 }))).toBe('<\\/x>');
    expect(cut(text, place({ start: 0, end: 2 }))).toBe('"q\\n\\u00e9<\\/x>y"');
  });
});

describe('lines beside a trajectory', () => {
  const searcher: Trajectory = twoTurns({ question: 'Who?' });
  const t = twoTurns({ sideLines: [{ kind: 'sub-agent', name: 'a\nb', turn: 1, trajectory: searcher }, { kind: 'attempt', name: 'attempt 1', trajectory: searcher }] });
  const { text, anchors } = renderTranscript(t);

  it('are named where they belong, and never written out', () => {
    expect(text.slice(0, text.indexOf('\n\n'))).toBe('Question: Who wrote it?\nGold: Ada Quill\n▸ attempt: attempt 1 (2 turns)');
    expect(text).toMatch(/▸ observation\n[^━]*\n▸ sub-agent: a↵b \(2 turns\)\n\n━━━ Turn 2/);
    expect(text).not.toContain('Who?');
    expect(anchors.lines?.map(({ name, turn, at }) => [name, turn, text.slice(at.start, at.end)])).toEqual([
      ['attempt 1', undefined, '▸ attempt: attempt 1 (2 turns)'],
      ['a\nb', 1, '▸ sub-agent: a↵b (2 turns)'],
    ]);
    expect(anchors.turns[0]?.whole.end).toBeGreaterThan(anchors.lines?.[1]?.at.end ?? Infinity);
  });

  it('have transcripts that say whose they are', () => {
    expect(renderTranscript(searcher, [], 'searcher').text).toMatch(/^Question: Who\?\nGold: .*\nLine: searcher \(beside the main line of its record\)\n/);
  });
});

describe('the colours of a transcript', () => {
  const grammar = JSON.parse(readFileSync('media/transcript.grammar.json', 'utf8')) as { readonly patterns: readonly { readonly match: string }[] };
  const isColoured = (line: string): boolean => grammar.patterns.some(({ match }) => new RegExp(match, 'u').test(line));
  const labelled = (text: string): string[] => text.split('\n').filter((line) => /^(?:▸|━|[A-Z][a-z ]+: )/.test(line));
  const turns = [{ think: 'a', text: 'b', search: 'ls', result: 'c' }, { search: 'ls\ncat', result: 'd' }, { answer: 'e' }];
  const of = (dialect: string): Trajectory => native(JSON.stringify({ question: 'Q', answers: ['e'], dialect, turns })).trajectory;

  it.each(['search-r1', 'commands', 'qwen-tools'])('are those of every label that a transcript of %s has', (dialect) => {
    const t: Trajectory = { ...of(dialect), recorded: { reward: 1 }, sideLines: sideKinds.map((kind) => ({ kind, name: 'one', trajectory: twoTurns({}) })) };
    const lines = labelled(renderTranscript(t, [], 'one').text);
    expect(lines.length).toBeGreaterThan(12);
    expect(lines.filter((line) => !isColoured(line))).toEqual([]);
  });
});
