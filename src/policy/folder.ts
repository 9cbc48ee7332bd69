import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { PolicyError } from '../replay/policy';
import { isObject, readObject } from './jsonFile';

/** The files of a policy, relative to its folder, with `/`. */
export interface PolicyFiles {
  /** As the user named it. */
  readonly folder: string;
  /** The ONNX graph. */
  readonly graph: string;
  /** Configurations, tokenizer and template that are there. */
  readonly texts: readonly string[];
}

const configs = ['config.json', 'genai_config.json'];
const texts = [...configs, 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja'];

/** Names that exporters use, the least rounded first. */
const roundings = ['', '_fp16', '_int8', '_quantized', '_uint8', '_q8', '_q4', '_q4f16', '_int4', '_bnb4'];
const graphNames = roundings.flatMap((rounding) => [`model${rounding}.onnx`, `decoder_model_merged${rounding}.onnx`]);

/**
 * Finds the files of a policy: Optimum's layout, Transformers.js's (`onnx/`) or onnxruntime-genai's.
 * Rejects with PolicyError `bad-folder` naming what is missing and the remedy.
 */
export async function findPolicyFiles(folder: string): Promise<PolicyFiles> {
  const here = new Set(await list(folder));
  const graph = await findGraph(folder, here);
  if (!graph) throw noGraph(folder, here);
  if (!configs.some((name) => here.has(name))) {
    throw new PolicyError('bad-folder', `${folder} has no config.json (nor genai_config.json); copy the model's config.json into it.`);
  }
  if (!here.has('tokenizer.json')) {
    throw new PolicyError('bad-folder', `${folder} has no tokenizer.json; copy the tokenizer.json and tokenizer_config.json of the model into it.`);
  }
  const found = texts.filter((name) => here.has(name));
  for (const name of [...found, 'turnlens.json']) await inFolder(folder, name, 'the policy would read');
  return { folder, graph, texts: found };
}

async function list(folder: string): Promise<string[]> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new PolicyError('bad-folder', `${folder} is a file; select the folder that holds the policy.`);
    return await readdir(folder);
  } catch (error) {
    if (error instanceof PolicyError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new PolicyError('bad-folder', code === 'ENOENT' ? `There is no policy folder ${folder}; select one that exists.` : `The policy folder ${folder} cannot be read (${code}).`);
  }
}

async function findGraph(folder: string, here: ReadonlySet<string>): Promise<string | undefined> {
  const named = await namedByGenai(folder);
  if (named !== undefined) return inFolder(folder, named, 'genai_config.json names');
  const below = here.has('onnx') ? await readdir(path.join(folder, 'onnx')).catch(() => []) : [];
  const found = [...pick([...here], ''), ...pick(below, 'onnx/')][0];
  return found === undefined ? undefined : inFolder(folder, found, 'the policy would load');
}

/** The graphs among `names`: those by a known name first, else the only one there is. */
function pick(names: readonly string[], prefix: string): string[] {
  const graphs = names.filter((name) => name.endsWith('.onnx'));
  const known = graphNames.filter((name) => graphs.includes(name));
  return (known.length > 0 || graphs.length !== 1 ? known : graphs).map((name) => prefix + name);
}

async function namedByGenai(folder: string): Promise<string | undefined> {
  const model = (await readObject(path.join(folder, 'genai_config.json')))?.['model'];
  const decoder = isObject(model) ? model['decoder'] : undefined;
  const name = isObject(decoder) ? decoder['filename'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** `name` if it is a file inside `folder`, links resolved; `undefined` where there is no such file. No path of a policy is followed out of its folder. */
export async function inFolder(folder: string, name: string, who: string): Promise<string | undefined> {
  const outside = new PolicyError('bad-folder', `In ${folder}, ${who} ${name}, which is outside of the folder; nothing out there is read.`);
  const relative = path.relative(folder, path.resolve(folder, name));
  if (isOutside(relative)) throw outside;
  const file = await realpath(path.join(folder, relative)).catch(() => undefined);
  if (file === undefined) return undefined;
  const homes = homesOf(await realpath(folder));
  if (homes.every((home) => isOutside(path.relative(home, file)))) throw outside;
  return relative.split(path.sep).join('/');
}

/** Where the files of a folder may lie: in it, or, in Hugging Face's cache, in the `blobs` that a snapshot's files link to. */
function homesOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return path.basename(parent) === 'snapshots' ? [folder, path.join(path.dirname(parent), 'blobs')] : [folder];
}

const isOutside = (relative: string): boolean => relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);

function noGraph(folder: string, here: ReadonlySet<string>): PolicyError {
  const checkpoint = [...here].some((name) => name.endsWith('.safetensors') || /^pytorch_model.*\.bin$/.test(name));
  const what = checkpoint ? 'is a Hugging Face checkpoint without an ONNX graph' : 'holds no ONNX graph (model.onnx or onnx/model.onnx)';
  return new PolicyError('bad-folder', `${folder} ${what}; export it with: ${exportCommand(checkpoint ? folder : 'MODEL')}`);
}

/** The command that turns a Hugging Face checkpoint into a policy's folder beside it. */
function exportCommand(model: string): string {
  const bare = model.replace(/[\\/]+$/, '');
  return `optimum-cli export onnx --model ${quote(bare)} --task text-generation-with-past ${quote(`${bare}-onnx`)}`;
}

/** Quoted for a POSIX shell, and for cmd.exe and PowerShell on Windows. */
function quote(argument: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(argument)) return argument;
  return process.platform === 'win32' ? `"${argument}"` : `'${argument.replaceAll("'", `'\\''`)}'`;
}
