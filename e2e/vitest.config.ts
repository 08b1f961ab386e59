import { defineConfig } from 'vitest/config';

/** The whole in a real editor: one after the other, they share two cores with a browser. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    bail: 1,
    expect: { poll: { timeout: 20_000 } },
  },
});
