import { open } from 'node:fs/promises';
import { PolicyError } from '../replay/policy';
import { WireError, WireReader, type ByteRange } from './protobuf';

/** What a graph file says of itself without being loaded. */
export interface GraphFacts {
  /** Files with weights that it names, relative to its own folder. */
  readonly externalFiles: readonly string[];
  /** Of the weights: `float32`, `float16`, `bfloat16`, `int8`, `int4`. */
  readonly dtype: string;
  /** How activations are computed once the graph is edited. */
  readonly activations: 'fp32' | 'exported';
}

/** Numbers of fields in onnx.proto, and of its element types. */
const model = { graph: 7 };
const graph = { node: 1, initializer: 5 };
const node = { opType: 4, attribute: 5 };
const attribute = { i: 3, t: 5, g: 6, tensors: 10, graphs: 11 };
const tensor = { dims: 1, dataType: 2, externalData: 13 };
const floatTypes = new Map([[1, 'float32'], [10, 'float16'], [16, 'bfloat16']]);

const integerOperators = new Set(['MatMulInteger', 'DynamicQuantizeMatMul', 'MatMulIntegerToFloat', 'QLinearMatMul', 'DequantizeLinear']);

/** Products whose rounded activations no edit knows how to undo. */
const roundedForGood = new Set(['DynamicQuantizeMatMul', 'MatMulIntegerToFloat', 'QLinearMatMul']);

/** Deepest nesting of graphs in graphs that is followed. */
const deepest = 8;

/** What was read of files that have not changed since: a scoring asks for its policy's identity every time. */
const remembered = new Map<string, { readonly size: number; readonly modified: number; readonly facts: GraphFacts }>();
const mostRemembered = 16;

/** Reads the structure of an ONNX file, never its weights. Rejects with PolicyError `load-failed` where it is no ONNX model. */
export async function readGraphFacts(file: string): Promise<GraphFacts> {
  const handle = await open(file, 'r');
  try {
    const { size, mtimeMs: modified } = await handle.stat();
    const known = remembered.get(file);
    if (known?.size === size && known.modified === modified) return known.facts;
    const scan = new GraphScan(new WireReader(handle, size));
    await scan.model({ start: 0, end: size });
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(file, { size, modified, facts: scan.facts() });
    return scan.facts();
  } catch (error) {
    if (error instanceof WireError) throw await notAGraph(file);
    throw error;
  } finally {
    await handle.close();
  }
}

async function notAGraph(file: string): Promise<PolicyError> {
  const handle = await open(file, 'r');
  const head = Buffer.alloc(40);
  await handle.read(head, 0, 40, 0).finally(() => handle.close());
  const isPointer = head.toString('latin1').startsWith('version https://git-lfs');
  const remedy = isPointer ? 'it is a Git LFS pointer: run "git lfs pull" in its folder' : 'it is damaged or cut off: export it or download it again';
  return new PolicyError('load-failed', `${file} is no ONNX model (${remedy}).`);
}

class GraphScan {
  readonly #externalFiles = new Set<string>();
  readonly #elements = new Map<string, number>();
  readonly #operators = new Set<string>();
  #bits = Infinity;

  constructor(readonly reader: WireReader) {}

  async model(range: ByteRange): Promise<void> {
    for await (const field of this.reader.fields(range)) if (field.number === model.graph) await this.#graph(field.bytes, 0);
    if (this.#operators.size === 0) throw new WireError('no graph');
  }

  facts(): GraphFacts {
    return { externalFiles: [...this.#externalFiles].sort(), dtype: this.#dtype(), activations: this.#activations() };
  }

  #activations(): 'fp32' | 'exported' {
    const half = ['float16', 'bfloat16'].some((type) => this.#elements.has(type));
    return half || [...this.#operators].some((operator) => roundedForGood.has(operator)) ? 'exported' : 'fp32';
  }

  #dtype(): string {
    if (this.#operators.has('MatMulNBits')) return `int${String(Number.isFinite(this.#bits) ? this.#bits : 4)}`;
    if ([...this.#operators].some((operator) => integerOperators.has(operator))) return 'int8';
    const [most] = [...this.#elements].sort(([, a], [, b]) => b - a);
    return most?.[0] ?? 'float32';
  }

  async #graph(range: ByteRange, depth: number): Promise<void> {
    if (depth > deepest) throw new WireError('nested too deep');
    for await (const field of this.reader.fields(range)) {
      if (field.number === graph.node) await this.#node(field.bytes, depth);
      else if (field.number === graph.initializer) await this.#tensor(field.bytes);
    }
  }

  async #node(range: ByteRange, depth: number): Promise<void> {
    let operator = '';
    for await (const field of this.reader.fields(range)) {
      if (field.number === node.opType) operator = await this.reader.text(field.bytes);
      else if (field.number === node.attribute) await this.#attribute(field.bytes, depth);
    }
    this.#operators.add(operator);
  }

  async #attribute(range: ByteRange, depth: number): Promise<void> {
    let name = '';
    for await (const field of this.reader.fields(range)) {
      if (field.number === 1) name = await this.reader.text(field.bytes);
      else if (field.number === attribute.i && name === 'bits') this.#bits = Math.min(this.#bits, field.value);
      else if (field.number === attribute.t || field.number === attribute.tensors) await this.#tensor(field.bytes);
      else if (field.number === attribute.g || field.number === attribute.graphs) await this.#graph(field.bytes, depth + 1);
    }
  }

  async #tensor(range: ByteRange): Promise<void> {
    let elements = 1;
    let type: string | undefined;
    for await (const field of this.reader.fields(range)) {
      if (field.number === tensor.dims) elements *= Number.isNaN(field.value) ? 1 : field.value;
      else if (field.number === tensor.dataType) type = floatTypes.get(field.value);
      else if (field.number === tensor.externalData) await this.#external(field.bytes);
    }
    if (type !== undefined) this.#elements.set(type, (this.#elements.get(type) ?? 0) + elements);
  }

  async #external(range: ByteRange): Promise<void> {
    let key = '';
    let value = '';
    for await (const field of this.reader.fields(range)) {
      if (field.number === 1) key = await this.reader.text(field.bytes);
      else if (field.number === 2) value = await this.reader.text(field.bytes);
    }
    if (key === 'location') this.#externalFiles.add(value);
  }
}
