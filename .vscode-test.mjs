import { defineConfig } from '@vscode/test-cli';

// On a desktop, `npx vscode-test` downloads VS Code and runs these suites in it. `npm test` sets
// VSCODE_TEST_EXECUTABLE to e2e/codeShim.ts, which runs the same suites in the embedded VS Code.
const executable = process.env.VSCODE_TEST_EXECUTABLE;

export default defineConfig({
  files: 'build/host/**/*.suite.cjs',
  workspaceFolder: 'samples',
  mocha: { ui: 'bdd', timeout: 20_000 },
  ...(executable === undefined ? {} : { useInstallation: { fromPath: executable } }),
});
