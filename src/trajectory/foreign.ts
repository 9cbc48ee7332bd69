import type { TopLevel } from './topLevel';
import { quote } from './visible';

/** What other files are, by their first bytes: each with one sentence that says what to do. */
const signatures: readonly { readonly bytes: string; readonly at?: number; readonly sentence: string }[] = [
  { bytes: '- of Ulm', sentence: 'is an ASE trajectory of atoms (ULM, binary), not an agent\'s; open it with ASE' },
  { bytes: 'PK\x03\x04', sentence: 'is a ZIP archive (Inspect .eval logs and torch checkpoints are too); unpack it and open what is inside' },
  { bytes: 'PK\x05\x06', sentence: 'is an empty ZIP archive' },
  { bytes: '\x1f\x8b', sentence: 'is compressed with gzip; unpack it first (gunzip) and open the result' },
  { bytes: '\x28\xb5\x2f\xfd', sentence: 'is compressed with Zstandard; unpack it first (unzstd) and open the result' },
  { bytes: 'BZh', sentence: 'is compressed with bzip2; unpack it first (bunzip2) and open the result' },
  { bytes: '\xfd7zXZ', sentence: 'is compressed with xz; unpack it first (unxz) and open the result' },
  { bytes: '\x89HDF', sentence: 'is an HDF5 file, not a trajectory of an agent; export its rollouts as JSON lines' },
  { bytes: 'PAR1', sentence: 'is a Parquet file; export its rollouts as JSON lines' },
  { bytes: 'CDF', sentence: 'is a NetCDF file (a trajectory of atoms), not an agent\'s' },
  { bytes: 'TRRT', sentence: 'is a binary trajectory of atoms, not an agent\'s' },
];

const exportAsJson = 'is a Python pickle, which could run code when it is loaded, so it is never opened here; export its rollouts as JSON lines';

/** For bytes that are no text; `undefined`: they may be. Completes "NAME …". */
export function binarySentence(head: Uint8Array): string | undefined {
  if (head.length === 0) return 'is empty (0 bytes)';
  const start = latin1(head.subarray(0, 16));
  const known = signatures.find(({ bytes, at }) => start.startsWith(bytes, at));
  if (known !== undefined) return known.sentence;
  if (head[0] === 0x80 && (head[1] ?? 9) <= 5) return exportAsJson;
  if (head.every((byte) => byte === 0)) return 'holds nothing but NUL bytes; it was probably damaged when it was written or copied';
  return undefined;
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** For text that is no JSON. */
export function plainTextSentence(text: string): string {
  if (text.startsWith('version https://git-lfs.github.com/spec')) return 'is a Git LFS pointer, not the file itself; fetch it with `git lfs pull`';
  if (text.trim() === '') return 'holds nothing but blank space';
  if (/^\s*(?:"|-?\d|true\b|false\b|null\b)/.test(text)) return `is a single JSON value at most; ${whatIsRead}`;
  return `is text but not JSON; ${whatIsRead}`;
}

const whatIsRead =
  'Turnlens reads its own .traj ("question", "answers", "turns"), rollouts of trainers (verl and others), runs of agents (SWE-agent and others), chat messages and tagged text';

interface KnownJson {
  /** Completes "NAME is …". */
  readonly what: string;
  readonly when: (top: TopLevel) => boolean;
  /** Not an agent's rollout at all: no later version will read it. */
  readonly never?: true;
}

const has =
  (...names: readonly string[]) =>
  ({ keys }: TopLevel): boolean =>
    names.every((name) => keys.has(name));
const either =
  (...tests: readonly ((top: TopLevel) => boolean)[]) =>
  (top: TopLevel): boolean =>
    tests.some((test) => test(top));
const list =
  (...names: readonly string[]) =>
  (top: TopLevel): boolean =>
    top.kind === 'array' && has(...names)(top);

/** Other programs' files, told by the keys they begin with; the first that fits. */
const knownJson: readonly KnownJson[] = [
  { what: 'a diagnostics file of LOTAPO whose turns have no text', when: has('question_index', 'turns') },
  {
    what: 'a robot path (Choreo), not the trajectory of an agent',
    when: either(has('snapshot'), has('waypoints'), has('samples', 'trajectory'), ({ keys }) => keys.get('trajectory') === 'object' && keys.has('version')),
    never: true,
  },
  { what: 'an ALFWorld task, not a recorded trajectory', when: either(has('plan', 'scene'), has('plan', 'images')), never: true },
  { what: 'a log of Inspect whose samples have no messages', when: has('version', 'samples') },
  { what: 'a log of one step a line, in which no assistant speaks', when: either(has('tool_events'), has('sessionId', 'message'), has('record_type')) },
  { what: 'a list of chat messages in which no assistant speaks', when: list('role') },
  { what: 'a record of chat messages without an assistant\'s', when: either(has('messages'), has('prompt', 'completion')) },
  { what: 'a thread of LangGraph without messages', when: ({ keys }) => keys.get('values') === 'object' },
  { what: 'a task of MiroFlow without messages', when: either(has('message_history'), has('main_agent_message_history')) },
  { what: 'potentials of TIPS without their rollouts (those are in rollout_data)', when: has('phi_values', 'delta_phi') },
];

/** For JSON of another kind, by its keys. Completes "NAME …". */
export function foreignJsonSentence(top: TopLevel, text: string): string {
  const known = knownJson.find(({ when }) => when(top));
  if (known?.never) return `is ${known.what}; it stays with the program it belongs to`;
  if (known !== undefined) return `is ${known.what}, which Turnlens does not read yet; ${whatIsRead}`;
  const keys = [...top.keys.keys()];
  if (keys.length === 0 && /^\{\s*(?:"[^"]*)?$/.test(text)) return 'breaks off before its first key is written, so that nobody can tell what it was';
  if (keys.length === 0 && top.kind === 'object' && top.empty !== true) {
    return `starts like JSON, but its keys cannot be read: names and texts need double quotes; ${whatIsRead}`;
  }
  const seen = keys.length === 0 ? '' : ` (its keys: ${keys.slice(0, 5).map((key) => quote(key)).join(', ')}${keys.length > 5 ? ', …' : ''})`;
  return `is JSON but no search trajectory that Turnlens knows${seen}; ${whatIsRead}`;
}
