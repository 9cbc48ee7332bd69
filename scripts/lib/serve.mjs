import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runOrRefuse, startGroup, stopGroup } from './processes.mjs';
import { Refusal } from './say.mjs';

/** @typedef {import('./vscodeServer.mjs').VsCodeServer} VsCodeServer */
/**
 * @typedef {object} ServeOptions
 * @property {string} [dataFolder] kept afterwards; without it a temporary one that goes with the server
 * @property {string} [extensionsFolder]
 * @property {number} [port] 0, the default: any free one
 * @property {Record<string, unknown>} [settings] user settings beside the ones below
 * @property {readonly string[]} [args]
 * @property {NodeJS.ProcessEnv} [env]
 */
/**
 * @typedef {object} Served
 * @property {string} host authority of its addresses and of its vscode-remote: URIs
 * @property {(folder: string, payload: Record<string, string>) => string} address of a window on a folder
 * @property {(file: string) => string} uri of a file as a window names it
 * @property {() => string} log what the server has said
 * @property {Promise<void>} ended
 * @property {() => Promise<void>} stop
 */

/** A first start without questions, news and traffic. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.enabled': false,
};

/**
 * Serves VS Code on the loopback interface. A server without its connection token would be a shell for every user of the machine.
 * @param {VsCodeServer} server
 * @param {ServeOptions} [options]
 * @returns {Promise<Served>}
 */
export async function serve(server, { dataFolder, extensionsFolder, port = 0, settings = {}, args = [], env = {} } = {}) {
  const data = dataFolder ?? mkdtempSync(path.join(os.tmpdir(), 'turnlens-vscode-'));
  writeSettings(data, { ...quietSettings, ...settings });
  const child = startGroup(server.node, [
    server.main,
    ...['--host', '127.0.0.1', '--port', String(port), '--server-data-dir', data],
    ...(extensionsFolder ? ['--extensions-dir', extensionsFolder] : []),
    ...['--accept-server-license-terms', '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    // Only folders that we made ourselves are opened in it.
    '--disable-workspace-trust',
    ...args,
  ], { ...process.env, ...env });

  let log = '';
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    await stopGroup(child);
    if (!dataFolder) rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const { host, token } = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Refusal(`The VS Code server did not start within a minute.\n${log.slice(-2_000)}`)), 60_000);
      const listen = (/** @type {Buffer} */ text) => {
        log += text;
        const found = /Web UI available at \S*?:(\d+)\S*[?&]tkn=(\S+)/.exec(log);
        if (!found) return;
        clearTimeout(timer);
        resolve({ host: `127.0.0.1:${found[1]}`, token: found[2] });
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      void ended.then(() => { clearTimeout(timer); reject(new Refusal(`The VS Code server ended at once.\n${log.slice(-2_000)}`)); });
    });
    const uri = (/** @type {string} */ file) => `vscode-remote://${host}${encodeURI(file)}`;
    const address = (/** @type {string} */ folder, /** @type {Record<string, string>} */ payload) =>
      `http://${host}/?tkn=${token}&folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(Object.entries(payload)))}`;
    return { host, address, uri, log: () => log, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Installs a VSIX into an extensions folder, as the Extensions view does.
 * @param {VsCodeServer} server @param {string} vsix @param {string} extensionsFolder @param {string} [dataFolder]
 */
export async function installVsix(server, vsix, extensionsFolder, dataFolder) {
  const data = dataFolder ?? mkdtempSync(path.join(os.tmpdir(), 'turnlens-install-'));
  await runOrRefuse(
    server.node,
    [server.main, '--install-extension', vsix, '--force', '--extensions-dir', extensionsFolder, '--server-data-dir', data, '--accept-server-license-terms'],
    `${path.basename(vsix)} could not be installed`,
    { quiet: true },
  );
  if (!dataFolder) rmSync(data, { recursive: true, force: true });
}

/** Settings that are there already are the user's. @param {string} data @param {Record<string, unknown>} settings */
function writeSettings(data, settings) {
  const file = path.join(data, 'data', 'User', 'settings.json');
  if (existsSync(file)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings, null, 2));
}
