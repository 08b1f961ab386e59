/**
 * Equivalent distances of the command line against networkx and scipy. Which cables lie on the
 * routes of a pair is worked out here, from the `.place` file's cables alone, by trying every way.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom, type RandomSource } from '../../../server/model/random.ts';
import { binary } from '../../cli/binary.ts';
import { routesUpDown, type CableList } from './routes.ts';

const cli = binary();
/** Debian's, which has the packages; another one may come first in the path. */
const python = '/usr/bin/python3';
const missingPackages =
  'networkx and scipy are needed to judge distances: ' +
  'apt-get install --no-install-recommends python3-networkx python3-scipy python3-numpy';

beforeAll(() => {
  const { status } = spawnSync(python, ['-c', 'import networkx, scipy, numpy']);
  if (status !== 0) throw new Error(missingPackages);
});

/** A connected network: a random tree, and random cables besides, some of them parallel. */
function randomNetwork(switches: number, cables: number, random: RandomSource): CableList {
  const network: [number, number][] = [];
  for (let own = 1; own < switches; own++) network.push([random.integer(own), own]);
  while (network.length < cables) {
    const [from, to] = [random.integer(switches), random.integer(switches)];
    if (from !== to) network.push([from, to]);
  }
  return network;
}

function tableOf(switches: number, cables: CableList, root: number): number[][] {
  const file = join(cli.scratch(), 'network.place');
  const links = cables.map(([from, to]) => `  link ${from} -- ${to}\n`).join('');
  writeFileSync(file, `machine m {\n  topology switches ${switches}\n${links}  routing up-down(root ${root})\n}\n`);
  const { code, out, err } = cli.run(['distances', file, 'm', '--model', 'equivalent', '--json']);
  expect(err).toBe('');
  expect(code).toBe(0);
  return (JSON.parse(out) as { table: number[][] }).table;
}

interface Question {
  readonly from: number;
  readonly to: number;
  readonly cables: CableList;
}

interface Answer {
  readonly networkx: number;
  readonly scipy: number;
}

function judge(questions: readonly Question[]): { versions: string; answers: Answer[] } {
  const { stdout, stderr, status } = spawnSync(python, [join(import.meta.dirname, 'resistance.py')], {
    input: questions.map((question) => JSON.stringify(question)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`python3 failed:\n${stderr}`);
  const [versions, ...lines] = stdout.trim().split('\n');
  const answers = lines.map((line): Answer => {
    const [networkx, scipy] = line.split(' ').map(Number) as [number, number];
    return { networkx, scipy };
  });
  return { versions: versions ?? '', answers };
}

describe('networkx and scipy agree with the equivalent distances', () => {
  it.each([
    { switches: 12, cables: 18, seed: 1 },
    { switches: 16, cables: 48, seed: 2 },
    { switches: 8, cables: 60, seed: 3 },
    { switches: 30, cables: 90, seed: 4 },
    { switches: 48, cables: 90, seed: 5 },
  ])('$switches switches, $cables cables', ({ switches, cables: count, seed }) => {
    const random = seededRandom(seed);
    const cables = randomNetwork(switches, count, random);
    const root = random.integer(switches);
    const table = tableOf(switches, cables, root);
    const questions: Question[] = [];
    for (let from = 0; from < switches; from++) {
      for (let to = 0; to < from; to++)
        questions.push({ from, to, cables: routesUpDown(switches, cables, root, from, to) });
    }
    const { versions, answers } = judge(questions);
    expect(answers).toHaveLength(questions.length);
    let worst = 0;
    for (const [index, { from, to }] of questions.entries()) {
      const { networkx, scipy } = answers[index]!;
      const own = table[from]![to]!;
      worst = Math.max(worst, Math.abs(own - networkx), Math.abs(own - scipy));
    }
    expect(worst).toBeLessThan(1e-12);
    const several = questions.filter(({ from, to }) => !Number.isInteger(table[from]![to])).length;
    expect(several).toBeGreaterThan(0);
    console.log(
      `networkx and scipy ${versions}: ${questions.length} pairs of ${switches} switches (${several} of them fractions) ` +
        `agree to ${worst.toExponential(1)}`,
    );
  });
});
