/**
 * The same searches under two versions of Node, whose engines differ in the last bits of their elementary functions:
 * every mapping must be the same to the byte.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../../server/model/random.ts';
import { binary } from '../../cli/binary.ts';

const cli = binary();
/** Debian's; the tests themselves run under the version of the project. */
const otherNode = '/usr/bin/nodejs';
const missingNode =
  'Another version of Node is needed to judge mappings: apt-get install --no-install-recommends nodejs';

beforeAll(() => {
  const { stdout } = spawnSync(otherNode, ['--version'], { encoding: 'utf8' });
  if (!/^v\d+/.test(stdout)) throw new Error(missingNode);
  if (stdout.trim() === process.version) throw new Error(`${otherNode} is ${stdout.trim()} as well. ${missingNode}`);
});

/** Points at random in a square; those near each other talk. */
function geometricTable(taskCount: number, reach: number): string {
  const random = seededRandom(taskCount);
  const points = Array.from({ length: taskCount }, () => [random.fraction(), random.fraction()] as const);
  const lines = points.flatMap(([x, y], from) =>
    points.flatMap(([otherX, otherY], to) => {
      const [right, up] = [otherX - x, otherY - y];
      return from !== to && right * right + up * up < reach * reach ? [`${from},${to},${1 + ((from * to) % 7)}`] : [];
    }),
  );
  return `from,to,bytes\n${lines.join('\n')}\n`;
}

const machines: Readonly<Record<string, string>> = {
  torus: 'topology torus 8 x 4 x 4',
  nodes: 'topology torus 4 x 4 x 2  sockets 2  cores 2',
  tree: 'topology fat-tree(k 4, n 4)',
  fly: 'topology dragonfly(p 2, a 4, h 2)  cores 2',
  irregular: 'topology switches 6  link 0 -- 1, 2  link 1 -- 3  link 2 -- 4  link 3 -- 5  link 4 -- 5  hosts 24',
};
const jobs: Readonly<Record<string, string>> = {
  scattered: 'tasks 120  table near',
  grid: 'grid 6 x 5 x 4  stencil seven-point  bytes 64 KiB',
};
const mappers = [
  'auto(budget 200000)',
  'auto(budget 20000, criterion maximum-load)',
  'auto(budget 20000, criterion equivalent)',
  'drb',
  'k-way',
  'grasp(iterations 2)',
  'contention-free',
  'random-local',
];

it('mappings are the same under both', { timeout: 170_000 }, () => {
  const file = join(cli.scratch(), 'engines.place');
  writeFileSync(join(cli.scratch(), 'near.csv'), geometricTable(120, 0.16));
  const placements = Object.keys(machines).flatMap((machine) =>
    Object.keys(jobs).flatMap((job) => mappers.map((mapper) => ({ machine, job, mapper }))),
  );
  writeFileSync(
    file,
    [
      'table near from "near.csv"',
      ...Object.entries(machines).map(([name, body]) => `machine ${name} { ${body} }`),
      ...Object.entries(jobs).map(([name, body]) => `job ${name} { ${body} }`),
      ...placements.map(
        ({ machine, job, mapper }, index) => `placement p${index} { job ${job}  machine ${machine}  map ${mapper} }`,
      ),
      '',
    ].join('\n'),
  );
  const mappingsUnder = (node: string): string[] => {
    const command = [cli.bundle(), 'run', file, '--json'];
    const { stdout, stderr } = spawnSync(node, command, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    if (stdout === '') throw new Error(`${node} printed nothing:\n${stderr}`);
    const { placements: placed } = JSON.parse(stdout) as {
      placements: { name: string; jobs: { mapping: number[] }[] }[];
    };
    return placed.map(({ name, jobs: [job] }) => `${name}: ${JSON.stringify(job?.mapping)}`);
  };
  const own = mappingsUnder(process.execPath);
  expect(own).toHaveLength(placements.length);
  expect(mappingsUnder(otherNode)).toEqual(own);
});
