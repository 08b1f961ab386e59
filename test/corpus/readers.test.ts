/**
 * Damaged copies of real files through every reader: nothing throws, and what is said of a file stands on one line
 * that begins with its name. `PLACEWRIGHT_DAMAGED_FILES` is how many each reader gets; the slowest is printed.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCoordinates } from '../../server/interchange/coordinates.ts';
import { readFabric, readGiven, readNodeShape, readTable, readTrace } from '../../server/interchange/readers.ts';
import { seededRandom } from '../../server/model/random.ts';
import type { Result } from '../../server/model/result.ts';
import { damage } from '../fuzz/damage.ts';
import { sharedFolder, unpack } from './shared.ts';

const filesPerReader = Number(process.env['PLACEWRIGHT_DAMAGED_FILES'] ?? '300');

/** Longer originals are cut: what they have at their end they have before. */
const longestOriginal = 6000;

/** Files of the shared data below a folder whose names match. */
function originals(folder: string, name: RegExp): string[] {
  const from = join(sharedFolder(), folder);
  return readdirSync(from)
    .filter((file) => name.test(file))
    .sort()
    .map((file) => (file.endsWith('.xz') ? unpack(join(from, file)) : readFileSync(join(from, file), 'utf8')))
    .map((text) => text.slice(0, longestOriginal));
}

const yaml = `---
- topology: topo1
  cluster_default: true
  tree:
    switches:
      - switch: sw_root
        children: s[1-2]
      - switch: s1
        nodes: node[01-02]
      - {switch: s2, nodes: "node[03-04]"}
- topology: topo2
  block:
    block_sizes: [4]
    blocks:
      - block: b1
        nodes: node[01-04]
`;

const mappings = [
  '0\n1\n2 # two\n3, 4; 5\n',
  'n01 slots=4 max_slots=4\nn[02-05,7]:2\nuser@n08*3\n',
  'rank 0=n01 slot=0:1\nrank 1=n02 slots=3 // b\nrank 2=+n0 slot=p1\n',
  '0: n1\n2: n1\n1: n2\n',
  ' Data for node: n1\tNum slots: 2\n \tProcess OMPI jobid: [1,1] App: 0 Process rank: 0 Bound: socket 0[core 1[hwt 0]]:[./B]\n',
  '{"placements":[{"name":"p","jobs":[{"name":"j","nodes":[0,1],"mapping":[1,0]}]}]}\n',
];

/** Small and whole, so that a slip leaves something to read. */
const tables = [
  '%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 1.5\n2 1 7\n3 1 2e2\n3 3 1\n',
  '%%MatrixMarket matrix array integer symmetric\n2 2\n0\n5\n0\n',
  '%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n',
];
const trees = [
  'SwitchName=root Switches=leaf[1-2]\nSwitchName=leaf1 Nodes=n[1-4,7] LinkSpeed=100 # a\nSwitchName=leaf2 Nodes=m[01-04]\n',
];

type Read = (bytes: Uint8Array) => Result<unknown> | Promise<Result<unknown>>;

const as =
  (format: string): Read =>
  (bytes) =>
    readFabric(bytes, 'file', format);

const trace =
  (format: string): Read =>
  (bytes) =>
    readTrace([{ name: 'file', chunks: () => [bytes] }], format, {});

const workloads = [
  'workload 1\ntasks 2\ntask 0 { repeat 300 { compute 0.001 send 1 1024 tag 7 } }\ntask 1 { repeat 300 { receive 0 1024 tag 7 } }\n',
  'workload 1 # a\ntasks 3\ntask 0 { send 1 8 send 2 8 }\ntask 1 { receive 0 8 }\ntask 2 { receive 0 8 }\ntask 0 { repeat 2 { repeat 3 { compute 1 } } }\n',
];
const goals = [
  'num_ranks 2\nrank 0 {\nl1: send 100b to 1 tag 3\nl2: calc 50\nl2 requires l1\n}\nrank 1 {\nl1: recv 100b from 0 tag 3\nl2: calc 7 cpu 1\nl2 irequires l1\n}\n',
];
const vefs = [
  'VEF3 3 5 1 1 3 0 1000\nC0 0 1 2\nG0 C0 2 0 100 100 0 50 -1\nG0 C0 2 1 100 100 0 50 -1\nG0 C0 2 2 100 100 0 50 -1\n0 0 1 86 4 2000 -1\n1 0 2 10 5 1000 0\n2 1 2 20 6 3000 0\n3 2 0 30 7 0 G0\n4 2 2 0 2 500 2\n',
];
const dimemas = [
  '#DIMEMAS:"cg.prv":1,0000000000000123:3(1,1,1),1\nd:1:1:3:0:1:2\nd:1:2:2:2:0\n1:0:0:0.25\n2:0:0:1:100:7:1:0\n3:1:0:0:100:7:1:1\n3:1:0:0:100:7:1:2\n2:1:0:2:0:8:9:1:0\n3:2:0:1:8:9:1:0\n20:0:0:50000001:1\n10:0:0:1:2:2:0:0:64\n10:2:0:1:2:2:0:64:0\ns:1:2:3\n',
];

const readers: readonly (readonly [name: string, read: Read, texts: () => readonly string[]])[] = [
  [
    'tables',
    (bytes) => readTable(bytes, 'file'),
    () =>
      originals('data/comm/sst-scheduler', /\.mtx$/).concat(
        originals('data/comm/treematch-mat', /\.mat$/),
        tables,
        tables,
      ),
  ],
  [
    'lists',
    (bytes) => readTable(bytes, 'file'),
    () => ['from,to,bytes\n0,1,5\n"1";0;7\n', 'Source;note;Target;Bytes\n1;x;0;5\n', '0,"1",2\n1.5e3;0,1\n'],
  ],
  [
    'coordinates',
    (bytes) => readCoordinates(bytes, 'file'),
    () => originals('data/comm/sst-scheduler', /coord/).concat('# x y\n1 2\n-1.5 2.e3 # b\n'),
  ],
  ['mappings', (bytes) => readGiven(bytes, 'file'), () => mappings],
  ['traces in the own form', trace('workload'), () => workloads],
  ['traces of GOAL', trace('goal'), () => originals('data/comm/goal', /\.goal$/).concat(goals, goals)],
  ['traces of SimGrid', trace('simgrid'), () => originals('data/comm/simgrid-ti', /^actions/)],
  ['traces of OTF2', trace('otf2-print'), () => originals('data/comm/otf2/otf2-print', /ping-pong|10ranks/)],
  ['traces of DUMPI', trace('dumpi2ascii'), () => originals('data/comm/dumpi/ascii', /^testtrace|^dumpi-2019/)],
  ['traces in VEF', trace('vef'), () => originals('data/comm/vef', /dummy/).concat(vefs, vefs)],
  ['traces of FSIN', trace('fsin'), () => ['s 0 1 5 32\nr 1 0 5 32\nc 1 100\ns 1 0 6 320\nr 0 1 6 320\n']],
  ['traces of Dimemas', trace('dimemas'), () => dimemas],
  [
    'hwloc',
    (bytes) => readNodeShape(bytes, 'file'),
    () =>
      originals('data/topo/hwloc', /\.xml\.xz$/).concat(
        '<topology><object type="Machine"><object type="PU" os_index="0"/></object></topology>',
      ),
  ],
  ['ibnetdiscover', as('ibnetdiscover'), () => originals('data/topo/infiniband', /topofile|\.topo$|bad|ibsim/)],
  ['ibnetdiscover-p', as('ibnetdiscover-p'), () => originals('data/topo/infiniband', /ibnetdiscover-p/)],
  ['slurm-tree', as('slurm-tree'), () => originals('data/topo/slurm', /case|azure-topology|tree/).concat(trees, trees)],
  ['slurm-block', as('slurm-block'), () => originals('data/topo/slurm', /block/)],
  ['slurm-yaml', as('slurm-yaml'), () => [yaml]],
  ['topograph', as('topograph'), () => originals('data/topo/slurm', /\.yaml$/)],
  ['anynet', as('anynet'), () => originals('data/topo/booksim', /anynet_file/)],
  ['matrix-market', as('matrix-market'), () => originals('data/comm/sst-scheduler', /\.mtx$/).concat(tables, tables)],
  [
    'csv',
    as('csv'),
    () => ['from,to,cables\n1,0,1\nspine,"leaf ""1""",2\n', '0,1,0\n1,0,2\n0,2,0\n', 'a\tb\tspeed\n0\t1\t5 GB/s\n'],
  ],
];

const report: string[] = [];
afterAll(() => {
  process.stdout.write(`${report.join('\n')}\n`);
});

describe('damaged files', () => {
  it.each(readers)(
    'of %s are read or refused in a sentence',
    async (name, read, texts) => {
      const random = seededRandom(20 + name.length);
      const from = texts();
      const bad: string[] = [];
      let [refused, slowest] = [0, 0];
      for (let count = 0; count < filesPerReader; count++) {
        const text = damage(from, random);
        const started = process.cpuUsage();
        const result = await read(new TextEncoder().encode(text));
        const { user, system } = process.cpuUsage(started);
        slowest = Math.max(slowest, user + system);
        if (result.ok) continue;
        refused++;
        if (!/^file:\P{Cc}+$/u.test(result.failure.message))
          bad.push(`${JSON.stringify(text)}: ${JSON.stringify(result.failure.message)}`);
      }
      report.push(`${name}: ${filesPerReader} files, ${refused} refused, the slowest ${Math.round(slowest / 1000)} ms`);
      expect(from.length).toBeGreaterThan(0);
      expect(bad.slice(0, 5)).toEqual([]);
    },
    36_000_000,
  );
});
