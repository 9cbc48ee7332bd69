import { readAction } from './action';
import type { Action, Observation } from './action';
import { assemble } from './assemble';
import type { Segmented } from './assemble';
import type { Dialect } from './dialect';
import { fencedAction } from './fenced';
import { splitLabelled } from './labelled';
import { observationEnd } from './observation';
import { actionsOfRoles } from './roleActions';
import { rolesOf } from './roles';
import { mapTags } from './tags';
import type { TagMap } from './tags';
import { isBlank, skipWhitespace } from './textSearch';

export type { Segmented } from './assemble';

/**
 * Reads who wrote which character out of flat text (a rollout without its prompt). Turns, final turn and tail cover the text without gaps.
 * Never throws; its work grows with the text's length.
 */
export function segment(text: string, dialect: Dialect): Segmented {
  return assemble(text, splitActions(text, dialect), dialect);
}

/** The actions of a rollout's text, in order: by the chat's markers where it has them, then by the dialect. */
export function splitActions(text: string, dialect: Dialect): readonly Action[] {
  const roles = rolesOf(text);
  return roles === undefined ? splitFlat(text, dialect) : actionsOfRoles(text, roles, dialect, splitSaid);
}

/** The actions of text without chat markers. */
function splitFlat(text: string, dialect: Dialect): readonly Action[] {
  if (dialect.fenced === true) return text === '' ? [] : [fencedAction(text, dialect)];
  return dialect.labels === undefined ? splitTagged(text, dialect) : splitLabelled(text, dialect);
}

/** The actions of what the policy says in one message. Where the environment has a role of its own, it is one action. */
export function splitSaid(text: string, dialect: Dialect): readonly Action[] {
  if (dialect.roles !== true || dialect.fenced === true) return splitFlat(text, dialect);
  const map = mapTags(text, dialect);
  return text === '' ? [] : [readAction(map, 0, map.hits.length, { start: 0, end: text.length })];
}

function splitTagged(text: string, dialect: Dialect): readonly Action[] {
  const map = mapTags(text, dialect);
  const actions: Action[] = [];
  let at = 0;
  let hit = 0;
  while (at < text.length) {
    const end = actionEnd(map, hit);
    const action = readAction(map, hit, end.hit, { start: at, end: end.at });
    const observation = end.observes ? observe(map, end.hit, end.at, dialect) : undefined;
    actions.push(observation === undefined ? action : { ...action, observation });
    at = observation?.whole.end ?? end.at;
    hit = end.hit;
    while (hit < map.hits.length && (map.hits[hit]?.start ?? at) < at) hit++;
  }
  return actions;
}

interface ActionEnd {
  readonly at: number;
  /** The first tag after the action. */
  readonly hit: number;
  /** That tag is the environment's. */
  readonly observes: boolean;
}

/**
 * The action that begins at hit `from` ends where the environment speaks: after a search that was answered, or at its message about an invalid action.
 * A closed search that nothing answers ends it too, as generation stops there; not one that the policy only thought about, not one of
 * several in parallel, and not one after an answer, which decides the action.
 */
function actionEnd(map: TagMap, from: number): ActionEnd {
  const { text, hits, nextAnswered, thinkCloses } = map;
  let opened = false;
  let thinking = false;
  let answering = false;
  let answered = false;
  for (let i = from; i < hits.length; i++) {
    const hit = hits[i];
    if (hit === undefined) break;
    if (hit.kind === 'invalid-action') return { at: hit.start, hit: i, observes: true };
    if (hit.kind === 'think') thinking = !hit.closes;
    if (hit.kind === 'answer') {
      if (hit.closes && answering) answered = true;
      answering = !hit.closes;
    }
    if (hit.kind !== 'search') continue;
    if (!hit.closes) {
      opened = true;
      continue;
    }
    if (!opened) continue;
    if (i + 1 < hits.length && nextAnswered[i + 1] === i + 1) return { at: hit.end, hit: i + 1, observes: true };
    const next = skipWhitespace(text, hit.end);
    const parallel = hits[i + 1]?.start === next && hits[i + 1]?.kind === 'search' && hits[i + 1]?.closes === false;
    const mention = thinking && thinkCloses[i + 1] === true;
    if (!parallel && !mention && !answered && next < text.length) {
      const said = hits[i + 1];
      if (said?.kind === 'invalid-action' && isBlank(text, hit.end, said.start)) return { at: said.start, hit: i + 1, observes: true };
      return { at: hit.end, hit: i + 1, observes: false };
    }
  }
  return { at: text.length, hit: hits.length, observes: false };
}

function observe(map: TagMap, index: number, start: number, dialect: Dialect): Observation | undefined {
  const hit = map.hits[index];
  if (hit === undefined) return undefined;
  if (hit.kind === 'invalid-action') return { whole: { start, end: hit.end } };
  const { result, end, truncated } = observationEnd(map, index, dialect);
  return { whole: { start, end }, result, ...(truncated ? { truncated } : {}) };
}
