import { PolicyProcess, type PolicyProcessOptions } from '../policy/client';
import { readContract } from '../policy/contract';
import { readIdentity } from '../policy/identity';
import { readChatTemplate } from '../policy/templateFile';
import type { PolicyContract } from '../replay/contract';
import type { PolicyChoices } from '../replay/policyChoices';
import type { ForecastIdentity } from './scorer';

/** The door to src/policy for the surfaces, which may not know it. */

export type { PolicyProcessOptions, PolicyState } from '../policy/client';
export { recallIdentity, rememberIdentity, type RecallOptions } from '../policy/recall';

/** A policy in a process of its own; nothing is started before the first call. */
export const openPolicy = (options: PolicyProcessOptions): PolicyProcess => new PolicyProcess(options);

/**
 * How the numbers of a policy folder would be made, read without loading it.
 * @param hashCache JSON file with the hashes of files by size and time
 * @param choices what the user set over the folder's own, and where it is to run
 * Rejects with PolicyError `bad-folder` and the remedy.
 */
export async function policyIdentity(folder: string, hashCache?: string, choices?: PolicyChoices): Promise<ForecastIdentity> {
  const { hash, contract, device, dtype, activations } = await readIdentity(folder, hashCache, choices);
  return { ...(hash === undefined ? {} : { hash }), ...(device === undefined ? {} : { device }), contract, dtype, activations, name: folder };
}

/** What a policy was trained to see, as its folder says and the user over it; its model is not looked at. Rejects with PolicyError `bad-folder`. */
export const policyContract = async (folder: string, user: Partial<PolicyContract>): Promise<PolicyContract> => readContract(folder, await readChatTemplate(folder), user);
