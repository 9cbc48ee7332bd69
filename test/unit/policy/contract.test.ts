import { describe, expect, test } from 'vitest';
import { contractHash, contractNotes, readContract } from '../../../src/policy/contract';
import { defaultContract } from '../../../src/replay/contract';
import { demoPolicy } from '../../support/fixtures';
import { emptyFolder, policyFolder } from '../../support/policyFolder';

describe('the contract of a policy', () => {
  test("is the user's over the folder's over the default", async () => {
    const contract = await readContract(demoPolicy, undefined, { placeholder: '<gone>' });
    expect(contract.placeholder).toBe('<gone>');
    expect(contract.goldPrefix.endsWith('<answer> ')).toBe(true);
    expect(await readContract(emptyFolder(), undefined)).toEqual(defaultContract);
  });

  test('lets a policy that thinks answer at more length, unless someone says otherwise', async () => {
    const thinks = "{{ '<think>' }}";
    expect((await readContract(emptyFolder(), thinks)).maxAnswerTokens).toBe(1024);
    expect((await readContract(emptyFolder(), thinks, { maxAnswerTokens: 7 })).maxAnswerTokens).toBe(7);
    expect((await readContract(demoPolicy, thinks)).maxAnswerTokens).toBe(48);
  });

  test('may be written with comments and trailing commas', async () => {
    const folder = policyFolder([], { 'turnlens.json': '{ // what it was trained to see\n "placeholder": "[…]", "$schema": "https://example.org/contract" }' });
    expect((await readContract(folder, undefined)).placeholder).toBe('[…]');
  });

  test.each([
    ['{"maxAnswerTokens": "48"}', /turnlens\.json: maxAnswerTokens is wrong/],
    ['{"agentPrompt": "no place"}', /agentPrompt is wrong \(must hold \{question\}\)/],
    ['{"evaluatorPrompt": "{question}"}', /evaluatorPrompt is wrong \(must hold \{state\}\)/],
    ['{"answerPattern": "(?=(a+))"}', /answerPattern is wrong \(is no regular expression that runs in linear time.*\)/],
    ['{"stop": [""]}', /stop\.0 is wrong/],
    ['[]', /the whole is wrong/],
    [`{"agentPrompt": "${'{question}'.repeat(11)}"}`, /agentPrompt is wrong \(may hold \{question\} and \{state\} 10 times at most\)/],
    [`{"goldPrefix": "${'x'.repeat(100_001)}"}`, /goldPrefix is wrong/],
    ['['.repeat(100_000), /turnlens\.json nests its brackets too deep/],
    [`{"stop": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /turnlens\.json nests its brackets too deep/],
    ['{"placeholder": ', /turnlens\.json is not JSON \(\w+ in line 1\)/],
  ])('%.40s is refused by name', async (text, message) => {
    await expect(readContract(policyFolder([], { 'turnlens.json': text }), undefined)).rejects.toThrow(message);
  });

  test('a key that no contract has is told, and passed over', async () => {
    const folder = policyFolder([], { 'turnlens.json': '{"answerPatern": "x", "toString": 1, "placeholder": "[…]", "$schema": "https://example.org/contract"}' });
    expect((await readContract(folder, undefined)).placeholder).toBe('[…]');
    expect(await contractNotes(folder)).toEqual(['answerPatern', 'toString'].map((key) => `turnlens.json: a contract has no "${key}"; it is passed over.`));
    expect(await contractNotes(demoPolicy)).toEqual([]);
    expect(await contractNotes(emptyFolder())).toEqual([]);
  });

  test('a wrong setting is refused by name', async () => {
    await expect(readContract(demoPolicy, undefined, { maxAnswerTokens: 0 })).rejects.toThrow('The settings: maxAnswerTokens is wrong');
  });

  test('has a hash that does not hang on the order of its keys', () => {
    const { stop, ...rest } = defaultContract;
    expect(contractHash({ stop, ...rest })).toBe(contractHash(defaultContract));
    expect(contractHash({ ...defaultContract, dialect: 'search-r1' })).not.toBe(contractHash(defaultContract));
  });
});
