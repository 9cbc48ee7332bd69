import type { OnnxModel } from './model';
import { GraphNode, type NodeSpec } from './node';
import { addedInput, logits, own, rowOutput } from './names';
import { elementType } from './proto';
import { GraphReader, NotRecognised } from './recognise';

/** Operators that may stand between the head and the logits, each element for itself: scaling, soft caps, casts, a bias. */
const elementwise = new Set(['Add', 'Cast', 'Clip', 'Div', 'Identity', 'Mul', 'Sub', 'Tanh']);
const heads = new Set(['FusedMatMul', 'MatMul', 'MatMulNBits']);

/**
 * Only the wanted rows go through the head, and what is wanted of them is computed in the graph. 2,000 tokens of a vocabulary of 152k are
 * 1.2 GB of logits; the rows of an answer are a few megabytes, and fetching them is a few bytes.
 */
export function scoreRows(model: OnnxModel): void {
  const output = model.outputs.find(({ name }) => name === logits);
  if (!output) throw new NotRecognised(`the graph has no output called ${logits}`);
  const reader = new GraphReader(model);
  const chain = new Set<string>([logits]);
  const head = reader.back(logits, (node) => {
    const [data, ...others] = elementwise.has(node.op) ? reader.varying(node) : [];
    if (data === undefined || others.length > 0) return undefined;
    chain.add(data);
    return data;
  });
  const hidden = head?.inputs[0];
  if (!head || hidden === undefined || !heads.has(head.op) || reader.isConstant(hidden)) {
    throw new NotRecognised(`the logits come from ${head?.op ?? 'an input'}, not from a matrix product with the head's weights`);
  }
  const rows = own('rows');
  const source = withoutSlice(model, reader, hidden);
  model.addInput(addedInput.rows, elementType.int64, ['rows']);
  model.addInput(addedInput.targets, elementType.int64, ['rows']);
  model.replace(new Map([[head, [GraphNode.of({ op: 'Gather', inputs: [source, addedInput.rows], outputs: [rows], attributes: { axis: 1 } }), head.withInput(hidden, rows)]]]));
  model.forgetShapes(chain);
  model.outputs = model.outputs.filter((other) => other !== output);
  model.addOutput(logits, output.elementType === elementType.float16 ? elementType.float16 : elementType.float32, [1, 'rows', output.shape.at(-1) ?? '']);
  statistics(model);
}

/** Exports that can be told to keep the last rows only would do so before ours are gathered. */
function withoutSlice(model: OnnxModel, reader: GraphReader, hidden: string): string {
  const slice = reader.producer(hidden);
  const [source, start] = slice?.inputs ?? [];
  if (slice?.op !== 'Slice' || source === undefined || start === undefined) return hidden;
  const before = reader.ancestors([start]);
  const keep = [...before].flatMap((node) => node.inputs).find((name) => /^(num_)?logits_to_keep$/.test(name));
  if (keep === undefined) return hidden;
  model.inputs = model.inputs.filter(({ name }) => name !== keep);
  model.nodes = model.nodes.filter((node) => node !== slice && !before.has(node));
  return source;
}

/** From the logits [1, rows, vocabulary]: everything relative to each row's maximum, so that no exponential overflows. */
function statistics(model: OnnxModel): void {
  const modern = (model.opsets.get('') ?? 0) >= 18;
  const last = model.int64(own('last_axis'), [-1]);
  const flat = model.int64(own('flat'), [-1]);
  const float = { to: elementType.float32 };
  const [x, relative, exp, sum, logSum, chosen, best] = ['logits', 'relative', 'exp', 'sum', 'log_sum', 'chosen', 'best'].map(own) as [string, string, string, string, string, string, string];
  const node = (op: string, inputs: string[], output: string, attributes: NodeSpec['attributes'] = {}): NodeSpec => ({ op, inputs, outputs: [output], attributes });
  // ReduceSum takes its axes as an input since opset 13, ReduceMax since 18.
  const max = (input: string, output: string): NodeSpec => (modern ? node('ReduceMax', [input, last], output) : node('ReduceMax', [input], output, { axes: [-1] }));
  model.append(
    node('Cast', [logits], x, float),
    max(x, own('max')),
    node('Sub', [x, own('max')], relative),
    node('Exp', [relative], exp),
    node('ReduceSum', [exp, last], sum),
    node('Log', [sum], logSum),
    node('Unsqueeze', [addedInput.targets, model.int64(own('around'), [0, 2])], own('targets')),
    node('GatherElements', [relative, own('targets')], chosen, { axis: 2 }),
    node('Sub', [chosen, logSum], own('logprob')),
    node('Reshape', [own('logprob'), flat], rowOutput.logprob),
    // H = log Σe^x − Σ x e^x / Σe^x, to which a token that is masked out (−∞ times 0) adds nothing
    node('Mul', [relative, exp], own('products')),
    node('Equal', [exp, model.float32(own('nothing'), 0)], own('is_nothing')),
    node('Where', [own('is_nothing'), exp, own('products')], own('weighted')),
    node('ReduceSum', [own('weighted'), last], own('weighted_sum')),
    node('Div', [own('weighted_sum'), sum], own('mean')),
    node('Sub', [logSum, own('mean')], own('entropy')),
    node('Reshape', [own('entropy'), flat], rowOutput.entropy),
    node('Greater', [relative, chosen], own('likelier')),
    node('Cast', [own('likelier')], own('likelier_count'), float),
    node('ReduceSum', [own('likelier_count'), last], own('rank')),
    node('Reshape', [own('rank'), flat], rowOutput.rank),
    node('ArgMax', [x], best, { axis: -1, keepdims: 1 }),
    node('Reshape', [best, flat], rowOutput.best),
    node('Neg', [logSum], own('best_logprob')),
    node('Reshape', [own('best_logprob'), flat], rowOutput.bestLogprob),
    // The second best: the maximum of the others. TopK would fall back to the CPU on a GPU, with all of the logits.
    node('Shape', [x], own('shape')),
    node('Gather', [own('shape'), model.int64(own('two'), 2)], own('vocabulary')),
    node('Range', [model.int64(own('zero'), 0), own('vocabulary'), model.int64(own('one'), 1)], own('ids')),
    node('Equal', [own('ids'), best], own('is_best')),
    node('Cast', [own('is_best')], own('is_best_float'), float),
    node('Mul', [own('is_best_float'), own('lowest')], own('hidden_best')),
    node('Add', [relative, own('hidden_best')], own('others')),
    max(own('others'), own('second')),
    node('Neg', [own('second')], own('margin')),
    node('Reshape', [own('margin'), flat], rowOutput.margin),
  );
  model.float32(own('lowest'), -1e30);
  model.addOutput(rowOutput.logprob, elementType.float32, ['rows']);
  model.addOutput(rowOutput.entropy, elementType.float32, ['rows']);
  model.addOutput(rowOutput.rank, elementType.float32, ['rows']);
  model.addOutput(rowOutput.best, elementType.int64, ['rows']);
  model.addOutput(rowOutput.bestLogprob, elementType.float32, ['rows']);
  model.addOutput(rowOutput.margin, elementType.float32, ['rows']);
}
