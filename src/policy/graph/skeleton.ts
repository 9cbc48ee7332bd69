import type { FileHandle } from 'node:fs/promises';
import { attributeField, graphField, modelField, nodeField, tensorField } from './proto';
import { Message } from './wire';
import { WireError, WireFile, type ByteRange } from './wireFile';

type Kind = 'model' | 'graph' | 'node' | 'attribute' | 'tensor';

/** Where tensors may stand, by the number of the field. */
const inside: Readonly<Record<Kind, Readonly<Record<number, Kind>>>> = {
  model: { [modelField.graph]: 'graph' },
  graph: { [graphField.node]: 'node', [graphField.initializer]: 'tensor' },
  node: { [nodeField.attribute]: 'attribute' },
  attribute: { [attributeField.tensor]: 'tensor', [attributeField.graph]: 'graph', [attributeField.tensors]: 'tensor', [attributeField.graphs]: 'graph' },
  tensor: {},
};

/** A field of a tensor that is longer is weights, bytes. Constants that say how a graph is to be read are shorter. */
const longestConstant = 1024;
/** Of what else is there, descriptions say: bytes. */
const longestOther = 1 << 20;
/** Of all of it, bytes: three times what a hundred layers take. Graphs are looked at where their policy is named, which must not take minutes. */
const largest = 32 << 20;
/** Deepest nesting of graphs in graphs that is followed, in messages. */
const deepest = 32;

/**
 * An ONNX file without its weights, as an ONNX model of its own: all that tells how a graph can be edited, for a few reads, whatever the size
 * of the file. Throws WireError where it is no protobuf.
 */
export async function readSkeleton(file: FileHandle, size: number): Promise<Uint8Array> {
  const reader = new WireFile(file, size);
  let left = largest;
  const take = async (range: ByteRange): Promise<Uint8Array> => {
    left -= range.end - range.start;
    if (left < 0) throw new WireError('more structure than any decoder has');
    return reader.bytes(range);
  };
  const copy = async (range: ByteRange, kind: Kind, depth: number): Promise<Message> => {
    if (depth > deepest) throw new WireError('nested too deep');
    const message = new Message();
    for await (const { number, whole, content } of reader.fields(range)) {
      const child = inside[kind][number];
      const length = whole.end - whole.start;
      if (length <= longestConstant) message.raw(await take(whole));
      else if (content && child) message.message(number, await copy(content, child, depth + 1));
      else if ((kind !== 'tensor' || number === tensorField.externalData) && length <= longestOther) message.raw(await take(whole));
    }
    return message;
  };
  return (await copy({ start: 0, end: size }, 'model', 0)).finish();
}
