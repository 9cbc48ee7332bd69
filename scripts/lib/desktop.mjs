import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cache, manifest, root } from './paths.mjs';
import { run, runOrRefuse } from './processes.mjs';
import { quietSettings } from './serve.mjs';
import { findProgram } from './tools.mjs';

/** @typedef {{ folder: string, file: string }} Opened a folder and the file in it to show; both absolute */

/**
 * The `code` command of a desktop VS Code that can host a development extension here.
 * @returns {Promise<string | undefined>}
 */
export async function findDesktop() {
  if (isRemoteTerminal() || (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])) return undefined;
  const code = findProgram(process.env['VSCODE'], 'code', 'code-insiders', 'codium', ...installedPlaces());
  if (!code) return undefined;
  const { output } = await run(code, [...asRoot(), '--version'], { quiet: true, timeoutMs: 30_000, env: cleanEnvironment() });
  const version = /^(\d+)\.(\d+)\.\d+/m.exec(output);
  const [major, minor] = manifest().engines.vscode.slice(1).split('.').map(Number);
  if (!version || Number(version[1]) !== major || Number(version[2]) < (minor ?? 0)) return undefined;
  return code;
}

/** Opens a window with the extension from this repository, in a profile of its own: the user's is left alone. @param {string} code @param {Opened} opened */
export async function openOnDesktop(code, { folder, file }) {
  const profile = path.join(cache, 'desktop-profile');
  const settings = path.join(profile, 'User', 'settings.json');
  mkdirSync(path.dirname(settings), { recursive: true });
  if (!existsSync(settings)) writeFileSync(settings, JSON.stringify(quietSettings, null, 2));
  await runOrRefuse(
    code,
    [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--user-data-dir', profile, '--extensions-dir', path.join(cache, 'desktop-extensions')],
      ...[`--extensionDevelopmentPath=${root}`, '--disable-workspace-trust', '--skip-welcome', '--new-window'],
      ...[folder, '--goto', `${file}:1`],
    ],
    'VS Code could not be opened',
    { env: cleanEnvironment() },
  );
}

/** A terminal of Remote-SSH or WSL: its `code` opens files and installs extensions in the window it belongs to, and cannot host a development extension. */
export const isRemoteTerminal = () => Boolean(process.env['VSCODE_IPC_HOOK_CLI']) || isWsl();

/** Installs the package through the remote `code`, and opens the folder with it. @param {string} code @param {string} vsix @param {Opened} opened */
export async function openThroughRemote(code, vsix, { folder, file }) {
  await runOrRefuse(code, ['--install-extension', vsix, '--force'], 'VS Code did not install the package');
  await runOrRefuse(code, ['--new-window', folder, '--goto', `${file}:1`], 'VS Code did not open the sample');
}

function isWsl() {
  if (process.platform !== 'linux' || !process.env['WSL_DISTRO_NAME']) return false;
  return /microsoft/i.test(readFileSync('/proc/version', 'utf8'));
}

/** Where installers put the command without putting it on the PATH. */
function installedPlaces() {
  if (process.platform === 'darwin') {
    return ['/Applications', path.join(os.homedir(), 'Applications')].flatMap((folder) =>
      ['Visual Studio Code.app', 'Visual Studio Code - Insiders.app'].map((app) => path.join(folder, app, 'Contents', 'Resources', 'app', 'bin', 'code')),
    );
  }
  const local = process.env['LOCALAPPDATA'];
  return process.platform === 'win32' && local ? [path.join(local, 'Programs', 'Microsoft VS Code', 'bin', 'code.cmd')] : [];
}

/** VS Code refuses to run as root without both. */
const asRoot = () => (process.getuid?.() === 0 ? ['--no-sandbox', '--user-data-dir', path.join(cache, 'desktop-profile')] : []);

/** Started from a terminal of VS Code itself, a second one would take these for its own. */
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_RUN_AS_NODE$)/.test(name)));
}
