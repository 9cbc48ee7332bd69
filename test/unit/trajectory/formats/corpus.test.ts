import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openUnpackers } from '../../../../src/scoring/unpackers';
import { openTrajectoryFile } from '../../../../src/trajectory/file';
import { readNative } from '../../../../src/trajectory/read';
import { renderTranscript } from '../../../../src/trajectory/transcript';
import { writeNative } from '../../../../src/trajectory/write';
import { shared } from '../../../support/fixtures';
import { bytesSource, checkCover } from '../support';

/** Files that `expected.json` does not count. */
const counted: Readonly<Record<string, Expected>> = { 'inspect-eval-zip/log_formats.eval': { trajectory: true, records: 1 } };

interface Expected {
  readonly trajectory: boolean;
  readonly records?: number;
  readonly turns?: number;
}

const unpackers = openUnpackers();
afterAll(() => unpackers.close());

const corpus = shared('corpus');
describe.skipIf(corpus === undefined)('files of others (skipped where the corpus does not lie beside the repository)', () => {
  const folder = corpus ?? '';
  const expected = corpus === undefined ? {} : (JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as Readonly<Record<string, Expected>>);
  const files = corpus === undefined ? [] : readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/')).filter((name) => name.includes('/'));

  it.each(names)('%s', async (name) => {
    const file = await openTrajectoryFile(bytesSource(new Uint8Array(readFileSync(path.join(folder, name)))), name, undefined, name.endsWith('.eval') ? { unpackers } : {});
    // Damaged and odd files have no entry: each is refused in a sentence, or read as one of the formats.
    const known = expected[name] ?? counted[name];
    const { trajectory = file.kind.kind === 'trajectories', records = file.records.length } = known ?? {};
    if (!trajectory) {
      expect(file.kind).toMatchObject({ kind: 'foreign', message: expect.stringMatching(/^[^\n]+\.$/) as string });
      return;
    }
    expect([file.kind.kind, file.records.length]).toEqual(['trajectories', records]);
    for (const { record } of file.records) {
      const read = await file.read(record);
      if (read.kind === 'problem') throw new Error(read.message);
      const t = read.trajectory;
      if (known?.turns !== undefined) expect(t.turns).toHaveLength(known.turns);
      checkCover(t.text, t);
      expect([t.question.trim() === '', renderTranscript(t).anchors.turns.length]).toEqual([false, t.turns.length]);
      const copy = readNative(writeNative(t));
      expect(copy.kind === 'trajectory' && [copy.trajectory.text, copy.trajectory.turns, copy.trajectory.final]).toEqual([t.text, t.turns, t.final]);
    }
  });
});
