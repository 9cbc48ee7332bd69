import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { nodeByteSource } from '../../src/scoring/fileSource';
import { openTrajectoryFile } from '../../src/trajectory/file';
import { figure, median, type Figure } from './figures';

/** Finding where records stand may cost so much of reading the same bytes and doing nothing with them. */
const bar = 3;
const bytes = 250 * 2 ** 20;
/** As large as those that the search reads. */
const chunkSize = 1 << 20;

/** Rollout dumps as trainers write them: JSON lines, and one JSON array. */
const layouts = [
  { name: 'JSON lines', open: '', between: '\n', close: '\n' },
  { name: 'a JSON array', open: '[', between: ', ', close: ']' },
] as const;

/** Searching and plain reading in turn, several times over, the file in the system's cache: the median of each round's own ratio of CPU time counts. */
export async function boundaryFigures(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'turnlens-bench-'));
  try {
    const figures: Figure[] = [];
    for (const layout of layouts) {
      const file = path.join(folder, 'rollouts');
      await write(file, layout);
      await readPlainly(file);
      const ratios: number[] = [];
      for (let round = 0; round < rounds; round++) ratios.push((await cpuOf(() => findRecords(file))) / (await cpuOf(() => readPlainly(file))));
      figures.push(figure(`${layout.name}: finding the records over reading the file plainly`, median(ratios), bar));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function findRecords(file: string): Promise<void> {
  const source = nodeByteSource(file);
  const { records } = await openTrajectoryFile(source, file);
  await source.close();
  if (records.length < 1000) throw new Error(`${String(records.length)} records were found`);
}

/** As Node reads a file from start to end. */
async function readPlainly(file: string): Promise<void> {
  for await (const chunk of createReadStream(file, { highWaterMark: chunkSize })) void chunk;
}

async function write(file: string, { open: opening, between, close }: (typeof layouts)[number]): Promise<void> {
  const block = Array.from({ length: 1000 }, (_, i) => row(i)).join(between);
  const handle = await open(file, 'w');
  await handle.write(opening + block);
  for (let written = block.length; written < bytes; written += block.length) await handle.write(between + block);
  await handle.write(close);
  await handle.close();
}

/** A row of verl's dumps, of two to six turns. */
function row(i: number): string {
  const turns = Array.from({ length: 2 + (i % 5) }, (_, t) => {
    const documents = [1, 2, 3].map((n) => `Doc ${String(n)}(Title: "Place ${String(i * n)}") ${`The river runs through the ${String(t)}th town of the valley. `.repeat(10)}`);
    return `<think>I need to find the town of step ${String(t)}.</think>\n<search>town ${String(i)} of ${String(t)}</search>\n\n<information>${documents.join('\n')}\n</information>\n\n`;
  });
  const output = `${turns.join('')}<think>That is it.</think>\n<answer>Paris</answer>`;
  return JSON.stringify({ input: `user\nAnswer the given question.\nQuestion: which town ${String(i)}?\nassistant\n`, output, gts: { target: ['Paris'] }, score: 1, step: 10 });
}
