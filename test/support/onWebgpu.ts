import { InferenceSession } from 'onnxruntime-node';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { providersOf } from '../../src/policy/device/providers';
import { OnnxModel } from '../../src/policy/graph/model';
import { loadPolicy } from '../../src/policy/load';
import { prepare } from '../../src/policy/prepare';
import type { LikelihoodRequest, ReplayRequest } from '../../src/replay/requests';
import { forward } from './graphs/forward';
import { logprobsOf, replayHere } from './replayHere';

/**
 * Run as a process of its own: a graphics driver may end its process. Replays requests on WebGPU and compares each with one full forward of
 * the graph as exported on the same device. Arguments: folder, heads of the cache, size of a head. Prints one JSON object.
 */
async function main(folder: string, kvHeads: number, headSize: number): Promise<void> {
  const policy = await loadPolicy({ folder, device: 'webgpu' }, { state: () => undefined, alive: () => undefined });
  const target = (context: string, text: string): LikelihoodRequest => ({ kind: 'likelihood', context: [{ text: context }], target: text, scored: [{ start: 0, end: text.length }], want: ['logprob'] });
  const likelihoods = [target('Who wrote it? The first', ' document'), target('Who wrote it? The first', ' letter'), target('Who wrote it? No', ' one'), target('Who', ' else')];
  const requests: ReplayRequest[] = [...likelihoods, { kind: 'answer', context: [{ text: 'Who wrote it?' }], stop: [], maxTokens: 5 }, { kind: 'answer', context: [{ text: 'Who' }], stop: [], maxTokens: 4 }];
  const { results, stats } = await replayHere(policy, requests);
  const exported = await onWebgpu(path.join(folder, 'model.onnx'));
  const differences: number[] = [];
  let tokens = 0;
  for (const [index, request] of likelihoods.entries()) {
    const prepared = prepare(request, policy.encoder, policy.contextLength);
    if (prepared.kind !== 'likelihood') throw new Error(prepared.kind);
    const sequence = [...prepared.sequence.tokens, prepared.scored.at(-1)?.id ?? 0];
    tokens = Math.max(tokens, sequence.length);
    const rows = await forward(exported, { kvHeads, headSize }, sequence);
    logprobsOf(results[index]).forEach((logprob, i) => differences.push(Math.abs(logprob - (rows[prepared.scored[i]?.row ?? -1]?.logprob ?? NaN))));
  }
  const { device, devices, dtype, graphNotes } = policy.info;
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify({ device, devices, dtype, graphNotes, answers: results.slice(4).map(({ kind }) => kind), difference: Math.max(...differences), compared: differences.length, tokens, stats })}\n`, resolve));
  process.exit(0);
}

async function onWebgpu(file: string): Promise<InferenceSession> {
  const bytes = readFileSync(file);
  const angles = OnnxModel.read(bytes).nodes.filter(({ op }) => op === 'Cos' || op === 'Sin').map(({ name }) => name);
  return InferenceSession.create(bytes, { executionProviders: providersOf('webgpu', angles), logSeverityLevel: 3 });
}

const [folder = '', kvHeads, headSize] = process.argv.slice(2);
void main(folder, Number(kvHeads), Number(headSize));
