import type { Dialect } from '../../dialect';
import type { RolePart } from '../../roles';
import type { Said } from './said';

/** Messages as text, by Qwen's chat template: roles in `<|im_start|>` … `<|im_end|>`, calls in `<tool_call>`, tools' answers in `<tool_response>` of a user's message. */
export class ChatPage {
  text = '';
  readonly parts: RolePart[] = [];

  constructor(private readonly dialect: Dialect) {}

  /** What the policy said, one message or several in a row. */
  policy(group: readonly Said[]): void {
    const start = this.text.length;
    this.text += group.map((message) => this.said(message)).filter((said) => said !== '').join('\n');
    this.text += '<|im_end|>';
    const [only, ...more] = group;
    const ids = more.length === 0 ? only?.ids : undefined;
    this.parts.push({ by: 'policy', span: { start, end: this.text.length }, ...(ids === undefined ? {} : { ids }) });
  }

  /** What came back. `asked`: the policy speaks after it. */
  environment(group: readonly Said[], asked: boolean): void {
    const start = this.text.length;
    let from: number | undefined;
    let to = start;
    for (let i = 0; i < group.length; ) {
      const tools = group[i]?.role === 'tool';
      let end = i + 1;
      while (tools && end < group.length && group[end]?.role === 'tool') end++;
      this.text += `\n<|im_start|>${tools ? 'user' : (group[i]?.role ?? 'user')}\n`;
      from ??= this.text.length;
      this.text += group.slice(i, end).map((message) => this.heard(message, tools)).join('\n');
      to = this.text.length;
      this.text += '<|im_end|>';
      i = end;
    }
    this.text += asked ? '\n<|im_start|>assistant\n' : '\n';
    this.parts.push({ by: 'environment', span: { start, end: this.text.length }, content: { start: from ?? start, end: to } });
  }

  private said({ content, reasoning, calls }: Said): string {
    const { think, search } = this.dialect.tags;
    const thought = reasoning === undefined || content.includes(think.open) ? '' : `${think.open}\n${reasoning.trim()}\n${think.close}\n\n`;
    const called = calls.map(({ text }) => `${search.open}\n${text}\n${search.close}`).join('\n');
    return thought + content + (content !== '' && called !== '' ? '\n' : '') + called;
  }

  private heard({ content }: Said, byTool: boolean): string {
    const { open, close } = this.dialect.tags.observation;
    if (!byTool || this.dialect.roles !== true || open === '') return content;
    return `${open}\n${content}\n${close}`;
  }
}
