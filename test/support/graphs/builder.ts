import { GraphNode, type NodeSpec } from '../../../src/policy/graph/node';
import { elementType, graphField, microsoft, modelField, opsetField, tensor, valueInfo, type ElementType } from '../../../src/policy/graph/proto';
import { Message } from '../../../src/policy/graph/wire';
import { half, normal, random } from './random';

export type FloatType = 'float32' | 'float16';

interface NodeOptions extends Pick<NodeSpec, 'attributes' | 'domain'> {
  readonly outputs?: readonly string[];
}

/** Writes an ONNX model node by node. Values are named as they come. */
export class GraphBuilder {
  readonly #nodes: Message = new Message();
  readonly #initializers: Message[] = [];
  readonly #inputs: Message[] = [];
  readonly #outputs: Message[] = [];
  readonly #next: () => number;
  #count = 0;

  constructor(
    seed: number,
    readonly float: FloatType = 'float32',
  ) {
    this.#next = random(seed);
  }

  /** Adds a node and names its first output. */
  node(op: string, inputs: readonly string[], { outputs = [this.name(op)], ...options }: NodeOptions = {}): string {
    this.#nodes.bytes(graphField.node, GraphNode.of({ op, inputs, outputs, name: `${op}.${this.#count++}`, ...options }).bytes);
    return outputs[0] ?? '';
  }

  name(hint: string): string {
    return `/${hint}_${this.#count++}`;
  }

  ints(values: number | readonly number[], type: 'int64' | 'int32' = 'int64'): string {
    const list = typeof values === 'number' ? [values] : values;
    const data = type === 'int64' ? BigInt64Array.from(list, BigInt) : Int32Array.from(list);
    return this.#initializer(this.name('ints'), elementType[type], typeof values === 'number' ? [] : [list.length], data);
  }

  /** A constant in the graph's own float type, or in the one named. */
  floats(values: number | readonly number[], dims?: readonly number[], float: FloatType = this.float): string {
    const list = typeof values === 'number' ? [values] : values;
    const data = float === 'float16' ? Uint16Array.from(list, half) : Float32Array.from(list);
    return this.#initializer(this.name('floats'), elementType[float], dims ?? (typeof values === 'number' ? [] : [list.length]), data);
  }

  weight(name: string, dims: readonly number[], deviation: number, mean = 0): string {
    const count = dims.reduce((a, b) => a * b, 1);
    const values = Array.from({ length: count }, () => mean + deviation * normal(this.#next));
    return this.#initializer(name, elementType[this.float], dims, this.float === 'float16' ? Uint16Array.from(values, half) : Float32Array.from(values));
  }

  bytes(name: string, type: 'uint8' | 'int8', dims: readonly number[], at?: (i: number) => number): string {
    const count = dims.reduce((a, b) => a * b, 1);
    return this.#initializer(name, elementType[type], dims, Uint8Array.from({ length: count }, (_, i) => at?.(i) ?? Math.floor(this.#next() * 256)));
  }

  input(name: string, type: keyof typeof elementType, shape: readonly (number | string)[]): string {
    this.#inputs.push(valueInfo(name, elementType[type], shape));
    return name;
  }

  output(name: string, type: keyof typeof elementType, shape: readonly (number | string)[]): void {
    this.#outputs.push(valueInfo(name, elementType[type], shape));
  }

  /** The graph alone: a branch of an If when `inputs` is false. */
  graph(inputs = true): Message {
    const graph = new Message().raw(this.#nodes.finish()).text(graphField.name, 'decoder');
    for (const initializer of this.#initializers) graph.message(graphField.initializer, initializer);
    if (inputs) for (const input of this.#inputs) graph.message(graphField.input, input);
    for (const output of this.#outputs) graph.message(graphField.output, output);
    return graph;
  }

  model(opset = 17): Uint8Array {
    const model = new Message().int(modelField.irVersion, 8).text(modelField.producerName, 'generated').message(modelField.graph, this.graph());
    for (const [domain, version] of [['', opset], [microsoft, 1]] as const) {
      model.message(modelField.opset, new Message().text(opsetField.domain, domain).int(opsetField.version, version));
    }
    return model.finish();
  }

  #initializer(name: string, type: ElementType, dims: readonly number[], data: ArrayBufferView): string {
    this.#initializers.push(tensor(name, type, dims, data));
    return name;
  }
}
