import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlacementJson } from '../../../server/study/json.ts';
import type { LinkEnd } from '../../../server/model/report.ts';
import { seededRandom } from '../../../server/model/random.ts';
import { commandLine } from '../../cli/commandLine.ts';
import { edgeKey, requireScotch, weightedHopsOfScotch, type Edges } from './scotch.ts';

const cli = commandLine();
beforeAll(requireScotch);

interface Case {
  readonly title: string;
  readonly machine: string;
  readonly routers: number;
  /** Whether nodes hang on links of their own, or are their routers. */
  readonly hostLinks: boolean;
}

const cases: readonly Case[] = [
  { title: 'a torus', machine: 'topology torus 6 x 5 x 2', routers: 60, hostLinks: false },
  { title: 'a mesh', machine: 'topology mesh 8 x 8', routers: 64, hostLinks: false },
  {
    title: 'irregular switches, all shortest routes',
    machine:
      'topology switches 10 link 0 -- 2, 4, 9 link 1 -- 2, 4, 9 link 6 -- 2, 3, 4 link 3 -- 7, 8 ' +
      'link 5 -- 7, 8, 9 link 7 -- 8 hosts 7 routing minimal',
    routers: 10,
    hostLinks: true,
  },
  { title: 'a fat tree', machine: 'topology fat-tree(k 4, n 3)', routers: 48, hostLinks: true },
  { title: 'a cluster', machine: 'topology cluster 48', routers: 1, hostLinks: true },
];

const taskCount = 40;

/** Random traffic as a table, and as the undirected graph that Scotch takes. */
function randomTraffic(seed: number): { readonly table: string; readonly edges: Edges } {
  const random = seededRandom(seed);
  const edges = new Map<string, number>();
  const lines: string[] = [];
  for (let from = 0; from < taskCount; from++) {
    for (let partner = 0; partner < 4; partner++) {
      const to = random.integer(taskCount);
      const amount = 1 + random.integer(1000);
      if (to === from) continue;
      lines.push(`${from} -> ${to} : ${amount}`);
      edges.set(edgeKey(from, to), (edges.get(edgeKey(from, to)) ?? 0) + amount);
    }
  }
  return { table: lines.join('\n'), edges };
}

describe('Scotch finds the same hop-bytes', () => {
  it.each(cases)('on $title', ({ machine, routers, hostLinks }) => {
    const { table, edges } = randomTraffic(7);
    const file = join(cli.scratch(), 'judged.place');
    const job = `table t { ${table} } job j { tasks ${taskCount} table t }`;
    writeFileSync(file, `machine m { ${machine} } ${job} placement p { job j machine m map random }`);
    const { out } = cli.run(['run', file, '--json']);
    const placement = (JSON.parse(out) as { placements: readonly PlacementJson[] }).placements[0]!;
    const nodes = placement.jobs[0]!.nodes.length;
    const vertexOf = (end: LinkEnd): number => (typeof end === 'number' ? end : routers + end.host);
    const cables = new Map(
      placement.metrics.linkLoads.map(({ from, to }) => [edgeKey(vertexOf(from), vertexOf(to)), 1]),
    );
    const network = {
      vertices: hostLinks ? routers + nodes : routers,
      edges: cables,
      processors: Array.from({ length: nodes }, (_, node) => (hostLinks ? routers + node : node)),
    };
    const theirs = weightedHopsOfScotch({ count: taskCount, edges }, network, placement.jobs[0]!.mapping);
    expect(placement.metrics.hopBytes).toBe(theirs);
    console.log(`gmtst: ${theirs} hop-bytes, as we say`);
  });
});
