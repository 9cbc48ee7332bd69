import { writeFileSync } from 'node:fs';
import '../../src/policy/process';

/** The policy's process as it is, that notes down before each answer what it has used so far: `TURNLENS_BENCH_USAGE` names the file. */

const file = process.env['TURNLENS_BENCH_USAGE'];
const send = process.send?.bind(process);
if (file !== undefined && send) {
  process.send = ((message: { readonly kind?: string }) => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    if (message.kind === 'answer') writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 }));
    return send(message);
  }) as NonNullable<typeof process.send>;
}
