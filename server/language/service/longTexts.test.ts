import { describe, expect, it } from 'vitest';
import { summaryWith } from './testing/summaries.ts';
import { atCursor, type World } from './testing/input.ts';
import * as service from './languageService.ts';
import type { PositionInput } from './languageService.ts';

const everything = { start: { line: 0, character: 0 }, end: { line: 2 ** 30, character: 0 } };
const repeated = (count: number, text: (index: number) => string, between = ', '): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);

const placements = (count: number): string =>
  repeated(count, (index) => `placement p${index} { job j machine m map auto }`, '\n');
const unstudied = (): World => ({});
const studied = (count: number): World => ({
  summary: {
    ...summaryWith(),
    placements: Array.from({ length: count }, (_, index) => summaryWith({ name: `p${index}` }).placements[0]!),
  },
});

/** What answers on every keystroke, of texts that grow. */
const cases: readonly (readonly [
  name: string,
  text: (count: number) => string,
  ask: (input: PositionInput) => unknown,
  world: (count: number) => World,
])[] = [
  [
    'completion in options',
    (n) => `placement p { map auto(budget 1 s, ${repeated(n, () => 'x 1')}, |) }`,
    service.completion,
    unstudied,
  ],
  ['completion in names', (n) => `placement p { jobs ${repeated(n, () => 'j')}, | }`, service.completion, unstudied],
  [
    'completion in axes',
    (n) => `machine m { routing dimension-order(order ${repeated(n, () => 'z')}, |) }`,
    service.completion,
    unstudied,
  ],
  ['lenses', (n) => `${placements(n)}|`, service.codeLens, studied],
  ['inlay hints', (n) => `${placements(n)}|`, (input) => service.inlayHints(input, everything), studied],
  ['diagnostics', (n) => `${placements(n)}|`, service.diagnostics, studied],
  ['repeated properties', (n) => `machine m { ${repeated(n, () => 'hosts 2', ' ')} |}`, service.diagnostics, unstudied],
  [
    'their fixes',
    (n) => `machine m { ${repeated(n, () => 'hosts 2', ' ')} |}`,
    (input) => service.codeActions(input, everything),
    unstudied,
  ],
  ['hovers', (n) => `machine m { ${repeated(n, () => 'hosts 2', ' ')} ho|sts 3 }`, service.hover, unstudied],
  ['symbols', (n) => `${placements(n)}|`, service.documentSymbols, unstudied],
  ['colours', (n) => `${placements(n)}|`, service.semanticTokens, unstudied],
  ['folding', (n) => `${placements(n)}|`, service.folding, unstudied],
];

const small = 500;
const growth = 16;

/** Rounds of which the fastest counts: in a slow one the collector of garbage or another program was at work. */
const rounds = 5;

/** Of this thread. The system is exact about both together alone: it guesses what of it was spent in the program. */
function spentByThread(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** The system counts in steps of some milliseconds, so a round takes several of them, in microseconds. */
const roundTime = 20_000;

/** Microseconds of one answer. */
async function processorTime(marked: string, ask: (input: PositionInput) => unknown, world: World): Promise<number> {
  const input = await atCursor(marked, world);
  ask(input); // The first time compiles.
  const spent = Array.from({ length: rounds }, () => {
    const start = spentByThread();
    let times = 0;
    do {
      ask(input);
      times++;
    } while (spentByThread() - start < roundTime);
    return (spentByThread() - start) / times;
  });
  return Math.min(...spent);
}

// Work that grows with the square of the text takes 256 times as long for 16 times the text. Processor time is
// compared with itself, and the limit is far from both sides.
describe('features take time in proportion to the text:', () => {
  it.each(cases)('%s', async (_name, text, ask, world) => {
    const time = (count: number) => processorTime(text(count), ask, world(count));
    const short = Math.max(100, await time(small));
    expect((await time(small * growth)) / short).toBeLessThan(6 * growth);
  });
});
