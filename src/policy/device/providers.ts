import type { InferenceSession } from 'onnxruntime-node';
import type { Device } from '../../replay/device';

type Providers = NonNullable<InferenceSession.SessionOptions['executionProviders']>;

/**
 * One execution provider and no other: a list of several does not fall back, it throws where the first is missing.
 * @param onCpu nodes that stay on the CPU all the same; WebGPU alone can be told
 */
export function providersOf(device: Device, onCpu: readonly string[] = []): Providers {
  // Products in TF32 have eleven bits, not fp32's; the library reads this when it is loaded.
  if (device === 'cuda') process.env['NVIDIA_TF32_OVERRIDE'] = '0';
  // An option that is an empty list is refused.
  return device === 'webgpu' && onCpu.length > 0 ? [{ name: 'webgpu', forceCpuNodeNames: [...onCpu] }] : [device];
}
