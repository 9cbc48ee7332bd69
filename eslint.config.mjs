import tseslint from 'typescript-eslint';

/** Who may import whom (docs/architecture.md). A folder is named with what it must not reach. */
const onnx = ['onnxruntime-node', 'onnxruntime-common', '@huggingface/*'];
const wall = (folder, message, forbidden) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': ['error', { patterns: [{ group: forbidden, message: `${folder}: ${message}` }] }],
  },
});
const layers = (...names) => names.map((name) => `**/${name}/**`);
const node = ['node:*', 'fs', 'path', 'crypto', 'child_process'];

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '.vscode-test/', 'test-results/', 'media/'] },
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      eqeqeq: 'error',
    },
  },
  { files: ['*.config.*', '**/*.config.*'], rules: { 'no-restricted-exports': 'off' } },
  wall('trajectory', 'pure; it knows nothing but text', ['vscode', ...node, ...onnx, ...layers('credit', 'replay', 'policy', 'scoring', 'editor', 'panel', 'cli')]),
  wall('replay', 'pure; it plans on token ids', ['vscode', ...node, ...onnx, ...layers('trajectory', 'credit', 'policy', 'scoring', 'editor', 'panel', 'cli')]),
  wall('credit', 'pure arithmetic', ['vscode', ...node, ...onnx, ...layers('policy', 'scoring', 'editor', 'panel', 'cli')]),
  wall('policy', 'knows ONNX and replay, nothing of credit', ['vscode', ...layers('trajectory', 'credit', 'scoring', 'editor', 'panel', 'cli')]),
  wall('scoring', 'knows the four below it and no surface', ['vscode', ...onnx, ...layers('editor', 'panel', 'cli')]),
  wall('editor', 'knows scoring, neither the other surfaces nor ONNX', [...onnx, ...layers('policy', 'panel', 'cli')]),
  // The one file that puts the surfaces together.
  { files: ['src/editor/extension.ts'], rules: { 'no-restricted-imports': ['error', { patterns: [{ group: [...onnx, ...layers('policy', 'cli')], message: 'editor: neither the policy nor ONNX' }] }] } },
  wall('panel', 'knows scoring, neither the other surfaces nor ONNX', [...onnx, ...layers('policy', 'editor', 'cli', 'webview')]),
  {
    files: ['webview/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['vscode', ...node, ...onnx], message: 'webview: it runs in a page' },
            { regex: '\\.\\./src/(?!panel/contract$)', message: 'webview: knows only the contract' },
          ],
        },
      ],
    },
  },
  wall('cli', 'knows scoring, neither the other surfaces nor ONNX', ['vscode', ...onnx, ...layers('policy', 'editor', 'panel')]),
);
