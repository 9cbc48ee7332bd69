import type { OnnxModel } from './model';
import type { GraphNode } from './node';
import { elementType, tensorField } from './proto';
import { fields } from './wire';

/** An edit does not know this graph. Thrown before anything is changed; `message` says what was looked for and not found. */
export class NotRecognised extends Error {}

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

  /** True where a value is the same in every run: weights, and what is computed from nothing else. */
  isConstant(value: string): boolean {
    const known = this.#constant.get(value);
    if (known !== undefined) return known;
    const node = this.producer(value);
    const constant =
      this.model.initializers.has(value) || (node !== undefined && !node.op.startsWith('Random') && node.inputs.every((input) => input === '' || this.isConstant(input)));
    this.#constant.set(value, constant);
    return constant;
  }

  /** Inputs that differ from run to run. */
  varying(node: GraphNode): string[] {
    return node.inputs.filter((input) => input !== '' && !this.isConstant(input));
  }

  /** Walks back from a value while `through` gives the input to go on with; the last node reached, which `through` did not pass. */
  back(value: string, through: (node: GraphNode) => string | undefined): GraphNode | undefined {
    for (let name = value; ; ) {
      const node = this.producer(name);
      const next = node && through(node);
      if (next === undefined) return node;
      name = next;
    }
  }

  /** Every node that a value is computed from, but for what is constant. */
  ancestors(value: string): Set<GraphNode> {
    const found = new Set<GraphNode>();
    const open = [value];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const node = this.producer(name);
      if (!node || found.has(node)) continue;
      found.add(node);
      open.push(...this.varying(node));
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
  if (type === elementType.int64) return view?.byteLength === 8 ? Number(view.getBigInt64(0, true)) : values[0];
  if (type === elementType.int32) return view?.byteLength === 4 ? view.getInt32(0, true) : values[0];
  return undefined;
}
