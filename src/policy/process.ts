import type { ToPolicy } from './protocol';
import { PolicyServer, type Port } from './serve';

/** Entry point of the policy's process: it owns the runtime, so that a crash, a hang or a lack of memory there is a message elsewhere. */

// ONNX Runtime's float16 tensors are broken where this exists; without it they are Uint16Array.
Reflect.deleteProperty(globalThis, 'Float16Array');

const port: Port = {
  send(message) {
    if (process.connected) process.send?.(message);
  },
};
const server = new PolicyServer(port);
process.on('message', (message: ToPolicy) => { server.receive(message); });
// Ctrl+C reaches every process of a terminal: the parent decides.
process.on('SIGINT', () => undefined);
// The parent is gone, however it went.
process.on('disconnect', () => process.exit(0));
