import { shiftAction } from './action';
import type { Action, Observation } from './action';
import type { Dialect } from './dialect';
import type { Span } from './model';
import { withoutEndToken } from './roles';
import type { RolePart } from './roles';
import { isBlank } from './textSearch';

/** The actions of a chat: roles say who wrote what, the dialect what the policy's messages hold. `split` reads flat text. */
export function actionsOfRoles(text: string, parts: readonly RolePart[], dialect: Dialect, split: (text: string, dialect: Dialect) => readonly Action[]): readonly Action[] {
  const actions: Action[] = [];
  for (const part of parts) {
    if (part.by !== 'policy') answer(actions, text, part, dialect);
    // One by one: a message may hold more than a call takes arguments.
    else for (const action of withIds(policyActions(text, part.span, dialect, split), part)) actions.push(action);
  }
  return actions;
}

/** Tokens of a message are those of its action, where it is one. */
const withIds = (actions: readonly Action[], { ids }: RolePart): readonly Action[] => (ids === undefined || actions.length !== 1 ? actions : actions.map((action) => ({ ...action, ids })));

function policyActions(text: string, span: Span, dialect: Dialect, split: (text: string, dialect: Dialect) => readonly Action[]): readonly Action[] {
  const said = text.slice(span.start, span.end);
  const ended = withoutEndToken(said).length;
  const actions = split(said.slice(0, ended), dialect).map((action) => shiftAction(action, span.start));
  const last = actions.at(-1);
  if (ended === said.length && last !== undefined) return actions;
  const rest = { start: span.start + ended, end: span.end };
  if (last === undefined || last.observation !== undefined) return [...actions, { policy: rest, queries: [] }];
  return [...actions.slice(0, -1), { ...last, policy: { start: last.policy.start, end: rest.end } }];
}

/** What another role says answers the action before it; to one that was answered already it adds. */
function answer(actions: Action[], text: string, part: RolePart, dialect: Dialect): void {
  const last = actions.at(-1);
  const whole = part.span;
  if (last === undefined) {
    actions.push({ policy: { start: whole.start, end: whole.start }, queries: [], observation: observed(text, part, dialect) });
  } else if (last.observation === undefined) {
    actions[actions.length - 1] = { ...last, observation: observed(text, part, dialect) };
  } else {
    actions[actions.length - 1] = { ...last, observation: { ...last.observation, whole: { start: last.observation.whole.start, end: whole.end } } };
  }
}

/** Inside the dialect's tags where they stand (from the first that opens to the last that closes), else all of what was said. */
export function observed(text: string, { span, content = span }: RolePart, dialect: Dialect): Observation {
  const { open, close } = dialect.tags.observation;
  const said = text.slice(content.start, content.end);
  const opens = said.indexOf(open);
  if (opens < 0 || !isBlank(said, 0, opens)) return { whole: span, result: content };
  const start = content.start + opens + open.length;
  if (close === '') return { whole: span, result: { start, end: content.end } };
  const closes = said.lastIndexOf(close);
  if (closes < opens + open.length) return { whole: span, result: { start, end: content.end }, truncated: true };
  return { whole: span, result: { start, end: content.start + closes } };
}
