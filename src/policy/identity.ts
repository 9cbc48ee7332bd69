import path from 'node:path';
import type { ActivationChoice } from '../replay/activations';
import type { PolicyContract } from '../replay/contract';
import { devicesFor, type Device, type DeviceChoice } from '../replay/device';
import type { PolicyChoices } from '../replay/policyChoices';
import { contractHash, readContract } from './contract';
import { DeviceMemory, policyKey } from './device/memory';
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
  /** Absent: `auto` has not chosen yet, which takes the loaded policy. */
  readonly device?: Device;
  readonly dtype: string;
  readonly activations: string;
  /** Absolute paths of what it was read from, the folders included: where their sizes and times stand, it stands. */
  readonly sources: readonly string[];
}

/** Files up to this are hashed on the way; larger ones are the business of the policy's process. Bytes. */
const hashedHere = 64 * 2 ** 20;

/**
 * Reads a policy's identity from its folder, without ONNX and without a tokenizer. `hashCache`: a JSON file that the policy's process fills, what `auto`
 * chose beside it.
 * Rejects with PolicyError (`bad-folder`, `load-failed`) in one sentence with the remedy.
 */
export async function readIdentity(folder: string, hashCache?: string, { contract, activations, device = 'cpu' }: PolicyChoices = {}): Promise<FolderIdentity> {
  const inventory = await takeInventory(folder);
  const hash = await hashInventory(inventory, new HashCache(hashCache), { largest: hashedHere });
  const merged = await readContract(folder, await readChatTemplate(folder), contract);
  const computed = arithmetic(inventory, activations);
  const on = hash === undefined ? undefined : await forecast(device, policyKey(hash, computed.activations), hashCache);
  const identity = { contract: merged, contractHash: contractHash(merged), sources: sourcesOf(folder, inventory), ...computed };
  return { ...identity, ...(hash === undefined ? {} : { hash }), ...(on === undefined ? {} : { device: on }) };
}

function sourcesOf(folder: string, { entries, files }: Inventory): string[] {
  const folders = new Set([folder, path.join(folder, path.dirname(files.graph))].map((each) => path.resolve(each)));
  return [...entries.map((entry) => entry.path), path.resolve(folder, 'turnlens.json'), ...folders];
}

/** Where the policy would run: what was asked for, or what `auto` came to the last time. */
async function forecast(choice: DeviceChoice, key: string, hashCache: string | undefined): Promise<Device | undefined> {
  const [only, ...others] = devicesFor(choice, process.platform);
  return others.length === 0 ? only : new DeviceMemory(hashCache).auto(key);
}

/** How the numbers of a policy are computed, wherever it runs: the same whether it is loaded or not. */
export function arithmetic({ facts }: Inventory, activations: ActivationChoice = 'fp32'): Pick<FolderIdentity, 'dtype' | 'activations'> {
  return { dtype: facts.dtype, activations: activationsOf(facts, activations) };
}
