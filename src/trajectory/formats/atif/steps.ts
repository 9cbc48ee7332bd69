import type { Finding, TurnTokens } from '../../model';
import { quote } from '../../visible';
import { contentText } from '../messages/content';
import { callOf } from '../messages/said';
import type { Call, Said } from '../messages/said';
import { isList, isRow, isText, wholeNumbersOf } from '../row';
import type { Row } from '../row';

/** What the steps of an ATIF document say, as messages. */
export interface Walked {
  readonly said: readonly Said[];
  /** The first message that is this trajectory's own action; -1: it has none. */
  readonly first: number;
  /** Trajectories that steps refer to, with the turn they belong to. */
  readonly references: readonly { readonly turn: number; readonly to: Row }[];
  readonly notes: readonly Finding[];
}

/**
 * Steps in their order. An agent's step is a message of the assistant, what its observation holds are tools' answers in the order of its calls.
 * Steps that are copied from an earlier trajectory are part of the prompt; those that stand behind an own action repeat it and are left out.
 */
export function walk(steps: readonly unknown[]): Walked {
  const walker = new Walker();
  steps.forEach((step, i) => {
    walker.step(step, i + 1);
  });
  return walker.walked();
}

class Walker {
  private readonly said: Said[] = [];
  private readonly references: { turn: number; to: Row }[] = [];
  private readonly notes: Finding[] = [];
  private first = -1;
  private turn = 0;
  private copied = 0;
  private repeated = 0;
  private readonly uncalled: number[] = [];

  step(step: unknown, number: number): void {
    if (!isRow(step)) {
      this.notes.push({ code: 'wrong-type', severity: 'warning', message: `Step ${String(number)} is no object; it is left out.` });
      return;
    }
    const byAgent = step['source'] === 'agent' || step['source'] === 'assistant';
    const isCopy = step['is_copied_context'] === true;
    if (isCopy && this.first >= 0) {
      this.repeated++;
      return;
    }
    if (isCopy) this.copied++;
    if (byAgent) this.agent(step, number, isCopy);
    else this.say({ role: step['source'] === 'system' ? 'system' : 'user', content: contentText(step['message']), calls: [] });
    this.observe(step, byAgent);
    if (replacesContext(step)) this.notes.push(replaced(number, this.turn));
  }

  walked(): Walked {
    const { said, first, references, notes } = this;
    return { said, first, references, notes: [...notes, ...this.counted()] };
  }

  private agent(step: Row, number: number, isCopy: boolean): void {
    const reasoning = step['reasoning_content'];
    const ids = tokensOf(step['metrics']);
    if (!isCopy) {
      if (this.first < 0) this.first = this.said.length;
      if (this.said.at(-1)?.role !== 'assistant' || this.first === this.said.length) this.turn++;
      if (step['llm_call_count'] === 0) this.uncalled.push(number);
    }
    this.say({
      role: 'assistant',
      content: contentText(step['message']),
      calls: callsOf(step),
      ...(isText(reasoning) && reasoning.trim() !== '' ? { reasoning } : {}),
      ...(ids === undefined ? {} : { ids }),
    });
  }

  /** A result that names no call answers all of the step; where there is none, it is what the environment says. */
  private observe(step: Row, byAgent: boolean): void {
    const calls = byAgent ? callsOf(step) : [];
    const order = new Map(calls.map(({ id }, i) => [id, i]));
    const placeOf = ({ source_call_id: id }: Row): number => order.get(isText(id) ? id : undefined) ?? order.size;
    for (const result of resultsOf(step).sort((a, b) => placeOf(a) - placeOf(b))) {
      const id = result['source_call_id'];
      const to = result['subagent_trajectory_ref'];
      for (const reference of isList(to) ? to : [to]) if (isRow(reference)) this.references.push({ turn: this.turn, to: reference });
      const content = contentText(result['content']);
      if (content === '' && to !== undefined && calls.length === 0) continue;
      if (isText(id)) this.say({ role: 'tool', content, calls: [], answers: id });
      else this.say({ role: calls.length > 0 ? 'tool' : byAgent ? 'user' : 'system', content, calls: [] });
    }
  }

  private say(said: Said): void {
    this.said.push(said);
  }

  private counted(): readonly Finding[] {
    const steps = (n: number): string => `${String(n)} step${n === 1 ? '' : 's'}`;
    const parts = [
      ...(this.copied > 0 ? [`${steps(this.copied)} at its start ${this.copied === 1 ? 'is' : 'are'} part of the prompt and no turn`] : []),
      ...(this.repeated > 0 ? [`${steps(this.repeated)} further on ${this.repeated === 1 ? 'repeats' : 'repeat'} what stands before and ${this.repeated === 1 ? 'is' : 'are'} left out`] : []),
    ];
    const copies: Finding[] = parts.length === 0 ? [] : [{ code: 'context-copied', severity: 'information', message: `The file marks steps as copied context: ${parts.join('; ')}.` }];
    if (this.uncalled.length === 0) return copies;
    const message = `Step${this.uncalled.length === 1 ? '' : 's'} ${this.uncalled.slice(0, 5).join(', ')}${this.uncalled.length > 5 ? ', …' : ''}: the file says that no model was called; the program around the policy wrote ${this.uncalled.length === 1 ? 'it' : 'them'}.`;
    return [...copies, { code: 'no-model-call', severity: 'information', message }];
  }
}

const callsOf = ({ tool_calls: calls }: Row): readonly Call[] =>
  isList(calls) ? calls.filter(isRow).map((call) => callOf({ name: call['function_name'], arguments: call['arguments'], id: call['tool_call_id'] })) : [];

const resultsOf = ({ observation }: Row): Row[] => (isRow(observation) && isList(observation['results']) ? observation['results'].filter(isRow) : []);

/** What a trainer recorded of the policy's own words. */
function tokensOf(metrics: unknown): TurnTokens | undefined {
  if (!isRow(metrics)) return undefined;
  const policy = wholeNumbersOf(metrics['completion_token_ids']);
  if (policy === undefined) return undefined;
  const logprobs = metrics['logprobs'];
  const fits = isList(logprobs) && logprobs.length === policy.length && logprobs.every((x): x is number => typeof x === 'number');
  return { policy, ...(fits ? { logprobs } : {}) };
}

function replacesContext({ extra }: Row): boolean {
  const management = isRow(extra) ? extra['context_management'] : undefined;
  return isRow(management) && management['boundary'] === 'replace';
}

function replaced(step: number, turn: number): Finding {
  const message = `Step ${String(step)} replaced the agent's context (by a summary or the like): what follows was written from that, and not from all the text before it as it stands here.`;
  return { code: 'context-replaced', severity: 'warning', message, ...(turn > 0 ? { turn } : {}) };
}

/** Where a reference leads, for people. */
export function nameOf(reference: Row): string {
  const name = ['trajectory_path', 'trajectory_id', 'session_id'].map((key) => reference[key]).find(isText);
  return name === undefined ? 'without a name' : quote(name, 80);
}
