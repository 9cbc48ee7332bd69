import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withTextBetween } from '../../../src/trajectory/betweenParts';
import { commands } from '../../../src/trajectory/dialects/commands';
import { fencedAction, inFence } from '../../../src/trajectory/fenced';
import { renderTurn } from '../../../src/trajectory/render';

/** The commands of a message. */
const read = (text: string): readonly string[] => fencedAction(text, commands).queries.map(({ start, end }) => text.slice(start, end));
const fence = (inside: string, label = '', ticks = '```'): string => `${ticks}${label}\n${inside}\n${ticks}`;
const heredoc = (markdown: string): string => `cat > README.md <<'EOF'\n# Title\n${markdown}\nEOF`;

it.each([
  ['a block with a label', heredoc(fence('print(1)', 'python'))],
  ['two blocks with labels', heredoc(`${fence('a', 'sh')}\n${fence('b', 'json')}`)],
  ['a block with a label in another', heredoc(fence(fence('a', 'sh'), 'md'))],
  ['a longer block', heredoc(fence(fence('a', 'sh'), 'md', '````'))],
  ['backticks within a line', heredoc('Write ``` and `ls`.\n  ``` indented')],
  ['an inline block that begins a line', heredoc('```ls``` lists')],
])('a command that holds %s is whole', (_, command) => {
  expect(read(`Write it.\n${fence(command)}`)).toEqual([command]);
  expect(read(`Write it.\n${fence(command, 'bash')}\nThat is all.`)).toEqual([command]);
});

it('a longer fence holds whatever is shorter', () => {
  const command = heredoc(`${fence('a')}\n${fence('b', 'python')}\n\`\`\``);
  expect(read(fence(command, 'bash', '````'))).toEqual([command]);
  expect(read(`\`\`\`\`\n${command}\n\`\`\`\`\`\``)).toEqual([command]);
});

it('backticks with nothing behind them close a fence, as they do for SWE-agent', () => {
  expect(read(fence(heredoc(fence('ls'))))).toEqual(['EOF']);
});

it('a block with a label that nothing closes is no block', () => {
  expect(read('```bash\ncat <<EOF\n```python\nEOF\n```')).toEqual(['cat <<EOF\n```python\nEOF']);
  expect(read(`\`\`\`\nls\n${fence('{}', 'json')}\nSo:\n${fence('pwd', 'bash')}`)).toEqual(['pwd']);
});

it("mini-swe-agent's own fence ends where that ends it", () => {
  expect(read(fence(heredoc(fence('print(1)', 'python')), 'mswea_bash_command'))).toEqual(["cat > README.md <<'EOF'\n# Title"]);
});

it('a fence that is not closed is none', () => {
  expect(read('Look.\n```bash\nls')).toEqual([]);
  expect(read('````\nls\n```')).toEqual([]);
});

it('of the tags for a command the last that open and close count, as they do for SWE-agent', () => {
  expect(read('Say <command>x</command> so:\n<command>\necho "</command>"\n</command>')).toEqual(['echo "</command>"']);
  expect(read('It ends </command> before <command>')).toEqual([]);
});

const line = fc.oneof(fc.constantFrom('```', '````', '```bash', '`````md x', '<command>', 'EOF', ''), fc.string({ maxLength: 8 }));
const command = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n')).filter((text) => text.trim() !== '' && !text.endsWith('\n'));

it('every command that is put into a fence is read out of it, and its fence is shown nowhere', () => {
  fc.assert(
    fc.property(command, (text) => {
      for (const written of [`So.\n${inFence(text)}`, renderTurn({ think: 'So.', searches: [text] }, commands)]) {
        const action = fencedAction(written.replace(/<\|im_end\|>$/, ''), commands);
        expect(action.queries.map(({ start, end }) => written.slice(start, end))).toEqual([text]);
        const parts = [{ label: 'think', span: action.think ?? action.policy }, ...action.queries.map((span) => ({ label: 'search', span }) as const)] as const;
        expect(withTextBetween(written, commands, { start: 0, end: written.length }, parts).map(({ label }) => label)).toEqual(['think', 'search']);
      }
    }),
  );
});

it('many fences in one another take no longer than their text is long', () => {
  const deep = '```a\n'.repeat(200_000);
  expect(read(deep)).toEqual([]);
  expect(read(deep + '```\n'.repeat(200_000))).toHaveLength(1);
});
