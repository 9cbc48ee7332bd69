// The command line from a clone: builds it where it is missing or older than its sources, then hands over to it.
import { spawn } from 'node:child_process';
import { inRoot } from './lib/paths.mjs';
import { ensureNpmPackages } from './lib/npmPackages.mjs';
import { runMain } from './lib/say.mjs';

await runMain(async () => {
  await ensureNpmPackages();
  const { buildProduct, isProductFresh } = await import('./lib/bundle.mjs');
  if (!isProductFresh()) await buildProduct();
  // npm changes into the repository; paths are meant from where the user stands.
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  const child = spawn(process.execPath, [inRoot('dist', 'turnlens.js'), ...process.argv.slice(2)], { cwd, stdio: 'inherit' });
  // A terminal sends Ctrl+C to both; the command line decides how it ends.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 130)));
});
