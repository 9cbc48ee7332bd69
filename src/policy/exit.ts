import { PolicyError } from '../replay/policy';
import { outOfMemory } from './outOfMemory';

/** How a process ended by itself, as an error for whoever waited for it. `lastWords`: the end of what it wrote to standard error. */
export function exitError(code: number | null, signal: NodeJS.Signals | null, lastWords: string): PolicyError {
  const remedy = 'close other programs or select a smaller policy, then score again';
  if (outOfMemory(lastWords)) return new PolicyError('out-of-memory', `The policy's process ran out of memory; ${remedy}.`);
  if (signal === 'SIGKILL') return new PolicyError('out-of-memory', `The policy's process was killed from outside, as systems do when memory runs out; ${remedy}.`);
  if (/onnxruntime/.test(lastWords) && /Cannot find module|ERR_DLOPEN_FAILED/.test(lastWords)) {
    return new PolicyError('load-failed', `ONNX Runtime cannot be loaded on this system (${process.platform}-${process.arch}); install the Turnlens that is made for it.`);
  }
  const how = signal ?? `exit code ${String(code)}`;
  return new PolicyError('crashed', `The policy's process ended unexpectedly (${how}); what was finished is kept, score again to go on.`);
}

/** Whether somebody else ended a process: by a signal that no crash raises, or, on Windows, with the code that its task manager leaves. */
export function endedFromOutside(code: number | null, signal: NodeJS.Signals | null, platform: NodeJS.Platform = process.platform): boolean {
  return signal === null ? platform === 'win32' && code === 1 : ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'].includes(signal);
}
