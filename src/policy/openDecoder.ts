import type { ActivationChoice } from '../replay/activations';
import type { Device } from '../replay/device';
import { cpuCost, gpuCost, type RunCost } from '../replay/packing';
import { Decoder } from './decoder';
import { decoderShape, type DecoderShape } from './decoderShape';
import type { ModelConfig } from './modelConfig';
import { openGraph } from './session';

/** A decoder on a device. */
export interface OpenDecoder {
  readonly decoder: Decoder;
  readonly shape: DecoderShape;
  readonly cost: RunCost;
  /** What of the graph runs as it was exported: sentences for people. */
  readonly notes: readonly string[];
  /** Whether the graph runs with our edits. */
  readonly edited: boolean;
}

/** Loads the decoder of `file` on `device` and nowhere else. Rejects with PolicyError. */
export async function openDecoder(file: string, config: ModelConfig, activations: ActivationChoice, device: Device): Promise<OpenDecoder> {
  const { session, notes, edited, resident } = await openGraph(file, activations, device);
  try {
    const shape = decoderShape(session, config, file);
    return { decoder: new Decoder(session, shape, resident), shape, notes, edited, cost: device === 'cpu' ? cpuCost : gpuCost };
  } catch (error) {
    await session.release();
    throw error;
  }
}
