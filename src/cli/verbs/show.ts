import type { Dialect } from '../../trajectory/dialect';
import { findLine } from '../../trajectory/lineNames';
import type { Trajectory } from '../../trajectory/model';
import { renderTranscript } from '../../trajectory/transcript';
import { writeNative } from '../../trajectory/write';
import { writeAtif } from '../../trajectory/writeAtif';
import { demoPolicy } from '../bundled';
import { dialectsHelp, dialectsOption, readDialects } from '../dialects';
import { plainJsonText, plainLines } from '../plainText';
import { readOptions } from '../policy';
import { problemLine } from '../problemLine';
import { openFile } from '../records';
import type { Terminal } from '../terminal';
import { choice, parse, recordNumber, UsageError } from '../usage';
import type { Verb } from '../verb';

export const show: Verb = {
  help: `usage: turnlens show FILE [--record N] [options]
Prints the transcript of one rollout, as the editor shows it.

  --record N               which record of the file, counted from 0 (default: 0)
  --line NAME              not its main line, but this one beside it (turnlens index
                           names them)
  --as FORM                transcript; a document that reads back to the same rollout,
                           atif (with all lines beside it, and the scores that its
                           file keeps) or traj (to be edited); or raw, the record as it
                           stands in the file, read or not (default: transcript)
${dialectsHelp}
Exit codes: 0; 1, the record could not be read; 2, wrong use.
`,
  async run(argv, terminal) {
    const { values, positionals } = parse(argv, { record: { type: 'string', default: '0' }, line: { type: 'string' }, as: { type: 'string', default: 'transcript' }, ...dialectsOption });
    const [name] = positionals;
    if (name === undefined || positionals.length > 1) throw new UsageError('show wants one FILE');
    const form = choice('--as', values.as, forms);
    if (form === 'raw' && values.line !== undefined) throw new UsageError('--as raw gives the whole record, with all its lines; leave --line out');
    const dialects = await readDialects(values.dialects);
    const problem = await print({ name, record: recordNumber(values.record), line: values.line, form, dialects }, terminal);
    if (problem === undefined) return 0;
    terminal.say(problemLine(name, null, problem));
    return 1;
  },
};

const forms = ['transcript', 'atif', 'traj', 'raw'] as const;

interface Wanted {
  readonly name: string;
  readonly record: number;
  readonly line: string | undefined;
  readonly form: (typeof forms)[number];
  /** The user's own. */
  readonly dialects: readonly Dialect[];
}

/** `undefined`: printed; else why not. */
async function print({ name, record, line, form, dialects }: Wanted, terminal: Terminal): Promise<string | undefined> {
  const file = await openFile(name, terminal.signal, dialects);
  if (typeof file === 'string') return file;
  try {
    if (file.kind.kind === 'foreign') return file.kind.message;
    if (form === 'raw' && record < file.records.length) {
      await terminal.print(plainLines(ended(await file.raw(record))));
      return undefined;
    }
    const read = await file.read(record, await readOptions(demoPolicy, dialects));
    if (read.kind === 'problem') return read.message;
    const shown = line === undefined ? read : findLine(read.trajectory, line);
    if (typeof shown === 'string') return shown;
    await terminal.print(written(shown.trajectory, { form, line, dialects }));
    return undefined;
  } finally {
    await file.close();
  }
}

function written(t: Trajectory, { form, line, dialects }: Pick<Wanted, 'form' | 'line' | 'dialects'>): string {
  if (form === 'atif') return plainJsonText(writeAtif(t, { dialects }));
  if (form === 'traj') return plainJsonText(writeNative(t, dialects));
  return plainLines(ended(renderTranscript(t, dialects, line).text));
}

const ended = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
