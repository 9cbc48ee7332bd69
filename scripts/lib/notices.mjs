import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

/**
 * The licences of the packages that ship inside our files or beside them.
 * @param {readonly string[]} inputs files of the bundles, relative to the repository
 * @returns {string}
 */
export function thirdPartyNotices(inputs) {
  const bundled = inputs.flatMap((input) => /^.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(input)?.[0] ?? []);
  const folders = [...new Set([...bundled, 'node_modules/onnxruntime-node', 'node_modules/onnxruntime-common'])].sort();
  return ['Turnlens contains these packages.', ...folders.map((folder) => noticeOf(inRoot(folder)))].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** @param {string} folder of a package */
function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : `Licence: ${license}. Author: ${author?.name ?? author ?? 'see the package'}.`;
  return `${name} ${version} (${license})\n\n${text}`;
}
