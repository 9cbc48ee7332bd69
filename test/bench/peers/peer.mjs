/**
 * A peer in a process of its own: `peer.mjs naive|bareForks POLICY`, forked. It loads the policy, then answers `{ requests: FILE }` with `{ ms, results }`.
 * Time is taken in here: a peer pays for no traffic between processes.
 */
import { readFileSync } from 'node:fs';

import { bareForks } from './bareForks.mjs';
import { loadDecoder } from './decoder.mjs';
import { naive } from './naive.mjs';

const [name, folder = '.'] = process.argv.slice(2);
const peer = name === 'naive' ? naive : bareForks;
const decoder = await loadDecoder(folder);

process.on('message', async (message) => {
  const { requests: file } = /** @type {{ requests: string }} */ (message);
  const { requests } = JSON.parse(readFileSync(file, 'utf8'));
  const start = performance.now();
  const results = await peer(decoder, requests);
  process.send?.({ ms: performance.now() - start, results });
});
process.send?.({ ready: true });
