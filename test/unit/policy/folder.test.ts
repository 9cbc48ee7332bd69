import { copyFileSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stampOf } from '../../../src/policy/fingerprint';
import { readIdentity } from '../../../src/policy/identity';
import { PolicyError } from '../../../src/replay/policy';
import { demoPolicy, shared } from '../../support/fixtures';
import { emptyFolder, policyFolder } from '../../support/policyFolder';
import { loadHere } from '../../support/replayHere';

/** What loading says of a folder; one sentence, no stack, no line break. */
async function refusal(folder: string): Promise<string> {
  const error: unknown = await loadHere(folder).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PolicyError)) throw new Error(`not refused: ${String(error)}`);
  expect(error.message).not.toContain('\n');
  expect(error.message).toContain(path.basename(folder));
  return error.message;
}

const json = (name: string): Record<string, unknown> => JSON.parse(readFileSync(path.join(demoPolicy, name), 'utf8')) as Record<string, unknown>;

describe('a folder that is no policy is refused in one sentence with the remedy', () => {
  test('not there, or a file', async () => {
    expect(await refusal(path.join(demoPolicy, 'nowhere'))).toMatch(/^There is no policy folder .*; select one that exists\.$/);
    expect(await refusal(path.join(demoPolicy, 'config.json'))).toContain('is a file; select the folder');
  });

  test('without tokenizer, configuration or graph', async () => {
    expect(await refusal(policyFolder(['tokenizer.json']))).toContain('has no tokenizer.json; copy');
    expect(await refusal(policyFolder(['config.json']))).toContain('has no config.json (nor genai_config.json); copy');
    expect(await refusal(policyFolder(['model.onnx']))).toContain('holds no ONNX graph');
  });

  test.skipIf(process.platform === 'win32').each(['model.onnx', 'config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json'])('%s that cannot be read', async (name) => {
    // A folder in its place: no rights would do, but for those who may read everything.
    const folder = policyFolder([name]);
    mkdirSync(path.join(folder, name));
    expect(await refusal(folder)).toBe(`${path.join(folder, name)} cannot be read (EISDIR).`);
    await expect(readIdentity(folder)).rejects.toThrow(PolicyError);
  });

  test('a Hugging Face checkpoint gets the command that exports it', async () => {
    const folder = path.join(emptyFolder(), "it's a model");
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'model.safetensors'), '');
    const quoted = `'${folder.replace("'", `'\\''`)}'`;
    const output = `'${folder.replace("'", `'\\''`)}-onnx'`;
    expect(await refusal(folder)).toBe(`${folder} is a Hugging Face checkpoint without an ONNX graph; export it with: optimum-cli export onnx --model ${quoted} --task text-generation-with-past ${output}`);
  });

  test('a graph that is cut off, of zeros, empty, text, or a pointer to a large file', async () => {
    const cut = policyFolder();
    truncateSync(path.join(cut, 'model.onnx'), 3_000_000);
    expect(await refusal(cut)).toContain('is no ONNX model (it is damaged or cut off');
    expect(await refusal(policyFolder([], { 'model.onnx': '\0'.repeat(5000) }))).toContain('is no ONNX model');
    expect(await refusal(policyFolder([], { 'model.onnx': '' }))).toContain('is no ONNX model');
    expect(await refusal(policyFolder([], { 'model.onnx': 'hello there' }))).toContain('is no ONNX model');
    expect(await refusal(policyFolder([], { 'model.onnx': 'version https://git-lfs.github.com/spec/v1\n' }))).toContain('git lfs pull');
  });

  test('bytes changed inside of a graph', async () => {
    const folder = policyFolder();
    const bytes = readFileSync(path.join(folder, 'model.onnx'));
    bytes.fill(255, 100, 300);
    writeFileSync(path.join(folder, 'model.onnx'), bytes);
    expect(await refusal(folder)).toMatch(/export it|download it/);
  });

  test('files that are not JSON, or not what their name says', async () => {
    expect(await refusal(policyFolder([], { 'config.json': '{"model_type": ' }))).toContain('config.json is not JSON');
    expect(await refusal(policyFolder([], { 'config.json': '[]' }))).toContain('holds no JSON object');
    expect(await refusal(policyFolder([], { 'config.json': '{}' }))).toContain('lacks num_attention_heads');
    expect(await refusal(policyFolder([], { 'tokenizer.json': '{}' }))).toContain('tokenizer.json is no tokenizer');
    expect(await refusal(policyFolder([], { 'tokenizer.json': '{"model": {"type": "BPE"}, "decoder": null, "post_processor": null, "pre_tokenizer": null, "normalizer": null}' }))).toContain('tokenizer.json is no tokenizer');
  });

  test('a vocabulary that does not match', async () => {
    const tokenizer = json('tokenizer.json');
    tokenizer['added_tokens'] = [...(tokenizer['added_tokens'] as unknown[]), { id: 5000, content: '<|more|>', special: true }];
    expect(await refusal(policyFolder([], { 'tokenizer.json': JSON.stringify(tokenizer) }))).toMatch(/ids up to 5000, but the model's vocabulary has 2048/);
    expect(await refusal(policyFolder([], { 'config.json': JSON.stringify({ ...json('config.json'), vocab_size: 4096 }) }))).toContain('says a vocabulary of 4096, but');
  });

  test('a context length that nobody names', async () => {
    const config = json('config.json');
    delete config['max_position_embeddings'];
    expect(await refusal(policyFolder([], { 'config.json': JSON.stringify(config) }))).toContain('add max_position_embeddings');
  });

  test('paths that lead out of the folder are not followed', async () => {
    const genai = JSON.stringify({ model: { decoder: { filename: '../elsewhere.onnx' } } });
    expect(await refusal(policyFolder([], { 'genai_config.json': genai }))).toContain('outside of the folder');
    const linked = policyFolder(['model.onnx']);
    symlinkSync(path.join(demoPolicy, 'model.onnx'), path.join(linked, 'model.onnx'));
    expect(await refusal(linked)).toContain('outside of the folder');
  });

  test("but the links of a snapshot in Hugging Face's cache are", async () => {
    const cache = emptyFolder();
    const snapshot = path.join(cache, 'snapshots', '0123abc');
    mkdirSync(snapshot, { recursive: true });
    mkdirSync(path.join(cache, 'blobs'));
    for (const name of ['config.json', 'generation_config.json', 'model.onnx', 'tokenizer.json', 'tokenizer_config.json']) {
      copyFileSync(path.join(demoPolicy, name), path.join(cache, 'blobs', name));
      symlinkSync(path.join('..', '..', 'blobs', name), path.join(snapshot, name));
    }
    expect((await readIdentity(snapshot)).hash).toBe((await readIdentity(demoPolicy)).hash);
  });

  test('external weights that are missing', async () => {
    const source = shared('demo-policy', 'policy-gqa');
    if (source === undefined) return;
    const folder = policyFolder(['config.json', 'model.onnx']);
    for (const name of ['genai_config.json', 'model.onnx', 'chat_template.jinja']) copyFileSync(path.join(source, name), path.join(folder, name));
    expect(await refusal(folder)).toContain('keeps its weights in model.onnx.data, which is not there');
  });
});

describe('a folder of another layout', () => {
  test('Transformers.js keeps its graphs in onnx/', async () => {
    const folder = policyFolder();
    mkdirSync(path.join(folder, 'onnx'));
    renameSync(path.join(folder, 'model.onnx'), path.join(folder, 'onnx', 'model.onnx'));
    writeFileSync(path.join(folder, 'onnx', 'model_quantized.onnx'), 'not looked at');
    const policy = await loadHere(folder);
    expect(policy.info.dtype).toBe('float32');
    await policy.decoder.release();
  });
});

describe('identity', () => {
  test('is that of the loaded policy, wherever the folder lies', async () => {
    const policy = await loadHere(demoPolicy);
    await policy.decoder.release();
    const { hash, contract, device, dtype, activations } = policy.info;
    expect(await readIdentity(demoPolicy)).toMatchObject({ hash, contract, device, dtype, activations });
    expect((await readIdentity(policyFolder())).hash).toBe(hash);
  });

  test('changes with any file that is loaded, and not with the contract', async () => {
    const { hash, contractHash } = await readIdentity(demoPolicy);
    const other = await readIdentity(policyFolder([], { 'generation_config.json': '{}' }));
    expect(other.hash).not.toBe(hash);
    const prompted = await readIdentity(policyFolder([], { 'turnlens.json': '{"placeholder": "…"}', 'README.md': 'not loaded' }));
    expect(prompted.hash).toBe(hash);
    expect(prompted.contractHash).not.toBe(contractHash);
    expect((await readIdentity(demoPolicy, undefined, { contract: { placeholder: '…' } })).contractHash).not.toBe(contractHash);
  });

  test('keeps file hashes by size and time, and takes a damaged cache for an empty one', async () => {
    const folder = policyFolder();
    const cache = path.join(emptyFolder(), 'below', 'hashes.json');
    const { hash } = await readIdentity(folder, cache);
    expect(readFileSync(cache, 'utf8')).toContain(JSON.stringify(path.join(folder, 'model.onnx')));
    const other = policyFolder();
    const file = path.join(other, 'config.json');
    writeFileSync(cache, JSON.stringify({ version: 2, entries: { [file]: { stamp: stampOf(statSync(file)), sha256: '0'.repeat(64) } } }));
    expect((await readIdentity(other, cache)).hash).not.toBe(hash);
    writeFileSync(cache, '{"files": 3');
    expect((await readIdentity(policyFolder(), cache)).hash).toBe(hash);
  });

  test('notices another file of the same size and age in the place of one', async () => {
    const folder = policyFolder();
    const file = path.join(folder, 'config.json');
    const [text, { atime, mtime }] = [readFileSync(file, 'utf8'), statSync(file)];
    const cache = path.join(emptyFolder(), 'hashes.json');
    const { hash } = await readIdentity(folder, cache);
    writeFileSync(file, text.replace('1', '2'));
    utimesSync(file, atime, mtime);
    const { size, mtime: now } = statSync(file);
    expect([size, now]).toEqual([Buffer.byteLength(text), mtime]);
    expect((await readIdentity(folder, cache)).hash).not.toBe(hash);
  });
});
