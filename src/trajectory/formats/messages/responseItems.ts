import { isRow, isText, others } from '../row';
import type { Row } from '../row';
import { contentText } from './content';
import { callOf } from './said';
import type { Said } from './said';

/** Items of the Responses API as messages. An item of an unknown type is shown as its JSON, by whoever can have written it. */
export function responseItems(items: readonly unknown[]): readonly Said[] {
  return items.filter(isRow).flatMap(saidBy);
}

function saidBy(item: Row): readonly Said[] {
  const type = isText(item['type']) ? item['type'] : 'message';
  if (type === 'message') return [{ role: isText(item['role']) ? item['role'] : 'assistant', content: contentText(item['content']), calls: [] }];
  if (type === 'reasoning') {
    const reasoning = [contentText(item['summary']), contentText(item['content'])].filter((text) => text !== '').join('\n');
    return [{ role: 'assistant', content: '', calls: [], ...(reasoning === '' ? {} : { reasoning }) }];
  }
  if (type === 'mcp_list_tools') return [{ role: 'system', content: JSON.stringify(item['tools'] ?? item), calls: [] }];
  if (type.endsWith('_call_output')) return [result(item['output'], item['call_id'])];
  if (type.endsWith('_call')) return called(item, type);
  return [{ role: type.endsWith('_output') ? 'tool' : 'assistant', content: JSON.stringify(item), calls: [] }];
}

/** What comes back for these is an item of its own. */
const answeredApart = ['function_call', 'custom_tool_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call'];
const names: Readonly<Record<string, string>> = { local_shell_call: 'shell' };

/** A call; of a tool on the model's side what came back stands in the same item, where it is kept at all. */
function called(item: Row, type: string): readonly Said[] {
  const id = item['call_id'] ?? item['id'];
  const call = callOf({ name: isText(item['name']) ? item['name'] : (names[type] ?? type.slice(0, -'_call'.length)), arguments: givenIn(item), id });
  const said: Said = { role: 'assistant', content: '', calls: [call] };
  if (answeredApart.includes(type)) return [said];
  return [said, result(item['output'] ?? item['results'] ?? item['outputs'] ?? item['error'], id)];
}

function givenIn(item: Row): unknown {
  const { action, arguments: given, input, code, queries } = item;
  if (given !== undefined) return given;
  if (isRow(action)) return others(action, 'type');
  if (input !== undefined) return { input };
  return code === undefined ? { ...(queries === undefined ? {} : { queries }) } : { code };
}

function result(output: unknown, id: unknown): Said {
  return { role: 'tool', content: contentText(output), calls: [], ...(isText(id) ? { answers: id } : {}) };
}
