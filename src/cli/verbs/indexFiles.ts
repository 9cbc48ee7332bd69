import { summarise } from '../../trajectory/summary';
import { demoPolicy } from '../bundled';
import { jsonListing, textListing, type FileProblem, type Listing } from '../listing';
import { plainLine } from '../plainText';
import { readOptions } from '../policy';
import { openFile } from '../records';
import type { Terminal } from '../terminal';
import { parse, UsageError } from '../usage';
import type { ExitCode, Verb } from '../verb';
import type { ReadOptions } from '../../trajectory/file';

export const indexFiles: Verb = {
  help: `usage: turnlens index FILE… [--json]
Lists the rollouts that files hold, without a policy.

  --json   one JSON object a file; docs/json.md describes it

Exit codes: 0; 1, at least one file or record could not be read (each is named);
2, wrong use.
`,
  async run(argv, terminal) {
    const { values, positionals } = parse(argv, { json: { type: 'boolean', default: false } });
    if (positionals.length === 0) throw new UsageError('no FILE to index');
    const options = await readOptions(demoPolicy);
    let exit: ExitCode = 0;
    for (const name of positionals) {
      const problems = await list(name, values.json ? jsonListing() : textListing(terminal.columns), options, terminal);
      for (const { record, message } of problems) terminal.say(`${plainLine(name)}: ${record === null ? '' : `record ${record}: `}${message}`);
      if (problems.length > 0) exit = 1;
    }
    return exit;
  },
};

async function list(name: string, listing: Listing, options: ReadOptions, terminal: Terminal): Promise<readonly FileProblem[]> {
  const file = await openFile(name, terminal.signal);
  if (typeof file === 'string') return unreadable(file);
  try {
    if (file.kind.kind === 'foreign') return await unreadable(file.kind.message);
    const problems: FileProblem[] = [];
    await terminal.print(listing.begin(name, file.kind.format));
    for (const { record } of file.records) {
      const read = await file.read(record, options);
      if (read.kind === 'problem') problems.push({ record, message: read.message });
      else await terminal.print(listing.record(record, summarise(read)));
    }
    await terminal.print(listing.end(problems));
    return problems;
  } finally {
    await file.close();
  }

  async function unreadable(message: string): Promise<readonly FileProblem[]> {
    const problems = [{ record: null, message }];
    await terminal.print(listing.begin(name, null) + listing.end(problems));
    return problems;
  }
}
