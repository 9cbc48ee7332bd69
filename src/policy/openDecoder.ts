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
  /** Whether activations are as replay wants them. */
  readonly smooth: boolean;
}

/** Loads the decoder of `file` on `device` and nowhere else. Rejects with PolicyError. */
export async function openDecoder(file: string, config: ModelConfig, device: Device): Promise<OpenDecoder> {
  const { session, notes, smooth, resident } = await openGraph(file, device);
  try {
    const shape = decoderShape(session, config, file);
    return { decoder: new Decoder(session, shape, resident), shape, notes, smooth, cost: device === 'cpu' ? cpuCost : gpuCost };
  } catch (error) {
    await session.release();
    throw error;
  }
}
