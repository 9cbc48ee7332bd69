import { describe, expect, it } from 'vitest';
import { detectFile } from '../../../src/trajectory/detect';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
function utf16(text: string, littleEndian: boolean): Uint8Array {
  const out = new Uint8Array(text.length * 2);
  const view = new DataView(out.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return out;
}

describe('files of ours', () => {
  const native = '{ "question": "q", "answers": ["a"], "turns": [] }';
  const row = '{"input": "user\\nq\\nassistant\\n", "output": "x", "score": 1}';
  it.each([
    ['native', bytes(native), 'native'],
    ['native with comments', bytes(`// "x"\n/* { */ ${native}`), 'native'],
    ['native, broken', bytes('{ "question": "q", "answers": ["a"], "turns": [ { "think": "x'), 'native'],
    ['native, turns of the wrong type', bytes('{ "question": "q", "turns": "x" }'), 'native'],
    ['native, turns alone', bytes('{ "turns": [ { "search": "q" } ] }'), 'native'],
    ['native, nested 50,000 deep', bytes(`{ "question": "q", "answers": ${'['.repeat(50_000)}`), 'native'],
    ['native with a byte order mark', bytes(`\ufeff${native}`), 'native'],
    ['native in UTF-16', utf16(`\ufeff${native}`, true), 'native'],
    ['native in UTF-16, big endian, no mark', utf16(native, false), 'native'],
    ['SWE-agent', bytes('{"trajectory": [{"action": "ls", "observation": ""}], "history": [], "info": {}}'), 'swe-agent'],
    ['SWE-agent, longer than what is looked at', bytes(`{"environment": "x", "trajectory": [{"action": "ls", "observation": "${'x'.repeat(70_000)}`), 'swe-agent'],
    ['mini-swe-agent, cut before its messages', bytes(`{"info": {"model_stats": {}, "config": {"agent": {"system_template": "${'x'.repeat(70_000)}`), 'mini-swe-agent'],
    ['verl', bytes(`${row}\n${row}\n`), 'verl'],
    ['verl after blank lines and a damaged row', bytes(`\r\n{nonsense}\r\n${row}`), 'verl'],
    ['verl whose first row is longer than what is looked at', bytes(`{"input": "${'x'.repeat(70_000)}`), 'verl'],
    ['ATIF whose steps begin behind what is looked at', bytes(`{"schema_version": "ATIF-v1.5", "agent": {"tool_definitions": ["${'x'.repeat(70_000)}`), 'atif'],
    ['verl in UTF-16', utf16(`\ufeff${row}`, false), 'verl'],
  ])('%s', (_, head, format) => {
    expect(detectFile(head, 'a.traj')).toEqual({ kind: 'trajectories', format });
  });
});

describe('foreign files', () => {
  it.each([
    ['0 bytes', bytes(''), /is empty/],
    ['NUL bytes', new Uint8Array(100), /nothing but NUL/],
    ['an ASE trajectory', latin1('- of UlmASE-Trajectory\0\0\0'), /atoms/],
    ['zip', latin1('PK\x03\x04\x14\0'), /ZIP/],
    ['gzip', latin1('\x1f\x8b\x08\0'), /gzip/],
    ['pickle', latin1('\x80\x04\x95\x10\0\0\0'), /pickle/],
    ['other binary', latin1('\x7fELF\x02\x01\x01\0\0\0'), /binary/],
    ['a Git LFS pointer', bytes('version https://git-lfs.github.com/spec/v1\noid sha256:0\n'), /git lfs pull/],
    ['plain text', bytes('hello\nworld'), /not JSON/],
    ['blank space', bytes(' \n\n'), /blank/],
    ['a single value', bytes('42'), /single JSON value/],
    ['unquoted keys', bytes("{question: 'q', turns: []}"), /double quotes/],
    ['an empty object', bytes('{}'), /no search trajectory/],
    ['steps without actions', bytes('{"trajectory": [{"x": 1, "y": 2}], "history": [], "info": {}}'), /no search trajectory/],
    ['a robot path', bytes('{"name": "p", "version": 3, "snapshot": {"waypoints": []}, "trajectory": {"samples": []}}'), /robot/],
    ['chat messages', bytes('[{"role": "user", "content": "x"}]'), /chat messages/],
    ['turns of a chat', bytes('{"id": 1, "turns": [{"role": "user", "text": "x"}]}'), /no search trajectory/],
    ['diagnostics of LOTAPO', bytes('{"question_index": 0, "prompt": "x", "turns": [{"turn": 1}]}'), /LOTAPO/],
    ['training data', bytes('{"instruction": "i", "input": "x", "output": "y"}'), /no search trajectory/],
    ['other JSON', bytes('{"a": 1, "b\\u001b": [2]}'), /keys: "a", "b\u241b"/],
  ])('%s', (_, head, sentence) => {
    const kind = detectFile(head, '/some/where/b.traj');
    expect(kind).toMatchObject({ kind: 'foreign', message: expect.stringMatching(sentence) as string });
    expect(kind.kind === 'foreign' && kind.message).toMatch(/^b\.traj [^\n]*\.$/);
  });
});
