import { assemble } from './assemble';
import { findDialect, searchR1 } from './dialect';
import { readGolds } from './golds';
import { nestsTooDeep } from './json';
import type { Finding, Prompt } from './model';
import { parseNonFinite } from './nonFinite';
import type { ReadOptions } from './options';
import { promptOfText, questionOf } from './question';
import { recordedOf } from './recorded';
import type { RecordResult } from './records';
import { boundedFindings, outcomeFindings } from './rolloutFindings';
import { splitActions } from './segment';

/** Reads one row of a verl rollout dump: `{"input", "output", "gts", "score", "step", …}` on one line. Never throws. */
export function readVerlRow(line: string, options: ReadOptions): RecordResult {
  const row = parseNonFinite(line);
  if ('fault' in row) return { kind: 'problem', message: `This line is not JSON (${row.fault}); it is skipped.` };
  const { value, nonFinite } = row;
  if (nestsTooDeep(value)) return { kind: 'problem', message: 'Brackets nest too deep in this line; it is skipped.' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'problem', message: 'This line is no rollout: it is not an object; it is skipped.' };
  const { input, output, gts, ...columns } = value as Readonly<Record<string, unknown>>;
  const { step, uid } = columns;
  if (typeof output !== 'string') return { kind: 'problem', message: 'This line has no "output" as text, which holds the rollout; it is skipped.' };

  const findings: Finding[] = [];
  if (nonFinite) findings.push({ code: 'damaged', severity: 'warning', message: 'The row holds NaN or Infinity, which are not JSON; they are read as unknown.' });
  const prompt = promptOf(input, findings);
  const dialect = findDialect(options.defaultDialect ?? searchR1.id, options.dialects) ?? searchR1;
  const golds = readGolds(gts ?? columns['ground_truth'], gts === undefined && columns['ground_truth'] !== undefined ? 'ground_truth' : 'gts');
  const { findings: inText, ...parts } = assemble(output, splitActions(output, dialect), dialect);
  const group = groupOf(uid, step, prompt);
  return {
    kind: 'trajectory',
    trajectory: {
      question: askedIn(prompt, options, findings),
      answers: golds.answers,
      prompt,
      dialect: dialect.id,
      text: output,
      ...parts,
      ending: 'complete',
      ...(group === undefined ? {} : { group }),
      recorded: recordedOf(columns, 'score'),
      findings: boundedFindings([...findings, ...golds.notes, ...inText, ...outcomeFindings(parts, 'complete')]),
    },
  };
}

function promptOf(input: unknown, findings: Finding[]): Prompt {
  if (typeof input === 'string' && input !== '') return promptOfText(input);
  findings.push({ code: 'wrong-type', severity: 'warning', message: 'The row has no "input" as text; the prompt of the policy\'s contract is used.' });
  return { kind: 'contract' };
}

function askedIn(prompt: Prompt, options: ReadOptions, findings: Finding[]): string {
  const found = questionOf(prompt, options.agentPrompt);
  if (found === undefined) findings.push({ code: 'question-missing', severity: 'warning', message: 'The row has no question: its "input" is empty.' });
  else if (found.guessed) {
    findings.push({ code: 'question-guessed', severity: 'information', message: 'The row names no question; the whole last user message of its "input" is taken.' });
  }
  return found?.question ?? '';
}

/** `uid` within one step, else the same prompt within one step. */
function groupOf(uid: unknown, step: unknown, prompt: Prompt): string | undefined {
  const within = typeof step === 'number' ? ` (step ${String(step)})` : '';
  if (typeof uid === 'string' || typeof uid === 'number') return `${String(uid)}${within}`;
  return 'text' in prompt && prompt.text !== undefined ? `prompt ${hashOf(prompt.text)}${within}` : undefined;
}

/** 53 bits that name a text (cyrb53); no secret. */
function hashOf(text: string): string {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (4294967296 * (2097151 & high) + (low >>> 0)).toString(16);
}
