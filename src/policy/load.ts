import path from 'node:path';
import { engine } from '../replay/engine';
import { parityTolerance } from '../replay/noise';
import { PolicyError, type PolicyInfo } from '../replay/policy';
import type { PolicyChoices } from '../replay/policyChoices';
import { contractNotes, readContract } from './contract';
import type { Decoder } from './decoder';
import { whyNotThere } from './device/available';
import { chooseDevice } from './device/choose';
import { DeviceMemory, policyKey, thisSession, verdictKey } from './device/memory';
import { probeTokens } from './device/probe';
import { Encoder } from './encoder';
import type { ReplayEngine } from './executor';
import { fingerprint } from './fingerprint';
import { HashCache, hashInventory } from './hash';
import { arithmetic } from './identity';
import { takeInventory } from './inventory';
import { readModelConfig, type ModelConfig } from './modelConfig';
import { openDecoder } from './openDecoder';
import { runtime } from './runtime';
import { readChatTemplate } from './templateFile';
import { readTokenizer, type PolicyTokenizer } from './tokenizer';

interface LoadOptions extends PolicyChoices {
  readonly folder: string;
  readonly hashCache?: string;
  /** Of the process that started this one; absent: this one. */
  readonly session?: string;
}

interface LoadEvents {
  state(state: 'hashing' | 'loading'): void;
  /** A sign of life. `expected`: milliseconds that may pass until the next one. */
  alive(expected: number): void;
}

export interface LoadedPolicy extends ReplayEngine {
  readonly decoder: Decoder;
  readonly info: PolicyInfo;
  /** What it was loaded from, the contract included: absolute paths. */
  readonly sources: readonly string[];
  /** Of {@link LoadedPolicy.sources}, before they were read. */
  readonly fingerprint: string;
}

/** Slowest disk that is not taken for a hang, bytes a millisecond. */
const slowestLoad = 50_000;
/** A probe on a device compiles its kernels first, milliseconds. */
const probePatience = 120_000;

/** Loads the policy of a folder. Rejects with PolicyError. */
export async function loadPolicy({ folder, hashCache, contract: user, activations = 'fp32', device: choice = 'cpu', session = thisSession }: LoadOptions, on: LoadEvents): Promise<LoadedPolicy> {
  on.state('hashing');
  const inventory = await takeInventory(folder);
  const sources = [...inventory.entries.map((entry) => entry.path), path.resolve(folder, 'turnlens.json')];
  const before = await fingerprint(sources);
  const template = await readChatTemplate(folder);
  const contract = await readContract(folder, template, user);
  const passedOver = await contractNotes(folder);
  const config = await readModelConfig(folder);
  const { contextLength } = config;
  if (contextLength === undefined) {
    throw new PolicyError('bad-folder', `The configuration in ${folder} does not say how long a context may be; add max_position_embeddings to its config.json.`);
  }
  const hash = (await hashInventory(inventory, new HashCache(hashCache), { alive: () => { on.alive(0); } })) ?? '';
  on.state('loading');
  const tokenizer = await readTokenizer(folder);
  const file = path.join(folder, inventory.files.graph);
  const patience = inventory.entries.reduce((sum, entry) => sum + entry.size, 0) / slowestLoad;
  on.alive(patience);
  const computed = arithmetic(inventory, activations);
  const { open, device, report } = await chooseDevice({
    choice,
    platform: process.platform,
    there: whyNotThere,
    open: (on) => openDecoder(file, config, activations, on, (logits) => sameVocabulary(folder, tokenizer, config, logits)),
    tokens: () => probeTokens((text) => tokenizer.encode(text).ids),
    tolerance: parityTolerance(computed),
    memory: new DeviceMemory(hashCache),
    autoKey: policyKey(hash, computed.activations),
    verdictKey: verdictKey(hash, computed.activations, runtime, engine),
    session,
    alive: () => { on.alive(patience + probePatience); },
  });
  const { decoder, notes, edited, cost, vocabulary } = open;
  return {
    decoder,
    encoder: new Encoder(tokenizer, template, vocabulary),
    endTokens: endTokens(config, tokenizer),
    contextLength,
    sources,
    fingerprint: before,
    cost,
    info: {
      name: folder,
      hash,
      contract,
      architecture: config.architecture,
      device,
      devices: report,
      ...arithmetic(inventory, edited ? activations : 'exported'),
      ...(notes.length > 0 ? { graphNotes: notes } : {}),
      ...(passedOver.length > 0 ? { contractNotes: passedOver } : {}),
      runtime,
      contextLength,
      hasChatTemplate: template !== undefined,
    },
  };
}

/** The size of the vocabulary that graph, configuration and tokenizer agree on. */
function sameVocabulary(folder: string, tokenizer: PolicyTokenizer, config: ModelConfig, logits: number | undefined): number {
  const refuse = (what: string, remedy: string): PolicyError => new PolicyError('bad-folder', `${what}: ${remedy}.`);
  const size = logits ?? config.vocabulary;
  if (size === undefined) throw refuse(`The configuration in ${folder} lacks vocab_size`, 'take the config.json that came with the model');
  const has = `the model's vocabulary has ${String(size)}`;
  if (tokenizer.size > size) {
    const what = `The tokenizer in ${folder} has ids up to ${String(tokenizer.size - 1)}, but ${has}`;
    throw refuse(what, 'they belong to different models, so take the tokenizer.json that came with this one');
  }
  if (config.vocabulary !== undefined && config.vocabulary !== size) {
    const what = `The configuration in ${folder} says a vocabulary of ${String(config.vocabulary)}, but ${has}`;
    throw refuse(what, 'they belong to different models, so take the config.json that came with this one');
  }
  return size;
}

function endTokens(config: ModelConfig, tokenizer: PolicyTokenizer): ReadonlySet<number> {
  const named = tokenizer.specials['eos_token'];
  const id = named === undefined ? undefined : tokenizer.idOf(named);
  return new Set([...config.endTokens, ...(id === undefined ? [] : [id])]);
}
