import type { ActivationChoice } from '../replay/activations';
import type { Device } from '../replay/device';
import { cpuCost, gpuCost, type RunCost } from '../replay/packing';
import { Decoder } from './decoder';
import { decoderShape } from './decoderShape';
import type { ModelConfig } from './modelConfig';
import { openGraph } from './session';

/** A decoder on a device. */
export interface OpenDecoder {
  readonly decoder: Decoder;
  readonly cost: RunCost;
  /** What of the graph runs as it was exported: sentences for people. */
  readonly notes: readonly string[];
  /** Whether the graph runs with our edits. */
  readonly edited: boolean;
  /** Tokens that it knows. */
  readonly vocabulary: number;
}

/**
 * Loads the decoder of `file` on `device` and nowhere else. Rejects with PolicyError, and with what `vocabularyOf` throws.
 * @param vocabularyOf its size, from that of the logits where the graph states it
 */
export async function openDecoder(file: string, config: ModelConfig, activations: ActivationChoice, device: Device, vocabularyOf: (logits?: number) => number): Promise<OpenDecoder> {
  const { session, notes, edited, resident } = await openGraph(file, activations, device);
  try {
    const shape = decoderShape(session, config, file);
    const vocabulary = vocabularyOf(shape.vocabulary);
    return { decoder: new Decoder(session, shape, resident), notes, edited, vocabulary, cost: device === 'cpu' ? cpuCost : gpuCost };
  } catch (error) {
    await session.release();
    throw error;
  }
}
