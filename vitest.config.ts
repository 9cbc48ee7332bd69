import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/golden/**/*.test.ts'],
    // Tests that load ONNX Runtime themselves report nothing to its makers either.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    testTimeout: 30_000,
    // A second, as it is by default, is short on a machine with other work.
    expect: { poll: { timeout: 20_000 } },
    passWithNoTests: false,
  },
});
