import { debuglog } from 'node:util';

import { version } from '../../package.json';
import { PolicyError } from '../replay/policy';
import { openTerminal, Stop, type Terminal } from './terminal';
import { UsageError } from './usage';
import type { Verb } from './verb';
import { indexFiles } from './verbs/indexFiles';
import { score } from './verbs/score';
import { show } from './verbs/show';

const verbs: Readonly<Record<string, Verb>> = { score, index: indexFiles, show };

const help = `usage: turnlens VERB FILE… [options]
What every search turn of a trajectory was worth, replayed against a local policy.

${Object.entries(verbs)
  .map(([name, verb]) => `  ${name.padEnd(8)}${verb.help.split('\n')[1] ?? ''}`)
  .join('\n')}

  turnlens VERB --help   the options of one verb
  turnlens --version
`;

async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined) throw new UsageError('no verb');
  if (name === '--help' || name === '-h' || name === 'help') {
    await terminal.print(help);
    return 0;
  }
  if (name === '--version') {
    await terminal.print(`${version}\n`);
    return 0;
  }
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) throw new UsageError(`there is no verb "${name}"; choose from ${Object.keys(verbs).join(', ')}`);
  const end = rest.indexOf('--');
  if ((end === -1 ? rest : rest.slice(0, end)).some((word) => word === '--help' || word === '-h')) {
    await terminal.print(verb.help);
    return 0;
  }
  return await verb.run(rest, terminal);
}

/** The exit code for what ended a run. A stack trace is for who asked for it: NODE_DEBUG=turnlens. */
function explain(error: unknown, argv: readonly string[], terminal: Terminal): number {
  const stopped: unknown = terminal.signal.reason;
  if (stopped instanceof Stop) return stopped.exitCode;
  if (error instanceof UsageError) {
    const [name] = argv;
    terminal.say(`${error.message}; see turnlens ${name !== undefined && Object.hasOwn(verbs, name) ? `${name} ` : ''}--help`);
    return 2;
  }
  if (error instanceof PolicyError) {
    terminal.say(error.message);
    return 2;
  }
  debuglog('turnlens')('%O', error);
  terminal.say(`this is a bug of Turnlens: ${error instanceof Error ? error.message : String(error)}`);
  return 1;
}

const argv = process.argv.slice(2);
const terminal = openTerminal();
const finished = async (): Promise<number> => {
  const code = await run(argv, terminal);
  await terminal.flush();
  return code;
};
finished().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.exitCode = explain(error, argv, terminal);
  },
);
