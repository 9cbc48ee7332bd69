// Packages the extension for this platform and checks what is in the package.
import { ensureNpmPackages } from './lib/npmPackages.mjs';
import { runMain } from './lib/say.mjs';

await runMain(async () => {
  await ensureNpmPackages();
  const { packageVsix } = await import('./lib/vsix.mjs');
  await packageVsix();
});
