import { attribute, attributeField, graphField, nodeField, valueInfoField, type AttributeValue } from './proto';
import { fields, Message, type Field } from './wire';

export interface NodeSpec {
  readonly op: string;
  /** An empty name is an input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  readonly domain?: string;
  readonly name?: string;
}

/** A node of a graph. Changing one gives a new node whose other bytes are those of the old. */
export class GraphNode {
  readonly op: string;
  readonly domain: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];

  constructor(readonly bytes: Uint8Array) {
    const inputs: string[] = [];
    const outputs: string[] = [];
    let [op, domain, name] = ['', '', ''];
    for (const field of fields(bytes)) {
      if (field.number === nodeField.input) inputs.push(field.text());
      else if (field.number === nodeField.output) outputs.push(field.text());
      else if (field.number === nodeField.opType) op = field.text();
      else if (field.number === nodeField.domain) domain = field.text();
      else if (field.number === nodeField.name) name = field.text();
    }
    [this.op, this.domain, this.name, this.inputs, this.outputs] = [op, domain, name, inputs, outputs];
  }

  static of({ op, inputs, outputs, attributes = {}, domain, name = outputs.find((o) => o !== '') ?? op }: NodeSpec): GraphNode {
    const message = new Message();
    for (const input of inputs) message.text(nodeField.input, input);
    for (const output of outputs) message.text(nodeField.output, output);
    message.text(nodeField.name, name).text(nodeField.opType, op);
    for (const [key, value] of Object.entries(attributes)) message.message(nodeField.attribute, attribute(key, value));
    if (domain !== undefined) message.text(nodeField.domain, domain);
    return new GraphNode(message.finish());
  }

  int(name: string): number | undefined {
    return this.#attribute(name, attributeField.int)?.int();
  }

  /** A subgraph or the tensor of a Constant, encoded. */
  message(name: string, kind: 'graph' | 'tensor'): Uint8Array | undefined {
    return this.#attribute(name, attributeField[kind])?.bytes();
  }

  /** The subgraphs, or the tensors, in all attributes, encoded. */
  embedded(kind: 'graph' | 'tensor'): Uint8Array[] {
    const numbers: readonly number[] = [attributeField[kind], attributeField[`${kind}s`]];
    return fieldsOf(this.bytes)
      .filter(({ number }) => number === nodeField.attribute)
      .flatMap((field) => fieldsOf(field.bytes()).filter(({ number }) => numbers.includes(number)))
      .map((field) => field.bytes());
  }

  /** The nodes of its subgraphs, and of theirs. */
  below(): GraphNode[] {
    return this.embedded('graph')
      .flatMap(fieldsOf)
      .filter(({ number }) => number === graphField.node)
      .map((field) => new GraphNode(field.bytes()))
      .flatMap((node) => [node, ...node.below()]);
  }

  /** Values that subgraphs may take from around them: every name that a node in them reads. */
  captured(): string[] {
    return this.embedded('graph')
      .flatMap(fieldsOf)
      .flatMap((part) => {
        if (part.number === graphField.output) return fieldsOf(part.bytes()).filter(({ number }) => number === valueInfoField.name).map((name) => name.text());
        if (part.number !== graphField.node) return [];
        const node = new GraphNode(part.bytes());
        return [...node.inputs, ...node.captured()];
      });
  }

  withInputs(inputs: readonly string[]): GraphNode {
    return this.#rebuilt({ inputs });
  }

  /** Every input called `from` is `to`. */
  withInput(from: string, to: string): GraphNode {
    return this.withInputs(this.inputs.map((input) => (input === from ? to : input)));
  }

  withInt(name: string, value: number): GraphNode {
    return this.#rebuilt({ attribute: { name, value } });
  }

  #attribute(name: string, value: number): Field | undefined {
    for (const field of fields(this.bytes)) {
      if (field.number !== nodeField.attribute) continue;
      const parts = fieldsOf(field.bytes());
      if (parts.some((part) => part.number === attributeField.name && part.text() === name)) return parts.find((part) => part.number === value);
    }
    return undefined;
  }

  #rebuilt(change: { inputs?: readonly string[]; attribute?: { name: string; value: number } }): GraphNode {
    const message = new Message();
    const { inputs, attribute: changed } = change;
    for (const input of inputs ?? []) message.text(nodeField.input, input);
    for (const field of fields(this.bytes)) {
      if (inputs && field.number === nodeField.input) continue;
      if (changed && field.number === nodeField.attribute && nameOf(field.bytes()) === changed.name) continue;
      message.raw(field.raw);
    }
    if (changed) message.message(nodeField.attribute, attribute(changed.name, changed.value));
    return new GraphNode(message.finish());
  }
}

const fieldsOf = (bytes: Uint8Array): Field[] => [...fields(bytes)];

function nameOf(attributeBytes: Uint8Array): string | undefined {
  return fieldsOf(attributeBytes)
    .find((field) => field.number === attributeField.name)
    ?.text();
}
