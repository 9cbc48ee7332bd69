import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import type { ActivationChoice } from '../replay/activations';
import type { Device } from '../replay/device';
import { PolicyError } from '../replay/policy';
import { reasonOf } from './device/available';
import { providersOf } from './device/providers';
import { editedSession, editGraph, type EditedGraph, type Outcome } from './graph/editGraph';
import { outOfMemory } from './outOfMemory';

export interface OpenGraph {
  readonly session: InferenceSession;
  /** What of the graph was not recognised, so that it runs as it was exported: sentences for people. */
  readonly notes: readonly string[];
  /** Whether the graph runs with our edits. */
  readonly edited: boolean;
  /** The key/value cache that it gives stays on the device. */
  readonly resident: boolean;
}

type Options = InferenceSession.SessionOptions;

// Spinning threads make a run several times slower where the machine is busy.
const quietThreads = { intra_op: { allow_spinning: '0' } };
/** A plan of memory would be kept for every shape of the inputs, and each run has another. */
const everySession = { logSeverityLevel: 3, enableMemPattern: false } as const;

/** Loads a graph as replay wants to run it, or as it is where an edit does not know it. Rejects with PolicyError. */
export async function openGraph(file: string, activations: ActivationChoice, device: Device): Promise<OpenGraph> {
  const edited = await readAndEdit(file, activations, device);
  const notes = edited ? notRecognised(edited) : [];
  if (edited) {
    const resident = staysThere(edited, device);
    const session = await refusal(() => InferenceSession.create(edited.bytes, editedOptions(edited, device, resident, path.dirname(file))));
    if (typeof session !== 'string') return { session, notes, resident, edited: true };
    if (outOfMemory(session)) throw noMemory(file);
    notes.push(`The graph is run as it was exported, as the runtime refuses it with our edits: ${session}.`);
  }
  const session = await refusal(() => InferenceSession.create(file, { executionProviders: providersOf(device), ...everySession, extra: { session: quietThreads } }));
  if (typeof session !== 'string') return { session, notes, resident: false, edited: false };
  if (outOfMemory(session)) throw noMemory(file);
  if (device !== 'cpu') throw new PolicyError('load-failed', `ONNX Runtime does not load the graph there (${session})`);
  throw new PolicyError('load-failed', `${file} could not be loaded (${session.slice(0, 300)}); export it or download it again.`);
}

function editedOptions({ angles, outputs }: EditedGraph, device: Device, resident: boolean, folder: string): Options {
  return {
    executionProviders: providersOf(device, angles),
    ...everySession,
    ...(resident ? { preferredOutputLocation: Object.fromEntries(outputs.map((name) => [name, name.startsWith('present') ? 'gpu-buffer' : 'cpu'])) } : {}),
    extra: { session: { ...quietThreads, ...editedSession, model_external_initializers_file_folder_path: folder } },
  };
}

/**
 * From Node only WebGPU hands out tensors that stay on the device. With them every run must fetch every output, and nothing can be cut off
 * a cache: that is bearable where rows are gathered before the head and a mask hides what would be cut off.
 */
function staysThere({ rows, packing }: EditedGraph, device: Device): boolean {
  return device === 'webgpu' && rows.kind === 'applied' && packing.kind === 'applied';
}

async function readAndEdit(file: string, activations: ActivationChoice, device: Device): Promise<EditedGraph | undefined> {
  try {
    return editGraph(await readFile(file), { activations, device: device === 'cpu' ? 'cpu' : 'gpu', columns: device === 'cpu' });
  } catch {
    // The runtime says better what is wrong with a file that is no model, or is too large to be read.
    return undefined;
  }
}

async function refusal(create: () => Promise<InferenceSession>): Promise<InferenceSession | string> {
  try {
    return await create();
  } catch (error) {
    return reasonOf(error);
  }
}

function notRecognised({ rows, packing, activations, columns }: EditedGraph): string[] {
  const note = (outcome: Outcome, sentence: string): string[] => (outcome.kind === 'not-recognised' ? [`${sentence}: ${outcome.why}.`] : []);
  return [
    ...note(rows, 'Logits are fetched for every token'),
    ...note(packing, 'Branches are run one by one'),
    ...note(columns, 'The cache is copied whole after every run'),
    ...note(activations, 'Activations are rounded as the export has it'),
  ];
}

const noMemory = (file: string): PolicyError => new PolicyError('out-of-memory', `There is not enough memory to load ${file}; close other programs or select a smaller policy.`);
