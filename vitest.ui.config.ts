import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/ui/**/*.test.ts'],
    globalSetup: ['test/ui/installed.ts'],
    // One workbench at a time: two would fight for the same cores and time out.
    fileParallelism: false,
    // No test is quick by these: they end what hangs, on a slow machine with other work too.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 100 } },
  },
});
