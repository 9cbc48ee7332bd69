/** How far two logits may move against each other when the same tokens are run in another order, nats. An answer that a smaller margin decided could as well have been another. */
interface Noise {
  readonly device: string;
  /** As the policy's info has them. */
  readonly activations: string;
  readonly logits: number;
}

/**
 * Measured with onnxruntime 1.30 as the largest difference between packed or forked replay and one forward for each request, rounded up:
 * - fp32 on the CPU: two x64 cores, a plain and a GroupQueryAttention export in fp32 and one in int4 (3e-4);
 * - fp32 on WebGPU: a software device; rotary angles on the CPU bring 2e-3 to 1e-5, other devices are not known to be as good;
 * - half floats: not measured; two units in the last of their eleven bits at logits of 16 to 32, and eight times that for the eight bits of bf16;
 * - exported: int8 activations of an int4 export, two x64 cores (0.05 to 0.15).
 */
const table: readonly Noise[] = [
  { device: 'cpu', activations: 'fp32', logits: 1e-3 },
  { device: '*', activations: 'fp32', logits: 5e-3 },
  { device: '*', activations: 'fp16', logits: 0.03 },
  { device: '*', activations: 'bf16', logits: 0.25 },
  { device: '*', activations: '*', logits: 0.15 },
];

/** The noise of a device's logits; of what the table does not name, that of exported activations. */
export function logitNoise(device: string, activations: string): number {
  const fits = (asked: string, named: string): boolean => named === '*' || named === asked;
  return table.find((row) => fits(device, row.device) && fits(activations, row.activations))?.logits ?? Infinity;
}

/**
 * How far a device's log-probabilities may be from the CPU's, nats, for it to be used: a bug of a kernel moves them by whole nats. Both
 * round, so it is a few times the noise of one; int4 and int8 weights magnify what fp32 rounds away.
 */
export function parityTolerance({ dtype, activations }: { readonly dtype: string; readonly activations: string }): number {
  if (activations === 'bf16') return 0.5;
  if (activations !== 'fp32') return 0.1;
  return dtype === 'float32' ? 1e-3 : 5e-3;
}
