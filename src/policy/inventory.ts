import { stat } from 'node:fs/promises';
import path from 'node:path';
import { PolicyError } from '../replay/policy';
import { stampOf } from './fingerprint';
import { findPolicyFiles, inFolder, type PolicyFiles } from './folder';
import { readGraphFacts, type GraphFacts } from './graph/facts';
import { unreadable } from './jsonFile';

/** A file that a policy loads. */
export interface InventoryFile {
  /** Relative to the folder, with `/`. */
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Changes with its content: see {@link stampOf}. */
  readonly stamp: string;
}

/** Everything that a policy's folder loads, the contract aside. */
export interface Inventory {
  readonly files: PolicyFiles;
  readonly facts: GraphFacts;
  /** Graph, external data, configurations, tokenizer, template; sorted by name. */
  readonly entries: readonly InventoryFile[];
}

/** Finds what a policy's folder loads, its graph's external data included. Rejects with PolicyError. */
export async function takeInventory(folder: string): Promise<Inventory> {
  const files = await findPolicyFiles(folder);
  const facts = await readGraphFacts(path.join(folder, files.graph));
  const names = [files.graph, ...files.texts];
  for (const external of facts.externalFiles) names.push(await externalFile(files, external));
  const entries = await Promise.all(names.map((name) => entry(folder, name)));
  return { files, facts, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

async function externalFile({ folder, graph }: PolicyFiles, external: string): Promise<string> {
  const name = await inFolder(folder, path.posix.join(path.posix.dirname(graph), external.replaceAll('\\', '/')), `${graph} keeps weights in`);
  if (name !== undefined) return name;
  throw new PolicyError('bad-folder', `${path.join(folder, graph)} keeps its weights in ${external}, which is not there; copy that file beside it.`);
}

async function entry(folder: string, name: string): Promise<InventoryFile> {
  const file = path.join(folder, name);
  const stats = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  return { name, path: path.resolve(file), size: stats.size, stamp: stampOf(stats) };
}
