import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import util from 'node:util';
import Mocha from 'mocha';
import type { Report } from './report';

/** Marks a line as the suite's own: in the server's host everything that is logged ends in one stream. */
const say = (...line: unknown[]): void => {
  for (const each of util.format(...line).split('\n')) console.log(`[test] ${each}`);
};

/** What every test host calls, inside the extension host. Rejects where a test failed. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  Mocha.reporters.Base.consoleLog = say;
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 240_000, slow: 2_000 });
  const grep = process.env['TURNLENS_TEST_GREP'];
  if (grep) mocha.grep(grep);
  for (const name of readdirSync(__dirname)) if (name.endsWith('.test.js')) mocha.addFile(path.join(__dirname, name));

  const report: Report = { finished: false, passed: 0, failed: 0, skipped: 0 };
  const save = (): void => {
    const file = process.env['TURNLENS_TEST_REPORT'];
    if (file) writeFileSync(file, JSON.stringify(report, null, 2));
  };
  await new Promise<void>((resolve, reject) => {
    const runner = mocha.run((failures) => {
      report.finished = true;
      save();
      if (failures > 0) reject(new Error(`${failures} tests failed`));
      else resolve();
    });
    // Written at every step: where the host dies, the report names the test that it died in.
    runner.on('test', (test) => { report.current = test.fullTitle(); save(); });
    runner.on('pass', () => { report.passed++; });
    runner.on('fail', () => { report.failed++; });
    runner.on('pending', () => { report.skipped++; });
  });
}
