import fc from 'fast-check';
import { builtinDialects } from '../../src/trajectory/dialect';
import type { Dialect } from '../../src/trajectory/dialect';
import type { Finding, Prompt, Recorded, SavedScores, SideLine, Trajectory, Turn } from '../../src/trajectory/model';
import { segment } from '../../src/trajectory/segment';

const odd = ['\ud800', '\udc00x', '\0', '\u2028', '\r\n', '"', '\\', '\u{1f600}', '__proto__', '\ufeff'];
const word = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', ' ', '\n', 'x', ...odd));

/** Texts that a policy and its environment may have left behind in this dialect, whole turns and rubble. */
function textIn(dialect: Dialect): fc.Arbitrary<string> {
  const { tags, beforeObservation, afterObservation, invalidAction, endOfAction = '' } = dialect;
  const literal = fc.constantFrom(...Object.values(tags).flatMap((tag) => [tag.open, tag.close]), beforeObservation, afterObservation, invalidAction, endOfAction);
  const call = fc.constantFrom('q', '{"name": "search", "arguments": {"query": "q"}}', '{"name": "run", "arguments": {"b": [1, null], "a": "\\ud800"}}', '{"name": "f", "arguments": "x"}', 'search[q]');
  const turn = fc
    .tuple(word, call, word)
    .map(([think, query, back]) => `${tags.think.open}${think}${tags.think.close}\n${tags.search.open}\n${query}\n${tags.search.close}${endOfAction}${beforeObservation}${tags.observation.open}${back}${tags.observation.close}${afterObservation}`);
  const answer = word.map((said) => `${tags.answer.open}${said}${tags.answer.close}${endOfAction}`);
  return fc.tuple(fc.array(fc.oneof(turn, literal, word), { maxLength: 8 }), fc.option(answer, { nil: '' })).map(([parts, end]) => parts.join('') + end);
}

const ids = fc.array(fc.nat(200_000), { maxLength: 5 });
const figure = fc.oneof(fc.constant(null), fc.integer(), fc.constantFrom(0.1, -1.5e-9));
const figures = fc.array(figure, { maxLength: 4 });
const byName = fc.dictionary(fc.oneof(fc.string({ maxLength: 5 }), fc.constant('__proto__')), figures, { maxKeys: 3 }).map((lists) => JSON.parse(JSON.stringify(lists)) as Record<string, (number | null)[]>);
/** As JSON gives it: no −0, no holes. */
const columns = fc
  .dictionary(fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('agent', 'turnlens', 'JSON as text', '__proto__')), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

const prompt: fc.Arbitrary<Prompt> = fc.oneof(
  fc.constant<Prompt>({ kind: 'contract' }),
  fc.record({ kind: fc.constantFrom('text' as const, 'stripped' as const), text: word }),
  fc.record({ kind: fc.constant('messages' as const), messages: fc.array(fc.record({ role: fc.oneof(word, fc.constantFrom('system', 'user', 'assistant', 'tool')), content: word }), { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('ids' as const), ids, text: word }, { requiredKeys: ['kind', 'ids'] }),
);

const recorded: fc.Arbitrary<Recorded> = fc.record(
  {
    reward: fc.integer(),
    step: fc.integer(),
    turns: byName,
    states: byName,
    tokens: fc.record({ ids, logprobs: figures, mask: fc.array(fc.constantFrom(0, 1)), rewards: figures, values: figures, advantages: figures }, { requiredKeys: [] }),
    extra: columns,
  },
  { requiredKeys: [] },
);

const turnTokens: fc.Arbitrary<NonNullable<Turn['ids']>> = fc.record({ policy: ids, observation: ids, logprobs: fc.array(fc.integer(), { maxLength: 4 }) }, { requiredKeys: [] });

const span = fc.tuple(fc.nat(9), fc.nat(9)).map(([start, length]) => ({ start, end: start + length }));
const finding: fc.Arbitrary<Finding> = fc.record(
  { code: fc.constantFrom('damaged' as const, 'text-rendered' as const), severity: fc.constantFrom('error' as const, 'information' as const), message: word, turn: fc.nat(3), at: span, atSource: span },
  { requiredKeys: ['code', 'severity', 'message'] },
);

const lineName = fc.oneof(fc.string({ minLength: 1, maxLength: 6 }), fc.constantFrom('a', 'a (2)', 'constructor', ...odd)).filter((name) => name.trim() !== '');

/** A trajectory of any dialect with anything a record may hold beside it, which no file need be able to say. `depth`: of side lines. */
export function anyTrajectory(depth = 2): fc.Arbitrary<Trajectory> {
  return fc.constantFrom(...builtinDialects).chain((dialect) =>
    fc
      .tuple(
        textIn(dialect),
        fc.record({
          question: word,
          answers: fc.array(word, { maxLength: 3 }),
          prompt,
          ending: fc.constantFrom('complete' as const, 'damaged' as const),
          findings: fc.array(finding, { maxLength: 3 }),
        }),
        fc.record({ group: word, recorded }, { requiredKeys: [] }),
        fc.array(fc.option(turnTokens, { nil: undefined }), { maxLength: 4 }),
        depth === 0 ? fc.constant([]) : sideLines(depth - 1),
      )
      .map(([text, head, more, tokens, lines]) => {
        const { findings, turns, ...segments } = segment(text, dialect);
        const withTokens = turns.map((turn, i): Turn => {
          const found = tokens[i];
          return found === undefined ? turn : { ...turn, ids: found };
        });
        return { ...head, ...more, dialect: dialect.id, text, ...segments, turns: withTokens, findings: [...head.findings, ...findings], ...(lines.length === 0 ? {} : { sideLines: lines }) };
      }),
  );
}

const sideLines = (depth: number): fc.Arbitrary<SideLine[]> =>
  fc.uniqueArray(
    fc.record({ kind: fc.constantFrom('attempt' as const, 'branch' as const, 'sub-agent' as const), name: lineName, trajectory: anyTrajectory(depth) }, {}),
    { maxLength: 2, selector: ({ name }) => name },
  );

/** Scores are JSON of any kind to a reader. */
export const anyScores: fc.Arbitrary<SavedScores> = columns;
