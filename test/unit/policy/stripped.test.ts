import { describe, expect, it } from 'vitest';
import { strippedConversations } from '../../../src/policy/stripped';

const system = { role: 'system', content: 'Be brief.' };
const user = { role: 'user', content: 'Where?' };

describe('what may be left of a chat', () => {
  it.each([
    ['role lines (Qwen)', 'system\nBe brief.\nuser\nWhere?\nassistant\n', [system, user]],
    ['role lines (Gemma)', 'user\nWhere?\nmodel\n', [user]],
    ['roles right after what was said (Llama)', 'system\n\nBe brief.user\n\nWhere?assistant\n\n', [system, user]],
  ])('%s', (_, text, messages) => {
    const [first, ...others] = strippedConversations(text);
    expect(first).toEqual(messages);
    if (messages.length > 1) expect(others).toContainEqual([user]);
  });

  it.each(['', 'Where?', 'user\nWhere?', 'user\n\nWhere?', 'Where?assistant\n\n', 'user\n\nWhere?assistant\n\nParis'])('%j is none', (text) => {
    expect(strippedConversations(text)).toEqual([]);
  });
});
