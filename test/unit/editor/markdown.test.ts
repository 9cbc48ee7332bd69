import { expect, test } from 'vitest';
import { quoted } from '../../../src/editor/markdown';

test.each([
  ['[x](command:rm)', '\\[x\\]\\(command\\:rm\\)'],
  ['![](https://a.b/c.png)', '\\!\\[\\]\\(https\\:\\/\\/a\\.b\\/c\\.png\\)'],
  ['<img src=x>', '\\<img src\\=x\\>'],
  ['$(alert) | `a`', '\\$\\(alert\\) \\| \\`a\\`'],
  ['two\n# lines', 'two \\# lines'],
  ['a\u202eb', 'a\ufffdb'],
  ['γ₁ → Ã −0.50', 'γ₁ → Ã −0\\.50'],
])('quotes %j', (text, markdown) => expect(quoted(text)).toBe(markdown));

test('cuts long text', () => expect(quoted('x'.repeat(10_000)).length).toBe(601));
