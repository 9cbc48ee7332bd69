// Opens VS Code with the extension and a copy of a sample trajectory, scored as it opens.
// usage: npm start [-- --browser] [-- --no-open]
//   --browser   VS Code in the browser even where desktop VS Code is installed
//   --no-open   print the address, open no browser
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findDesktop, isRemoteTerminal, openOnDesktop, openThroughRemote } from './lib/desktop.mjs';
import { ensureNpmPackages } from './lib/npmPackages.mjs';
import { cache } from './lib/paths.mjs';
import { installVsix, serve } from './lib/serve.mjs';
import { openInBrowser } from './lib/openInBrowser.mjs';
import { Refusal, runMain, say } from './lib/say.mjs';
import { findProgram } from './lib/tools.mjs';
import { ensureVsCodeServer, whyNoVsCodeServer } from './lib/vscodeServer.mjs';
import { copySamples, firstSample } from './lib/workspace.mjs';

/** Fixed, so that a forwarded port and the browser's memory of the window stay the same; another one where it is taken. */
const preferredPort = 7341;

await runMain(async () => {
  const { values } = parseArgs({ options: { browser: { type: 'boolean', default: false }, 'no-open': { type: 'boolean', default: false } } });
  await ensureNpmPackages();
  // After the packages: both need them.
  const { buildProduct, isProductFresh } = await import('./lib/bundle.mjs');
  const { ensureVsix } = await import('./lib/vsix.mjs');
  if (!isProductFresh()) {
    say('Building the extension …');
    await buildProduct();
  }
  const folder = path.join(cache, 'turnlens-samples');
  copySamples(folder, { 'turnlens.scoreOnOpen': true });
  const opened = { folder, file: path.join(folder, firstSample) };

  const desktop = values.browser ? undefined : await findDesktop();
  if (desktop) {
    say(`Opening ${path.basename(opened.file)} in desktop VS Code. Close its window when you are done.`);
    return openOnDesktop(desktop, opened);
  }
  const remote = values.browser || !isRemoteTerminal() ? undefined : findProgram(process.env['VSCODE'], 'code', 'code-insiders');
  if (remote) {
    say('Installing the extension into the VS Code that this terminal belongs to …');
    await openThroughRemote(remote, await ensureVsix(), opened);
    say('A window opens. If it asks whether you trust the folder: it holds copies of the samples, and scoring needs your yes.');
    return;
  }
  await startInBrowser(await ensureVsix(), opened, !values['no-open']);
});

/** @param {string} vsix @param {import('./lib/desktop.mjs').Opened} opened @param {boolean} open whether to open a browser */
async function startInBrowser(vsix, opened, open) {
  const refusal = whyNoVsCodeServer();
  if (refusal) throw new Refusal(`No desktop VS Code was found (install it, or set VSCODE to its \`code\` command). ${refusal}`);
  const server = await ensureVsCodeServer();
  const data = path.join(cache, 'browser-profile');
  const extensionsFolder = path.join(cache, 'browser-extensions');
  say('Starting VS Code in the browser …');
  if (!isInstalled(vsix, extensionsFolder)) await installVsix(server, vsix, extensionsFolder, data);
  const served = await serve(server, { dataFolder: data, extensionsFolder, port: (await isFree(preferredPort)) ? preferredPort : 0 });
  const address = served.address(opened.folder, { skipWelcome: 'true', openFile: served.uri(opened.file) });
  say(`\nVS Code with Turnlens, for this machine only, until you press Ctrl+C:\n\n  ${address}\n`);
  if (open) openInBrowser(address);
  endWithNpm();
  await served.ended;
  throw new Refusal('The VS Code server ended by itself.');
}

/** Whoever ends npm by its process id ends its shell, which passes no signal on. */
function endWithNpm() {
  const shell = process.ppid;
  if (process.env['npm_lifecycle_event']) setInterval(() => process.ppid !== shell && process.exit(130), 1_000).unref();
}

/** @param {string} vsix @param {string} extensionsFolder */
function isInstalled(vsix, extensionsFolder) {
  const list = path.join(extensionsFolder, 'extensions.json');
  return existsSync(list) && statSync(list).mtimeMs > statSync(vsix).mtimeMs;
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
