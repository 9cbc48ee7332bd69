import { isRow, isText } from '../row';
import type { Row } from '../row';
import { contentText } from './content';
import { callOf } from './said';
import type { Said } from './said';

/** Items of the Responses API as messages. An item of an unknown type is shown as its JSON, by whoever can have written it. */
export function responseItems(items: readonly unknown[]): readonly Said[] {
  return items.filter(isRow).map(saidBy);
}

function saidBy(item: Row): Said {
  const type = item['type'] ?? 'message';
  switch (type) {
    case 'message':
      return { role: isText(item['role']) ? item['role'] : 'assistant', content: contentText(item['content']), calls: [] };
    case 'reasoning': {
      const reasoning = [contentText(item['summary']), contentText(item['content'])].filter((text) => text !== '').join('\n');
      return { role: 'assistant', content: '', calls: [], ...(reasoning === '' ? {} : { reasoning }) };
    }
    case 'function_call':
      return { role: 'assistant', content: '', calls: [callOf({ name: item['name'], arguments: item['arguments'], id: item['call_id'] ?? item['id'] })] };
    case 'function_call_output': {
      const answers = item['call_id'];
      return { role: 'tool', content: contentText(item['output']), calls: [], ...(isText(answers) ? { answers } : {}) };
    }
    default:
      return { role: isText(type) && type.endsWith('_output') ? 'tool' : 'assistant', content: JSON.stringify(item), calls: [] };
  }
}
