/** Machines of one router, one node or one link, with everything that a text may say of them: no command ends with an internal error. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seededRandom, type RandomSource } from '../../server/model/random.ts';
import { commandLine } from '../cli/commandLine.ts';

const cli = commandLine();

const pick = (random: RandomSource, ...choices: readonly string[]): string => choices[random.integer(choices.length)]!;

/** Topologies at their smallest, the links that figures may name there, and routings that may fit. */
const topologies: readonly (readonly [topology: string, groups: readonly string[], takesHosts: boolean])[] = [
  ['torus 1', ['x', 'hosts'], true],
  ['torus 2', ['x', 'hosts'], true],
  ['torus 1 x 4', ['x', 'y', 'hosts'], true],
  ['torus 2 x 1 x 3', ['x', 'y', 'z'], true],
  ['torus 1 x 1(wrap x)', ['x', 'y'], true],
  ['torus 2 x 4(twist 2)', ['x', 'y', 'hosts'], true],
  ['mesh 1', ['x', 'hosts'], true],
  ['mesh 1 x 2', ['x', 'y'], true],
  ['mesh 2 x 3', ['x', 'y'], true],
  ['hypercube 1', ['x', 'hosts'], true],
  ['hyperx 1', ['x', 'hosts'], true],
  ['hyperx 1 x 3', ['x', 'y', 'hosts'], true],
  ['switches 1', ['hosts'], true],
  ['switches 2 link 0 -- 1, 1', ['hosts'], true],
  ['irregular 4(links 3)', ['hosts'], true],
  ['fat-tree(k 1, n 1)', ['hosts', 'tier 0'], false],
  ['fat-tree(levels 1 x 1)', ['hosts', 'tier 0'], false],
  ['fat-tree(levels 2 x 3, parallel 2)', ['hosts', 'tier 0'], false],
  ['dragonfly(p 1, a 1, h 0, g 1)', ['local', 'global', 'hosts'], false],
  ['dragonfly(p 1, a 2, h 1)', ['local', 'global', 'hosts'], false],
  ['dragonfly(p 1, group 1 x 1, h 1)', ['local', 'global', 'x', 'y'], false],
  ['dragonfly(p 2, group 2 x 1, h 1)', ['local', 'global', 'x'], false],
  ['dragonfly-plus(p 1, leaves 1, spines 1, h 1)', ['local', 'global', 'hosts'], false],
  ['cluster 1', ['hosts'], false],
  ['cluster 2', ['hosts'], false],
];

const routings = ['minimal', 'dimension-order', 'up-down', 'static', 'ecmp', 'dfsssp', 'fat-tree', 'valiant', 'ugal'];

function machineText(random: RandomSource): string {
  const [topology, groups, takesHosts] = topologies[random.integer(topologies.length)]!;
  const group = pick(random, ...groups);
  const some = (text: string): string => (random.integer(3) === 0 ? text : '');
  return [
    `topology ${topology}`,
    takesHosts ? some(`hosts ${1 + random.integer(3)}`) : '',
    some(`rails ${pick(random, '2', '3', '2 rail-optimised', '2 rail-only', '3 rail-only')}`),
    some(pick(random, `bandwidth (${group} 1 GB/s)`, 'bandwidth 1 GB/s', `bandwidth 2 GB/s (${group} 1 GB/s)`)),
    some(pick(random, `latency (${group} 1 us)`, 'latency 1 us')),
    some(pick(random, `cables (${group} 2)`, 'cables 3')),
    some('interface 1 GB/s'),
    some('memory 1 GB/s'),
    some('switch 100 ns'),
    some(`routing ${pick(random, ...routings)}`),
    some(`without ${pick(random, 'node 0', 'node 1', 'switch 0', 'switch 1', '0 -- 1', '0 -- 1 cable 1')}`),
    some(`cores ${pick(random, '2', '3')}`),
    some(pick(random, 'gpus 2', 'gpus 1', 'inside counted')),
  ].join(' ');
}

it('never ends with an internal error', { timeout: 120_000 }, async () => {
  const random = seededRandom(31);
  const directory = cli.scratch();
  let accepted = 0;
  const texts = [
    'topology torus 1 hosts 2 bandwidth (x 1 GB/s)',
    'topology irregular 4(links 3) hosts 3 without switch 0',
    ...Array.from({ length: 100 }, () => machineText(random)),
  ];
  for (const text of texts) {
    const program = `machine m { ${text} }\njob j { tasks 2 pattern all-to-all bytes 1 KiB }\nplacement p { job j machine m }\n`;
    writeFileSync(join(directory, 'a.place'), program);
    const run = await cli.run(['run', 'a.place', '--json'], directory);
    expect(run.code, `${text}\n${run.err}`).not.toBe(3);
    if (run.code !== 0) continue;
    accepted++;
    for (const command of [
      ['describe', 'a.place'],
      ['draw', 'a.place', '-o', 'a.svg'],
      ['draw', 'a.place', 'm', '-o', 'm.svg'],
      ['losses', 'a.place'],
      ['compare', 'a.place', '--mappers', 'baseline,random', '--json'],
    ]) {
      const { code, err } = await cli.run(command, directory);
      expect(code, `${command.join(' ')}: ${text}\n${err}`).not.toBe(3);
    }
  }
  expect(accepted).toBeGreaterThan(25);
});
