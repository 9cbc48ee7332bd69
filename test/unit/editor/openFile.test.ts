import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { OpenFile, type Stamp } from '../../../src/editor/openFile';
import { nodeByteSource, type OpenSource } from '../../../src/scoring/fileSource';

const row = (question: string): string => `${JSON.stringify({ input: `user\nQuestion: ${question}\nassistant\n`, output: '<answer>a</answer>', gts: 'a', score: 1, step: 1 })}\n`;

const before: Stamp = { text: 'before', size: 1 };
const longer: Stamp = { text: 'longer', size: 2 };

/** A file that a test writes; each read takes a turn of the event loop, as a disk's does. */
function writable(text: string): OpenSource & { bytes: Buffer; closed: boolean } {
  const file = {
    bytes: Buffer.from(text),
    closed: false,
    size: async () => file.bytes.length,
    async read(start: number, end: number) {
      await new Promise((resolve) => setImmediate(resolve));
      return file.bytes.subarray(start, end);
    },
    isNamed: async () => true,
    close: async () => {
      file.closed = true;
    },
  };
  return file;
}

it('gives every reader what was appended, however many ask at once', async () => {
  const source = writable(row('one'));
  const file = new OpenFile('a.jsonl', async () => source, before);
  await file.read();
  source.bytes = Buffer.concat([source.bytes, Buffer.from(row('two') + row('three'))]);
  const seen = await Promise.all(
    [0, 1, 2].map(async () => {
      const isSame = await file.follow(longer);
      return [isSame, (await file.read()).records.length];
    }),
  );
  expect(seen).toEqual([[true, 3], [true, 3], [true, 3]]);
  expect(file.soFar?.records).toHaveLength(3);
});

it('tells every reader that it was written anew, and keeps what it had', async () => {
  const source = writable(row('one') + row('two'));
  const file = new OpenFile('a.jsonl', async () => source, before);
  await file.read();
  source.bytes = Buffer.from(row('other') + row('other'));
  expect(await Promise.all([0, 1].map(() => file.follow(longer)))).toEqual([false, false]);
  expect((await file.read()).records).toHaveLength(2);
});

it('is another file where it was written to and is no longer, and is not read for that', async () => {
  const text = Array.from({ length: 5 }, (_, i) => row(`question ${i}`)).join('');
  for (const [how, anew] of [['as long', text.replace('question 2', 'quarrels 2')], ['shorter', text.slice(0, -row('question 4').length)]] as const) {
    const source = writable(text);
    const file = new OpenFile('a.jsonl', async () => source, before);
    await file.read();
    source.bytes = Buffer.from(anew);
    let reads = 0;
    source.read = async () => (reads++, Buffer.alloc(0));
    expect([await file.follow({ text: 'after', size: how === 'as long' ? 1 : 0 }), reads], how).toEqual([false, 0]);
  }
});

it('is another file where its name now stands for another one, longer, as long or shorter', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'turnlens-open-'));
  const name = path.join(folder, 'a.jsonl');
  try {
    for (const [how, text] of [['moved', row('longer')], ['moved', row('two')], ['moved', row('a')], ['deleted', row('two')], ['deleted', undefined]] as const) {
      await writeFile(name, row('one'));
      const file = new OpenFile('a.jsonl', async () => nodeByteSource(name), before);
      await file.read();
      if (how === 'deleted') await rm(name);
      if (text !== undefined) await writeFile(`${name}.new`, text).then(() => rename(`${name}.new`, name));
      expect(await file.follow(longer), `${how}, ${text ?? 'gone'}`).toBe(false);
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('waits with its search for whoever shows the records found, and closes the file once', async () => {
  const source = writable(row('one').repeat(20_000));
  const file = new OpenFile('a.jsonl', async () => source, before);
  let shown = 0;
  let showing = 0;
  const whole = await file.read(async () => {
    expect(showing++).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
    showing--;
    shown++;
  });
  expect([whole.records.length, file.searching, shown > 1]).toEqual([20_000, false, true]);
  await file.close();
  expect(source.closed).toBe(true);
});

it('is closed when the last one is done with it, and its search goes on till then', async () => {
  const source = writable(row('one').repeat(20_000));
  const file = new OpenFile('a.jsonl', async () => source, before);
  let done: () => void = () => undefined;
  file.use(new Promise<void>((resolve) => (done = resolve)));
  const whole = file.read();
  file.letGo();
  expect((await whole).records).toHaveLength(20_000);
  expect(source.closed).toBe(false);
  done();
  await expect.poll(() => source.closed).toBe(true);
});

it('is closed at once where nobody uses it, whatever came of those who did', async () => {
  const source = writable(row('one'));
  const file = new OpenFile('a.jsonl', async () => source, before);
  await file.read();
  file.use(Promise.reject(new Error('stopped')));
  await new Promise((resolve) => setImmediate(resolve));
  expect(source.closed).toBe(false);
  file.letGo();
  await expect.poll(() => source.closed).toBe(true);
});
