/** Mutated texts: some of them in the quick suite, many in the slow one. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../server/interchange/readers.ts';
import { checkSources, type CheckedProgram } from '../../server/language/check.ts';
import { formatText } from '../../server/language/format.ts';
import { gatherSources, type Sources } from '../../server/language/sources.ts';
import { ignoreProgress } from '../../server/model/cancellation.ts';
import { seededRandom } from '../../server/model/random.ts';
import { fail, succeed, type Result } from '../../server/model/result.ts';
import { measureMachine } from '../../server/network/machine.ts';
import type { Program, StudyFiles } from '../../server/study/program.ts';
import { defaultStudySettings } from '../../server/study/report.ts';
import { createStudyCache, runStudy } from '../../server/study/study.ts';
import { mutate } from './mutations.ts';

const root = new URL('../../', import.meta.url);
/**
 * Processor time that one text may take: most take milliseconds, those with searches half a second, and a machine that is
 * busy otherwise doubles that. What is slower than linear takes minutes.
 */
const secondsPerText = 4;
/** Studies above this many cores, switches or tasks are cut short: their cancellation is what is tried. */
const studiedSize = 2048;
const refusedSize = 2 ** 17;

/** Texts to be mutated, by URI: every sample, and the examples of the reference. */
const known = new Map<string, string>();
for (const path of globSync('samples/**/*.place', { cwd: root })) {
  // A budget in steps does not look at the clock, so it is made a small one.
  const text = readFileSync(new URL(path, root), 'utf8').replaceAll(/budget \d+/g, 'budget 9');
  known.set(new URL(path, root).href, text);
}
const pages = globSync('docs/reference/*.md', { cwd: root }).sort();
const page = pages.map((path) => readFileSync(new URL(path, root), 'utf8')).join('\n');
for (const [index, match] of [...page.matchAll(/```place\n([\s\S]*?)```/g)].entries()) {
  known.set(new URL(`samples/page-${index}.place`, root).href, match[1] ?? '');
}
const originals = [...known];

const files: StudyFiles = {
  table: (uri) => {
    if (!known.has(uri) && globSync(decodeURI(uri.slice(root.href.length)), { cwd: root }).length === 0) {
      return fail('no-file', `There is no ${uri}.`);
    }
    return readTable(readFileSync(new URL(uri)), uri);
  },
  given: ({ uri }) => fail('no-file', `There is no ${uri}.`),
  coordinates: (uri) => fail('no-file', `There is no ${uri}.`),
  trace: (uri) => fail('no-file', `There is no ${uri}.`),
  fabric: (uri) => fail('no-file', `There is no ${uri}.`),
  forwarding: (uri) => fail('no-file', `There is no ${uri}.`),
  nodeShape: (uri) => fail('no-file', `There is no ${uri}.`),
};

function gather(uri: string, text: string): Promise<Sources> {
  return gatherSources(uri, (wanted): Promise<Result<string>> => {
    const found = wanted === uri ? text : known.get(wanted);
    return Promise.resolve(found === undefined ? fail('no-file', `there is no ${wanted}.`) : succeed(found));
  });
}

function sizeOf(program: Program): number {
  const tasks = [...program.jobs.values()].map(({ taskCount }) => taskCount);
  const sizes = [...program.machines.values()].map((machine) => {
    const { slots, routers } = measureMachine(machine) ?? { slots: 0, routers: 0 };
    return Math.max(slots, routers);
  });
  return Math.max(0, ...tasks, ...sizes);
}

/** Evaluates a program; it is cancelled at its five hundredth question, a large one at its hundredth. */
function study(program: Program): void {
  const size = sizeOf(program);
  if (size > refusedSize) return;
  let questions = size > studiedSize ? 100 : 500;
  const cancellation = { isCancelled: () => questions-- <= 0 };
  // Time flies: a search that may take a second ends after a few looks at the clock.
  let time = 0;
  const now = (): number => (time += 50);
  const context = { cancellation, progress: ignoreProgress, now, cache: createStudyCache() };
  runStudy(program, files, defaultStudySettings, context);
}

function rangesAreInside(sources: Sources, { problems }: CheckedProgram): boolean {
  return [...problems].every(([uri, list]) => {
    const length = sources.files.get(uri)?.text.length ?? 0;
    const inside = ({ start, end }: { start: number; end: number }): boolean =>
      start >= 0 && start <= end && end <= length;
    return list.every((problem) => inside(problem) && (problem.fix === undefined || inside(problem.fix)));
  });
}

const processorSeconds = (): number => process.cpuUsage().user / 1e6;

/** Tries so many texts in each part; a part is the seed of its texts. */
export function testMutatedTexts(parts: readonly number[], texts: number): void {
  describe('mutated texts', () => {
    it.each(parts)('are read, checked, formatted and studied, part %i', async (part) => {
      const random = seededRandom(part);
      const slow: string[] = [];
      let studied = 0;
      for (let count = 0; count < texts; count++) {
        const [uri, original] = originals[random.integer(originals.length)]!;
        const text = mutate(original, random);
        const start = processorSeconds();
        const sources = await gather(uri, text);
        const checked = checkSources(sources);
        expect(rangesAreInside(sources, checked), text).toBe(true);
        const formatted = formatText(text);
        if (count % 10 === 0) expect(formatText(formatted), text).toBe(formatted);
        if (checked.program.placements.length > 0) {
          study(checked.program);
          studied++;
        }
        if (processorSeconds() - start > secondsPerText) slow.push(text);
      }
      expect(slow).toEqual([]);
      expect(studied).toBeGreaterThan(texts / 10);
    });
  });
}
