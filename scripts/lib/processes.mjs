import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { Refusal } from './say.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, quiet?: boolean }} RunOptions */

/**
 * Runs a command to its end; never throws for what the command does.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options] `quiet` keeps the output for the caller instead of showing it
 * @returns {Promise<{ code: number, output: string }>} code 127: could not be started, 124: out of time
 */
export function run(command, args, { cwd = root, env = process.env, timeoutMs, quiet = false } = {}) {
  return new Promise((resolve) => {
    // Windows starts .cmd files through a shell only.
    const shell = process.platform === 'win32' && /\.cmd$/i.test(command);
    const child = spawn(shell ? `"${command}"` : command, shell ? args.map((a) => `"${a}"`) : [...args], {
      cwd,
      env,
      shell,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', process.stderr, process.stderr],
    });
    let output = '';
    let late = false;
    const keep = (/** @type {Buffer} */ data) => (output += data.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => { late = true; child.kill('SIGKILL'); }, timeoutMs);
    const end = (/** @type {number} */ code) => { clearTimeout(timer); resolve({ code: late ? 124 : code, output }); };
    child.on('error', (error) => { output += error.message; end(127); });
    child.on('close', (code, signal) => end(code ?? (signal ? 1 : 0)));
  });
}

/**
 * Runs a command that has to succeed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} purpose what failed, as the start of a sentence
 * @param {RunOptions} [options]
 * @returns {Promise<string>} its output where `quiet`
 */
export async function runOrRefuse(command, args, purpose, options = {}) {
  const { code, output } = await run(command, args, options);
  if (code === 0) return output;
  const tail = output.trim().split('\n').slice(-15).join('\n');
  throw new Refusal(`${purpose} (${command} ended with code ${code}).${tail ? `\n${tail}` : ''}`);
}

/**
 * npm as it was called for this run, else the one on the PATH.
 * @param {readonly string[]} args
 * @returns {[command: string, args: string[]]}
 */
export function npmCommand(args) {
  const cli = process.env['npm_execpath'];
  if (cli && /npm-cli\.c?js$/.test(cli)) return [process.execPath, [cli, ...args]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', [...args]];
}

/** @type {Set<ChildProcess>} */
const groups = new Set();
let watching = false;

/**
 * Starts a long-lived child in a process group of its own, which is ended with this process whatever ends it.
 * A VS Code server has extension hosts, and they have policy processes: only the group reaches all of them.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function startGroup(command, args, env) {
  const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  groups.add(child);
  if (!watching) {
    watching = true;
    process.once('exit', () => groups.forEach((each) => signalGroup(each, 'SIGKILL')));
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.once(signal, () => process.exit(130));
  }
  return child;
}

/** Ends a group: politely, then for good. @param {ChildProcess} child */
export async function stopGroup(child) {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    signalGroup(child, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 3_000);
    await gone;
    clearTimeout(timer);
  }
  signalGroup(child, 'SIGKILL');
  groups.delete(child);
}

/** @param {ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group is gone already.
  }
}
