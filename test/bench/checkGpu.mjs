/** `npm run check:gpu`: bundles the check with the product's sources as they are and runs it. */
import { bundleOne } from '../../scripts/lib/bundle.mjs';

await bundleOne('out/checkGpu.js', { entry: 'test/bench/checkGpu.ts', external: ['onnxruntime-node'], without: /^\b$/ });
await import(new URL('../../out/checkGpu.js', import.meta.url).href);
