import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { thirdPartyNotices } from './notices.mjs';
import { inRoot, root } from './paths.mjs';
import { Refusal } from './say.mjs';

/** @typedef {{ entry: string, external: string[], without: RegExp, page?: true }} Bundle `page`: runs in a page, not in Node */

/** Only the policy's own process may know the runtime and the tokenizer: nothing else pays for loading them. */
const runtime = /node_modules\/(onnxruntime-|@huggingface\/)/;
const nothing = /^\b$/;

/** @type {Record<string, Bundle>} what lies in dist/, by name */
const product = {
  extension: { entry: 'src/editor/extension.ts', external: ['vscode'], without: runtime },
  policyProcess: { entry: 'src/policy/process.ts', external: ['onnxruntime-node'], without: nothing },
  turnlens: { entry: 'src/cli/main.ts', external: [], without: runtime },
  webview: { entry: 'webview/main.tsx', external: [], without: runtime, page: true },
};

/** Bundles the extension, the policy process, the command line and the panel's page into dist/, with the licences of what is in them. */
export async function buildProduct() {
  const inputs = [];
  for (const [name, bundle] of Object.entries(product)) inputs.push(...(await bundleOne(`dist/${name}.js`, bundle)));
  writeFileSync(inRoot('dist', 'ThirdPartyNotices.txt'), thirdPartyNotices(inputs));
}

/** Bundles every file of the integration suite into out/integration/, one each: mocha loads them in the extension host. */
export async function buildIntegrationSuite() {
  rmSync(inRoot('out', 'integration'), { recursive: true, force: true });
  const names = readdirSync(inRoot('test', 'integration')).filter((name) => /^index\.ts$|\.test\.ts$/.test(name));
  for (const name of names) {
    await bundleOne(`out/integration/${name.replace(/\.ts$/, '.js')}`, { entry: `test/integration/${name}`, external: ['vscode', 'mocha'], without: runtime });
  }
  await bundleOne('out/integration/faultyPolicyProcess.js', { entry: 'test/support/faultyPolicyProcess.ts', external: ['onnxruntime-node'], without: nothing });
}

/** Whether dist/ is there and younger than everything it is made from. */
export function isProductFresh() {
  const outputs = Object.keys(product).map((name) => inRoot('dist', `${name}.js`));
  if (!outputs.every((file) => existsSync(file))) return false;
  const oldest = Math.min(...outputs.map((file) => statSync(file).mtimeMs));
  return oldest > Math.max(...['src', 'webview', 'package-lock.json', 'scripts/lib/bundle.mjs'].map((part) => newestOf(inRoot(part))));
}

/** @param {string} file @returns {number} the latest change of a file or of anything in a folder, in milliseconds */
export function newestOf(file) {
  const stat = statSync(file);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(file).map((name) => newestOf(path.join(file, name))));
}

/** @type {import('esbuild').BuildOptions} */
const forNode = {
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
};
/** @type {import('esbuild').BuildOptions} */
const forPage = { platform: 'browser', format: 'esm', target: 'es2022', minify: true, jsx: 'automatic', jsxImportSource: 'preact' };

/** @param {string} outfile @param {Bundle} bundle @returns {Promise<string[]>} the files in it */
export async function bundleOne(outfile, { entry, external, without, page }) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    external,
    bundle: true,
    ...(page ? forPage : forNode),
    // Some packages' CommonJS form cannot be bundled (jsonc-parser's requires by computed names).
    mainFields: ['module', 'main'],
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  const wrong = Object.keys(metafile.inputs).find((input) => without.test(input));
  if (wrong) throw new Refusal(`${outfile} contains ${wrong}, which belongs to the policy's process alone.`);
  return Object.keys(metafile.inputs);
}
