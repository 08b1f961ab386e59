import { readFileSync } from 'node:fs';
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

/** The guide explains a sample piece by piece. */
const guide = 'docs/guide.md';
const sample = read('samples/rankfile.place');

describe.each(['README.md', 'docs/language.md', guide])('the examples of %s', (file) => {
  const examples = examplesOf(file);

  it('exist', () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  const whole = examples.filter((text) => file !== guide || !sample.includes(text));
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

  it('shows what is printed', () => {
    const { out } = placewright.run(['run', 'samples/rankfile.place']);
    const lines = out.trimEnd().split('\n');
    const head = lines.findLastIndex((line) => line.startsWith('Placement '));
    expectGeneratedBlock(guide, 'guide-run', inFence(lines.slice(head)));
  });

  it('shows the rankfile that is written', () => {
    const { out } = placewright.run(['export', 'samples/rankfile.place', 'tonight', '--format', 'rankfile']);
    expectGeneratedBlock(guide, 'guide-rankfile', inFence([...out.split('\n').slice(0, 9), '…']));
  });
});
