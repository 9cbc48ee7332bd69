import { summarise } from '../../trajectory/summary';
import { demoPolicy } from '../bundled';
import { dialectsHelp, dialectsOption, readDialects } from '../dialects';
import { jsonListing, textListing, type FileProblem, type Listing } from '../listing';
import { readOptions } from '../policy';
import { problemLine } from '../problemLine';
import { openFile, type OpenedFile } from '../records';
import type { Terminal } from '../terminal';
import { parse, UsageError } from '../usage';
import type { ExitCode, Verb } from '../verb';
import type { ReadOptions, TrajectoryFile } from '../../trajectory/file';
import type { Format } from '../../trajectory/records';

export const indexFiles: Verb = {
  help: `usage: turnlens index FILE… [options]
Lists the rollouts that files hold, without a policy.

  --json                   one JSON object a file; docs/json.md describes it
${dialectsHelp}
Exit codes: 0; 1, at least one file or record could not be read (each is named);
2, wrong use.
`,
  async run(argv, terminal) {
    const { values, positionals } = parse(argv, { json: { type: 'boolean', default: false }, ...dialectsOption });
    if (positionals.length === 0) throw new UsageError('no FILE to index');
    const options = await readOptions(demoPolicy, await readDialects(values.dialects));
    let exit: ExitCode = 0;
    for (const name of positionals) {
      const problems = await list(name, values.json ? jsonListing() : textListing(terminal.columns), options, terminal);
      for (const { record, message } of problems) terminal.say(problemLine(name, record, message));
      if (problems.length > 0) exit = 1;
    }
    return exit;
  },
};

/** Records are listed while the file is still being searched for them. */
async function list(name: string, listing: Listing, options: ReadOptions, terminal: Terminal): Promise<readonly FileProblem[]> {
  const problems: FileProblem[] = [];
  let next = 0;
  const listFound = async ({ kind, records, read }: TrajectoryFile): Promise<void> => {
    if (kind.kind === 'foreign') return;
    if (next === 0 && records.length > 0) await terminal.print(listing.begin(name, kind.format));
    for (; next < records.length; next++) {
      const found = await read(next, options);
      if (found.kind === 'problem') problems.push({ record: next, message: found.message });
      else await terminal.print(listing.record(next, summarise(found)));
    }
  };
  const file = await openFile(name, terminal.signal, options.dialects, listFound);
  const refused = typeof file === 'string' ? file : file.kind.kind === 'foreign' ? file.kind.message : undefined;
  try {
    if (typeof file !== 'string') await listFound(file);
    if (refused !== undefined) problems.push({ record: null, message: refused });
    await terminal.print((next === 0 ? listing.begin(name, formatOf(file)) : '') + listing.end(problems));
    return problems;
  } finally {
    if (typeof file !== 'string') await file.close();
  }
}

const formatOf = (file: OpenedFile | string): Format | null => (typeof file === 'string' || file.kind.kind === 'foreign' ? null : file.kind.format);
