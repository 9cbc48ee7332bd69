import { defaultSettings, type CreditSettings } from '../credit/settings';
import type { ActivationChoice } from '../replay/activations';
import { readUserDialects, type UserDialects } from '../trajectory/userDialects';
import type { PolicyContract } from '../replay/contract';
import { devices, type DeviceChoice } from '../replay/device';

/** What `workspace.getConfiguration('turnlens')` offers. */
export interface Configuration {
  get<T>(key: string, fallback: T): T;
}

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
  readonly dialects: UserDialects;
  readonly showQuietLenses: boolean;
  readonly scoreOnOpen: boolean;
}

export function readSettings(from: Configuration): EditorSettings {
  const d = defaultSettings;
  const keepLast = from.get<number | null>('keepLast', null);
  return {
    policy: from.get('policy', '').trim(),
    contract: plain(from.get<Partial<PolicyContract>>('contract', {})),
    activations: from.get<ActivationChoice>('activations', 'fp32') === 'exported' ? 'exported' : 'fp32',
    dialects: readUserDialects(plain(from.get<unknown>('dialects', []))),
    device: deviceOf(from.get('device', 'auto')),
    upkeep: { idleUnloadMinutes: atLeastZero(from.get('idleUnloadMinutes', 10), 10), warmMegabytes: atLeastZero(from.get('warmMegabytes', 256), 256) },
    showQuietLenses: from.get('showQuietLenses', false),
    scoreOnOpen: from.get('scoreOnOpen', false),
    credit: {
      ...d,
      metric: from.get('metric', d.metric),
      alpha: from.get('alpha', d.alpha),
      lambda: from.get('lambda', d.lambda),
      gold: from.get('gold', d.gold),
      replace: from.get('replace', d.replace),
      ...(keepLast === null ? {} : { keepLast }),
      spike: {
        answerability: from.get('spike.answerability', d.spike.answerability),
        advantage: from.get('spike.advantage', d.spike.advantage),
        gain: from.get('spike.gain', d.spike.gain),
      },
    },
  };
}

/** A settings file may hold anything. */
const deviceOf = (name: string): DeviceChoice => devices.find((device) => device === name) ?? 'auto';

const atLeastZero = (value: unknown, otherwise: number): number => (typeof value === 'number' && value >= 0 ? value : otherwise);

/** VS Code gives objects as proxies, which no process boundary lets through. */
const plain = <T>(o: T): T => JSON.parse(JSON.stringify(o)) as T;
