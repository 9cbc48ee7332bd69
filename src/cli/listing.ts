import type { RecordSummary } from '../trajectory/summary';
import type { Format } from '../trajectory/records';
import { cells, cut, plainJson, plainLine } from './plainText';
import { jsonFinding, jsonVersion } from '../scoring/scoreJson';

/** What is wrong with a file, or with one of its records. */
export interface FileProblem {
  /** Counted from 0; `null`: the whole file. */
  readonly record: number | null;
  readonly message: string;
}

/** How `turnlens index` writes one file, piece by piece, so that a file of any size is listed without holding it. */
export interface Listing {
  begin(file: string, format: Format | null): string;
  record(record: number, summary: RecordSummary): string;
  end(problems: readonly FileProblem[]): string;
}

/** One JSON object, on one line; docs/json.md. */
export function jsonListing(): Listing {
  let separator = '';
  return {
    begin: (file, format) => `${plainJson({ version: jsonVersion, file, format }).slice(0, -1)},"records":[`,
    record(record, { question, turns, queries, answer, answers, findings, lines }) {
      const beside = lines.length === 0 ? {} : { lines };
      const item = plainJson({ record, question: question ?? null, turns, queries, answer: answer ?? null, answers, findings: findings.map(jsonFinding), ...beside });
      const written = separator + item;
      separator = ',';
      return written;
    },
    end: (problems) => `],"problems":${plainJson(problems.map(({ record, message }) => ({ record, message })))}}\n`,
  };
}

/** A line a rollout. */
export function textListing(columns: number): Listing {
  return {
    begin: (file, format) => `${plainLine(file)}${format === null ? '' : ` (${format})`}\n`,
    record(record, { question, turns, answer, findings, lines }) {
      const facts = [
        `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
        answer === undefined ? 'no answer' : `answer ${cut(plainLine(answer), 30)}`,
        ...(lines.length > 0 ? [`${lines.length} ${lines.length === 1 ? 'line' : 'lines'} beside`] : []),
        ...(findings.length > 0 ? [`${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`] : []),
      ].join(' · ');
      const number = String(record).padStart(5);
      return `${number}  ${cut(plainLine(question ?? 'no question'), Math.max(20, columns - cells(facts) - 10))} · ${facts}\n`;
    },
    end: () => '',
  };
}
