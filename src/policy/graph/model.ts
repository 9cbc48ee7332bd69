import { GraphNode, type NodeSpec } from './node';
import { elementType, graphField, modelField, opsetField, tensor, tensorField, valueInfo, valueInfoField } from './proto';
import { fields, Message, type Field } from './wire';

/** A graph input or output. */
class GraphValue {
  readonly name: string;
  readonly elementType: number | undefined;
  /** A symbolic dimension by its name, an unknown one as ''. */
  readonly shape: readonly (number | string)[];

  constructor(readonly bytes: Uint8Array) {
    this.name = textOf(bytes, valueInfoField.name);
    const type = child(child(bytes, valueInfoField.type), 1);
    this.elementType = find(type, 1)?.int();
    this.shape = [...fields(child(type, 2))].map((dim) => find(dim.bytes(), 1)?.int() ?? textOf(dim.bytes(), 2));
  }
}

/** An initializer: what is known of it without its data. */
export class Initializer {
  readonly name: string;
  readonly elementType: number;
  readonly dims: readonly number[];

  constructor(readonly bytes: Uint8Array) {
    const dims: number[] = [];
    let [name, type] = ['', 0];
    for (const field of fields(bytes)) {
      // One by one: a hostile file may have more than a call takes arguments.
      if (field.number === tensorField.dims) {
        for (const dim of field.ints()) dims.push(dim);
      } else if (field.number === tensorField.dataType) type = field.int();
      else if (field.number === tensorField.name) name = field.text();
    }
    [this.name, this.elementType, this.dims] = [name, type, dims];
  }
}

/**
 * An ONNX model as its bytes and what an edit needs to see of them. Every field that is not edited is written as it was read: weights,
 * external data, metadata, functions.
 */
export class OnnxModel {
  nodes: GraphNode[] = [];
  inputs: GraphValue[] = [];
  outputs: GraphValue[] = [];
  readonly initializers = new Map<string, Initializer>();
  /** Version by domain; '' is ONNX's own. */
  readonly opsets = new Map<string, number>();
  readonly #modelRest: Field[] = [];
  #graphRest: Field[] = [];

  /** Throws where the bytes are no ONNX model. */
  static read(bytes: Uint8Array): OnnxModel {
    const model = new OnnxModel();
    for (const field of fields(bytes)) {
      if (field.number === modelField.graph) model.addGraph(field.bytes());
      else {
        if (field.number === modelField.opset) model.opsets.set(textOf(field.bytes(), opsetField.domain), find(field.bytes(), opsetField.version)?.int() ?? 0);
        model.#modelRest.push(field);
      }
    }
    if (model.nodes.length === 0) throw new Error('the file holds no graph');
    return model;
  }

  /** Takes in a graph: the model's own, or a branch whose nodes become the model's. */
  addGraph(bytes: Uint8Array): void {
    for (const field of fields(bytes)) {
      if (field.number === graphField.node) this.nodes.push(new GraphNode(field.bytes()));
      else if (field.number === graphField.input) this.inputs.push(new GraphValue(field.bytes()));
      else if (field.number === graphField.output) this.outputs.push(new GraphValue(field.bytes()));
      else if (field.number === graphField.initializer) this.addInitializer(new Initializer(field.bytes()));
      else this.#graphRest.push(field);
    }
  }

  /** A copy that can be edited alone; bytes are shared. */
  copy(): OnnxModel {
    const copy = new OnnxModel();
    copy.nodes = [...this.nodes];
    copy.inputs = [...this.inputs];
    copy.outputs = [...this.outputs];
    for (const [name, initializer] of this.initializers) copy.initializers.set(name, initializer);
    for (const [domain, version] of this.opsets) copy.opsets.set(domain, version);
    copy.#modelRest.push(...this.#modelRest);
    copy.#graphRest = [...this.#graphRest];
    return copy;
  }

  write(): Uint8Array {
    const graph = new Message();
    for (const { bytes } of this.nodes) graph.bytes(graphField.node, bytes);
    for (const { bytes } of this.initializers.values()) graph.bytes(graphField.initializer, bytes);
    for (const { bytes } of this.inputs) graph.bytes(graphField.input, bytes);
    for (const { bytes } of this.outputs) graph.bytes(graphField.output, bytes);
    for (const { raw } of this.#graphRest) graph.raw(raw);
    const model = new Message();
    for (const { raw } of this.#modelRest) model.raw(raw);
    return model.message(modelField.graph, graph).finish();
  }

  input(name: string): GraphValue | undefined {
    return this.inputs.find((input) => input.name === name);
  }

  /** Which node writes a value. Built anew at each call: take it once an edit. */
  producers(): Map<string, GraphNode> {
    return new Map(this.nodes.flatMap((node) => node.outputs.filter((name) => name !== '').map((name) => [name, node] as const)));
  }

  /** Puts other nodes in the places of some. */
  replace(by: ReadonlyMap<GraphNode, readonly GraphNode[]>): void {
    this.nodes = this.nodes.flatMap((node) => by.get(node) ?? [node]);
  }

  prepend(...specs: readonly NodeSpec[]): void {
    this.nodes.unshift(...specs.map((spec) => GraphNode.of(spec)));
  }

  append(...specs: readonly NodeSpec[]): void {
    this.nodes.push(...specs.map((spec) => GraphNode.of(spec)));
  }

  addInitializer(initializer: Initializer): void {
    this.initializers.set(initializer.name, initializer);
  }

  /** An int64 constant; a number is a scalar. Returns its name. */
  int64(name: string, values: number | readonly number[]): string {
    const list = typeof values === 'number' ? [values] : values;
    const dims = typeof values === 'number' ? [] : [list.length];
    this.addInitializer(new Initializer(tensor(name, elementType.int64, dims, BigInt64Array.from(list, BigInt)).finish()));
    return name;
  }

  /** A float32 scalar. Returns its name. */
  float32(name: string, value: number): string {
    this.addInitializer(new Initializer(tensor(name, elementType.float32, [], Float32Array.of(value)).finish()));
    return name;
  }

  addInput(name: string, type: number, shape: readonly (number | string)[]): void {
    this.inputs.push(new GraphValue(valueInfo(name, type, shape).finish()));
  }

  addOutput(name: string, type: number, shape: readonly (number | string)[]): void {
    this.outputs.push(new GraphValue(valueInfo(name, type, shape).finish()));
  }

  /** Nodes that no output is computed from: the runtime would run them all the same. */
  removeUnused(): void {
    const producers = this.producers();
    const used = new Set<GraphNode>();
    const open = this.outputs.map(({ name }) => name);
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const node = producers.get(name);
      if (!node || used.has(node)) continue;
      used.add(node);
      for (const input of [...node.inputs, ...node.captured()]) open.push(input);
    }
    this.nodes = this.nodes.filter((node) => used.has(node));
  }

  /** Shapes that were written beside intermediate values no longer hold. */
  forgetShapes(names: ReadonlySet<string>): void {
    this.#graphRest = this.#graphRest.filter((field) => field.number !== graphField.valueInfo || !names.has(textOf(field.bytes(), valueInfoField.name)));
  }
}

function find(message: Uint8Array, number: number): Field | undefined {
  for (const field of fields(message)) if (field.number === number) return field;
  return undefined;
}

const child = (message: Uint8Array, number: number): Uint8Array => find(message, number)?.bytes() ?? new Uint8Array();
const textOf = (message: Uint8Array, number: number): string => find(message, number)?.text() ?? '';
