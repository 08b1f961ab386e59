/**
 * `npm test`: everything that the repository alone can show, the real editor included; `test.ts corpus`
 * and `test.ts judges` need more. Every stage runs that can: one that fails keeps back only those that need
 * it. What is missing is installed where we may, else the stage says how.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buildBundles, buildHostSuites } from './build.ts';
import { setUpChromium, setUpEmbeddedEditor } from './realEditor.ts';
import { packExtension } from './package.ts';
import { root, CommandFailed, run } from './run.ts';
import { type Count, runStages, type Stage, StageFailed } from './stages.ts';

const results = resolve(root, 'build/test-results');

const realEditor = ['embedded editor', 'build', 'package'];

const everything: readonly Stage[] = [
  { name: 'embedded editor', run: noTests(setUpEmbeddedEditor) },
  { name: 'Chromium', run: noTests(setUpChromium) },
  { name: 'build', run: noTests(buildBundles) },
  { name: 'types', run: noTests(() => run('tsc', ['-b'])) },
  { name: 'lint', run: noTests(() => run('npm', ['run', '--silent', 'lint'])) },
  { name: 'unit tests', run: () => vitest('unit', ['--project', 'unit']) },
  { name: 'documents', run: () => vitest('documents', ['--project', 'documents']) },
  { name: 'package', needs: ['build'], run: noTests(packExtension) },
  {
    name: 'workbench',
    needs: [...realEditor, 'Chromium'],
    run: () => vitest('workbench', ['--config', 'e2e/vitest.config.ts']),
  },
  { name: 'extension host', needs: realEditor, run: extensionHost },
];

/** A suite of vitest alone, on fresh bundles. */
const project = (name: string): readonly Stage[] => [
  { name: 'build', run: noTests(buildBundles) },
  { name, needs: ['build'], run: () => vitest(name, ['--project', name]) },
];

const suites: Readonly<Record<string, readonly Stage[]>> = {
  everything,
  corpus: project('corpus'),
  judges: project('judges'),
};

function noTests(work: () => Promise<unknown>): Stage['run'] {
  return async () => {
    await work();
    return undefined;
  };
}

async function vitest(name: string, parameters: readonly string[]): Promise<Count> {
  const file = resolve(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  try {
    await run('vitest', ['run', ...parameters, ...reporters]);
  } catch (error) {
    throw new StageFailed(error, await countIn(file));
  }
  return countIn(file);
}

async function countIn(file: string): Promise<Count> {
  const report = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as {
    readonly numPassedTests?: number;
    readonly numFailedTests?: number;
    readonly numFailedTestSuites?: number;
  };
  const failed = report.numFailedTests ?? 0;
  // A file that could not even be loaded has no tests, and is a failure all the same.
  return { passed: report.numPassedTests ?? 0, failed: failed > 0 ? failed : (report.numFailedTestSuites ?? 0) };
}

async function extensionHost(): Promise<Count> {
  await buildHostSuites();
  try {
    return mochaCount(
      await run('vscode-test', [], { env: { VSCODE_TEST_EXECUTABLE: resolve(root, 'e2e/codeShim.ts') } }),
    );
  } catch (error) {
    throw new StageFailed(error, mochaCount(error instanceof CommandFailed ? error.printed : ''));
  }
}

function mochaCount(printed: string): Count {
  const number = (pattern: RegExp): number => Number(pattern.exec(printed)?.[1] ?? 0);
  return { passed: number(/(\d+) passing/), failed: number(/(\d+) failing/) };
}

const wanted = process.argv[2] ?? 'everything';
const stages = suites[wanted];
if (stages === undefined) throw new Error(`no suite is called ${wanted}: ${Object.keys(suites).join(', ')}`);
await rm(results, { recursive: true, force: true });
await mkdir(results, { recursive: true });
if (!(await runStages(stages, console))) process.exitCode = 1;
