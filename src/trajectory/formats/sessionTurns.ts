import { readCall } from '../toolCall';
import { turnsOf, turnsOfCalls } from './messages/callTurns';
import type { Said } from './messages/said';
import { isList, isRow, isText } from './row';
import type { Row } from './row';

/**
 * Which turn of a session called a sub-agent: by the agent's id, which the line with the call's result names; in logs without ids by what it was asked.
 * @param said what the lines say
 */
export function subAgentTurns(lines: readonly Row[], said: readonly Said[]): (agent: string | undefined, asked: string | undefined) => number | undefined {
  const byCall = turnsOfCalls(said);
  const byAgent = new Map<string, number | undefined>();
  for (const { toolUseResult: result, message } of lines) {
    const agent = isRow(result) ? result['agentId'] : undefined;
    const content = isRow(message) && isList(message['content']) ? message['content'] : [];
    const call = content.filter(isRow).find(({ type }) => type === 'tool_result')?.['tool_use_id'];
    if (isText(agent) && isText(call)) byAgent.set(agent, byCall.get(call));
  }
  const byPrompt = turnsByPrompt(said);
  return (agent, asked) => (agent === undefined ? undefined : byAgent.get(agent)) ?? (asked === undefined ? undefined : byPrompt.get(asked));
}

/** The turn of the first call whose argument `prompt` is this. */
function turnsByPrompt(said: readonly Said[]): ReadonlyMap<string, number> {
  const own = turnsOf(said);
  const turns = new Map<string, number>();
  for (const [i, { role, calls }] of said.entries()) {
    for (const { text } of role === 'assistant' ? calls : []) {
      const given = text.includes('"prompt":') ? readCall(text)?.arguments : undefined;
      const prompt = isRow(given) ? given['prompt'] : undefined;
      if (isText(prompt) && !turns.has(prompt)) turns.set(prompt, own[i] ?? 0);
    }
  }
  return turns;
}
