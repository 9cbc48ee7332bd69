import path from 'node:path';
import type { PolicyContract } from '../replay/contract';
import { devices, type Device } from '../replay/device';
import type { PolicyChoices } from '../replay/policyChoices';
import { fingerprint } from './fingerprint';
import { readIdentity, type FolderIdentity } from './identity';
import { KeptEntries } from './keptEntries';
import { z } from './schema';

/** What the numbers of a policy were last made with. */
export type KnownIdentity = Pick<FolderIdentity, 'contract' | 'dtype' | 'activations'> & { readonly hash: string; readonly device: Device };

const known = z.object({
  sources: z.array(z.string()),
  fingerprint: z.string(),
  identity: z.object({ hash: z.string(), contract: z.record(z.string(), z.unknown()), device: z.enum(devices), dtype: z.string(), activations: z.string() }),
});
type Known = z.infer<typeof known>;

const mostKnown = 16;

export interface RecallOptions extends PolicyChoices {
  readonly folder: string;
  /** The JSON file that keeps it between sessions. */
  readonly file: string;
  /** Of Turnlens: another one may make its numbers otherwise. */
  readonly version: string;
}

/** What {@link rememberIdentity} was told, where the folder has not changed since: sizes and times are looked at, no file of the policy is read. */
export async function recallIdentity(options: RecallOptions): Promise<KnownIdentity | undefined> {
  const found = (await keptIn(options).read()).get(keyOf(options));
  if (!found || (await fingerprint(found.sources)) !== found.fingerprint) return undefined;
  // Written by rememberIdentity of this version, whole.
  return found.identity as Known['identity'] & { contract: PolicyContract };
}

/** Keeps how a loaded policy makes its numbers, unless its folder has become another meanwhile. */
export async function rememberIdentity(options: RecallOptions, { hash, contract, device, dtype, activations }: KnownIdentity, hashCache?: string): Promise<void> {
  const now = await readIdentity(options.folder, hashCache, options);
  if (now.hash !== hash) return;
  const key = keyOf(options);
  const entry: Known = { sources: [...now.sources], fingerprint: await fingerprint(now.sources), identity: { hash, contract: { ...contract }, device, dtype, activations } };
  await keptIn(options).change((before) => (JSON.stringify(before.get(key)) === JSON.stringify(entry) ? [] : [[key, entry]]));
}

const keptIn = ({ file }: RecallOptions): KeptEntries<Known> => new KeptEntries({ file, entry: known, most: mostKnown });

const keyOf = ({ folder, contract = {}, activations = 'fp32', device = 'cpu', version }: RecallOptions): string => JSON.stringify([path.resolve(folder), contract, activations, device, version]);
