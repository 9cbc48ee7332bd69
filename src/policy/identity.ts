import path from 'node:path';
import type { ActivationChoice } from '../replay/activations';
import type { PolicyContract } from '../replay/contract';
import { contractHash, readContract } from './contract';
import { activationsOf } from './graph/facts';
import { HashCache, hashInventory } from './hash';
import { takeInventory, type Inventory } from './inventory';
import { readChatTemplate } from './templateFile';

/** How a policy's numbers are made, as far as its folder tells without loading it. */
export interface FolderIdentity {
  /** `sha256:…`; absent: files so large that only the policy's process hashes them, and it has not yet. */
  readonly hash?: string;
  readonly contract: PolicyContract;
  /** `sha256:…` */
  readonly contractHash: string;
  readonly device: string;
  readonly dtype: string;
  readonly activations: string;
  /** Absolute paths of what it was read from, the folders included: where their sizes and times stand, it stands. */
  readonly sources: readonly string[];
}

/** Files up to this are hashed on the way; larger ones are the business of the policy's process. Bytes. */
const hashedHere = 64 * 2 ** 20;

/**
 * Reads a policy's identity from its folder, without ONNX and without a tokenizer. `hashCache`: a JSON file that the policy's process fills; `contract`: the user's overrides; `activations`: absent, fp32.
 * Rejects with PolicyError (`bad-folder`, `load-failed`) in one sentence with the remedy.
 */
export async function readIdentity(folder: string, hashCache?: string, contract?: Partial<PolicyContract>, activations?: ActivationChoice): Promise<FolderIdentity> {
  const inventory = await takeInventory(folder);
  const hash = await hashInventory(inventory, new HashCache(hashCache), { largest: hashedHere });
  const merged = await readContract(folder, await readChatTemplate(folder), contract);
  return { ...(hash === undefined ? {} : { hash }), contract: merged, contractHash: contractHash(merged), sources: sourcesOf(folder, inventory), ...arithmetic(inventory, activations) };
}

function sourcesOf(folder: string, { entries, files }: Inventory): string[] {
  const folders = new Set([folder, path.join(folder, path.dirname(files.graph))].map((each) => path.resolve(each)));
  return [...entries.map((entry) => entry.path), path.resolve(folder, 'turnlens.json'), ...folders];
}

/** How the numbers of a policy are computed: the same whether it is loaded or not. */
export function arithmetic({ facts }: Inventory, activations: ActivationChoice = 'fp32'): Pick<FolderIdentity, 'device' | 'dtype' | 'activations'> {
  return { device: 'cpu', dtype: facts.dtype, activations: activationsOf(facts, activations) };
}
