import type { TopLevel } from './topLevel';

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
  return `is text but not JSON; ${whatIsRead}`;
}

const whatIsRead =
  'Turnlens reads its own .traj (an object with "question", "answers" and "turns") and verl rollout dumps (one JSON object a line with "input" and "output")';

/** For JSON of another kind, by its keys. */
export function foreignJsonSentence({ kind, keys }: TopLevel): string {
  const has = (...names: string[]): boolean => names.every((name) => keys.has(name));
  const all = [...keys.keys()];
  const known =
    has('trajectory', 'history') || has('trajectory', 'environment') || (has('history') && keys.get('history') === 'array')
      ? 'is a trajectory of SWE-agent'
      : has('trajectory_format') || has('info', 'messages')
        ? 'is a trajectory of mini-swe-agent'
        : has('schema_version') && has('steps')
          ? 'is a trajectory in the ATIF format'
          : has('snapshot') || has('waypoints') || has('samples', 'trajectory') || (keys.get('trajectory') === 'object' && has('version'))
            ? 'is a robot path (Choreo), not a trajectory of an agent'
            : has('plan', 'scene') || has('plan', 'images')
              ? 'is an ALFWorld task, not a recorded trajectory'
              : has('eval', 'status') || has('version', 'samples')
                ? 'is a log of Inspect'
                : kind === 'array' && has('role')
                  ? 'is a list of chat messages'
                  : kind === 'array' && has('source', 'timestamp')
                    ? 'is a list of OpenHands events'
                    : has('messages') || has('prompt', 'completion')
                      ? 'is a record of chat messages'
                      : undefined;
  if (known?.includes(', not ')) return `${known}; it stays with the program it belongs to`;
  if (known !== undefined) return `${known}, which Turnlens does not read yet; ${whatIsRead}`;
  const keysSeen = all.length === 0 ? '' : ` (its keys: ${all.slice(0, 5).map(shortKey).join(', ')}${all.length > 5 ? ', …' : ''})`;
  return `is JSON but no search trajectory that Turnlens knows${keysSeen}; ${whatIsRead}`;
}

// Keys of a hostile file go to terminals.
const shortKey = (key: string): string => `"${key.slice(0, 30).replace(/[\0-\x1f\x7f-\x9f]/g, '\ufffd')}"`;
