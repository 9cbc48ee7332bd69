/** What harnesses write around the task in the first message of a run. */
const marks: readonly (readonly [open: string, close: string])[] = [
  ['<pr_description>', '</pr_description>'],
  ['<issue_description>', '</issue_description>'],
  ['<issue>', '</issue>'],
  ['\nISSUE:\n', '\nINSTRUCTIONS:'],
  ['The description is:\n', '\nINSTRUCTIONS:'],
  ['Please solve this issue: ', '\n\nYou can execute bash commands'],
];

/** What some of them write before it, inside the marks. */
const leads: readonly string[] = ['Consider the following PR description:\n'];

/** The task in a harness's message; `undefined`: it is not marked as one. */
export function taskIn(message: string): string | undefined {
  for (const [open, close] of marks) {
    const at = message.indexOf(open);
    const end = at < 0 ? -1 : message.indexOf(close, at + open.length);
    const inside = end < 0 ? '' : message.slice(at + open.length, end).trim();
    const lead = leads.find((text) => inside.startsWith(text));
    const task = lead === undefined ? inside : inside.slice(lead.length).trim();
    if (task !== '') return task;
  }
  return undefined;
}

/** What stands for `{{task}}` in a message that a Jinja template gave, by the plain text right before and after it. */
export function taskByTemplate(message: string, template: string): string | undefined {
  const slot = /\{\{-?\s*task\s*-?\}\}/.exec(template);
  if (slot === null) return undefined;
  const before = template.slice(0, slot.index).split(/[}%]\}/).at(-1) ?? '';
  const after = template.slice(slot.index + slot[0].length).split(/\{[{%]/)[0] ?? '';
  const at = message.indexOf(before);
  const start = at + before.length;
  // Templates drop their last line feed.
  const end = after.trim() === '' ? message.length : message.indexOf(after.trimEnd(), start);
  const task = at < 0 || end < 0 ? '' : message.slice(start, end).trim();
  return task === '' ? undefined : task;
}
