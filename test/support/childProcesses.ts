import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux alone tells which processes there are. */
export const knowsProcesses = existsSync('/proc/self/stat');

/** Children of this process whose command line has `part`. */
export function childrenWith(part: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'))?.[1];
        return Number(parent) === process.pid && readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(part);
      } catch {
        return false;
      }
    });
}
