import { defineConfig } from 'vitest/config';
import { patience } from './workbench.ts';

/** The whole in a real editor: one after the other, they share two cores with a browser. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: ['sharedEditor.ts'],
    fileParallelism: false,
    testTimeout: 3 * patience,
    hookTimeout: 3 * patience,
    bail: 1,
    expect: { poll: { timeout: patience } },
  },
});
