import type { Policy } from '../../src/replay/policy';
import { readNative } from '../../src/trajectory/read';
import type { Trajectory } from '../../src/trajectory/model';

const words = 'the a river city museum founded in was by old first bridge painter north company opened moved writer born near known for its second large school later became between harbour station'.split(' ');

/** A rollout of so many turns of about `tokens` tokens each, the same at every call. */
export async function syntheticTrajectory(policy: Policy, turns: number, tokens: number): Promise<Trajectory> {
  let seed = 7;
  const word = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return words[seed % words.length] ?? '';
  };
  const made: object[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const think = `I should look for hint ${String(turn)} next.`;
    const search = `the ${word()} of the ${word()} ${String(turn)}`;
    let result = `Doc ${String(turn)}(Title: "${word()} ${word()}")`;
    while ((await count(policy, `${think}${search}${result}`)) < tokens - 20) for (let i = 0; i < 8; i++) result += ` ${word()}`;
    made.push({ think, search, result: `${result}. The harbour of hint ${String(turn)} is Pellonia.` });
  }
  const text = JSON.stringify({ question: 'Which harbour is named by all hints?', answers: ['Pellonia'], dialect: 'search-r1', turns: made, answer: 'Pellonia' });
  const read = readNative(text);
  if (read.kind !== 'trajectory') throw new Error('the synthetic trajectory is none');
  return read.trajectory;
}

const count = async (policy: Policy, text: string): Promise<number> => (await policy.tokenize([{ text }]))[0]?.ids.length ?? 0;
