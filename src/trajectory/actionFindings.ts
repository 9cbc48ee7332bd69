import type { Action } from './action';
import type { Dialect, TagKind } from './dialect';
import type { Finding, FindingCode, Span } from './model';
import { findTags } from './tags';
import type { TagHit } from './tags';
import { isBlank } from './textSearch';
import { readCall, wordFor } from './toolCall';

/** So many findings of one kind are named one by one in an action; more say nothing new. */
const mostOfAKind = 3;

/**
 * What a reader should know of one action: tags without a partner, observations the policy wrote itself, tags quoted by documents,
 * searches without a query or without anything back. `turn` is absent for the final turn and the tail.
 */
export function findingsOf(text: string, action: Action, turn: number | undefined, dialect: Dialect): readonly Finding[] {
  const where = turn === undefined ? 'the last action' : `turn ${String(turn)}`;
  const of = (code: FindingCode, severity: Finding['severity'], message: string, at: Span): Finding => {
    return { code, severity, message, at, ...(turn === undefined ? {} : { turn }) };
  };
  return [
    ...policyFindings(text, action.policy, where, dialect, of),
    ...(turn === undefined ? [] : queryFindings(text, action, where, dialect, of)),
    ...observationFindings(text, action, where, dialect, of),
  ];
}

type MakeFinding = (code: FindingCode, severity: Finding['severity'], message: string, at: Span) => Finding;

function policyFindings(text: string, policy: Span, where: string, dialect: Dialect, of: MakeFinding): Finding[] {
  const hits = shifted(findTags(text.slice(policy.start, policy.end), dialect), policy.start);
  const { open } = dialect.tags.observation;
  const self = hits
    .filter((hit) => hit.kind === 'observation' && !hit.closes)
    .slice(0, mostOfAKind)
    .map((hit) => {
      const end = hits.find((other) => other.kind === 'observation' && other.closes && other.start >= hit.end)?.end ?? hit.end;
      const message = `In ${where} the policy itself wrote ${open}, which only the environment writes; it counts as the policy's text, not as evidence.`;
      return of('self-written-observation', 'warning', message, { start: hit.start, end });
    });
  const unpaired = unpairedTags(hits)
    .filter((hit) => !(dialect.reasoning === 'spanning' && hit.kind === 'think'))
    .slice(0, mostOfAKind)
    .map((hit) => {
      const tag = text.slice(hit.start, hit.end);
      const message = `In ${where} the tag ${tag} has no ${hit.closes ? 'opening' : 'closing'} partner.`;
      return of('unpaired-tag', 'warning', message, { start: hit.start, end: hit.end });
    });
  return [...self, ...unpaired];
}

const shifted = (hits: readonly TagHit[], by: number): TagHit[] =>
  hits.map((hit) => ({ ...hit, start: hit.start + by, end: hit.end + by }));

/** Tags that no other of their kind opens or closes. */
function unpairedTags(hits: readonly TagHit[]): TagHit[] {
  const opened = new Map<TagKind, TagHit>();
  const unpaired: TagHit[] = [];
  for (const hit of hits) {
    if (hit.kind === 'invalid-action') continue;
    const open = opened.get(hit.kind);
    if (hit.closes) {
      if (open === undefined) unpaired.push(hit);
      opened.delete(hit.kind);
    } else {
      if (open !== undefined) unpaired.push(open);
      opened.set(hit.kind, hit);
    }
  }
  return [...unpaired, ...opened.values()].sort((a, b) => a.start - b.start);
}

function queryFindings(text: string, action: Action, where: string, dialect: Dialect, of: MakeFinding): Finding[] {
  const { queries, observation, policy } = action;
  const [first] = queries;
  const empty = queries.find((query) => isBlank(text, query.start, query.end));
  const calls = dialect.query?.kind === 'json-call';
  const broken = calls ? queries.find((query) => readCall(text.slice(query.start, query.end)) === undefined) : undefined;
  return [
    ...(broken === undefined ? [] : [of('call-not-json', 'warning', `The tool call of ${where} is not JSON with a name and arguments; its text is shown as it stands.`, broken)]),
    ...(empty === undefined ? [] : [of('empty-query', 'warning', `The search of ${where} has no query.`, empty)]),
    ...(first !== undefined && observation === undefined
      ? [of('no-observation', 'warning', `Nothing came back for the ${wordFor(text, first, dialect)} of ${where}; it gets no gain.`, policy)]
      : []),
  ];
}

function observationFindings(text: string, action: Action, where: string, dialect: Dialect, of: MakeFinding): Finding[] {
  const { observation, policy } = action;
  if (observation === undefined) return [];
  const { whole, result } = observation;
  if (result === undefined) {
    return [of('invalid-action', 'warning', `The action of ${where} was neither a search nor an answer, and the environment said so.`, policy)];
  }
  const { open, close } = dialect.tags.observation;
  const quoted = shifted(findTags(text.slice(result.start, result.end), dialect), result.start).filter((hit) => hit.kind !== 'invalid-action');
  const answer = quoted.find((hit) => hit.kind === 'answer' && !hit.closes);
  // Parallel calls are answered in several pairs of tags.
  const other = quoted.find((hit) => hit.kind !== 'answer' && !(dialect.roles === true && hit.kind === 'observation'));
  const findings: Finding[] = [];
  if (observation.truncated === true) {
    findings.push(of('truncated-observation', 'warning', `The observation of ${where} is cut off: ${open} without ${close}.`, whole));
  }
  if (isBlank(text, result.start, result.end)) {
    findings.push(of('empty-observation', 'warning', `The observation of ${where} is empty; the turn gets no gain.`, whole));
  }
  if (answer !== undefined) {
    const message = `The observation of ${where} quotes ${dialect.tags.answer.open}; it is never read as the answer.`;
    findings.push(of('answer-in-observation', 'information', message, { start: answer.start, end: answer.end }));
  }
  if (other !== undefined) {
    const message = `The observation of ${where} quotes the tag ${text.slice(other.start, other.end)}; it is read as part of the document.`;
    findings.push(of('tags-in-observation', 'information', message, { start: other.start, end: other.end }));
  }
  return findings;
}
