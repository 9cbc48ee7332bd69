import type { Dialect } from '../dialect';
import type { Finding, Prompt, Trajectory } from '../model';
import { quote } from '../visible';

/**
 * An example in the prompt is never read as if the policy had written it, and most prompts have one. It matters where scorers that search prompt and
 * response together are misled by it: the rollout has nothing of its own there, or the example is the gold.
 */
export function promptFindings(prompt: Prompt, dialect: Dialect, { turns, final }: Pick<Trajectory, 'turns' | 'final'>, golds: readonly string[]): readonly Finding[] {
  const text = textOf(prompt);
  if (text === undefined || dialect.labels !== undefined || dialect.fenced === true) return [];
  const { answer, search } = dialect.tags;
  const given = exampleIn(text, answer.open, answer.close);
  const isGold = given !== undefined && golds.some((gold) => gold.trim() !== '' && gold.trim().toLowerCase() === given.trim().toLowerCase());
  if (given !== undefined && (isGold || final === undefined)) {
    const why = isGold ? 'which is a gold answer' : 'and the rollout has no answer of its own';
    const message = `The prompt itself holds ${quote(answer.open + given + answer.close, 120)}, ${why}; it is never read as the answer, but a scorer that searches prompt and response together counts it.`;
    return [{ code: 'answer-in-prompt', severity: isGold ? 'warning' : 'information', message }];
  }
  if (turns.length > 0 || exampleIn(text, search.open, search.close) === undefined) return [];
  const message = `The prompt itself holds an example of ${search.open}, and the rollout has no search of its own; the example is never read as a turn.`;
  return [{ code: 'tags-in-prompt', severity: 'information', message }];
}

/** What stands between the tags, where it is more than the words that introduce them ("inside <answer> and </answer>"). */
function exampleIn(text: string, open: string, close: string): string | undefined {
  let tries = 0;
  for (let at = text.indexOf(open); at >= 0 && tries < 50; at = text.indexOf(open, at + 1), tries++) {
    const start = at + open.length;
    const end = text.indexOf(close, start);
    if (end < 0) return undefined;
    const inside = text.slice(start, end);
    if (inside.length <= 80 && !/^\s*(?:and|or|,|\/|\.{3}|…)?\s*$/.test(inside)) return inside;
  }
  return undefined;
}

function textOf(prompt: Prompt): string | undefined {
  if (prompt.kind === 'messages') return prompt.messages.map(({ content }) => content).join('\n');
  return prompt.kind === 'contract' ? undefined : prompt.text;
}
