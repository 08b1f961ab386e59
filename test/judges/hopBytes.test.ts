import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../server/model/random.ts';
import { binary } from '../cli/binary.ts';
import { requireNetworkx, weightedHopsOfNetworkx } from './networkx/networkx.ts';
import { edgeKey, requireScotch, weightedHopsOfScotch } from './scotch/scotch.ts';

const cli = binary();
beforeAll(() => {
  requireScotch();
  requireNetworkx();
});

interface Case {
  readonly title: string;
  readonly machine: string;
  /** Nodes, and tasks: gmtst scores wrongly where processors stay empty. */
  readonly nodes: number;
  /** Routers where nodes hang on links of their own; 0 where a node is its router. */
  readonly routers: number;
  /** The machine in Scotch's words, where it has any. */
  readonly scotch?: string;
}

const autonet =
  'topology switches 10 link 0 -- 2, 4, 9 link 1 -- 2, 4, 9 link 6 -- 2, 3, 4 link 3 -- 7, 8 ' +
  'link 5 -- 7, 8, 9 link 7 -- 8 hosts 7 routing minimal';

const cases: readonly Case[] = [
  { title: 'a torus', machine: 'topology torus 6 x 5 x 2', nodes: 60, routers: 0, scotch: 'torus3D 6 5 2' },
  { title: 'a mesh', machine: 'topology mesh 8 x 8', nodes: 64, routers: 0, scotch: 'mesh2D 8 8' },
  { title: 'a hypercube', machine: 'topology hypercube 6', nodes: 64, routers: 0, scotch: 'hcub 6' },
  {
    title: 'a 4-ary 3-tree',
    machine: 'topology fat-tree(k 4, n 3)',
    nodes: 64,
    routers: 48,
    scotch: 'tleaf 3 4 2 4 2 4 2',
  },
  { title: 'a cluster', machine: 'topology cluster 48', nodes: 48, routers: 1, scotch: 'tleaf 1 48 2' },
  { title: 'irregular switches', machine: autonet, nodes: 70, routers: 10 },
  { title: 'a torus by all shortest routes', machine: 'topology torus 7 x 7 routing minimal', nodes: 49, routers: 0 },
];

/** Random traffic: sender, receiver, amount; some pairs more than once. */
function randomFlows(taskCount: number): readonly (readonly [number, number, number])[] {
  const random = seededRandom(7);
  const draws = Array.from({ length: 4 * taskCount }, (_, draw): readonly [number, number, number] => [
    draw % taskCount,
    random.integer(taskCount),
    1 + random.integer(1000),
  ]);
  return draws.filter(([from, to]) => from !== to);
}

type End = number | { readonly host: number };
interface Placed {
  readonly jobs: readonly { readonly mapping: readonly number[] }[];
  readonly metrics: { readonly hopBytes: number; readonly linkLoads: readonly LinkJson[] };
}
interface LinkJson {
  readonly from?: number;
  readonly to?: number;
  readonly host?: number;
}

/** What `run --json` says of the flows on the machine, mapped at random, and what `export` writes for Scotch. */
function placed(
  { machine, nodes }: Case,
  flows: ReturnType<typeof randomFlows>,
): { readonly report: Placed; readonly mapping: string } {
  const file = join(cli.scratch(), 'judged.place');
  const table = flows.map(([from, to, amount]) => `${from} -> ${to} : ${amount}`).join('\n');
  const job = `table t { ${table} } job j { tasks ${nodes} table t }`;
  writeFileSync(file, `machine m { ${machine} } ${job} placement p { job j machine m map random }`);
  const { out } = cli.run(['run', file, '--json', '--loads']);
  const [report] = (JSON.parse(out) as { placements: readonly Placed[] }).placements;
  return { report: report!, mapping: cli.run(['export', file, 'p', '--format', 'scotch']).out };
}

/** Both ends of a link; of a host link one is the node. */
const endsOf = ({ from, to, host }: LinkJson): readonly [End, End] =>
  host === undefined ? [from!, to!] : [{ host }, from ?? to!];

describe('hop-bytes', () => {
  it.each(cases)('of $title are what the judges find', (judged) => {
    const { routers, nodes, scotch } = judged;
    const flows = randomFlows(nodes);
    const { report, mapping } = placed(judged, flows);
    const { jobs, metrics } = report;
    const vertexOf = (end: End): number => (typeof end === 'number' ? end : routers + end.host);
    const onNetwork = (task: number): number => routers + jobs[0]!.mapping[task]!;
    const cables = metrics.linkLoads.map((link) => endsOf(link).map(vertexOf) as [number, number]);
    const networkFlows = flows.map(([from, to, amount]) => [onNetwork(from), onNetwork(to), amount] as const);
    expect(metrics.hopBytes).toBe(weightedHopsOfNetworkx(cables, networkFlows));
    if (scotch === undefined) return;
    const edges = new Map<string, number>();
    for (const [from, to, amount] of flows) {
      edges.set(edgeKey(from, to), (edges.get(edgeKey(from, to)) ?? 0) + amount);
    }
    expect(metrics.hopBytes).toBe(weightedHopsOfScotch({ count: nodes, edges }, scotch, mapping));
    console.log(`networkx and gmtst agree on ${metrics.hopBytes} hop-bytes`);
  });
});
