import type { Node } from 'jsonc-parser';
import { kindOf, propertiesOf, spanOf, valueOf } from './json';
import type { Property } from './json';
import type { Finding, FindingCode, Severity, Span } from './model';
import { quote } from './visible';

/** The properties of one object of a native file, read by type; what is not as it should be becomes a finding at its place. */
export class Fields {
  private readonly byName = new Map<string, Property>();
  private readonly asked = new Set<string>();

  constructor(
    /** For messages: `turn 3`, or `the record`. */
    private readonly place: string,
    node: Node,
    private readonly findings: Finding[],
    private readonly turn?: number,
  ) {
    for (const property of propertiesOf(node)) {
      if (this.byName.has(property.name)) this.report('duplicate-key', 'warning', `${this.subject} has ${quote(property.name)} twice; the last one counts.`, spanOf(property.key));
      this.byName.set(property.name, property);
    }
  }

  /** The value's node; `undefined` where the key is missing, `null` or without a value. */
  node(name: string): Node | undefined {
    this.asked.add(name);
    const value = this.byName.get(name)?.value;
    return value?.type === 'null' ? undefined : value;
  }

  key(name: string): Node | undefined {
    return this.byName.get(name)?.key;
  }

  /** Text; a number or a boolean is taken as its text, with a finding. */
  text(name: string): Node | undefined {
    const node = this.node(name);
    if (node === undefined || node.type === 'string') return node;
    if (node.type === 'number' || node.type === 'boolean') {
      this.wrongType(name, node, 'text', 'it is read as its text');
      return { ...node, value: String(node.value) };
    }
    this.wrongType(name, node, 'text', 'it is left out');
    return undefined;
  }

  /** A list of texts, or one text. */
  texts(name: string): readonly Node[] | undefined {
    const node = this.node(name);
    if (node?.type !== 'array') {
      const text = this.text(name);
      return text === undefined ? undefined : [text];
    }
    const items = node.children ?? [];
    const texts = items.filter((item) => item.type === 'string');
    if (texts.length < items.length) this.wrongType(name, node, 'a list of texts', 'what is no text is left out');
    return texts;
  }

  /** A list of token ids. */
  ids(name: string): readonly number[] | undefined {
    const node = this.node(name);
    if (node === undefined) return undefined;
    const ids = valueOf(node);
    if (Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id) && id >= 0)) return ids as number[];
    this.wrongType(name, node, 'a list of token ids', 'it is left out');
    return undefined;
  }

  /** A list of log-probabilities. */
  logprobs(name: string): readonly number[] | undefined {
    const node = this.node(name);
    if (node === undefined) return undefined;
    const values = valueOf(node);
    if (Array.isArray(values) && values.every((value) => typeof value === 'number' && value <= 0)) return values as number[];
    this.wrongType(name, node, 'a list of log-probabilities', 'it is left out');
    return undefined;
  }

  /** The fields of a nested object. */
  child(name: string): Fields | undefined {
    const node = this.nested(name, 'object');
    return node === undefined ? undefined : new Fields(`"${name}"`, node, this.findings);
  }

  /** The fields of each object of a nested list; `undefined` for what is no object. */
  children(name: string): readonly (Fields | undefined)[] {
    const items = this.nested(name, 'array')?.children ?? [];
    return items.map((item) => (item.type === 'object' ? new Fields(`an entry of "${name}"`, item, this.findings) : undefined));
  }

  /** A nested object or list; anything else is a finding. */
  nested(name: string, type: 'object' | 'array'): Node | undefined {
    const node = this.node(name);
    if (node === undefined || node.type === type) return node;
    this.wrongType(name, node, type === 'array' ? 'a list' : 'an object', 'it is left out');
    return undefined;
  }

  /** One finding for all keys that nothing asked for. */
  reportUnknown(): void {
    const unknown = [...this.byName.values()].filter(({ name }) => !this.asked.has(name) && name !== '$schema');
    const [first] = unknown;
    if (first === undefined) return;
    const names = unknown.slice(0, 5).map(({ name }) => quote(name));
    const message = `${this.subject} has ${names.join(', ')}${unknown.length > names.length ? ', …' : ''}, which this format does not know; left out.`;
    this.report('unknown-key', 'information', message, spanOf(first.key));
  }

  wrongType(name: string, node: Node, expected: string, outcome: string): void {
    this.report('wrong-type', 'warning', `"${name}" of ${this.place} is ${kindOf(node)} and should be ${expected}; ${outcome}.`, spanOf(node));
  }

  report(code: FindingCode, severity: Severity, message: string, atSource: Span): void {
    this.findings.push({ code, severity, message, atSource, ...(this.turn === undefined ? {} : { turn: this.turn }) });
  }

  private get subject(): string {
    return this.place.charAt(0).toUpperCase() + this.place.slice(1);
  }
}
