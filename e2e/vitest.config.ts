import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { patience } from './workbench.ts';

const project = (name: string, include: string[]) => ({
  extends: true as const,
  test: { name, include },
});

/** The whole in a real editor. All files share one editor and one browser, and follow one another: a page behind another one waits for frames. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    fileParallelism: false,
    globalSetup: [resolve(import.meta.dirname, 'sharedEditor.ts')],
    isolate: false,
    testTimeout: 3 * patience,
    hookTimeout: 3 * patience,
    // A busy editor may lose a key or a click: the step is done once more, and the report says so. A fault of ours fails twice.
    retry: 1,
    expect: { poll: { timeout: patience } },
    projects: [
      // `npm test`: the first minute, and one way to each page.
      project('quick', ['*.quick.test.ts']),
      // `npm run test:workbench`: all other ways through the workbench, and `npm start`, which builds anew what others would read.
      project('flows', ['*.test.ts', '!*.quick.test.ts']),
    ],
  },
});
