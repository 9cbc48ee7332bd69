import type { Dialect } from '../dialect';
import type { Finding, Prompt } from '../model';

/** Findings but that of the tag which closes the thought that the prompt has opened, as templates of reasoning models do. */
export function withoutOpenedThought(findings: readonly Finding[], text: string, prompt: Prompt, { tags: { think } }: Dialect): readonly Finding[] {
  const read = 'text' in prompt ? (prompt.text ?? '') : '';
  const close = text.indexOf(think.close);
  const open = text.indexOf(think.open);
  if (think.close === '' || !read.trimEnd().endsWith(think.open) || close < 0 || (open >= 0 && open < close)) return findings;
  return findings.filter(({ code, at }) => code !== 'unpaired-tag' || at?.start !== close);
}
