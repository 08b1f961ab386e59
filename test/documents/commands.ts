/** The command lines of the documentation. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../../tools/run.ts';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'samples/README.md',
  'samples/papers/README.md',
  'docs/language.md',
  'docs/json.md',
  'docs/architecture.md',
  'docs/decisions.md',
  'docs/index.md',
  ...globSync('docs/{tutorials,how-to,reference,explanation}/**/*.md', { cwd: root }).sort(),
];

/** Lines that these suites do not run, and what runs them instead. */
export const runElsewhere: Readonly<Record<string, string>> = {
  'npm start': 'e2e/start.test.ts starts it until the page answers',
  'npm start -- --port 9000': 'the same, at a port of its own',
  'npm test': 'it is what runs this',
  'npm ci': 'npm run build, the first of these lines, begins with it',
  'npm run test:unit': 'a stage of npm test',
  'npm run lint && npm run typecheck': 'a stage of npm test',
  'npm run lint': 'the same',
  'npm run lint:eslint': 'the rules of npm run lint by another program, which takes a minute and a half',
  'npm run test:slow': 'another suite, which runs the others of these lines',
  'npm run test:workbench': 'the flows of the real editor that npm test leaves out',
  'npm run test:corpus': 'needs files of users beside the repository',
  'npm run test:judges': 'needs Open MPI and other programs',
  'npm run test:thorough': 'these three suites at the same time',
  'npm run site': 'a stage of npm run test:thorough',
  'npm run test:site': 'the same',
  'npx placewright lsp': 'test/cli/binary.test.ts answers as an editor does',
  'npx placewright lsp --stdio': 'the same',
  'npm run bench': 'takes an hour',
  'npm run bench -- sensitivity': 'takes hours',
  'npm run papers': 'takes hours',
  'npm run papers -- --short': 'takes minutes; test/cli/papers.slow.test.ts runs all figures still shorter',
  'npm run papers -- --short --anew': 'the same',
  'npm run papers -- 4-5 evalys --short': 'takes half a minute; the same file runs both',
  'npm run papers -- pascual --middle': 'takes hours; test/cli/papers.slow.test.ts runs a smaller form',
  'npm run papers -- pascual --slurm': 'takes days of a cluster; test/judges/slurm runs experiments so',
  'npm run papers -- table-3-lu --keep': 'takes an hour; test/docs/papers.test.ts has what is kept',
  'npm run papers -- figure-9 --short --anew':
    'takes minutes; test/cli/soryani.slow.test.ts runs four of its experiments',
  'npm run papers -- kth-sp2 --logs ~/workloads':
    'needs a log that may not be passed on; test/corpus/papers.test.ts runs it',
  'npm run watch': 'ends when it is stopped; npm run build is the same once',
  'npx vitest run -u': 'would write the outputs that tests compare',
  'UPDATE_DOCS=1 npx vitest run --project unit test/docs test/architecture':
    'would write the documentation that is read here',
  'UPDATE_DOCS=1 npx vitest run --project unit test/docs': 'the same',
  'UPDATE_DOCS=1 npx vitest run --config e2e/vitest.config.ts e2e/picture.test.ts':
    'the same; a stage of npm test compares',
};

interface DocumentedLine {
  readonly file: string;
  readonly line: string;
}

/** Lines of shell examples without their comments; and in the text what is a whole command, no outline of one. */
function commandsOf(file: string): string[] {
  const text = readFileSync(resolve(root, file), 'utf8');
  const examples = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim());
  const inText = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => /^(npm|npx|UPDATE_DOCS=1) |^placewright (list|[a-z]+ \S+\.place)/.test(code))
    .filter((code) => !/…|\b[A-Z]{3,}\b(?!_)/.test(code.replace('UPDATE_DOCS', '')));
  return [...examples, ...inText].filter((line) => line !== '');
}

/** All of them, as often as they are written. */
export const allLines: readonly DocumentedLine[] = documents.flatMap((file) =>
  commandsOf(file).map((line) => ({ file, line })),
);

/** Those that these suites run, each once. */
export const lines = allLines.filter(
  ({ line }, index) => !(line in runElsewhere) && allLines.findIndex((other) => other.line === line) === index,
);

export const isPlacewright = (line: string): boolean => /^(npx )?placewright /.test(line);

/** The command of the command line that a line runs, as `run`, or the line itself where it runs another program. */
const programOf = (line: string): string => /^(?:npx )?placewright (\S+)/.exec(line)?.[1] ?? line;

/** Of these lines the first of each of our commands, and all of npm: what a shell does is the same for all lines of a command. */
export const oneLineOfEach: readonly DocumentedLine[] = lines.filter(
  ({ line }, index) => lines.findIndex((other) => programOf(other.line) === programOf(line)) === index,
);

/** The file that a line says it writes. */
export const writtenBy = (line: string): string | undefined => / (?:-o|>) (\S+)/.exec(line)?.[1];
