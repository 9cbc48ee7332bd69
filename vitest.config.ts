import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/golden/**/*.test.ts'],
    testTimeout: 30_000,
    passWithNoTests: false,
  },
});
