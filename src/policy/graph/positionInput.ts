import { addedInput, own } from './names';
import type { OnnxModel } from './model';
import type { GraphNode } from './node';
import { elementType } from './proto';
import { GraphReader, NotRecognised } from './recognise';

/** Operators on the way from a position to its angle, and which of their inputs carry it. */
const dataInputs: Readonly<Record<string, number>> = { Cast: 1, Concat: 8, Expand: 1, Identity: 1, MatMul: 2, Mul: 2, Reshape: 1, Squeeze: 1, Transpose: 1, Unsqueeze: 1, Cos: 1, Sin: 1, Einsum: 2 };

/** Plain exports that count positions themselves: the range they count is replaced by an input, so that branches can share positions. */
export function positionInput(model: OnnxModel): void {
  if (model.input(addedInput.positions)) return;
  const reader = new GraphReader(model);
  const angles = model.nodes.filter(({ op }) => op === 'Cos' || op === 'Sin');
  const counts = new Map<GraphNode, Set<GraphNode>>();
  const seen = new Set<GraphNode>();
  const walk = (node: GraphNode): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const input of node.inputs.slice(0, dataInputs[node.op] ?? 0)) {
      const source = reader.isConstant(input) ? undefined : reader.producer(input);
      if (source?.op === 'Range') counts.set(source, (counts.get(source) ?? new Set()).add(node));
      else if (source) walk(source);
    }
  };
  angles.forEach(walk);
  const [found, ...others] = counts;
  if (!found || others.length > 0) throw new NotRecognised('there is no position_ids input, and where positions are counted cannot be told');
  const [range, users] = found;
  const count = range.outputs[0] ?? '';
  model.addInput(addedInput.positions, elementType.int64, [1, 'tokens']);
  const positions = own('positions');
  model.prepend({ op: 'Reshape', inputs: [addedInput.positions, model.int64(own('position_list'), [-1])], outputs: [positions] });
  model.replace(new Map([...users].map((user) => [user, [user.withInput(count, positions)]])));
}
