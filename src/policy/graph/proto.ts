import { Message } from './wire';

/** Field numbers of onnx.proto3 (ONNX 1.19), those that are read or written here. */
export const modelField = { irVersion: 1, producerName: 2, graph: 7, opset: 8 } as const;
export const opsetField = { domain: 1, version: 2 } as const;
export const graphField = { node: 1, name: 2, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
export const nodeField = { input: 1, output: 2, name: 3, opType: 4, attribute: 5, domain: 7 } as const;
export const attributeField = { name: 1, float: 2, int: 3, text: 4, tensor: 5, graph: 6, ints: 8, tensors: 10, graphs: 11, type: 20 } as const;
export const tensorField = { dims: 1, dataType: 2, int32Data: 5, int64Data: 7, name: 8, rawData: 9, externalData: 13, dataLocation: 14 } as const;
export const valueInfoField = { name: 1, type: 2 } as const;

/** TensorProto.DataType. */
export const elementType = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9, float16: 10, bfloat16: 16 } as const;
export type ElementType = (typeof elementType)[keyof typeof elementType];

/** The domain of ONNX Runtime's own operators. */
export const microsoft = 'com.microsoft';

/** AttributeProto.AttributeType. */
const attributeType = { float: 1, int: 2, text: 3, tensor: 4, graph: 5, ints: 7 } as const;

/** A number is an INT, an array INTS. */
export type AttributeValue = number | readonly number[] | string | { readonly float: number } | { readonly tensor: Message } | { readonly graph: Message };

export function attribute(name: string, value: AttributeValue): Message {
  const message = new Message().text(attributeField.name, name);
  if (typeof value === 'number') return message.int(attributeField.int, value).int(attributeField.type, attributeType.int);
  if (typeof value === 'string') return message.text(attributeField.text, value).int(attributeField.type, attributeType.text);
  if ('float' in value) return message.float(attributeField.float, value.float).int(attributeField.type, attributeType.float);
  if ('tensor' in value) return message.message(attributeField.tensor, value.tensor).int(attributeField.type, attributeType.tensor);
  if ('graph' in value) return message.message(attributeField.graph, value.graph).int(attributeField.type, attributeType.graph);
  for (const int of value) message.int(attributeField.ints, int);
  return message.int(attributeField.type, attributeType.ints);
}

/** A TensorProto with its data in it. `dims` empty: a scalar. */
export function tensor(name: string, type: ElementType, dims: readonly number[], data: ArrayBufferView): Message {
  const message = new Message();
  for (const dim of dims) message.int(tensorField.dims, dim);
  return message
    .int(tensorField.dataType, type)
    .text(tensorField.name, name)
    .bytes(tensorField.rawData, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

/** A ValueInfoProto of a tensor; a dimension that is a string is symbolic. */
export function valueInfo(name: string, type: number, shape: readonly (number | string)[]): Message {
  const dims = new Message();
  for (const dim of shape) dims.message(1, typeof dim === 'number' ? new Message().int(1, dim) : new Message().text(2, dim));
  const tensorType = new Message().int(1, type).message(2, dims);
  return new Message().text(valueInfoField.name, name).message(valueInfoField.type, new Message().message(1, tensorType));
}
