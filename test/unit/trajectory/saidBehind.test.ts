import { expect, it } from 'vitest';
import { saidBehind } from '../../../src/trajectory/saidBehind';

const said = (text: string): string | undefined => {
  const span = saidBehind(text, { start: 0, end: text.length });
  return span && text.slice(span.start, span.end);
};

it.each([
  ['Qwen', '<|im_end|>\n<|im_start|>user\nBe brief.<|im_end|>\n<|im_start|>assistant\n'],
  ['Phi-4', '<|im_end|><|im_start|>user<|im_sep|>Be brief.<|im_end|><|im_start|>assistant<|im_sep|>'],
  ['Llama 3', '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nBe brief.<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n'],
  ['Gemma', '<end_of_turn>\n<start_of_turn>user\nBe brief.<end_of_turn>\n<start_of_turn>model\n'],
  ['Kimi', '<|im_end|><|im_user|>user<|im_middle|>Be brief.<|im_end|><|im_assistant|>assistant<|im_middle|>'],
  ['DeepSeek', '<｜User｜>Be brief.<｜Assistant｜>'],
  ['GLM', '<|user|>\nBe brief.<|assistant|>\n'],
  ['Phi-3', '<|end|>\n<|user|>\nBe brief.<|end|>\n<|assistant|>\n'],
  ['Mistral', '</s>[INST] Be brief. [/INST] '],
])('what a person says between two messages is told from the markers of %s', (_template, text) => {
  expect(said(text)).toBe('Be brief.');
});

it('nothing said is nothing', () => {
  for (const text of ['', '<|im_end|>\n<|im_start|>assistant\n', '<end_of_turn>\n<start_of_turn>model\n', '<｜Assistant｜>', '\nassistant\n']) expect(said(text)).toBeUndefined();
});

it('what stands behind a result without a message of its own is no one’s words', () => {
  expect(said('[exit code 0]<|im_end|>\n<|im_start|>assistant\n')).toBeUndefined();
});

it('markers within what is said stay', () => {
  expect(said('<|im_end|>\n<|im_start|>user\nWrite <|im_end|> after each <|im_start|>user line.<|im_end|>\n<|im_start|>assistant\n')).toBe('Write <|im_end|> after each <|im_start|>user line.');
});
