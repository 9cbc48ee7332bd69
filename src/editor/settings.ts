import { defaultSettings, golds, metricIds, replacements, type CreditSettings } from '../credit/settings';
import { activationChoices, type ActivationChoice } from '../replay/activations';
import type { Dialect } from '../trajectory/dialect';
import { readUserDialects } from '../trajectory/userDialects';
import type { PolicyContract } from '../replay/contract';
import { devices, type DeviceChoice } from '../replay/device';
import { SettingsReader, type Configuration } from './settingsReader';

export interface EditorSettings {
  /** Folder; empty: the demo policy. */
  readonly policy: string;
  /** The user's, over the folder's own. */
  readonly contract: Partial<PolicyContract>;
  readonly activations: ActivationChoice;
  /** Where the policy runs. */
  readonly device: DeviceChoice;
  /** How long the policy stays loaded without work, and what of its caches stays with it. */
  readonly upkeep: { readonly idleUnloadMinutes: number; readonly warmMegabytes: number };
  readonly credit: CreditSettings;
  /** The user's own, which go before the built-in ones. */
  readonly dialects: readonly Dialect[];
  readonly showQuietLenses: boolean;
  readonly scoreOnOpen: boolean;
  /** One sentence for each setting that is not as it has to be; its default is used. */
  readonly problems: readonly string[];
}

export function readSettings(from: Configuration): EditorSettings {
  const d = defaultSettings;
  const read = new SettingsReader(from);
  const keepLast = read.count('keepLast');
  const dialects = readUserDialects(plain(from.get<unknown>('dialects', [])));
  const settings = {
    policy: read.text('policy', '').trim(),
    contract: plain(from.get<Partial<PolicyContract>>('contract', {})),
    activations: read.choice('activations', 'fp32', activationChoices),
    dialects: dialects.dialects,
    device: read.choice('device', 'auto', ['auto', ...devices]),
    upkeep: { idleUnloadMinutes: read.amount('idleUnloadMinutes', 10), warmMegabytes: read.amount('warmMegabytes', 256) },
    showQuietLenses: read.flag('showQuietLenses', false),
    scoreOnOpen: read.flag('scoreOnOpen', false),
    credit: {
      ...d,
      metric: read.choice('metric', d.metric, metricIds),
      alpha: read.amount('alpha', d.alpha),
      lambda: read.amount('lambda', d.lambda),
      gold: read.choice('gold', d.gold, golds),
      replace: read.choice('replace', d.replace, replacements),
      ...(keepLast === undefined ? {} : { keepLast }),
      spike: {
        answerability: read.amount('spike.answerability', d.spike.answerability),
        advantage: read.amount('spike.advantage', d.spike.advantage),
        gain: read.amount('spike.gain', d.spike.gain),
      },
    },
  };
  return { ...settings, problems: [...read.problems, ...dialects.problems.map((problem) => `The setting turnlens.dialects: ${problem}`)] };
}

/** VS Code gives objects as proxies, which no process boundary lets through. */
const plain = <T>(o: T): T => JSON.parse(JSON.stringify(o)) as T;
