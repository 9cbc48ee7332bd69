import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ToPolicy } from '../../src/policy/protocol';
import { PolicyServer } from '../../src/policy/serve';

/**
 * The policy's process, real in all but one thing: it breaks on demand. It looks for orders in the file `fault` beside itself (or where TURNLENS_FAULT_FILE says):
 * `crash N`, `kill N`, `hang N` or `memory N`, done after N more runs of the model. An order is carried out once, so that the next process works.
 */

const orders = process.env['TURNLENS_FAULT_FILE'] ?? path.join(__dirname, 'fault');
let runs = 0;

const faults: Readonly<Record<string, () => void>> = {
  crash: () => process.abort(),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  hang: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  memory: () => {
    process.stderr.write('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n');
    process.abort();
  },
};

function afterRun(): void {
  if (!existsSync(orders)) return;
  const [fault = '', after = '0'] = readFileSync(orders, 'utf8').trim().split(' ');
  if (++runs < Number(after)) return;
  rmSync(orders, { force: true });
  faults[fault]?.();
}

const server = new PolicyServer({ send: (message) => process.send?.(message) }, afterRun);
process.on('message', (message: ToPolicy) => { server.receive(message); });
process.on('disconnect', () => process.exit(0));
