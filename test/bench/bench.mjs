/** `npm run bench [-- --policy DIR] [-- --input FILE] [-- --json]`: bundles the bench with the product's sources as they are and runs it. */
import { bundleOne } from '../../scripts/lib/bundle.mjs';

/** Nothing is kept out of these bundles. */
const without = /^\b$/;
await bundleOne('out/policyProcess.js', { entry: 'src/policy/process.ts', external: ['onnxruntime-node'], without });
await bundleOne('out/bench.js', { entry: 'test/bench/main.ts', external: [], without });
await import(new URL('../../out/bench.js', import.meta.url).href);
