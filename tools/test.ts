/**
 * `npm test`: everything that the repository alone can show, the real editor included, in the order of how soon it answers.
 * `test.ts SUITE` runs another suite. Every stage runs that can: one that fails holds back only those that need it. What is
 * missing is installed where we may, else the stage says how.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { buildHostSuites } from './build.ts';
import { setUpChromium, setUpEmbeddedEditor } from './realEditor.ts';
import { CommandFailed, type Finished, root, run } from './run.ts';
import { type Count, runStages, type Stage, StageFailed, type StageResult, type Step } from './stages.ts';

const results = resolve(root, 'build/test-results');

const chromium: Stage = { name: 'Chromium', run: () => setUp(setUpChromium) };
const embeddedEditor: Stage = { name: 'embedded editor', run: () => setUp(setUpEmbeddedEditor) };
const build: Stage = { name: 'build', budget: 10, run: () => script('build') };
const packed: Stage = { name: 'package', needs: ['build'], budget: 10, run: () => script('package') };
const realEditor = [chromium, embeddedEditor, build, packed];
const inRealEditor = realEditor.map(({ name }) => name);

const site: Stage = { name: 'site', budget: 30, run: () => script('site') };
const sitePages = suite('site pages', ['--project', 'site'], { needs: ['site'], budget: 10 });
const corpus = suite('corpus', ['--project', 'corpus'], { needs: ['build'], budget: 110 });
const judges = suite('judges', ['--project', 'judges'], { needs: ['build'], budget: 150 });
const slowAndCorpus = suite('slow, corpus', ['--project', 'slow', '--project', 'corpus'], {
  needs: ['build'],
  budget: 540,
  isNice: true,
});
const unit = suite('unit tests', ['--project', 'unit'], { budget: 330 });

const suites: Readonly<Record<string, readonly Step[]>> = {
  everything: [
    // What has to be fetched comes while these run, which need neither.
    [unit, chromium, embeddedEditor],
    suite('documents', ['--project', 'documents'], { budget: 30 }),
    build,
    packed,
    // Its driver of browsers comes with the embedded editor.
    suite('panel', ['--project', 'panel'], { needs: ['Chromium', 'embedded editor'], budget: 70 }),
    [
      suite('workbench', ['--config', 'e2e/vitest.config.ts', '--project', 'quick'], {
        needs: inRealEditor,
        budget: 60,
      }),
      { name: 'extension host', needs: inRealEditor, budget: 25, run: extensionHost },
      { name: 'types and lint', budget: 100, run: (quiet) => script('lint', quiet) },
    ],
  ],
  unit: [unit],
  slow: [suite('slow', ['--project', 'slow'], { budget: 420 })],
  workbench: [
    ...realEditor,
    suite('workbench', ['--config', 'e2e/vitest.config.ts', '--project', 'flows'], {
      needs: inRealEditor,
      budget: 180,
    }),
  ],
  corpus: [build, corpus],
  judges: [build, judges],
  // Launchers and daemons of judges wait much for each other: what computes takes the processor meanwhile, and gives way to them.
  thorough: [build, site, sitePages, [judges, slowAndCorpus]],
  site: [site, sitePages],
};

/** What is only there once: its time is that of a download. */
async function setUp(work: () => Promise<void>): Promise<StageResult> {
  await work();
  return { cpuSeconds: 0 };
}

/** A script of this folder, which is no test. */
async function script(name: string, quiet = false): Promise<StageResult> {
  try {
    return { cpuSeconds: (await run('node', [`tools/${name}.ts`], { quiet })).cpuSeconds };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new StageFailed(error, { cpuSeconds: error.finished.cpuSeconds });
  }
}

/** Tests of vitest. `isNice`: it gives way to what runs beside it. `budget`: see {@link Stage}. */
function suite(
  name: string,
  parameters: readonly string[],
  { isNice = false, ...more }: Pick<Stage, 'needs' | 'budget'> & { readonly isNice?: boolean },
): Stage {
  const file = resolve(results, `${name}.json`);
  const program = isNice && process.platform !== 'win32' ? ['nice', '-n', '10', 'vitest'] : ['vitest'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return {
    name,
    ...more,
    run: (quiet) =>
      counted(
        () => run(program[0]!, [...program.slice(1), 'run', ...parameters, ...reporters], { quiet }),
        () => countIn(file),
      ),
  };
}

/** Runs a program of tests, and counts them whether it fails or not. */
async function counted(
  work: () => Promise<Finished>,
  countOf: (finished: Finished) => Promise<Count>,
): Promise<StageResult> {
  try {
    const finished = await work();
    return { count: await countOf(finished), cpuSeconds: finished.cpuSeconds };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const { finished } = error;
    throw new StageFailed(error, { count: await countOf(finished), cpuSeconds: finished.cpuSeconds });
  }
}

/** What is read of a report of vitest. */
interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numFailedTestSuites?: number;
  readonly testResults?: readonly {
    /** The file. */
    readonly name: string;
    readonly status: string;
    /** Why the file could not be loaded. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

async function countIn(file: string): Promise<Count> {
  const report = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Report;
  const failed = report.numFailedTests ?? 0;
  const files = report.testResults ?? [];
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const failures = files.flatMap(({ name, status, message, assertionResults }) => {
    const broken = assertionResults.filter((test) => test.status === 'failed');
    const file = relative(root, name);
    if (broken.length === 0) return status === 'failed' ? [`${file}: ${firstLine(message)}`] : [];
    return broken.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages?.[0])}`);
  });
  return {
    passed: report.numPassedTests ?? 0,
    // A file that could not even be loaded has no tests, and is a failure all the same.
    failed: failed > 0 ? failed : (report.numFailedTestSuites ?? 0),
    contracts: tests.filter(({ fullName, status }) => status === 'passed' && /\bcontract\b/.test(fullName)).length,
    failures,
  };
}

const firstLine = (text = ''): string => text.trimStart().split('\n', 1)[0] ?? '';

async function extensionHost(quiet: boolean): Promise<StageResult> {
  await buildHostSuites();
  const env = { VSCODE_TEST_EXECUTABLE: resolve(root, 'e2e/codeShim.ts') };
  return counted(
    () => run('vscode-test', [], { env, quiet }),
    ({ printed }) => Promise.resolve(mochaCount(printed)),
  );
}

function mochaCount(printed: string): Count {
  const number = (pattern: RegExp): number => Number(pattern.exec(printed)?.[1] ?? 0);
  // The report numbers what failed below its counts, each number before the name of a suite or test.
  const [, details = ''] = printed.split(/\d+ failing/);
  const failures = [...details.matchAll(/^ *\d+\) (.*(?:\n +\S.*?:)?)/gm)].map(([, name = '']) =>
    name.replace(/\s+/g, ' '),
  );
  return { passed: number(/(\d+) passing/), failed: number(/(\d+) failing/), failures };
}

const wanted = process.argv[2] ?? 'everything';
const stages = suites[wanted];
if (stages === undefined)
  throw new Error(`There is no suite ${wanted}. Choose one of: ${Object.keys(suites).join(', ')}.`);
await rm(results, { recursive: true, force: true });
await mkdir(results, { recursive: true });
if (!(await runStages(stages, console))) process.exitCode = 1;
