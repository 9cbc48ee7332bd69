import path from 'node:path';
import { visible } from '../trajectory/visible';
import { plainLine } from './plainText';

/** What is wrong with a file or one of its records, for standard error; a sentence about the file begins with its name already. */
export function problemLine(name: string, record: number | null, message: string): string {
  if (record !== null) return `${plainLine(name)}: record ${record}: ${message}`;
  const named = `${visible(path.basename(name), true)} `;
  return message.startsWith(named) ? `${plainLine(name)} ${message.slice(named.length)}` : `${plainLine(name)}: ${message}`;
}
