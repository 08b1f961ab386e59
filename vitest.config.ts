import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// There is no module of this name outside an editor: tests of the client meet one of our own.
const alias = { vscode: resolve(import.meta.dirname, 'client/testing/vscode.ts') };

const project = (name: string, include: string[], testTimeout: number, globalSetup: string[] = []) => ({
  extends: true as const,
  resolve: { alias },
  test: {
    name,
    include,
    testTimeout,
    hookTimeout: testTimeout,
    globalSetup: globalSetup.map((file) => resolve(import.meta.dirname, file)),
  },
});

export default defineConfig({
  test: {
    // As many at a time as there are cores, of which vitest would keep one for itself.
    maxWorkers: '100%',
    // Test files that follow each other share a process and the modules it has read, which are not read anew for each.
    // Few modules keep anything: pools of threads, which start on demand, and the editor's stand-in, which every test of
    // the client sets back.
    isolate: false,
    // Tests make much that lives for a moment: a larger young generation spares a twentieth of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    reporters: ['default'],
    globalSetup: [resolve(import.meta.dirname, 'test/builtOnce.ts')],
    setupFiles: [resolve(import.meta.dirname, 'test/onNode.ts')],
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
          '!test/panel/**',
          '!test/site/**',
          '!**/*.slow.test.ts',
        ],
        // Ends what hangs, and nothing that works, on a machine that is busy with much else; no test measures time by it.
        120_000,
      ),
      // The pages of the panels in a browser, which all files share. It needs Chromium and the packages of e2e/.
      project('panel', ['test/panel/**/*.test.ts'], 120_000, ['test/panel/testing/browserForAll.ts']),
      // What the documentation tells users to type.
      project('documents', ['test/documents/**/*.test.ts', '!**/*.slow.test.ts'], 120_000),
      // What takes minutes: figures of papers, all samples, memory, every command of the documentation in a fresh copy.
      project(
        'slow',
        [
          'server/**/*.slow.test.ts',
          'client/**/*.slow.test.ts',
          'webview/**/*.slow.test.ts',
          'test/*/**/*.slow.test.ts',
        ],
        600_000,
      ),
      // The website that tools/site.ts built of docs/.
      project('site', ['test/site/**/*.test.ts'], 120_000),
      // Real files of users, read from ../shared.
      project('corpus', ['test/corpus/**/*.test.ts'], 120_000),
      // Real launchers and tools that judge what we write; they need Debian packages.
      project('judges', ['test/judges/**/*.test.ts'], 180_000),
    ],
  },
});
