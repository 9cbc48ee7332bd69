import { deviceRemedy, devicesFor, type Device, type DeviceChoice, type DeviceRefusal } from '../replay/device';
import type { PolicyInfo } from '../replay/policy';

/** What there is to tell about a policy and where it runs: plain data, for any surface. */
interface PolicyReport {
  /** Absent: the policy is not loaded, and only that tells. */
  readonly device?: Device;
  readonly asked: DeviceChoice;
  /** Why the policy does not load, in a sentence. */
  readonly failure?: string;
  /** Better devices that are not used, and why. */
  readonly tried: readonly DeviceRefusal[];
  /** Devices that Turnlens' own tests never ran on. */
  readonly untested: readonly Device[];
  /** What would bring a better device: whole sentences. */
  readonly remedies: readonly string[];
  /** What figures of this policy come from, by name. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** What of the graph runs as it was exported: sentences. */
  readonly notes: readonly string[];
  /** What of the folder's contract is passed over: sentences. */
  readonly contractNotes: readonly string[];
}

interface ReportInput {
  readonly folder: string;
  readonly asked: DeviceChoice;
  /** Of the loaded policy. */
  readonly info?: PolicyInfo;
  /** Why it could not be loaded, where that was tried. */
  readonly failure?: string;
  /** As Node names it. */
  readonly platform: string;
}

/** WebGPU is tested on a software adapter; the others need hardware that our tests do not have. */
const neverTested: readonly Device[] = ['cuda', 'dml', 'coreml'];

export function policyReport({ folder, asked, info, failure, platform }: ReportInput): PolicyReport {
  const { asked: loadedFor = asked, tried = [], parity } = info?.devices ?? {};
  const possible = devicesFor('auto', platform);
  return {
    ...(info ? { device: info.device } : {}),
    ...(failure === undefined ? {} : { failure }),
    asked: info ? loadedFor : asked,
    tried,
    untested: neverTested.filter((device) => possible.includes(device) || device === info?.device),
    remedies: tried.map(({ device }) => `For ${device}: ${deviceRemedy(device, platform)}.`),
    facts: [
      ['policy', folder],
      ...(info
        ? ([
            ['hash', info.hash],
            ['architecture', info.architecture],
            ['weights', info.dtype],
            ['activations', info.activations],
            ['runtime', info.runtime],
            ['context', `${info.contextLength.toLocaleString('en')} tokens`],
            ['chat template', info.hasChatTemplate ? 'yes' : 'no'],
            ...(parity ? ([['agreement with the CPU', `${parity.difference.toPrecision(2)} nats at most, ${String(parity.tolerance)} allowed`]] as const) : []),
            ...(parity ? ([['a short run', `${parity.milliseconds.toFixed(1)} ms, ${parity.cpuMilliseconds.toFixed(1)} ms on the CPU`]] as const) : []),
            ...(parity?.longestRun === undefined ? [] : ([['longest run that agrees', `${String(parity.longestRun)} tokens`]] as const)),
          ] as const)
        : []),
    ],
    notes: info?.graphNotes ?? [],
    contractNotes: info?.contractNotes ?? [],
  };
}

/** The report as lines of text. */
export function policyReportText({ device, asked, failure, tried, untested, remedies, facts, notes, contractNotes }: PolicyReport): string {
  const section = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? ['', title, ...lines.map((line) => `  ${line}`)] : []);
  const unknown = failure === undefined ? 'not known before the policy is loaded; score a trajectory first' : 'none, the policy does not load';
  return [
    `Device: ${device ?? unknown} (asked for: ${asked})`,
    ...section('Why it does not load', failure === undefined ? [] : [failure]),
    ...section('Better devices that are not used', tried.map((refusal) => `${refusal.device}: ${refusal.reason}`)),
    ...section('What would bring them', remedies),
    ...section('Never tested by us', untested.map((name) => `${name}: it is compared with the CPU before it is used`)),
    ...section('Policy', facts.map(([name, value]) => `${name}: ${value}`)),
    ...section('Graph', notes),
    ...section('Contract', contractNotes),
    '',
  ].join('\n');
}
