import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import type { ActivationChoice } from '../replay/activations';
import { PolicyError } from '../replay/policy';
import { editedSession, editGraph, type EditedGraph, type Outcome } from './graph/editGraph';
import { outOfMemory } from './outOfMemory';

export interface OpenGraph {
  readonly session: InferenceSession;
  /** What of the graph was not recognised, so that it runs as it was exported: sentences for people. */
  readonly notes: readonly string[];
  /** Whether the graph runs with our edits. */
  readonly edited: boolean;
}

// Spinning threads make a run several times slower where the machine is busy.
const quietThreads = { intra_op: { allow_spinning: '0' } };
const common = { executionProviders: ['cpu'], logSeverityLevel: 3 } as const;

/** Loads a graph as replay wants to run it, or as it is where an edit does not know it. Rejects with PolicyError. */
export async function openGraph(file: string, activations: ActivationChoice): Promise<OpenGraph> {
  const edited = await readAndEdit(file, activations);
  const notes = edited ? notRecognised(edited) : [];
  if (edited) {
    const session = await refusal(() => InferenceSession.create(edited.bytes, { ...common, extra: { session: { ...quietThreads, ...editedSession, model_external_initializers_file_folder_path: path.dirname(file) } } }));
    if (typeof session !== 'string') return { session, notes, edited: true };
    if (outOfMemory(session)) throw noMemory(file);
    notes.push(`The graph is run as it was exported, as the runtime refuses it with our edits: ${session}.`);
  }
  const session = await refusal(() => InferenceSession.create(file, { ...common, extra: { session: quietThreads } }));
  if (typeof session !== 'string') return { session, notes, edited: false };
  if (outOfMemory(session)) throw noMemory(file);
  throw new PolicyError('load-failed', `${file} could not be loaded (${session.slice(0, 300)}); export it or download it again.`);
}

async function readAndEdit(file: string, activations: ActivationChoice): Promise<EditedGraph | undefined> {
  try {
    return editGraph(await readFile(file), { activations, device: 'cpu' });
  } catch {
    // The runtime says better what is wrong with a file that is no model, or is too large to be read.
    return undefined;
  }
}

async function refusal(create: () => Promise<InferenceSession>): Promise<InferenceSession | string> {
  try {
    return await create();
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';
  }
}

function notRecognised({ rows, packing, activations }: EditedGraph): string[] {
  const note = (outcome: Outcome, sentence: string): string[] => (outcome.kind === 'not-recognised' ? [`${sentence}: ${outcome.why}.`] : []);
  return [
    ...note(rows, 'Logits are fetched for every token'),
    ...note(packing, 'Branches are run one by one'),
    ...note(activations, 'Activations are rounded as the export has it'),
  ];
}

const noMemory = (file: string): PolicyError => new PolicyError('out-of-memory', `There is not enough memory to load ${file}; close other programs or select a smaller policy.`);
