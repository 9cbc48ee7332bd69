// Copies the README's pictures from what the last UI tests left in test-results/screenshots.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot, results } from './lib/paths.mjs';
import { Refusal, runMain, say } from './lib/say.mjs';

await runMain(async () => {
  const named = [...readFileSync(inRoot('README.md'), 'utf8').matchAll(/\]\(media\/screenshots\/([\w-]+\.png)\)/g)].map((match) => match[1] ?? '');
  const missing = named.filter((name) => !existsSync(path.join(results, 'screenshots', name)));
  if (missing.length > 0) throw new Refusal(`The last UI tests took no ${missing.join(', ')}; run npm run test:ui first.`);
  mkdirSync(inRoot('media', 'screenshots'), { recursive: true });
  for (const name of named) copyFileSync(path.join(results, 'screenshots', name), inRoot('media', 'screenshots', name));
  say(`${named.length} pictures in media/screenshots: look at them before you commit them.`);
});
