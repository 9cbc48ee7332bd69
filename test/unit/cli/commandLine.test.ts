import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { exitOf, jsonLines } from '../../support/cli';
import { samples } from '../../support/fixtures';
import { useCli } from '../../support/useCli';

const cli = useCli();
const { run, scratch, write } = cli;
const sample = (name: string): string => path.join(samples, `${name}.traj`);

describe('wrong use', () => {
  it.each([
    [[], 'no verb; see turnlens --help'],
    [['frobnicate'], 'there is no verb "frobnicate"; choose from score, index, show; see turnlens --help'],
    [['score'], 'no FILE to score; see turnlens score --help'],
    [['score', 'a', '--frob'], "Unknown option '--frob'; see turnlens score --help"],
    [['score', 'a', '--alpha', '-1'], "--alpha wants a value; one that begins with a dash is written --alpha=-…; see turnlens score --help"],
    [['score', 'a', '--record'], '--record wants a value; see turnlens score --help'],
    [['index'], 'no FILE to index; see turnlens index --help'],
    [['show', 'a', 'b'], 'show wants one FILE; see turnlens show --help'],
  ])('%j', async (argv, message) => {
    expect(await run(...argv)).toEqual({ code: 2, stdout: '', stderr: `turnlens: ${message}\n` });
  });

  it('a policy that is not there, or is none', async () => {
    const missing = await run('score', sample('one-hop'), '--policy', path.join(scratch, 'nowhere'));
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toMatch(/^turnlens: .*nowhere.*\n$/);

    const empty = path.join(scratch, 'empty');
    mkdirSync(empty);
    expect(await run('score', sample('one-hop'), '--policy', empty)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('help and version', () => {
  it.each([[['--help']], [['score', '--help']], [['index', '-h']], [['show', 'x', '--help']]])('%j', async (argv) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^usage: turnlens /);
  });

  it('knows its version', async () => {
    const { version } = JSON.parse(readFileSync(path.join(samples, '..', '..', 'package.json'), 'utf8')) as { version: string };
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('turnlens score', () => {
  it('prints a table a person reads', async () => {
    const { code, stdout, stderr } = await run('score', sample('harmful-turn'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/question +Who/);
    expect(stdout).toMatch(/▼ \d +.*→.*−.*kept/);
    expect(stdout).toMatch(/policy +.*sha256:[0-9a-f]{12} · contract sha256:.* · cpu float32/);
  });

  it('gives the same line from the cache as from the policy', async () => {
    const first = await run('score', sample('two-hop'), '--json', '--tokens');
    const second = await run('score', sample('two-hop'), '--json', '--tokens');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(second).toEqual(first);
    const [line] = jsonLines(first.stdout);
    expect(Object.keys(line ?? {})).toEqual(
      ['version', 'file', 'record', 'question', 'answers', 'gold', 'outcome', 'states', 'turns', 'fullLogprob', 'scale', 'outcomeAdvantage', 'checks', 'group', 'tokens', 'findings', 'provenance'],
    );
  });

  it('never lets a bad file stop a good one, and names each on a line', async () => {
    const bad = [
      write('zero.traj', ''),
      write('archive.traj', 'PK\u0003\u0004\u0000\u0000'),
      write('weights.traj', new Uint8Array([0x80, 0x02, 0x7d, 0x71, 0x00, 0x2e])),
      write('nul.traj', new Uint8Array(2048)),
      write('text.traj', 'not JSON at all'),
      write('deep.traj', '['.repeat(50_000)),
      write('wrong-turns.traj', '{"question": "q", "answers": ["a"], "turns": "none"}'),
      path.join(scratch, 'missing.traj'),
      scratch,
    ];
    const { code, stdout, stderr } = await run('score', '--json', sample('one-hop'), ...bad, sample('two-hop'));
    expect(code).toBe(1);
    const lines = jsonLines(stdout);
    expect(lines.map((line) => line['file'])).toEqual([sample('one-hop'), ...bad, sample('two-hop')]);
    for (const [i, name] of bad.entries()) {
      // A sentence about the file itself goes on from its name.
      expect(stderr.split('\n').filter((line) => [`turnlens: ${name}: `, `turnlens: ${name} `].some((start) => line.startsWith(start)))).toHaveLength(1);
      const line = lines[i + 1];
      if (line?.['problem'] !== undefined) expect(line).toEqual({ version: 1, file: name, record: line['record'], problem: expect.stringMatching(/^[^\n]{10,400}$/) as string });
    }
    expect(stderr.trimEnd().split('\n')).toHaveLength(bad.length);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(lines.at(-1)).toHaveProperty('turns');
  });

  it('scores the turns before the damage', async () => {
    const whole = readFileSync(sample('three-hop'), 'utf8');
    const cutOff = write('cut.traj', whole.slice(0, whole.lastIndexOf('"search"')));
    const { stdout } = await run('score', '--json', cutOff);
    const [line] = jsonLines(stdout);
    expect((line?.['turns'] as unknown[]).length).toBeGreaterThanOrEqual(2);
    expect(line?.['outcome']).toMatchObject({ undefined: expect.any(String) as string });
    expect(line?.['findings']).toContainEqual(expect.objectContaining({ code: 'damaged' }));
  });

  it.each<[string, unknown]>([
    ['none', undefined],
    ['an empty list', []],
  ])('a rollout with %s as gold answers has its answers, and counts as not scored', async (_, answers) => {
    const { turns, question } = JSON.parse(readFileSync(sample('one-hop'), 'utf8')) as Record<string, unknown>;
    const { code, stdout, stderr } = await run('score', '--json', write('goldless.traj', JSON.stringify({ question, answers, turns })));
    expect(code).toBe(1);
    expect(stderr).toMatch(/gold/);
    const [line] = jsonLines(stdout);
    expect(line?.['gold']).toBeNull();
    expect((line?.['states'] as Record<string, unknown>[])[0]).toMatchObject({ answer: expect.any(String) as string, answerability: { undefined: expect.any(String) as string } });
  });

  it.each<[string, unknown]>([
    ['a number', 1981],
    ['a list in a string', "['Klaus Conti']"],
  ])('reads a gold answer that is %s, and says so', async (_, answers) => {
    const { turns, question } = JSON.parse(readFileSync(sample('one-hop'), 'utf8')) as Record<string, unknown>;
    const { code, stdout } = await run('score', '--json', write('coerced.traj', JSON.stringify({ question, answers, turns })));
    expect(code).toBe(0);
    const [line] = jsonLines(stdout);
    expect(line?.['gold']).toBe(typeof answers === 'number' ? '1981' : 'Klaus Conti');
    expect(line?.['findings']).toContainEqual(expect.objectContaining({ code: 'gold-coerced' }));
  });

  it('a rollout without search turns is named', async () => {
    const file = write('no-turns.traj', JSON.stringify({ question: 'q', answers: ['a'], turns: [{ answer: 'a' }] }));
    const { code, stderr } = await run('score', file, '--json');
    expect(code).toBe(1);
    expect(stderr).toMatch(/: record 0: The rollout has no search turns; .*\.\n$/);
  });

  it('ends quietly when its reader has seen enough', async () => {
    const files = Array.from({ length: 60 }, () => sample('one-hop'));
    const child = cli.start(['score', '--json', ...files]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await exitOf(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.skipIf(process.platform !== 'linux')('says so where what it prints cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [cli.dist('turnlens.js'), 'index', sample('one-hop')], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'turnlens: Standard output could not be written (ENOSPC).\n' });
  });
});

describe('records of a dump', () => {
  const record = (question: string, uid: string, query: string): string =>
    JSON.stringify({
      input: `user\nQuestion: ${question}\nassistant\n`,
      output: `<search>${query}</search>\n\n<information>Doc 1(Title: "It") It was written by Ann Lee.</information>\n\n<answer> Ann Lee </answer>`,
      gts: { target: ['Ann Lee'] },
      score: 1,
      step: 1,
      uid,
    });
  const dump = (): string => write('dump.jsonl', [record('Who wrote it?', 'q0', 'it'), record('Who made that?', 'q1', 'that'), '{"broken', record('Who wrote it?', 'q0', 'its author')].join('\n'));

  it('are scored with the other rollouts of their question, which stand together', async () => {
    const { code, stdout } = await run('score', '--json', dump());
    expect(code).toBe(1);
    const lines = jsonLines(stdout);
    expect(lines.map((line) => [line['record'], (line['group'] as { rollouts?: number } | undefined)?.rollouts])).toEqual([
      [0, 2],
      [3, 2],
      [1, 1],
      [2, undefined],
    ]);
    expect(lines[0]).toMatchObject({ group: { scope: 'question' } });
  });

  it('are printed alone with the figures that they have among the others', async () => {
    const all = jsonLines((await run('score', '--json', dump())).stdout);
    const one = await run('score', '--json', '--record', '3', dump());
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(jsonLines(one.stdout)).toEqual([all[1]]);
    const alone = jsonLines((await run('score', '--json', '--record', '3', '--scope', 'trajectory', dump())).stdout);
    expect(alone[0]).toMatchObject({ group: { scope: 'trajectory', rollouts: 1 } });
  });

  it('that are not there are named', async () => {
    const file = dump();
    const { code, stderr } = await run('score', '--record', '9', file);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `turnlens: ${file}: There is no record 9; the file holds 4, counted from 0.\n` });
  });

  it('are listed by index', async () => {
    const file = dump();
    const { code, stdout, stderr } = await run('index', '--json', file, sample('two-hop'), path.join(scratch, 'nothing.traj'));
    expect(code).toBe(1);
    const [listed, native, missing] = jsonLines(stdout);
    expect(listed).toMatchObject({ version: 1, file, format: 'verl', problems: [{ record: 2, message: expect.any(String) as string }] });
    expect((listed?.['records'] as Record<string, unknown>[])[0]).toMatchObject({ record: 0, question: 'Who wrote it?', turns: 1, queries: ['it'], answer: 'Ann Lee', answers: ['Ann Lee'] });
    expect(native).toMatchObject({ format: 'native', problems: [] });
    expect(missing).toEqual({ version: 1, file: path.join(scratch, 'nothing.traj'), format: null, records: [], problems: [{ record: null, message: 'There is no such file.' }] });
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  });

  it('are shown as the editor shows them', async () => {
    const { code, stdout, stderr } = await run('show', dump(), '--record', '3');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('its author');
  });
});
