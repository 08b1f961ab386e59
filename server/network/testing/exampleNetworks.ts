import type { OptionValues } from '../../model/catalogue.ts';
import type { Fabric } from '../../model/fabric.ts';
import { seededRandom } from '../../model/random.ts';
import type { Cable, TopologyRequest } from '../contract.ts';
import { requestOf } from './machines.ts';

/** Routers of the networks on which contracts try routings by detours, which visit all routers for each pair. */
export const detourRouters = 24;
export const detoured: readonly string[] = ['valiant', 'ugal'];

/** One network that a topology of the catalogue is tried with. */
export interface ExampleNetwork {
  readonly title: string;
  readonly request: TopologyRequest;
}

/** Cables as the language writes them: `0-2 0-4`. */
export const cablesOf = (text: string): Cable[] =>
  text.split(' ').map((cable) => {
    const [from, to] = cable.split('-').map(Number) as [number, number];
    return { from, to };
  });

/** Figure 3 of Orduña et al. 2004 as pitfalls of the paper fix it; its root is 6. */
export const autonetCables = cablesOf('0-2 0-4 0-9 1-2 1-4 1-9 2-6 4-6 3-6 3-7 3-8 5-7 5-8 5-9 7-8');

/** A connected network: a random tree, then cables between random switches, parallel ones too. */
export function randomCables(switches: number, cables: number, seed: number): Cable[] {
  const random = seededRandom(seed);
  const drawn: Cable[] = [];
  for (let to = 1; to < switches; to++) drawn.push({ from: random.integer(to), to });
  while (drawn.length < cables && switches > 1) {
    const from = random.integer(switches);
    const to = (from + 1 + random.integer(switches - 1)) % switches;
    drawn.push({ from, to });
  }
  return drawn;
}

/** `switches N` with cables. */
export const switchesRequest = (switches: number, cables: readonly Cable[], hosts?: number): TopologyRequest => ({
  ...requestOf([switches], hosts),
  cables,
});

const optionsRequest = (options: OptionValues): TopologyRequest => ({
  argument: undefined,
  options,
  cables: [],
  hosts: undefined,
  fabric: undefined,
});

function fabricRequest(switches: number, cables: readonly Cable[]): TopologyRequest {
  const fabric: Fabric = {
    format: 'anynet',
    routers: Array.from({ length: switches }, (_, router) => `switch-${router}`),
    nodes: Array.from({ length: switches }, (_, node) => ({ name: `host-${node}`, router: (node * 3) % switches })),
    cables,
    warnings: [],
  };
  return { ...optionsRequest({}), fabric };
}

const numbered = (lists: readonly (readonly number[])[]): ExampleNetwork[] =>
  lists.map((numbers) => ({ title: numbers.join(' x '), request: requestOf(numbers) }));

const withOptions = (choices: readonly OptionValues[]): ExampleNetwork[] =>
  choices.map((options) => ({ title: JSON.stringify(options), request: optionsRequest(options) }));

/** Sides of 1 and 2, odd and even, one to four dimensions. */
const grids = numbered([
  ...[[1], [2], [3], [4], [7]],
  ...[
    [1, 1],
    [2, 2],
    [1, 5],
    [2, 3],
    [4, 4],
    [5, 6],
  ],
  ...[
    [2, 1, 4],
    [3, 4, 5],
    [4, 2, 4],
  ],
  ...[
    [4, 3, 2, 1],
    [3, 2, 2, 3],
  ],
]);

/** Lines among rings, and twisted tori: rectangular ones of Cámara et al. 2010, slices of a TPU v4, sides of 2. */
const variedTori: ExampleNetwork[] = (
  [
    [[4, 5], { wrap: [1] }],
    [[3, 2, 4], { wrap: [2, 0] }],
    [[8, 4], { twist: 4 }],
    [[3, 6], { twist: 2 }],
    [[4, 4], { twist: 1 }],
    [[4, 2], { twist: 2 }],
    [[2, 2], { twist: 1 }],
    [[2, 2, 4], { twist: 2 }],
    [[2, 4, 4], { twist: 2 }],
    [[1, 3, 5, 2], { twist: 3 }],
  ] as const
).map(([sides, options]) => ({
  title: `${sides.join(' x ')} ${JSON.stringify(options)}`,
  request: { ...requestOf(sides), options },
}));

const irregular: ExampleNetwork[] = [
  { title: 'a lone switch', request: switchesRequest(1, [], 3) },
  { title: 'two switches, three cables', request: switchesRequest(2, cablesOf('0-1 0-1 1-0')) },
  { title: 'a tree', request: switchesRequest(9, randomCables(9, 8, 5), 2) },
  { title: 'a triangle of doubled cables', request: switchesRequest(3, cablesOf('0-1 0-1 1-2 1-2 2-0 2-0')) },
  { title: 'a ring of 8', request: switchesRequest(8, cablesOf('0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-0')) },
  { title: 'a complete network', request: switchesRequest(5, cablesOf('0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4')) },
  { title: 'Autonet', request: switchesRequest(10, autonetCables, 7) },
  ...[1, 2, 3, 4, 5, 6].map((seed) => ({
    title: `random network ${seed}`,
    request: switchesRequest(6 + 2 * seed, randomCables(6 + 2 * seed, 12 + 5 * seed, seed)),
  })),
];

const examples: Readonly<Record<string, readonly ExampleNetwork[]>> = {
  torus: [...grids, ...variedTori],
  mesh: grids,
  hypercube: numbered([[1], [2], [3], [5]]),
  switches: irregular,
  irregular: [
    [4, 3, 1],
    [16, 3, 1],
    [16, 3, 2],
    [15, 4, 7],
    [40, 9, 3],
  ].map(([switches = 0, links = 0, seed = 0]) => ({
    title: `${switches} switches, ${links} links, seed ${seed}`,
    request: { ...requestOf([switches], 2), options: { links, seed } },
  })),
  'fat-tree': withOptions([
    { k: 1, n: 1 },
    { k: 4, n: 1 },
    { k: 2, n: 2 },
    { k: 2, n: 3 },
    { k: 3, n: 3 },
    { levels: [3, 2, 2] },
    { levels: [2, 3, 2], parents: [1, 2] },
    { levels: [2, 4], parents: [2], parallel: [2] },
  ]),
  dragonfly: withOptions([
    { p: 1, a: 1, h: 0 },
    { p: 2, a: 4, h: 0, g: 1 },
    { p: 1, a: 1, h: 3 },
    { p: 1, a: 2, h: 1 },
    { p: 2, a: 4, h: 2 },
    { p: 1, a: 3, h: 2, g: 3 },
    { p: 1, a: 4, h: 2, g: 3 },
    { p: 1, a: 2, h: 2, g: 2 },
    { p: 1, a: 4, h: 2, g: 4 },
    { p: 1, a: 3, h: 3, g: 4, 'per-pair': 2, arrangement: 'relative' },
    { p: 1, a: 4, h: 1, arrangement: 'circulant' },
    { p: 1, a: 2, h: 2, g: 4, arrangement: 'circulant' },
    { p: 2, group: [3, 2], h: 1, g: 3 },
    { p: 1, group: [2, 2, 2], h: 1, g: 2, 'per-pair': 3 },
  ]),
  'dragonfly-plus': withOptions([
    { p: 2, leaves: 1, spines: 1, h: 1 },
    { p: 1, leaves: 3, spines: 2, h: 0, g: 1 },
    { p: 2, leaves: 2, spines: 2, h: 1 },
    { p: 1, leaves: 3, spines: 2, h: 2, g: 3, arrangement: 'relative' },
    { p: 1, leaves: 2, spines: 3, h: 1, g: 3 },
  ]),
  hyperx: numbered([[1], [5], [2, 2, 2], [4, 3], [3, 1, 4], [3, 3, 2]]),
  cluster: numbered([[1], [2], [5]]),
  from: [
    { title: 'a random fabric', request: fabricRequest(11, randomCables(11, 19, 8)) },
    { title: 'a lone switch', request: fabricRequest(1, []) },
  ],
};

/** Networks to try a topology of the catalogue with; every topology has some. */
export function exampleNetworks(topology: string): readonly ExampleNetwork[] {
  const networks = examples[topology];
  if (!networks) throw new Error(`testing/exampleNetworks.ts has no networks for \`${topology}\`: add some.`);
  return networks;
}
