import { intAt, itemAt } from '../../numeric/elements.ts';
import type { Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { volumeOf, type Shape } from '../../model/shape.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { integerOption, shapeOption, evenlyAttached } from './argument.ts';
import { buildCableGraph, measureCableGraph, cableSizeRefusal, type CableList } from './cableGraph.ts';

const mostLevels = 16;

export const fatTree: TopologyEntry = {
  name: 'fat-tree',
  summary: 'k-ary n-tree, or a generalised fat tree defined by levels',
  source:
    'Petrini and Vanneschi 1997, k-ary n-trees; Öhring et al. 1995, extended generalised fat trees (`levels`, ' +
    '`parents`); Zahavi 2010, parallel ports (`parallel`)',
  details:
    '`fat-tree(k 4, n 3)` has 4^3 nodes and 3 levels of 4^2 switches. Each switch has 4 links down and 4 up ' +
    '(none up at the top). `levels 4 x 4 x 2` is general: 4 nodes on each leaf switch, 4 leaves on each switch ' +
    'of level 1, and 2 of these on each top switch. `parents` is the number of parents of each switch, from the ' +
    'leaves up to the level below the top. The default is the number of children, which gives full bisection ' +
    'bandwidth. `parallel` is the number of parallel links to each parent (default: 1). Levels are numbered from ' +
    '0, the leaves. Router id = (switches of the levels below) + index; node id = leaf · (nodes on a leaf) + ' +
    'host. A switch of level l has links to those of level l + 1 whose index differs in digit l only. Each node ' +
    'is connected to its leaf by its own host link.',
  options: [
    { name: 'k', summary: 'links down and up of each switch', kind: 'integer', minimum: 1, maximum: 1024 },
    { name: 'n', summary: 'levels of switches', kind: 'integer', minimum: 1, maximum: mostLevels },
    {
      name: 'levels',
      summary: 'instead of k and n, links down of each level from the leaves up: `levels 4 x 4 x 2`',
      kind: 'shape',
    },
    {
      name: 'parents',
      summary:
        'with `levels`: switches above each switch, one number per level below the top (default: as many as below)',
      kind: 'shape',
    },
    {
      name: 'parallel',
      summary: 'with `levels`: links to each switch above, one number per level below the top (default: 1)',
      kind: 'shape',
    },
  ],
  skeleton: 'fat-tree(k ${1:4}, n ${2:3})',
  linkGroups: ['tier'],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  measure: (request) => {
    const form = fatTreeForm(request);
    return form.ok ? measureFatTree(form.value) : undefined;
  },
  build: buildFatTree,
};

/** XGFT(n; m; w) with parallel cables, w of the nodes being 1. Lists run from the leaves up. */
interface Form {
  /** Links down of the switches of each level; of level 0 they lead to nodes. */
  readonly children: Shape;
  /** Switches above each switch of levels 0 … n − 2. */
  readonly parents: Shape;
  /** Cables to each of those. */
  readonly parallel: Shape;
}

function fatTreeForm({ options }: TopologyRequest): Result<Form> {
  const [k, n] = [integerOption(options, 'k'), integerOption(options, 'n')];
  const levels = shapeOption(options, 'levels');
  const [parents, parallel] = [shapeOption(options, 'parents'), shapeOption(options, 'parallel')];
  if (levels === undefined) return formOfTree(k, n, parents ?? parallel);
  if (k !== undefined || n !== undefined) {
    return fail('conflicting-options', '`k` and `n` conflict with `levels`. Remove one.');
  }
  if (levels.length > mostLevels) return fail('machine-too-large', `A fat tree may have at most ${mostLevels} levels.`);
  const form = {
    children: levels,
    parents: parents ?? levels.slice(0, -1),
    parallel: parallel ?? levels.slice(1).fill(1),
  };
  for (const name of ['parents', 'parallel'] as const) {
    if (form[name].length !== levels.length - 1) return lengthRefusal(name, levels.length, form[name].length);
  }
  return succeed(form);
}

function lengthRefusal(name: string, levels: number, given: number): ReturnType<typeof fail> {
  if (levels === 1) return fail('invalid-shape', `\`${name}\` needs two or more levels. Remove it.`);
  return fail(
    'invalid-shape',
    `\`${name}\` needs ${levels - 1} values for ${levels} levels (from the leaves to the level below the top), found ${given}.`,
  );
}

function formOfTree(k: number | undefined, n: number | undefined, surplus: Shape | undefined): Result<Form> {
  if (k === undefined || n === undefined) {
    return fail(
      'missing-option',
      'A fat tree needs `k` and `n`, or `levels`. Examples: `fat-tree(k 4, n 3)`, `levels 4 x 4 x 2`.',
    );
  }
  if (surplus) return fail('conflicting-options', '`parents` and `parallel` apply to `levels`, not to `k` and `n`.');
  const above = new Array<number>(n - 1).fill(k);
  return succeed({ children: [...above, k], parents: above, parallel: above.map(() => 1) });
}

/** Switches of each level: Π of the children above it · Π of the parents up to it. */
const switchesOf = ({ children, parents }: Form): number[] =>
  children.map((_, level) => volumeOf(children.slice(level + 1)) * volumeOf(parents.slice(0, level)));

function measureFatTree(form: Form): TopologySize {
  const counts = switchesOf(form);
  const routers = counts.reduce((sum, count) => sum + count, 0);
  const cables = form.parents.reduce(
    (sum, up, level) => sum + itemAt(counts, level) * up * itemAt(form.parallel, level),
    0,
  );
  return measureCableGraph(routers, volumeOf(form.children), cables);
}

/** Fails with `missing-option`, `conflicting-options`, `invalid-shape` or `machine-too-large`. */
function buildFatTree(request: TopologyRequest): Result<Topology> {
  const form = fatTreeForm(request);
  if (!form.ok) return form;
  const size = measureFatTree(form.value);
  const refusal = cableSizeRefusal('This fat tree', size);
  if (refusal) return refusal;
  const counts = switchesOf(form.value);
  const tiers = new Int32Array(size.routers);
  let first = 0;
  counts.forEach((count, level) => {
    tiers.fill(level, first, first + count);
    first += count;
  });
  return buildCableGraph({
    kind: 'fat-tree',
    routerCount: size.routers,
    routerOfNode: evenlyAttached(itemAt(counts, 0), itemAt(form.value.children, 0)),
    cables: fatTreeCables(form.value, counts, size.links / 2 - size.nodes),
    tiers,
  });
}

/**
 * The index of a switch of level l is a number of mixed digits: below digit l they choose among
 * parents, from it on among children. Two switches of neighbouring levels are cabled where all
 * digits but digit l agree (Öhring et al. 1995, definition of XGFT).
 */
function fatTreeCables(
  { children, parents, parallel }: Form,
  counts: readonly number[],
  cableCount: number,
): CableList {
  const from = new Int32Array(cableCount);
  const to = new Int32Array(cableCount);
  let next = 0;
  let firstBelow = 0;
  let low = 1;
  parents.forEach((above, level) => {
    const below = itemAt(children, level + 1);
    const firstAbove = firstBelow + itemAt(counts, level);
    for (let index = 0; index < itemAt(counts, level); index++) {
      const high = Math.floor(index / (low * below));
      const parent = firstAbove + high * low * above + (index % low);
      for (let cable = 0; cable < above * itemAt(parallel, level); cable++) {
        from[next] = firstBelow + index;
        to[next++] = parent + low * (cable % above);
      }
    }
    firstBelow = firstAbove;
    low *= above;
  });
  return { from, to };
}

/** The shape of a fat tree, from the leaves up. */
interface TreeLevels {
  /** Links down of the switches of each level; those of level 0 lead to nodes. */
  readonly children: Shape;
  /** Cables between all switches of a level and those of the level above. */
  readonly cablesUp: Shape;
}

/** All switches of a level have as many below and above, so the first of each tells the shape. */
export function treeLevels({ tiers, links, routerOfNode }: Topology): TreeLevels {
  const children: number[] = [];
  const cablesUp: number[] = [];
  const levels = tiers ? intAt(tiers, tiers.length - 1) + 1 : 1;
  for (let level = 0; level < levels; level++) {
    const first = tiers ? tiers.indexOf(level) : 0;
    const next = level + 1 < levels ? tiers!.indexOf(level + 1) : links.firstLink.length - 1;
    const ways = [...links.to.subarray(links.firstLink[first], links.firstLink[first + 1])];
    const down = new Set(ways.filter((router) => router < first)).size;
    children.push(level === 0 ? routerOfNode.lastIndexOf(0) + 1 : down);
    cablesUp.push((next - first) * ways.filter((router) => router > first).length);
  }
  return { children, cablesUp };
}
