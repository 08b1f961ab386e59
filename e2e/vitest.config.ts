import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { patience } from './workbench.ts';

const project = (name: string, include: string[], maxWorkers: number) => ({
  extends: true as const,
  test: { name, include, maxWorkers },
});

/** The whole in a real editor. All files share one editor and one browser; each process of tests has one page at a time. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    globalSetup: [resolve(import.meta.dirname, 'sharedEditor.ts')],
    isolate: false,
    testTimeout: 3 * patience,
    hookTimeout: 3 * patience,
    expect: { poll: { timeout: patience } },
    projects: [
      // `npm test`: the first minute, one way to each page, and `npm start`, which builds anew what others would read.
      project('quick', ['*.quick.test.ts'], 1),
      // `npm run test:workbench`: all other ways through the workbench. One page leaves two cores waiting half of the time.
      project('flows', ['*.test.ts', '!*.quick.test.ts'], 2),
    ],
  },
});
