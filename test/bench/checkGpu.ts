import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { whyNotThere } from '../../src/policy/device/available';
import { loadPolicy } from '../../src/policy/load';
import { devicesFor, type Device } from '../../src/replay/device';
import { decoder } from '../support/graphs/decoder';

/** Prints, for each GPU provider that is there, how a policy agrees with the CPU on it and how much faster a short run is. Takes minutes. */
async function main(): Promise<void> {
  Reflect.deleteProperty(globalThis, 'Float16Array');
  const there: Device[] = [];
  for (const device of devicesFor('auto', process.platform)) {
    if (device === 'cpu') continue;
    const absent = await whyNotThere(device);
    if (absent === undefined) there.push(device);
    else process.stderr.write(`${device}: ${absent}\n`);
  }
  if (there.length === 0) {
    process.stdout.write('There is no GPU here that ONNX Runtime can use, so there is nothing to check.\n');
    return;
  }
  const demo = path.join(__dirname, '..', 'media', 'policy');
  const larger = generated(demo);
  let wrong = 0;
  for (const device of there) {
    for (const [name, folder] of [['the demo policy', demo], ['a generated decoder', larger]] as const) wrong += await check(device, name, folder);
  }
  rmSync(larger, { recursive: true });
  process.exit(wrong > 0 ? 1 : 0);
}

async function check(device: Device, name: string, folder: string): Promise<number> {
  try {
    const { info, decoder: opened } = await loadPolicy({ folder, device }, { state: () => undefined, alive: () => undefined });
    await opened.release();
    const parity = info.devices?.parity;
    if (!parity) throw new Error('no figures');
    const agrees = parity.difference <= parity.tolerance;
    const runs = parity.longestRun === undefined ? '' : `, in runs of at most ${String(parity.longestRun)} tokens`;
    const times = `${parity.milliseconds.toFixed(1)} ms, ${parity.cpuMilliseconds.toFixed(1)} ms on the CPU: ${(parity.cpuMilliseconds / parity.milliseconds).toFixed(2)} times as fast`;
    process.stdout.write(`${device}, ${name}: ${agrees ? 'agrees' : 'DIFFERS'} (largest difference ${parity.difference.toPrecision(2)} nats, ${String(parity.tolerance)} allowed${runs}); ${times}\n`);
    return agrees ? 0 : 1;
  } catch (error) {
    process.stdout.write(`${device}, ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** Some eighty million parameters with random weights and the demo policy's tokenizer. */
function generated(demo: string): string {
  const { bytes, shape } = decoder({ family: 'llama', attention: 'gqa-packed', shape: { layers: 8, heads: 12, kvHeads: 4, headSize: 64, hidden: 768, intermediate: 3072, vocabulary: 2048 } });
  const folder = mkdtempSync(path.join(tmpdir(), 'turnlens-gpu-'));
  cpSync(demo, folder, { recursive: true });
  writeFileSync(path.join(folder, 'model.onnx'), bytes);
  const config = { model_type: 'llama', num_attention_heads: shape.heads, num_key_value_heads: shape.kvHeads, head_dim: shape.headSize, hidden_size: shape.hidden, vocab_size: shape.vocabulary, max_position_embeddings: 512 };
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  return folder;
}

void main();
