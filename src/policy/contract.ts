import { createHash } from 'node:crypto';
import path from 'node:path';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { answerPatternProblem } from '../replay/answerPattern';
import { defaultContract, thinkingAnswerTokens, type PolicyContract } from '../replay/contract';
import { PolicyError } from '../replay/policy';
import { isObject, readText } from './jsonFile';
import { z } from './schema';

/** Longest text, characters, and how often a prompt may hold what is filled in: a folder's file must not make prompts that fill memory. */
const longestText = 100_000;
const mostFilled = 10;

const limited = (): z.ZodString => z.string().max(longestText);
const filled = (prompt: z.ZodString): z.ZodString =>
  prompt.refine((said) => (said.match(/\{(?:question|state)\}/g)?.length ?? 0) <= mostFilled, { message: `may hold {question} and {state} ${String(mostFilled)} times at most` });
const holding = (placeholder: string): z.ZodString => filled(limited().refine((said) => said.includes(placeholder), { message: `must hold ${placeholder}` }));

const overrides = z
  .object({
    agentPrompt: holding('{question}'),
    evaluatorPrompt: holding('{state}'),
    goldPrefix: limited(),
    goldSuffix: limited(),
    placeholder: limited().min(1),
    dialect: limited().min(1),
    answerPattern: z.string().superRefine((source, context) => {
      const problem = answerPatternProblem(source);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
    stop: z.array(z.string().min(1).max(200)).max(16),
    maxAnswerTokens: z.int().min(1).max(32_768),
  })
  .partial();

/**
 * The contract of a policy: `user` over the folder's `turnlens.json` over the defaults. `chatTemplate` decides how long an answer may get where neither says.
 * Rejects with PolicyError `bad-folder` naming the file (or the settings) and the key.
 */
export async function readContract(folder: string, chatTemplate: string | undefined, user: Partial<PolicyContract> = {}): Promise<PolicyContract> {
  const maxAnswerTokens = chatTemplate?.includes('<think>') === true ? thinkingAnswerTokens : defaultContract.maxAnswerTokens;
  const file = path.join(folder, 'turnlens.json');
  const text = await readText(file);
  const trained = text === undefined ? {} : check(parseObject(file, text), file);
  return { ...defaultContract, maxAnswerTokens, ...trained, ...check(user, 'The settings') };
}

/** What the folder's `turnlens.json` says that no contract has, as sentences for people: a mistyped key would leave its default in force without a word. */
export async function contractNotes(folder: string): Promise<string[]> {
  const file = path.join(folder, 'turnlens.json');
  const text = await readText(file);
  const value = text === undefined ? {} : parseObject(file, text);
  const unknown = isObject(value) ? Object.keys(value).filter((key) => key !== '$schema' && !Object.hasOwn(overrides.shape, key)) : [];
  return unknown.map((key) => `turnlens.json: a contract has no "${key.slice(0, 100)}"; it is passed over.`);
}

/** `sha256:…` of a contract; equal contracts have equal hashes whatever the order of their keys. */
export function contractHash(contract: PolicyContract): string {
  const sorted = Object.entries(contract)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `sha256:${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`;
}

function parseObject(file: string, text: string): unknown {
  const errors: ParseError[] = [];
  const value = parseShallow(file, text, errors);
  const [error] = errors;
  if (!error) return value;
  const line = text.slice(0, error.offset).split('\n').length;
  throw new PolicyError('bad-folder', `${file} is not JSON (${printParseErrorCode(error.error)} in line ${String(line)}).`);
}

/** The parser recurses: what nests thousands deep overflows its stack. */
function parseShallow(file: string, text: string, errors: ParseError[]): unknown {
  try {
    return parse(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PolicyError('bad-folder', `${file} nests its brackets too deep for a contract; it is damaged, or another file.`);
  }
}

function check(value: unknown, where: string): Partial<PolicyContract> {
  const result = overrides.safeParse(value);
  if (result.success) return Object.fromEntries(Object.entries(result.data).filter(([, given]) => given !== undefined));
  const issue = result.error.issues[0];
  const key = issue?.path.join('.') ?? '';
  throw new PolicyError('bad-folder', `${where}: ${key === '' ? 'the whole' : key} is wrong (${issue?.message ?? 'not understood'}); correct it or leave it out.`);
}
