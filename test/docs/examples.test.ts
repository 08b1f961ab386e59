import { cpSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSources } from '../../server/language/check.ts';
import { gatherSources } from '../../server/language/sources.ts';
import { fail, succeed } from '../../server/model/result.ts';
import { root } from '../../tools/run.ts';
import { commandLine } from '../cli/commandLine.ts';
import { expectGeneratedBlock } from './generatedBlock.ts';

const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

const examplesOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/^```place\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');

const uri = 'file:///example.place';

async function problemsOf(text: string): Promise<unknown[]> {
  const sources = await gatherSources(uri, (wanted) =>
    Promise.resolve(wanted === uri ? succeed(text) : fail('missing', wanted)),
  );
  return [...checkSources(sources).problems.values()].flat();
}

/** The tutorials explain a sample piece by piece. */
const tutorials: Readonly<Record<string, string>> = {
  'docs/tutorials/first-placement.md': read('samples/quickstart.place'),
  'docs/tutorials/profile-to-rankfile.md': read('samples/rankfile.place'),
};
const guide = 'docs/tutorials/profile-to-rankfile.md';
const slowRun = 'docs/how-to/find-out-why-a-run-is-slow.md';
const sample = read('samples/rankfile.place');

const pages = globSync('docs/{tutorials,how-to,reference,explanation}/**/*.md', { cwd: root })
  .map((page) => page.replaceAll('\\', '/'))
  .sort();
/** Examples that stand for themselves, and are no piece of a sample. */
const wholeOf = (file: string): readonly string[] =>
  examplesOf(file).filter((text) => tutorials[file]?.includes(text) !== true);
const withExamples = ['README.md', ...pages].filter((file) => wholeOf(file).length > 0);

it('most pages have examples', () => {
  expect(withExamples.length).toBeGreaterThan(15);
});

describe.each(withExamples)('the examples of %s', (file) => {
  const whole = wholeOf(file);
  it.each(whole.map((text, index) => [index + 1, text] as const))('number %i has no problem', async (_number, text) => {
    expect(await problemsOf(text)).toEqual([]);
  });
});

describe(guide, () => {
  it('shows all of its sample', () => {
    const pieces = examplesOf(guide).filter((text) => sample.includes(text));
    const [, ...explained] = sample.split('\n\n');
    expect(pieces.join('\n').trim()).toBe(explained.join('\n\n').trim());
  });

  const placewright = commandLine();
  const inFence = (lines: readonly string[]): string => ['```text', ...lines, '```'].join('\n');

  it('shows what is printed', async () => {
    const { out } = await placewright.run(['run', 'samples/rankfile.place']);
    const lines = out.trimEnd().split('\n');
    const head = lines.findLastIndex((line) => line.startsWith('Placement '));
    expectGeneratedBlock(guide, 'guide-run', inFence(lines.slice(head)));
  });

  it('shows what the first placement costs', async () => {
    const { out } = await placewright.run(['run', 'samples/quickstart.place']);
    expectGeneratedBlock('docs/tutorials/first-placement.md', 'first-run', inFence(out.trimEnd().split('\n')));
  });

  it('shows what a simulation says', async () => {
    const { out } = await placewright.run(['simulate', 'samples/traces/halo.place', 'benchmark']);
    expectGeneratedBlock(slowRun, 'guide-simulate', inFence(out.trimEnd().split('\n')));
  });

  it('shows mappers by simulated time', async () => {
    const [command = ''] = /^npx placewright sweep .*$/m.exec(read(slowRun)) ?? [];
    const copy = resolve(placewright.scratch(), 'traces');
    // Results are kept beside the file.
    cpSync(resolve(root, 'samples/traces'), copy, { recursive: true });
    const words = command.replace('samples/traces', copy).split(' ').slice(2);
    const { out } = await placewright.run(words);
    expectGeneratedBlock(slowRun, 'guide-sweep', inFence(out.trimEnd().split('\n')));
  });

  it('shows the rankfile that is written', async () => {
    const { out } = await placewright.run(['export', 'samples/rankfile.place', 'tonight', '--format', 'rankfile']);
    expectGeneratedBlock(guide, 'guide-rankfile', inFence([...out.split('\n').slice(0, 9), '…']));
  });
});
