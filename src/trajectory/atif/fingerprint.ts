import { isRow } from '../formats/row';
import { textName } from '../textName';

/** The fields of a step that say what happened; another program may add to the rest. */
const told = ['source', 'message', 'reasoning_content', 'tool_calls', 'observation', 'metrics', 'is_copied_context'];
const within: Readonly<Record<string, readonly string[]>> = {
  tool_calls: ['tool_call_id', 'function_name', 'arguments'],
  results: ['source_call_id', 'content'],
  metrics: ['completion_token_ids', 'logprobs'],
};

/** Names what steps say, whatever the order of their keys; no secret. Nothing, `null`, `false` and an empty list are the same. */
export function stepsFingerprint(steps: unknown): string {
  const text = JSON.stringify(Array.isArray(steps) ? steps.map((step) => picked(step, told)) : null);
  return `${textName(text)}-${String(text.length)}`;
}

function picked(value: unknown, keys: readonly string[]): unknown {
  if (!isRow(value)) return sorted(value);
  return keys.flatMap((key) => {
    const item = fieldOf(key, value[key]);
    return isNothing(item) ? [] : [[key, item]];
  });
}

function fieldOf(key: string, value: unknown): unknown {
  if (key === 'observation') return isRow(value) ? fieldOf('results', value['results']) : sorted(value);
  const inner = within[key];
  if (inner === undefined) return sorted(value);
  return Array.isArray(value) ? value.map((item) => picked(item, inner)) : picked(value, inner);
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** The same value, its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRow(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted(value[key])]);
}
