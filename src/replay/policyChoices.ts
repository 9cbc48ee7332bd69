import type { ActivationChoice } from './activations';
import type { PolicyContract } from './contract';
import type { DeviceChoice } from './device';

/** What a user may choose of how a policy's numbers are made. */
export interface PolicyChoices {
  /** Overrides of the folder's own. */
  readonly contract?: Partial<PolicyContract>;
  /** Absent: fp32. */
  readonly activations?: ActivationChoice;
  /** Absent: the CPU. */
  readonly device?: DeviceChoice;
}
