import { run } from './processes.mjs';
import { Refusal, say } from './say.mjs';
import { findProgram } from './tools.mjs';

/**
 * A Chromium for the workbench of the tests: `CHROMIUM`, else one on the PATH, else Debian's, installed where this is allowed.
 * @returns {Promise<string>} its path
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && findProgram('apt-get')) {
    say('Installing Chromium for the tests (apt-get install chromium) …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { quiet: true, env });
    // Without recommended packages no font would come along, and text would be boxes.
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core', 'fonts-liberation'], { quiet: true, env });
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new Refusal('The tests need Chromium: install it (Debian, Ubuntu: sudo apt-get install chromium), or set CHROMIUM to the path of one.');
}

const findChromium = () => findProgram(process.env['CHROMIUM'], 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome');
