import { findLine } from '../../trajectory/lineNames';
import type { Trajectory } from '../../trajectory/model';
import { renderTranscript } from '../../trajectory/transcript';
import { writeNative } from '../../trajectory/write';
import { writeAtif } from '../../trajectory/writeAtif';
import { demoPolicy } from '../bundled';
import { plainJsonText, plainLine, plainLines } from '../plainText';
import { readOptions } from '../policy';
import { openFile } from '../records';
import type { Terminal } from '../terminal';
import { choice, parse, recordNumber, UsageError } from '../usage';
import type { Verb } from '../verb';

export const show: Verb = {
  help: `usage: turnlens show FILE [--record N] [--line NAME] [--as transcript|atif|traj]
Prints the transcript of one rollout, as the editor shows it.

  --record N   which record of the file, counted from 0 (default: 0)
  --line NAME  not its main line, but this one beside it (turnlens index names them)
  --as FORM    transcript, or a document that reads back to the same rollout: atif
               (with all lines beside it, and the scores that its file keeps) or traj,
               to be edited (default: transcript)

Exit codes: 0; 1, the record could not be read; 2, wrong use.
`,
  async run(argv, terminal) {
    const { values, positionals } = parse(argv, { record: { type: 'string', default: '0' }, line: { type: 'string' }, as: { type: 'string', default: 'transcript' } });
    const [name] = positionals;
    if (name === undefined || positionals.length > 1) throw new UsageError('show wants one FILE');
    const problem = await print({ name, record: recordNumber(values.record), line: values.line, form: choice('--as', values.as, forms) }, terminal);
    if (problem === undefined) return 0;
    terminal.say(`${plainLine(name)}: ${problem}`);
    return 1;
  },
};

const forms = ['transcript', 'atif', 'traj'] as const;

interface Wanted {
  readonly name: string;
  readonly record: number;
  readonly line: string | undefined;
  readonly form: (typeof forms)[number];
}

/** `undefined`: printed; else why not. */
async function print({ name, record, line, form }: Wanted, terminal: Terminal): Promise<string | undefined> {
  const file = await openFile(name, terminal.signal);
  if (typeof file === 'string') return file;
  try {
    if (file.kind.kind === 'foreign') return file.kind.message;
    const read = await file.read(record, await readOptions(demoPolicy));
    if (read.kind === 'problem') return read.message;
    const shown = line === undefined ? read : findLine(read.trajectory, line);
    if (typeof shown === 'string') return shown;
    await terminal.print(written(shown.trajectory, form));
    return undefined;
  } finally {
    await file.close();
  }
}

function written(t: Trajectory, form: Wanted['form']): string {
  if (form === 'atif') return plainJsonText(writeAtif(t));
  if (form === 'traj') return plainJsonText(writeNative(t));
  const { text } = renderTranscript(t);
  return plainLines(text.endsWith('\n') ? text : `${text}\n`);
}
