import { readFileSync, writeFileSync } from 'node:fs';

import { fp32Activations } from '../../src/policy/graph/activations';
import { OnnxModel } from '../../src/policy/graph/model';
import { takeInventory } from '../../src/policy/inventory';

/**
 * The graph of a quantised policy for the peers: with activations in fp32, as the product computes, and nothing else edited. What is compared
 * is then how tokens are run, not what is computed. `undefined`: the graph as it lies in the folder computes the same already.
 */
export async function graphForPeers(folder: string, to: string): Promise<string | undefined> {
  const { entries, files, facts } = await takeInventory(folder);
  const graph = entries.find(({ name }) => name === files.graph);
  if (facts.rounding !== 'applied' || !graph) return undefined;
  const model = OnnxModel.read(readFileSync(graph.path));
  fp32Activations(model, true);
  writeFileSync(to, model.write());
  return to;
}
