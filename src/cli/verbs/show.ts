import { renderTranscript } from '../../trajectory/transcript';
import { demoPolicy } from '../bundled';
import { plainLine, plainLines } from '../plainText';
import { readOptions } from '../policy';
import { openFile } from '../records';
import type { Terminal } from '../terminal';
import { parse, recordNumber, UsageError } from '../usage';
import type { Verb } from '../verb';

export const show: Verb = {
  help: `usage: turnlens show FILE [--record N]
Prints the transcript of one rollout, as the editor shows it.

  --record N   which record of the file, counted from 0 (default: 0)

Exit codes: 0; 1, the record could not be read; 2, wrong use.
`,
  async run(argv, terminal) {
    const { values, positionals } = parse(argv, { record: { type: 'string', default: '0' } });
    const [name] = positionals;
    if (name === undefined || positionals.length > 1) throw new UsageError('show wants one FILE');
    const problem = await print(name, recordNumber(values.record), terminal);
    if (problem === undefined) return 0;
    terminal.say(`${plainLine(name)}: ${problem}`);
    return 1;
  },
};

/** `undefined`: printed; else why not. */
async function print(name: string, record: number, terminal: Terminal): Promise<string | undefined> {
  const file = await openFile(name, terminal.signal);
  if (typeof file === 'string') return file;
  try {
    if (file.kind.kind === 'foreign') return file.kind.message;
    const read = await file.read(record, await readOptions(demoPolicy));
    if (read.kind === 'problem') return read.message;
    const { text } = renderTranscript(read.trajectory);
    await terminal.print(plainLines(text.endsWith('\n') ? text : `${text}\n`));
    return undefined;
  } finally {
    await file.close();
  }
}
