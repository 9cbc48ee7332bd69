import { open } from 'node:fs/promises';
import type { ActivationChoice } from '../../replay/activations';
import { PolicyError } from '../../replay/policy';
import { stampOf } from '../fingerprint';
import { unreadable } from '../jsonFile';
import { editGraph, type Outcome } from './editGraph';
import { Initializer } from './model';
import { GraphNode } from './node';
import { elementType, graphField, modelField, tensorField } from './proto';
import { readSkeleton } from './skeleton';
import { fields } from './wire';

/** What a graph file says of itself without being loaded. */
export interface GraphFacts {
  /** Files with weights that it names, relative to its own folder. */
  readonly externalFiles: readonly string[];
  /** Of the weights: `float32`, `float16`, `bfloat16`, `int8`, `int4`. */
  readonly dtype: string;
  /** What the graph computes in where nothing is rounded to integers. */
  readonly floats: 'fp32' | 'fp16' | 'bf16';
  /** What became of the edit that keeps activations from being rounded to integers. */
  readonly rounding: Outcome['kind'];
}

/** How activations are computed, for provenance: the graph's own floats, or `exported` where they are rounded to integers. */
export function activationsOf({ floats, rounding }: GraphFacts, wanted: ActivationChoice): string {
  return rounding === 'not-needed' || (rounding === 'applied' && wanted === 'fp32') ? floats : 'exported';
}

const floatTypes = new Map<number, string>([[elementType.float32, 'float32'], [elementType.float16, 'float16'], [elementType.bfloat16, 'bfloat16']]);
const integerOperators = ['MatMulInteger', 'DynamicQuantizeMatMul', 'MatMulIntegerToFloat', 'QLinearMatMul', 'DequantizeLinear'];

/** What was read of files that have not changed since: a scoring asks for its policy's identity every time. */
const remembered = new Map<string, { readonly stamp: string; readonly facts: GraphFacts }>();
const mostRemembered = 16;

/** Reads the structure of an ONNX file, never its weights. Rejects with PolicyError: `load-failed` where it is no ONNX model, `bad-folder` where it cannot be read. */
export async function readGraphFacts(file: string): Promise<GraphFacts> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const stats = await handle.stat();
    const stamp = stampOf(stats);
    const known = remembered.get(file);
    if (known?.stamp === stamp) return known.facts;
    const facts = await readSkeleton(handle, stats.size).then(factsOf).catch(async (error: unknown) => {
      // Of the system, not of the bytes.
      throw error instanceof Error && 'code' in error ? unreadable(file, error) : await notAGraph(file);
    });
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(file, { stamp, facts });
    return facts;
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

/** `skeleton`: see {@link readSkeleton}. Throws where it is no ONNX model. */
function factsOf(skeleton: Uint8Array): GraphFacts {
  // The edit itself tells what it makes of the graph.
  const { activations } = editGraph(skeleton, { activations: 'fp32', device: 'cpu' });
  const census = new Census();
  for (const field of fields(skeleton)) if (field.number === modelField.graph) census.graph(field.bytes());
  return { ...census.facts(), rounding: activations.kind };
}

/** Counts a graph's weights and operators, those of its branches too. */
class Census {
  readonly #externalFiles = new Set<string>();
  /** Elements by type. */
  readonly #elements = new Map<string, number>();
  readonly #operators = new Set<string>();
  #bits = Infinity;

  graph(bytes: Uint8Array): void {
    for (const field of fields(bytes)) {
      if (field.number === graphField.initializer) this.#tensor(field.bytes());
      else if (field.number === graphField.node) this.#node(new GraphNode(field.bytes()));
    }
  }

  facts(): Omit<GraphFacts, 'rounding'> {
    const floats = this.#elements.has('float16') ? 'fp16' : this.#elements.has('bfloat16') ? 'bf16' : 'fp32';
    return { externalFiles: [...this.#externalFiles].sort(), dtype: this.#dtype(), floats };
  }

  #dtype(): string {
    if (this.#operators.has('MatMulNBits')) return `int${String(Number.isFinite(this.#bits) ? this.#bits : 4)}`;
    if (integerOperators.some((operator) => this.#operators.has(operator))) return 'int8';
    const [most] = [...this.#elements].sort(([, a], [, b]) => b - a);
    return most?.[0] ?? 'float32';
  }

  #node(node: GraphNode): void {
    this.#operators.add(node.op);
    if (node.op === 'MatMulNBits') this.#bits = Math.min(this.#bits, node.int('bits') ?? 4);
    node.embedded('tensor').forEach((bytes) => { this.#tensor(bytes); });
    node.embedded('graph').forEach((bytes) => { this.graph(bytes); });
  }

  #tensor(bytes: Uint8Array): void {
    const { elementType: type, dims } = new Initializer(bytes);
    const name = floatTypes.get(type);
    if (name !== undefined) this.#elements.set(name, (this.#elements.get(name) ?? 0) + dims.reduce((a, b) => a * b, 1));
    for (const field of fields(bytes)) {
      if (field.number !== tensorField.externalData) continue;
      const [key, value] = [1, 2].map((number) => [...fields(field.bytes())].find((part) => part.number === number)?.text() ?? '');
      if (key === 'location' && value !== undefined) this.#externalFiles.add(value);
    }
  }
}
