import { PolicyProcess, type PolicyProcessOptions } from '../policy/client';
import { readIdentity } from '../policy/identity';
import type { PolicyContract } from '../replay/contract';
import type { DeviceChoice } from '../replay/device';
import type { ForecastIdentity } from './scorer';

/** The door to src/policy for the surfaces, which may not know it. */

export type { PolicyProcessOptions, PolicyState } from '../policy/client';
export { recallIdentity, rememberIdentity, type RecallOptions } from '../policy/recall';

/** A policy in a process of its own; nothing is started before the first call. */
export const openPolicy = (options: PolicyProcessOptions): PolicyProcess => new PolicyProcess(options);

/**
 * How the numbers of a policy folder would be made, read without loading it.
 * @param hashCache JSON file with the hashes of files by size and time
 * @param contract what the user set over the folder's own
 * @param choice where it is to run; absent, on the CPU
 * Rejects with PolicyError `bad-folder` and the remedy.
 */
export async function policyIdentity(folder: string, hashCache?: string, contract?: Partial<PolicyContract>, choice?: DeviceChoice): Promise<ForecastIdentity> {
  const { hash, contract: merged, device, dtype, activations } = await readIdentity(folder, hashCache, contract, choice);
  return { ...(hash === undefined ? {} : { hash }), ...(device === undefined ? {} : { device }), contract: merged, dtype, activations, name: folder };
}
