import { InferenceSession } from 'onnxruntime-node';
import type { Device } from '../../replay/device';
import { GraphNode } from '../graph/node';
import { elementType, graphField, modelField, opsetField, valueInfo } from '../graph/proto';
import { Message } from '../graph/wire';
import { providersOf } from './providers';

/**
 * Whether a device is there at all, told by a model of one operator, so that no policy is read in vain.
 * Resolves to the reason why not, a part of a sentence; `undefined`: it is there.
 */
export async function whyNotThere(device: Device): Promise<string | undefined> {
  try {
    const session = await InferenceSession.create(oneOperator(), { executionProviders: providersOf(device), logSeverityLevel: 4 });
    await session.release();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** ONNX Runtime puts the place in its own source before what it says; people are told what it says. */
export function reasonOf(error: unknown): string {
  const whole = String(error instanceof Error ? error.message : error);
  const [line = ''] = whole.split('\n').filter((part) => part.trim() !== '');
  if (/backend not found/i.test(line)) return 'ONNX Runtime for this platform does not hold it';
  const said = /\bwas false\. (.+)$/.exec(line)?.[1] ?? /\[ONNXRuntimeError\] : \d+ : \w+ : (.+)$/.exec(line)?.[1] ?? line;
  return said.replace(/^Ort\w+: /, '').replace(/\.$/, '').slice(0, 300);
}

function oneOperator(): Uint8Array {
  const [from, to] = ['x', 'y'].map((name) => valueInfo(name, elementType.float32, [1])) as [Message, Message];
  const node = GraphNode.of({ op: 'Add', inputs: ['x', 'x'], outputs: ['y'] });
  const graph = new Message().bytes(graphField.node, node.bytes).text(graphField.name, 'one').message(graphField.input, from).message(graphField.output, to);
  const opset = new Message().text(opsetField.domain, '').int(opsetField.version, 17);
  return new Message().int(modelField.irVersion, 8).message(modelField.graph, graph).message(modelField.opset, opset).finish();
}
