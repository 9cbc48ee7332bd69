/**
 * A peer in a process of its own: `peer.mjs naive|bareForks POLICY [GRAPH]`, forked. It loads the policy, then answers `{ requests: FILE }` with `{ ms, cpu, results }`,
 * wall and CPU time in milliseconds. Once loaded it says what a token of its cache takes: `{ columnBytes }`.
 * Time is taken in here: a peer pays for no traffic between processes.
 */
import { readFileSync } from 'node:fs';

import { bareForks } from './bareForks.mjs';
import { loadDecoder } from './decoder.mjs';
import { naive } from './naive.mjs';

const [name, folder = '.', graph] = process.argv.slice(2);
const peer = name === 'naive' ? naive : bareForks;
const decoder = await loadDecoder(folder, graph);

process.on('message', async (message) => {
  const { requests: file } = /** @type {{ requests: string }} */ (message);
  const { requests } = JSON.parse(readFileSync(file, 'utf8'));
  const start = performance.now();
  const before = process.cpuUsage();
  const results = await peer(decoder, requests);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ms: performance.now() - start, cpu: (user + system) / 1000, results });
});
process.send?.({ columnBytes: decoder.columnBytes });
