import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// There is no module of this name outside an editor: tests of the client meet one of our own.
const alias = { vscode: resolve(import.meta.dirname, 'client/testing/vscode.ts') };

const project = (name: string, include: string[], testTimeout: number) => ({
  extends: true as const,
  resolve: { alias },
  test: { name, include, testTimeout, hookTimeout: testTimeout },
});

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      // Everything that needs the repository alone: rooms beside their code, what crosses rooms in test/.
      project(
        'unit',
        [
          'server/**/*.test.ts',
          'client/**/*.test.ts',
          'webview/**/*.test.ts',
          'test/*/**/*.test.ts',
          '!test/corpus/**',
          '!test/judges/**',
          '!test/documents/**',
        ],
        60_000,
      ),
      // What the documentation tells users to type, in a fresh copy of the repository.
      project('documents', ['test/documents/**/*.test.ts'], 600_000),
      // Real files of users, read from ../shared.
      project('corpus', ['test/corpus/**/*.test.ts'], 120_000),
      // Real launchers and tools that judge what we write; they need Debian packages.
      project('judges', ['test/judges/**/*.test.ts'], 180_000),
    ],
  },
});
