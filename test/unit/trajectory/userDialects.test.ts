import { expect, it } from 'vitest';
import { readNative } from '../../../src/trajectory/read';
import { readUserDialects } from '../../../src/trajectory/userDialects';

it('an entry stands on Search-R1, and files in it are read', () => {
  const { dialects, problems } = readUserDialects([{ id: 'mine', tags: { search: { open: '<q>', close: '</q>' } } }]);
  expect(problems).toEqual([]);
  const result = readNative(JSON.stringify({ dialect: 'mine', question: 'q', answers: ['a'], turns: [{ text: '<q>who</q>', observation: 'x' }], answer: 'a' }), { dialects });
  expect(result).toMatchObject({ kind: 'trajectory', trajectory: { dialect: 'mine', turns: [{ queries: ['who'] }] } });
});

it('says which entry is no dialect', () => {
  expect(readUserDialects({}).problems).toHaveLength(1);
  expect(readUserDialects([{}, { id: 'a', tags: { think: { open: '<t>' } } }, { id: 'b', beforeAction: 3 }, { id: 'c', separator: '' }]).problems).toEqual([
    'Dialect 1 has no id.',
    'Dialect 2 (a): tags.think needs a text in open and in close.',
    'Dialect 3 (b): beforeAction must be a text.',
    'Dialect 4 (c): separator must be a text.',
  ]);
});
