import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { bundleOne } from '../../../scripts/lib/bundle.mjs';
import { KeptEntries } from '../../../src/policy/keptEntries';
import { z } from '../../../src/policy/schema';
import { root } from '../../support/fixtures';
import { emptyFolder } from '../../support/policyFolder';

let file: string;
beforeEach(() => { file = path.join(emptyFolder(), 'below', 'kept.json'); });

const open = (most = 100, at = file): KeptEntries<number> => new KeptEntries({ file: at, entry: z.number(), most });
const read = async (kept = open()): Promise<[string, number][]> => [...(await kept.read())];

describe('small facts in a file', () => {
  test('are kept between processes, the oldest beyond the bound forgotten', async () => {
    expect(await read()).toEqual([]);
    await open(2).change(() => [['a', 1], ['b', 2]]);
    await open(2).change((known) => [['a', (known.get('a') ?? 0) + 10], ['constructor', 3]]);
    expect(await read()).toEqual([['a', 11], ['constructor', 3]]);
  });

  test('changes at the same moment do not undo each other, and one of nothing writes nothing', async () => {
    await open().change(() => []);
    expect(existsSync(file)).toBe(false);
    await Promise.all(Array.from({ length: 20 }, (_, i) => open().change(() => [[String(i), i]])));
    expect((await read()).length).toBe(20);
    expect(readdirSync(path.dirname(file))).toEqual(['kept.json']);
  });

  test.each([
    ['cut in the middle', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['of another version', (text: string) => text.replace('2', '3')],
    ['of other values', (text: string) => text.replace('1', '"1"')],
    ['no object', () => '[1]'],
  ])('a file that is %s is an empty one, and is replaced', async (_what, damage) => {
    await open().change(() => [['a', 1], ['b', 5]]);
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    expect(await read()).toEqual([]);
    await open().change(() => [['c', 3]]);
    expect(await read()).toEqual([['c', 3]]);
  });

  test('where nothing can be written nothing is kept, and nothing fails or is left', async () => {
    mkdirSync(file, { recursive: true });
    const below = path.join(path.dirname(file), 'a file');
    writeFileSync(below, '');
    for (const at of [file, path.join(below, 'kept.json')]) {
      await open(9, at).change(() => [['a', 1]]);
      expect(await read(open(9, at))).toEqual([]);
    }
    expect(readdirSync(path.dirname(file)).toSorted()).toEqual(['a file', 'kept.json']);
  });

  test('processes that write at once leave a whole file', async () => {
    const script = path.join(path.dirname(path.dirname(file)), 'writer.cjs');
    const source = path.join(path.dirname(script), 'writer.ts');
    writeFileSync(source, `
      import { KeptEntries } from ${JSON.stringify(path.join(root, 'src/policy/keptEntries'))};
      import { z } from ${JSON.stringify(path.join(root, 'src/policy/schema'))};
      const kept = new KeptEntries({ file: process.argv[2], entry: z.number(), most: 500 });
      let lost = 0;
      void (async () => {
        for (let i = 0; i < 100; i++) {
          await kept.change(() => [[process.argv[3] + i, i]]);
          if ((await kept.read()).size === 0) lost++;
        }
        process.stdout.write(String(lost));
      })();`);
    await bundleOne(path.relative(root, script), { entry: path.relative(root, source), external: [], without: /^\b$/ });
    const lost = await Promise.all(['a', 'b', 'c'].map((name) => promisify(execFile)(process.execPath, [script, file, name])));
    expect(lost.map(({ stdout }) => stdout)).toEqual(['0', '0', '0']);
    expect((await read()).length).toBeGreaterThan(0);
    expect(readdirSync(path.dirname(file))).toEqual(['kept.json']);
  }, 60_000);
});
