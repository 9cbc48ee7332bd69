import path from 'node:path';
import { expect, it } from 'vitest';
import { jsonLines } from '../../support/cli';
import { useCli } from '../../support/useCli';

const { run, scratch, write } = useCli();

const row = (output: string): string => JSON.stringify({ input: 'user\nQuestion: who?\nassistant\n', output, gts: 'a', score: 1, step: 1 });

it('shows a record as it stands in the file, one that cannot be read too', async () => {
  const file = write('raw.jsonl', `${row('<answer>a</answer>')}\n{"input": "\u001b[31m broken\n`);
  expect(await run('show', file, '--record', '0', '--as', 'raw')).toEqual({ code: 0, stdout: `${row('<answer>a</answer>')}\n`, stderr: '' });
  expect(await run('show', file, '--record', '1', '--as', 'raw')).toMatchObject({ code: 0, stdout: '{"input": "␛[31m broken\n' });
  expect(await run('show', file, '--record', '2', '--as', 'raw')).toMatchObject({ code: 1, stderr: expect.stringMatching(/There is no record 2/) as string });
});

it('a line has no raw form of its own', async () => {
  expect(await run('show', write('any.jsonl', row('x')), '--as', 'raw', '--line', 'a')).toEqual({ code: 2, stdout: '', stderr: 'turnlens: --as raw gives the whole record, with all its lines; leave --line out; see turnlens show --help\n' });
});

it('names a file that is no trajectory once', async () => {
  const file = write('other.json', '{"a": 1}');
  for (const verb of ['index', 'show', 'score']) {
    const { code, stderr } = await run(verb, file);
    expect(code).toBe(1);
    expect(stderr.split('other.json')).toHaveLength(2);
    expect(stderr).toMatch(/^turnlens: .*other\.json is JSON but no/);
  }
});

it('reads rollouts in the user’s own dialects', async () => {
  const text = '<plan>x</plan><ask>who is it</ask><found>D</found><reply>a</reply>';
  const file = write('own.jsonl', `${row(text)}\n`);
  const dialect = { id: 'mine', tags: { think: { open: '<plan>', close: '</plan>' }, search: { open: '<ask>', close: '</ask>' }, observation: { open: '<found>', close: '</found>' }, answer: { open: '<reply>', close: '</reply>' } } };
  const list = write('dialects.json', `// mine\n${JSON.stringify([dialect])}`);
  const settings = write('settings.json', `{"editor.fontSize": 12, "turnlens.dialects": [${JSON.stringify(dialect)}],}`);
  for (const dialects of [list, settings]) {
    const { stdout } = await run('index', file, '--json', '--dialects', dialects);
    expect(jsonLines(stdout)[0]).toMatchObject({ records: [{ turns: 1, queries: ['who is it'], answer: 'a' }] });
  }
  const told = write('told.jsonl', `${JSON.stringify({ told: text })}\n`);
  expect((await run('index', told)).stderr).toMatch(/told\.jsonl is JSON but no/);
  expect(jsonLines((await run('index', told, '--json', '--dialects', list)).stdout)[0]).toMatchObject({ format: 'tagged-text', records: [{ queries: ['who is it'] }] });
  expect((await run('show', told, '--dialects', list)).stdout).toContain('▸ search: who is it\n');
  const shown = await run('show', file, '--dialects', list);
  expect(shown.stdout).toContain('▸ search: who is it\n');
  expect(shown.stdout).not.toContain('<ask>');
  for (const [name, why] of [['{"a": 1', 'is not JSON'], ['[{}]', 'Dialect 1 has no id'], ['{}', 'Dialects are a list'], ['['.repeat(100_000), 'nest too deep']] as const) {
    expect(await run('index', file, '--dialects', write('bad.json', name))).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(why) as string });
  }
  expect(await run('score', file, '--dialects', path.join(scratch, 'none.json'))).toMatchObject({ code: 2, stderr: expect.stringMatching(/none\.json cannot be read \(ENOENT\); see turnlens score --help/) as string });
});
