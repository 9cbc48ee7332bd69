import { spawn } from 'node:child_process';
import { findProgram } from './tools.mjs';

/** Opens the user's browser where there is one to be seen; elsewhere the printed address has to do. @param {string} address */
export function openInBrowser(address) {
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return;
  const opener = findProgram('xdg-open');
  if (!opener) return;
  spawn(opener, [address], { stdio: 'ignore', detached: true }).on('error', () => undefined).unref();
}
