/**
 * `npm run bench -- [--policy DIR] [--input FILE…] [--turns N --turn-tokens M] [--rounds R] [--files] [--json]`: bundles the bench with the
 * product's sources as they are and runs it; with `--files` only what needs no policy. Bars stand on CPU time (user + system),
 * that of the policy's process against that of the peer's, since wall time says as much of the machine's other work; it is printed beside.
 */
import { bundleOne } from '../../scripts/lib/bundle.mjs';

// The runtime is loaded here and by the peers as well.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

/** Nothing is kept out of these bundles. */
const without = /^\b$/;
await bundleOne('out/policyProcess.js', { entry: 'test/bench/measuredProcess.ts', external: ['onnxruntime-node'], without });
await bundleOne('out/bench.js', { entry: 'test/bench/main.ts', external: [], without });
await import(new URL('../../out/bench.js', import.meta.url).href);
