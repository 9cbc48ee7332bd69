import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { buildProduct, isProductFresh, newestOf } from './bundle.mjs';
import { inRoot, manifest, root } from './paths.mjs';
import { runOrRefuse } from './processes.mjs';
import { Refusal, say } from './say.mjs';
import { namesInZip } from './zip.mjs';

const target = `${process.platform}-${process.arch}`;
const binaries = `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`;

/** Where this platform's package lies. */
export const vsixFile = () => inRoot(`turnlens-${target}-${manifest().version}.vsix`);

/** What has to be in a package that works; the last one's absence breaks activation without a word. */
const required = [
  'extension/package.json',
  'extension/readme.md',
  'extension/changelog.md',
  'extension/LICENSE.txt',
  'extension/dist/extension.js',
  'extension/dist/policyProcess.js',
  'extension/dist/turnlens.js',
  'extension/dist/webview.js',
  'extension/dist/webview.css',
  'extension/dist/ThirdPartyNotices.txt',
  'extension/media/traj.schema.json',
  'extension/media/policy/model.onnx',
  `extension/${binaries}/onnxruntime_binding.node`,
  'extension/node_modules/onnxruntime-common/dist/cjs/package.json',
];

/** What may be in it. */
const allowed = [
  /^(extension\.vsixmanifest|\[Content_Types\]\.xml)$/,
  /^extension\/(package(\.nls)?\.json|readme\.md|changelog\.md|LICENSE\.txt|language-configuration\.json)$/,
  /^extension\/dist\/((extension|policyProcess|turnlens|webview)\.js|webview\.css|ThirdPartyNotices\.txt)$/,
  /^extension\/media\/[\w./-]+\.(json|jinja|jsonl|md|onnx|png|svg|traj)$/,
  /^extension\/node_modules\/onnxruntime-(node|common)\/(package\.json|LICENSE.*|dist\/[\w./-]+\.js|dist\/cjs\/package\.json)$/,
];

const largestMegabytes = 40;

/** Builds and packages the extension for this platform, unless the package is younger than everything in it. @returns {Promise<string>} its path */
export async function ensureVsix() {
  const file = vsixFile();
  const parts = ['package.json', 'README.md', 'CHANGELOG.md', '.vscodeignore', 'dist', 'media', 'scripts/lib/vsix.mjs'];
  if (isProductFresh() && existsSync(file) && statSync(file).mtimeMs > Math.max(...parts.map((part) => newestOf(inRoot(part))))) return file;
  return packageVsix();
}

/** Builds, packages and checks. @returns {Promise<string>} the package's path */
export async function packageVsix() {
  if (!existsSync(inRoot(binaries))) throw new Refusal(`ONNX Runtime has no build for ${target}, so there is no package for it.`);
  await buildProduct();
  const file = vsixFile();
  rmSync(file, { force: true });
  await runOrRefuse(
    process.execPath,
    [
      inRoot('node_modules', '@vscode', 'vsce', 'vsce'),
      ...['package', '--target', target, '--out', file, '--ignoreFile', writeIgnoreFile()],
      ...['--allow-missing-repository', '--no-rewrite-relative-links'],
    ],
    'The extension could not be packaged',
    { quiet: true },
  );
  checkContents(file);
  return file;
}

/** `.vscodeignore` and this platform's binaries: vsce's own target does not prune them. */
function writeIgnoreFile() {
  mkdirSync(inRoot('out'), { recursive: true });
  const file = inRoot('out', `vscodeignore-${target}`);
  writeFileSync(file, `${readFileSync(inRoot('.vscodeignore'), 'utf8')}!${binaries}/**\n`);
  return file;
}

/** @param {string} file */
function checkContents(file) {
  const names = namesInZip(readFileSync(file));
  const missing = required.filter((name) => !names.includes(name));
  const unexpected = names.filter((name) => !name.startsWith(`extension/${binaries}/`) && !allowed.some((pattern) => pattern.test(name)));
  const megabytes = statSync(file).size / 1e6;
  say(`${file.slice(root.length + 1)}: ${names.length} files, ${megabytes.toFixed(1)} MB`);
  const wrong = [
    ...missing.map((name) => `it lacks ${name}`),
    ...unexpected.map((name) => `it contains ${name}`),
    ...(megabytes > largestMegabytes ? [`it is larger than ${largestMegabytes} MB`] : []),
  ];
  if (wrong.length > 0) throw new Refusal(`The package is not what it should be: ${wrong.join(', ')}.`);
}
