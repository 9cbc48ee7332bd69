import path from 'node:path';
import { expect, it } from 'vitest';
import { atifOf } from '../../../src/trajectory/writeAtif';
import { jsonLines } from '../../support/cli';
import { samples } from '../../support/fixtures';
import { twoTurns } from '../../support/makeTrajectory';
import { useCli } from '../../support/useCli';

const { run, write } = useCli();

it('a scored rollout becomes a document that keeps its scores', async () => {
  const scored = await run('score', path.join(samples, 'two-hop.traj'), '--as', 'atif');
  expect(scored).toMatchObject({ code: 0, stderr: '' });
  const [document = {}] = jsonLines(scored.stdout);
  expect(document).toMatchObject({ schema_version: 'ATIF-v1.7', extra: { turnlens: { scores: { outcome: 1, provenance: { device: 'cpu' } } } } });

  const file = write('two-hop.trajectory.json', scored.stdout);
  const again = await run('show', file, '--as', 'atif');
  expect(JSON.parse(again.stdout)).toEqual(document);
  const [transcript, original] = await Promise.all([run('show', file), run('show', path.join(samples, 'two-hop.traj'))]);
  expect(transcript.stdout).toContain(original.stdout.slice(original.stdout.indexOf('━━━ Turn 1')));
});

it('lines beside the main one are listed, shown and scored by their names', async () => {
  const searcher = twoTurns({ question: 'Who is it?', sideLines: [{ kind: 'attempt', name: 'a/b', trajectory: twoTurns({ question: 'Deep?' }) }] });
  const file = write('lines.json', JSON.stringify(atifOf(twoTurns({ sideLines: [{ kind: 'sub-agent', name: 'searcher', turn: 2, trajectory: searcher }] }))));
  const listed = await run('index', '--json', file);
  expect(jsonLines(listed.stdout)[0]).toMatchObject({ records: [{ turns: 2, lines: [{ line: 'searcher', kind: 'sub-agent', turn: 2, turns: 2 }, { line: 'searcher/a\\/b', kind: 'attempt', turns: 2 }] }] });
  expect((await run('index', file)).stdout).toContain('2 lines beside');

  expect((await run('show', file, '--line', 'searcher')).stdout).toMatch(/^Question: Who is it\?\n/);
  expect((await run('show', file, '--line', 'searcher/a\\/b')).stdout).toMatch(/^Question: Deep\?\n/);
  const missing = await run('show', file, '--line', 'writer');
  const why = 'There is no line "writer" in the record; it holds "searcher", "searcher/a\\/b" beside its main one.';
  expect([missing.code, missing.stderr]).toEqual([1, `turnlens: ${file}: ${why}\n`]);

  const scored = await run('score', file, '--line', 'searcher', '--json');
  expect([scored.code, scored.stderr]).toEqual([0, '']);
  expect(jsonLines(scored.stdout)).toMatchObject([{ record: 0, line: 'searcher', question: 'Who is it?', turns: [{ index: 1 }, { index: 2 }] }]);
  const unscored = await run('score', file, '--line', 'writer', '--json');
  expect([unscored.code, jsonLines(unscored.stdout)[0]?.['problem']]).toEqual([1, why]);
});
