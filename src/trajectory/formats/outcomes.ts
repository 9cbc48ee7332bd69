import type { Finding } from '../model';
import { quote } from '../visible';
import type { Said } from './messages/said';

/** A run that did not end by itself. `why` completes "The run was cut off …". */
export const truncated = (why: string): Finding => ({
  code: 'run-truncated',
  severity: 'warning',
  message: `The run was cut off ${why}; what it would have done next is not known.`,
});

/** The same, where the file has a word for how it ended. */
export const truncatedBy = (status: string): Finding => truncated(`${stated}${quote(status, 80)})`);

const stated = '(the file says ';

/** What was concluded from the last steps that the file holds: where the file itself breaks off, it says nothing of the run. */
export const isOfLastSteps = ({ code, message }: Finding): boolean => code === 'outcome-not-shown' || (code === 'run-truncated' && message.startsWith('The run was cut off') && !message.includes(stated));

/** What the file claims of the outcome and its steps do not show. */
export const notShown = (claim: string, missing: string): Finding => ({
  code: 'outcome-not-shown',
  severity: 'warning',
  message: `The file says that ${claim}, but ${missing}.`,
});

/** A chat that ends in a call: nobody waited for what it gives back. */
export const cutInCall = (said: readonly Said[]): readonly Finding[] => {
  const last = said.at(-1);
  return last?.role === 'assistant' && last.calls.length > 0 ? [truncated('in a call that nothing answered')] : [];
};

/** A place from which on the policy read less than stands before. `what` begins the sentence; turn 0: before the first. */
export const replacedContext = (what: string, turn: number): Finding => ({
  code: 'context-replaced',
  severity: 'warning',
  message: `${what}: what follows was written from a summary, and not from all the text before it as it stands here.`,
  ...(turn > 0 ? { turn } : {}),
});
