// Bundles what ships: the extension, the policy process and the command line. `--tests` adds the integration suite.
import { buildIntegrationSuite, buildProduct } from './lib/bundle.mjs';
import { runMain } from './lib/say.mjs';

await runMain(async () => {
  await buildProduct();
  if (process.argv.includes('--tests')) await buildIntegrationSuite();
});
