import type { OnnxModel } from './model';
import type { GraphNode } from './node';
import { elementType, tensorField } from './proto';
import { fields } from './wire';

/** An edit does not know this graph. Thrown before anything is changed; `message` says what was looked for and not found. */
export class NotRecognised extends Error {}

/** From a softmax to the product of its scores, and from the logits to the head: nodes. */
const longestWay = 100;

/** What a graph computes from what, for the length of one edit. */
export class GraphReader {
  readonly #producers: Map<string, GraphNode>;
  readonly #constant = new Map<string, boolean>();

  constructor(private readonly model: OnnxModel) {
    this.#producers = model.producers();
  }

  producer(value: string): GraphNode | undefined {
    return this.#producers.get(value);
  }

  /** True where a value is the same in every run: weights, and what is computed from nothing else. Not by recursion: a way through all layers has thousands of nodes. */
  isConstant(value: string): boolean {
    const entered = new Set<string>();
    const open = [value];
    for (let name = open.at(-1); name !== undefined; name = open.at(-1)) {
      const inputs = this.#constant.has(name) || this.model.initializers.has(name) ? [] : (this.producer(name)?.inputs ?? []);
      const unknown = entered.has(name) ? [] : inputs.filter((input) => input !== '' && !this.#constant.has(input) && !entered.has(input));
      entered.add(name);
      for (const input of unknown) open.push(input);
      if (unknown.length > 0) continue;
      open.pop();
      if (!this.#constant.has(name)) this.#constant.set(name, this.#follows(name));
    }
    return this.#constant.get(value) === true;
  }

  /** Whether a value is constant, by what is known of those that it is computed from. One that is computed from itself is not. */
  #follows(value: string): boolean {
    if (this.model.initializers.has(value)) return true;
    const node = this.producer(value);
    return node !== undefined && !node.op.startsWith('Random') && node.inputs.every((input) => input === '' || this.#constant.get(input) === true);
  }

  /** Inputs that differ from run to run. */
  varying(node: GraphNode): string[] {
    return node.inputs.filter((input) => input !== '' && !this.isConstant(input));
  }

  /**
   * Walks back from a value while `through` gives the input to go on with; the last node reached, which `through` did not pass. None where that is further
   * than in any decoder: the way may go in a circle.
   */
  back(value: string, through: (node: GraphNode) => string | undefined): GraphNode | undefined {
    let node = this.producer(value);
    for (let steps = 0; node && steps < longestWay; steps++) {
      const next = through(node);
      if (next === undefined) return node;
      node = this.producer(next);
    }
    return undefined;
  }

  /** Every node that values are computed from, but for what is constant. */
  ancestors(values: readonly string[]): Set<GraphNode> {
    const found = new Set<GraphNode>();
    const open = [...values];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const node = this.producer(name);
      if (!node || found.has(node)) continue;
      found.add(node);
      for (const input of this.varying(node)) open.push(input);
    }
    return found;
  }

  /** The value of an integer constant with one element. */
  constantInt(value: string): number | undefined {
    const initializer = this.model.initializers.get(value);
    const node = this.producer(value);
    const bytes = initializer?.bytes ?? (node?.op === 'Constant' ? node.message('value', 'tensor') : undefined);
    return bytes && tensorInt(bytes);
  }
}

function tensorInt(bytes: Uint8Array): number | undefined {
  const values: number[] = [];
  const only = (): number | undefined => (values.length === 1 ? values[0] : undefined);
  let type: number | undefined;
  let raw: Uint8Array | undefined;
  for (const field of fields(bytes)) {
    if (field.number === tensorField.dataType) type = field.int();
    else if (field.number === tensorField.rawData) raw = field.bytes();
    else if (field.number === tensorField.int64Data || field.number === tensorField.int32Data) {
      for (const item of field.ints()) values.push(item);
    }
  }
  const view = raw && new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  if (type === elementType.int64) return view?.byteLength === 8 ? Number(view.getBigInt64(0, true)) : only();
  if (type === elementType.int32) return view?.byteLength === 4 ? view.getInt32(0, true) : only();
  return undefined;
}
