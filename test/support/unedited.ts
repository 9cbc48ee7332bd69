import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { Decoder } from '../../src/policy/decoder';
import { decoderShape } from '../../src/policy/decoderShape';
import { fp32ForBlockwise } from '../../src/policy/graph/blockwise';
import { OnnxModel } from '../../src/policy/graph/model';
import { readModelConfig } from '../../src/policy/modelConfig';
import type { RowAsk } from '../../src/policy/rows';
import type { RowScore } from '../../src/policy/rowScore';

/** The folder's graph as it was exported, but for activations in fp32: what replay is compared with. */
export async function uneditedDecoder(folder: string): Promise<Decoder> {
  const file = path.join(folder, 'model.onnx');
  const model = OnnxModel.read(await readFile(file));
  fp32ForBlockwise(model);
  const session = await InferenceSession.create(model.write(), {
    executionProviders: ['cpu'],
    logSeverityLevel: 3,
    extra: { session: { model_external_initializers_file_folder_path: folder } },
  });
  return new Decoder(session, decoderShape(session, await readModelConfig(folder), file));
}

/** One forward over the whole sequence: nothing shared, nothing packed, nothing cut into runs. */
export async function fullForward(decoder: Decoder, tokens: readonly number[], asks: readonly RowAsk[]): Promise<readonly RowScore[]> {
  const stretches = [{ branch: { start: 0 }, from: 0, length: tokens.length }];
  const { rows } = await decoder.run({ tokens, stretches, past: decoder.start(), asks, keep: false });
  return rows;
}
