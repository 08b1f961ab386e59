import { declaredNames } from '../../sources.ts';
import * as service from '../languageService.ts';
import type { PositionInput } from '../languageService.ts';
import type { World } from './input.ts';
import { summaryWith } from './summaries.ts';

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

/** Compares every name with every other: what the others must not do. */
export const quadratic = 'names compared with each other';

/** What answers on every keystroke, of texts that grow. */
export const growingTexts: readonly (readonly [
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
  [
    quadratic,
    (n) => `${placements(n)}|`,
    ({ sources }) => {
      const names = declaredNames(sources, 'placement');
      return names.map((name) => names.findLastIndex((other) => other === name));
    },
    unstudied,
  ],
];
