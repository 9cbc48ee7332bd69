import type { PolicyState } from '../scoring/openPolicy';
import type { Standing } from './standing';

export interface StatusInput {
  /** Of the folder, for people. */
  readonly policyName: string;
  readonly state: PolicyState;
  /** What a figure on screen was made with, where one is. */
  readonly device?: string;
  /** Of what the active editor shows; absent: nothing scored. */
  readonly freshness?: Exclude<Standing, 'saved'>;
}

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly warning: boolean;
}

/** `$(…)` are VS Code's icons; the policy's name cannot make one. */
export function statusText({ policyName, state, device, freshness }: StatusInput): StatusText {
  const name = policyName.replaceAll('$(', '$ (');
  const { icon, words } = doing(state);
  const on = state.kind === 'ready' ? state.info.device : device;
  const parts = [name, ...(on ? [on] : []), ...(words ? [words] : []), ...(freshness ? [freshness] : [])];
  const tooltip = [
    `Policy: ${policyName}`,
    state.kind === 'ready' ? `${state.info.architecture}, ${state.info.dtype}, ${state.info.runtime}, ${state.info.contextLength} tokens of context` : '',
    ...(state.kind === 'ready' ? (state.info.devices?.tried ?? []).map(({ device: better, reason }) => `Not on ${better}: ${reason}.`) : []),
    state.kind === 'failed' ? state.error.message : '',
    freshness === 'stale' ? 'The text, the policy or a prompt changed since it was scored.' : '',
    'Select another policy…',
  ];
  return { text: `${icon} ${parts.join(' · ')}`, tooltip: tooltip.filter((line) => line !== '').join('\n'), warning: state.kind === 'failed' };
}

function doing(state: PolicyState): { icon: string; words?: string } {
  switch (state.kind) {
    case 'unloaded':
      return { icon: '$(circle-outline)' };
    case 'hashing':
      return { icon: '$(loading~spin)', words: 'reading the policy' };
    case 'loading':
      return { icon: '$(loading~spin)', words: 'loading' };
    case 'running':
      return { icon: '$(loading~spin)', words: 'scoring' };
    case 'ready':
      return { icon: '$(circle-filled)' };
    case 'failed':
      return { icon: '$(error)', words: 'failed' };
  }
}
