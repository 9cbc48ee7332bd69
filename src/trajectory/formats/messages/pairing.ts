import type { Dialect } from '../../dialect';
import type { Finding } from '../../model';
import type { Said } from './said';

/**
 * Calls without an answer and answers without a call, by their ids; where a file gives no ids, by their number. What a message calls in its own words,
 * by the dialect's tags, is paired where the text is read.
 */
export function pairing(said: readonly Said[], dialect: Dialect): readonly Finding[] {
  const findings: Finding[] = [];
  let turn = 0;
  for (let i = 0; i < said.length; ) {
    let end = i;
    while (end < said.length && said[end]?.role === 'assistant') end++;
    const spoken = said.slice(i, end);
    const calls = spoken.flatMap((message) => message.calls);
    if (end > i) turn++;
    let next = end;
    while (next < said.length && said[next]?.role !== 'assistant') next++;
    const results = said.slice(end, next).filter(({ role }) => role === 'tool');
    const inWords = calls.length === 0 && spoken.some(({ content }) => callsIn(content, dialect));
    const unpaired = inWords ? undefined : leftovers(calls, results, next < said.length);
    if (unpaired !== undefined) findings.push({ code: 'call-unpaired', severity: 'warning', message: `In turn ${String(turn)}, ${unpaired}.`, turn });
    i = Math.max(next, i + 1);
  }
  return findings;
}

const callsIn = (content: string, { tags, labels, fenced }: Dialect): boolean => labels !== undefined || fenced === true || content.includes(tags.search.open);

function leftovers(calls: readonly { readonly id?: string }[], results: readonly Said[], goesOn: boolean): string | undefined {
  const ids = new Set(calls.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const answered = new Set(results.flatMap(({ answers }) => (answers === undefined ? [] : [answers])));
  const stray = results.filter(({ answers }) => answers !== undefined && ids.size > 0 && !ids.has(answers)).length;
  const open = answered.size > 0 ? [...ids].filter((id) => !answered.has(id)).length : Math.max(0, calls.length - results.length);
  if (stray > 0) return `${count(stray, 'result')} came back for no call of its own`;
  if (calls.length === 0 && results.length > 0) return `${count(results.length, 'result')} came back without a call`;
  return open > 0 && goesOn && results.length > 0 ? `nothing came back for ${count(open, 'call')} of ${String(calls.length)}` : undefined;
}

const count = (n: number, what: string): string => `${String(n)} ${what}${n === 1 ? '' : 's'}`;
