import { fp32Activations } from './activations';
import { attentionBias } from './attentionBias';
import { cacheColumns } from './cacheColumns';
import { groupQueryAttention } from './groupQueryAttention';
import { unmerge } from './mergedDecoder';
import { OnnxModel } from './model';
import { positionInput } from './positionInput';
import { NotRecognised } from './recognise';
import { scoreRows } from './scoreRows';

/** What became of one edit. */
export type Outcome =
  | { readonly kind: 'applied' }
  /** There is nothing to edit. */
  | { readonly kind: 'not-needed' }
  /** The graph runs without this edit. `why`: a part of a sentence. */
  | { readonly kind: 'not-recognised'; readonly why: string };

export interface EditedGraph {
  /** To be loaded from memory, with the folder of the file as `model_external_initializers_file_folder_path`. */
  readonly bytes: Uint8Array;
  /** Rows are gathered before the head and scored in the graph (names.ts). */
  readonly rows: Outcome;
  /** Attention takes a bias, and positions are explicit: branches can be packed into one run. */
  readonly packing: Outcome;
  /** Activations that the export rounds are computed in fp32. */
  readonly activations: Outcome;
  /** A run gives the columns that it adds to the cache, and not the whole cache. */
  readonly columns: Outcome;
  /** Nodes whose rotary angles a GPU computes too coarsely (2e-3 in the logits on WebGPU): to be left to the CPU. */
  readonly angles: readonly string[];
  /** Of the edited graph, by name. */
  readonly outputs: readonly string[];
}

interface EditOptions {
  readonly activations: 'fp32' | 'exported';
  readonly device: 'cpu' | 'gpu';
  /** Whether runs may give only the columns that they add to the cache: where the cache is kept in this process. */
  readonly columns?: boolean;
}

/** Session options (`extra.session`) that an edited graph needs beside the folder of its external data. */
export const editedSession = { disable_quant_qdq: '1' } as const;

/**
 * The graph of a decoder as replay wants to run it. An edit that does not recognise the graph leaves it as it is and says why.
 * Architectures are told by their graph, never by a name. An edit that computes otherwise than before counts up `engine` (replay/engine.ts).
 * Throws where the bytes are no ONNX model.
 */
export function editGraph(file: Uint8Array, options: EditOptions): EditedGraph {
  let model = OnnxModel.read(file);
  const attempt = (edit: (copy: OnnxModel) => Outcome['kind']): Outcome => {
    const copy = model.copy();
    try {
      const kind = edit(copy);
      if (kind !== 'applied') return { kind: 'not-needed' };
      model = copy;
      return { kind };
    } catch (error) {
      if (error instanceof NotRecognised) return { kind: 'not-recognised', why: error.message };
      throw error;
    }
  };
  const apply = (edit: (copy: OnnxModel) => void) => (copy: OnnxModel): 'applied' => {
    edit(copy);
    return 'applied';
  };
  let packing = attempt(apply(pack));
  const smooth = (): Outcome => (options.activations === 'fp32' ? attempt((copy) => fp32Activations(copy, options.device === 'cpu')) : { kind: 'not-needed' });
  let activations = smooth();
  const rows = attempt(apply(scoreRows));
  if (rows.kind === 'not-recognised') {
    // A graph of which the one end is not understood is not changed at the other.
    model = OnnxModel.read(file);
    packing = rows;
    activations = smooth();
  }
  const columns: Outcome = options.columns === true && rows.kind === 'applied' ? attempt(apply(cacheColumns)) : { kind: 'not-needed' };
  model.removeUnused();
  const angles = model.nodes.filter(({ op }) => op === 'Cos' || op === 'Sin').map(({ name }) => name);
  return { bytes: model.write(), rows, packing, activations, columns, angles, outputs: model.outputs.map(({ name }) => name) };
}

function pack(model: OnnxModel): void {
  // A merged decoder is opened only together with its mask: its branch with a past may have been traced for one token at a time.
  unmerge(model);
  if (model.nodes.some(({ op }) => op === 'GroupQueryAttention')) groupQueryAttention(model);
  else {
    attentionBias(model);
    positionInput(model);
  }
}
