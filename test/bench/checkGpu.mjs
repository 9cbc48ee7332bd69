/** `npm run check:gpu`: bundles the check with the product's sources as they are and runs it. */
import { bundleOne } from '../../scripts/lib/bundle.mjs';

// The runtime is loaded here and by the peers as well.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

await bundleOne('out/checkGpu.js', { entry: 'test/bench/checkGpu.ts', external: ['onnxruntime-node'], without: /^\b$/ });
await import(new URL('../../out/checkGpu.js', import.meta.url).href);
