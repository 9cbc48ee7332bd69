import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openUnpackers } from '../../../src/scoring/unpackers';
import { openTrajectoryFile } from '../../../src/trajectory/file';
import type { TrajectoryFile } from '../../../src/trajectory/file';
import { makeZip } from '../../support/makeZip';
import type { ZipFile, ZipOptions } from '../../support/makeZip';
import { bytesSource } from '../trajectory/support';

const unpackers = openUnpackers();
afterAll(() => unpackers.close());

const openZip = (bytes: Uint8Array): Promise<TrajectoryFile> => openTrajectoryFile(bytesSource(bytes), 'x.eval', undefined, { unpackers });

/** The answers of its records, or why there are none. */
async function read(bytes: Uint8Array): Promise<unknown[]> {
  const file = await openZip(bytes);
  if (file.kind.kind === 'foreign') return [file.kind.message];
  return Promise.all(
    file.records.map(async ({ record }) => {
      const result = await file.read(record);
      return result.kind === 'problem' ? result.message : [result.trajectory.final?.answer, ...result.trajectory.findings.filter(({ code }) => code === 'damaged').map(({ message }) => message)];
    }),
  );
}

const sampleText = (id: number | string, answer: string, more: object = {}): string =>
  JSON.stringify({
    id,
    epoch: 1,
    input: 'Where?',
    target: 'Lyon',
    messages: [
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: 'search', arguments: { query: 'q' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'Doc' },
      { role: 'assistant', content: answer },
    ],
    ...more,
  });
const sample = (id: number, answer: string, more: Partial<ZipFile> = {}): ZipFile => ({ name: `samples/${String(id)}_epoch_1.json`, content: sampleText(id, answer), ...more });
const header: ZipFile = { name: 'header.json', content: '{"version": 2}' };
const journal: ZipFile = { name: '_journal/start.json', content: '{}' };

/** 791 bytes of a sample, as `zstd -19` packs them. */
const zstandard = Buffer.from(
  'KLUv/WQXAn0IANINKh2guwGP+v9BpolELt+TryTrJPt/74Fe2Xnipf57DVn2btV5XOkq+KyT/OmrzUCTNQfWXXLKMx2zQ8v+Di2uHiU7TVa0T5ft6/1Sjdnp0o3ewffO66TRvnmhJ6V7jqTUTmdrrNUxkE23k773el3Sb6x65Gp1qRlonOJT22DSjEfvrDHphTCMLn1ouc77/F7FZ/giXOydZmwGCC4aPjp5M9CDQDUX/cTGAiggIEZglJO3AVxY+6WxJ7l89fXDCz1EAj2gPSkVNCwhCCpn1wbgo4N+8QZd7L3ABY6PM2tA4AcOGhCuoVqe2VItPicYPVnbxxTacNCPwDa6pcJcsr2l7EqtYCz4O7Sa4fDBfALfJQjf',
  'base64',
);

describe('logs of Inspect (.eval)', () => {
  it.each([
    ['deflate', {}, {}],
    ['stored', { method: 0 }, {}],
    ['with 64-bit fields', {}, { wide: true }],
    ['behind other bytes and with a comment', {}, { comment: 'PK\u0005\u0006 not the end' }],
    ['lengths behind the data', { descriptor: true }, {}],
  ] as const)('gives each sample as a record, read when it is asked for: %s', async (_, more: Partial<ZipFile>, options: ZipOptions) => {
    const bytes = makeZip([journal, sample(1, 'Lyon', more), sample(2, 'Paris', more), header], options);
    expect((await openZip(bytes)).kind).toEqual({ kind: 'trajectories', format: 'inspect' });
    expect(await read(bytes)).toEqual([['Lyon'], ['Paris']]);
  });

  it('reads Zstandard, raw and compressed', async () => {
    const content = new TextEncoder().encode(sampleText(1, 'Lyon'));
    const raw = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), uint(content.length, 4), uint((content.length << 3) | 1, 3), content]);
    expect(await read(makeZip([sample(1, 'Lyon', { method: 93, packed: raw }), { ...sample(2, ''), method: 93, packed: zstandard, size: 791, crc: 147071433 }]))).toEqual([
      ['Lyon'],
      ['Rhône'],
    ]);
  });

  it('of several entries with one name the last holds, as logs are appended to', async () => {
    expect(await read(makeZip([sample(1, 'Paris'), sample(1, 'Lyon')]))).toEqual([['Lyon']]);
  });

  it('reads only the list and the samples that are asked for', async () => {
    const big = makeZip(Array.from({ length: 50 }, (_, i) => sample(i, 'x'.repeat(20_000), { method: 0 })));
    const source = bytesSource(big);
    const file = await openTrajectoryFile(source, 'x.eval', undefined, { unpackers });
    await file.read(7);
    expect([file.records.length, source.largest() < 100_000]).toEqual([50, true]);
  });

  it('puts a sample in chunks together (version 3)', async () => {
    const folder = 'samples/a_epoch_1/';
    const messages = [{ role: 'user', content: 'Where?' }, { role: 'assistant', content: 'other' }, { role: 'assistant', content: 'attachment://1' }];
    const file: ZipFile[] = [
      { name: `${folder}sample.json`, content: JSON.stringify({ id: 'a', epoch: 1, input: 'Where?', target: 'Lyon', message_refs: [[0, 1], [2, 3]], sequences: {} }) },
      { name: `${folder}messages/2.json`, content: JSON.stringify(messages.slice(2)) },
      { name: `${folder}messages/0.json`, content: JSON.stringify(messages.slice(0, 2)) },
      { name: `${folder}attachments/0.json`, content: JSON.stringify(['no', 'Lyon']) },
      { name: `${folder}events/0.json`, content: '[]' },
      { name: `${folder}events/stats.json`, content: '{}' },
    ];
    expect(await read(makeZip(file))).toEqual([['Lyon']]);
  });

  it('says so where no sample had ended', async () => {
    expect(await read(makeZip([journal]))).toEqual([expect.stringMatching(/^x\.eval is a log of Inspect without samples/)]);
  });
});

const uint = (value: number, width: number): Uint8Array => {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntLE(value, 0, width);
  return bytes;
};

describe('archives that are damaged or hostile', () => {
  it('reads what was written before one breaks off, and says that more may have followed', async () => {
    const whole = makeZip([journal, sample(1, 'Lyon'), sample(2, 'Paris'), sample(3, 'Nice'), header]);
    const third = Buffer.from(whole).indexOf('samples/3_epoch_1.json');
    expect(await read(whole.subarray(0, third + 60))).toEqual([['Lyon'], ['Paris'], expect.stringMatching(/^samples\/3_epoch_1\.json: the archive breaks off in it/)]);
    expect(await read(whole.subarray(0, third - 30))).toEqual([['Lyon'], ['Paris', expect.stringMatching(/others may have followed/)]]);
    const unknown = makeZip([sample(1, 'Lyon', { descriptor: true }), sample(2, 'Paris', { descriptor: true })]);
    expect(await read(unknown.subarray(0, unknown.length - 30))).toEqual([['Lyon'], ['Paris', expect.stringMatching(/others may have followed/)]]);
    expect(await read(whole.subarray(0, 40))).toEqual([expect.stringMatching(/breaks off/)]);
  });

  it.each([
    ['unpacks to more than it says', { size: 100 }, /unpacks to more than the archive says/],
    ['says that it is huge', { size: 3_000_000_000 }, /2861 MB long/],
    ['is encrypted', { encrypted: true }, /is encrypted/],
    ['is packed in another way', { method: 99 }, /method 99/],
    ['is no deflate', { packed: new Uint8Array(40).fill(0xff) }, /damaged/],
    ['is no Zstandard', { method: 93, packed: new Uint8Array(40).fill(0xff) }, /damaged/],
  ] as const)('an entry that %s is one sentence, and the others stand', async (_, more: Partial<ZipFile>, sentence: RegExp) => {
    expect(await read(makeZip([sample(1, 'Lyon', more), sample(2, 'Paris')]))).toEqual([expect.stringMatching(sentence), ['Paris']]);
  });

  it('Zstandard of another length than the archive says is read as far as it goes, and said to be damaged', async () => {
    expect(await read(makeZip([sample(1, 'Lyon', { method: 93, packed: zstandard, size: 790 })]))).toMatchObject([expect.arrayContaining([expect.stringMatching(/checksum/)])]);
  });

  it('entries that share their bytes are not unpacked', async () => {
    const answers = await read(makeZip([sample(1, 'Lyon'), sample(2, 'Lyon', { sameAs: 'samples/1_epoch_1.json' }), sample(3, 'Paris')]));
    expect(answers).toEqual([expect.stringMatching(/shares its bytes/), expect.stringMatching(/shares its bytes/), ['Paris']]);
  });

  it('a wrong checksum is said beside what is read', async () => {
    expect(await read(makeZip([sample(1, 'Lyon', { crc: 1 })]))).toEqual([['Lyon', expect.stringMatching(/checksum of samples\/1_epoch_1\.json/)]]);
  });

  it('a name that climbs out of its folder is a name', async () => {
    expect(await read(makeZip([{ name: '../../samples/1_epoch_1.json', content: sampleText(1, 'Lyon') }]))).toEqual([['Lyon']]);
  });

  it.each([
    ['its second row', 1],
    ['its last row', 2],
  ])('a list that is damaged at %s hides nothing of what the archive holds', async (_, row) => {
    const bytes = makeZip([sample(1, 'Lyon'), sample(2, 'Paris'), sample(3, 'Nice')]);
    let at = -1;
    for (let i = 0; i <= row; i++) at = Buffer.from(bytes).indexOf('PK\u0001\u0002', at + 1);
    bytes[at] = 0;
    expect((await read(bytes)).map((said) => (said as string[])[0])).toEqual(['Lyon', 'Paris', 'Nice']);
  });

  it('a digital signature ends the list', async () => {
    const signature = Buffer.concat([Buffer.from('PK\u0005\u0005'), uint(70, 2), new Uint8Array(70)]);
    expect(await read(makeZip([sample(1, 'Lyon'), sample(2, 'Paris')], { signature }))).toEqual([['Lyon'], ['Paris']]);
  });

  it('never throws, whatever is changed in one', async () => {
    const base = makeZip([journal, sample(1, 'Lyon'), sample(2, 'Paris', { descriptor: true }), { name: 'a.jsonl', content: '{}\n' }], { wide: true });
    const edit = fc.tuple(fc.nat(base.length - 1), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 8 }), fc.nat(base.length), async (edits, length) => {
        const bytes = base.slice(0, length < base.length / 4 ? base.length : length);
        for (const [at, value] of edits) bytes[at] = value;
        for (const said of await read(bytes)) if (typeof said === 'string' && !/^[^\n]+\.$/.test(said)) throw new Error(said);
      }),
      { numRuns: 1_500 },
    );
  }, 120_000);
});

describe('other archives', () => {
  const row = (answer: string): string => `${JSON.stringify({ messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: answer }], answer: 'Lyon' })}\n`;

  it('give the records of all trajectory files in them, one file after the other', async () => {
    const files: ZipFile[] = [{ name: 'README.md', content: '#' }, { name: 'config.json', content: '{"lr": 1}' }, { name: 'a/b.jsonl', content: row('1') + row('2') }, { name: 'c.json', content: row('3'), method: 0 }, { name: '__MACOSX/._c.json', content: '\0' }];
    expect(await read(makeZip(files))).toEqual([['1'], ['2'], ['3']]);
  });

  it('name the file that a record is in, and a file that cannot be unpacked', async () => {
    const bytes = makeZip([{ name: 'a.jsonl', content: `${row('1')}{"messages": \n` }, { name: 'b.jsonl', content: row('2'), encrypted: true }]);
    expect(await read(bytes)).toEqual([['1'], expect.stringMatching(/^a\.jsonl: line 2: /), expect.stringMatching(/^b\.jsonl is encrypted/)]);
  });

  it.each([
    ['a torch checkpoint', [{ name: 'archive/data.pkl', content: 'x' }], /torch checkpoint.*never opened/],
    ['no trajectory', [{ name: 'config.json', content: '{"lr": 1}' }], /without a trajectory that can be read: config\.json is JSON/],
    ['no text', [{ name: 'a.png', content: 'x' }], /1 file, none of them JSON or text/],
    ['nothing', [], /empty ZIP archive/],
    ['too many files', Array.from({ length: 101 }, (_, i) => ({ name: `${String(i)}.json`, content: '{}' })), /101 files to look into/],
    ['only files that cannot be unpacked', [{ name: 'a.jsonl', content: 'x', encrypted: true }], /a\.jsonl is encrypted/],
    ['an archive', [{ name: 'a.json', content: makeZip([]), method: 0 as const }], /a\.json is an empty ZIP archive/],
  ])('with %s are one sentence', async (_, files: readonly ZipFile[], sentence) => {
    const [said, ...others] = await read(makeZip(files));
    expect([said, others.length]).toEqual([expect.stringMatching(sentence), 0]);
    expect(said).toMatch(/^x\.eval [^\n]+\.$/);
  });
});
