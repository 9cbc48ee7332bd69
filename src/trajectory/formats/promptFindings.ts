import type { Dialect } from '../dialect';
import type { Finding, Prompt } from '../model';
import { quote } from '../visible';

/** An example in the prompt is never read as if the policy had written it, but scorers that search prompt and response together find it. */
export function promptFindings(prompt: Prompt, dialect: Dialect): readonly Finding[] {
  const text = textOf(prompt);
  if (text === undefined || dialect.labels !== undefined || dialect.fenced === true) return [];
  const { answer, search } = dialect.tags;
  const given = exampleIn(text, answer.open, answer.close);
  if (given !== undefined) {
    const message = `The prompt itself holds ${quote(answer.open + given + answer.close, 120)}; it is never read as the answer, but a scorer that searches prompt and response together counts it.`;
    return [{ code: 'answer-in-prompt', severity: 'information', message }];
  }
  const searched = exampleIn(text, search.open, search.close);
  if (searched === undefined) return [];
  return [{ code: 'tags-in-prompt', severity: 'information', message: `The prompt itself holds an example of ${search.open}; it is never read as a turn.` }];
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
