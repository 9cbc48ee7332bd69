import { writeFileSync } from 'node:fs';
import type { ToPolicy } from '../../src/policy/protocol';
import { PolicyServer } from '../../src/policy/serve';

/**
 * The policy's process, real in all but one thing: before each answer it notes down what it has used so far, in the file that
 * `TURNLENS_BENCH_USAGE` names.
 */

Reflect.deleteProperty(globalThis, 'Float16Array');

const file = process.env['TURNLENS_BENCH_USAGE'] ?? '';
const server = new PolicyServer(
  {
    send(message) {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      if (message.kind === 'answer') writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024, resident: process.memoryUsage.rss() }));
      process.send?.(message);
    },
  },
);
process.on('message', (message: ToPolicy) => { server.receive(message); });
process.on('disconnect', () => process.exit(0));
