/** Longest value that stays on one line. */
const width = 120;

/** JSON for people: values that fit stay on one line, and so do lists of numbers of any length. */
export function prettyJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  if (isList && value.every((item) => typeof item === 'number' || item === null)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = isList
    ? value.map((item) => prettyJson(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${JSON.stringify(key)}: ${prettyJson(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const fits = parts.reduce((length, part) => length + part.length + 2, indent.length) <= width && !parts.some((part) => part.includes('\n'));
  return fits ? `${open}${parts.join(', ')}${close}` : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
