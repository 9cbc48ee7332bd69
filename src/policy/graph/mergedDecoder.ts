import type { OnnxModel } from './model';
import { GraphNode } from './node';
import { graphField } from './proto';
import { NotRecognised } from './recognise';
import { fields } from './wire';

const switchInput = 'use_cache_branch';

/**
 * Merged decoders hold two graphs behind one If: with a past and without. The one with a past does for both (an empty past is a past), so
 * its nodes become the model's.
 *
 * @returns false where the model is not merged.
 */
export function unmerge(model: OnnxModel): boolean {
  if (!model.input(switchInput)) return false;
  const branching = model.nodes.find((node) => node.op === 'If' && node.inputs[0] === switchInput);
  const branch = branching?.message('then_branch', 'graph');
  if (!branching || !branch) throw new NotRecognised(`${switchInput} chooses nothing that is known`);
  const results = [...fields(branch)].filter(({ number }) => number === graphField.output);
  if (results.length !== branching.outputs.length) throw new NotRecognised('the branch with a past gives other outputs than the model');
  const outputs = model.outputs;
  model.outputs = [];
  model.nodes = model.nodes.filter((node) => node !== branching);
  model.addGraph(branch);
  const given = model.outputs;
  model.outputs = outputs;
  model.inputs = model.inputs.filter(({ name }) => name !== switchInput);
  branching.outputs.forEach((output, index) => {
    const result = given[index]?.name ?? '';
    if (result !== output) model.nodes.push(GraphNode.of({ op: 'Identity', inputs: [result], outputs: [output] }));
  });
  return true;
}
