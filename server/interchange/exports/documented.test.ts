/**
 * Exports for launchers that cannot be installed where the tests run, held against the examples, test vectors and tools that their makers
 * have published: each example is made as a placement, and what we write of it is what is printed there.
 */
import { describe, expect, it } from 'vitest';
import { findEntry } from '../../model/catalogue.ts';
import { commandWith } from '../../model/commandLine.ts';
import { exportFormats } from '../catalogue.ts';
import { readGiven } from '../readers.ts';
import { reportOf } from '../testing/reports.ts';

const hosts = Array.from({ length: 64 }, (_, node) => `n${String(node).padStart(2, '0')}`);

function written(format: string, wanted: Parameters<typeof reportOf>[0]) {
  const result = findEntry(exportFormats, format)?.write(reportOf(wanted), {
    hosts: hosts.slice(
      0,
      wanted.shape.reduce((nodes, side) => nodes * side, 1),
    ),
  });
  if (result?.ok !== true) throw new Error(result?.failure.message ?? `no format ${format}`);
  const { text, warnings, commands = [] } = result.value;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { text, lines, warnings, command: commandWith(commands[0]!) };
}

const read = (text: string) => {
  const given = readGiven(new TextEncoder().encode(text), 'file');
  if (!given.ok) throw new Error(given.failure.message);
  return given.value;
};

/** `0,4-5;1,3`: ranks of each node, as RFC 34 writes maps that are not compact. */
function nodesOfRanks(raw: string): number[] {
  const nodes: number[] = [];
  for (const [node, ranks] of raw.split(';').entries()) {
    for (const range of ranks.split(',')) {
      const [first = 0, last = first] = range.split('-').map(Number);
      for (let rank = first; rank <= last; rank++) nodes[rank] = node;
    }
  }
  return nodes;
}

/** The first ranks of a node on its first cores. */
function slotsOn(nodes: readonly number[], cores: number): number[] {
  const used = new Map<number, number>();
  return nodes.map((node) => {
    const core = used.get(node) ?? 0;
    used.set(node, core + 1);
    return node * cores + core;
  });
}

describe('Flux, by the test vectors of RFC 34', () => {
  it.each([
    ['0', '[[0,1,1,1]]'],
    ['0;1', '[[0,2,1,1]]'],
    ['0-1', '[[0,1,2,1]]'],
    ['0-1;2-3', '[[0,2,2,1]]'],
    ['0,2;1,3', '[[0,2,1,2]]'],
    ['1;0', '[[1,1,1,1],[0,1,1,1]]'],
    ['0-3;4-7;8-11;12-15', '[[0,4,4,1]]'],
    ['0,4,8,12;1,5,9,13;2,6,10,14;3,7,11,15', '[[0,4,1,4]]'],
    ['0-1,8-9;2-3,10-11;4-5,12-13;6-7,14-15', '[[0,4,2,2]]'],
    ['0-1;2-3;4-5;6-7;8-11;12-15', '[[0,4,2,1],[4,2,4,1]]'],
    ['0,6;1,7;2,8;3,9;4,10,12,14;5,11,13,15', '[[0,6,1,2],[4,2,1,2]]'],
    ['14-15;12-13;10-11;8-9;4-7;0-3', '[[5,1,4,1],[4,1,4,1],[3,1,2,1],[2,1,2,1],[1,1,2,1],[0,1,2,1]]'],
    ['0-1;2-3;4-5;6-7;8-9;12-13;10-11;14-15', '[[0,5,2,1],[6,1,2,1],[5,1,2,1],[7,1,2,1]]'],
    ['12-15;8-11;4-7;0-3', '[[3,1,4,1],[2,1,4,1],[1,1,4,1],[0,1,4,1]]'],
  ])('%s is %s', (raw, map) => {
    const nodes = nodesOfRanks(raw);
    expect(written('flux', { shape: [8], cores: 4, mappings: [slotsOn(nodes, 4)] }).lines).toEqual([map]);
    expect(read(map)).toEqual({ kind: 'nodes', counted: 'job', numbers: Int32Array.from(nodes) });
    expect(read(`{"version":1, "map":${map}}`)).toEqual(read(map));
  });
});

describe('HPE Cray MPICH', () => {
  // grid_order -R -c 4 -g 4,4: cells of 2 x 2 of a grid of 4 x 4 ranks, row by row; as in the user guide of ARCHER2.
  const order = [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15];

  it('takes ranks node by node, in the order in which grid_order lists them', () => {
    const slots: number[] = [];
    for (const [position, rank] of order.entries()) slots[rank] = position;
    const { lines } = written('cray', { shape: [4], cores: 4, mappings: [slots] });
    expect(lines).toEqual(['0,1,4,5', '2,3,6,7', '8,9,12,13', '10,11,14,15']);
    expect(read(`# grid_order -R -Z -c 4 -g 4,4\n${lines.join('\n')}\n`)).toMatchObject({
      perNode: 4,
      numbers: Int32Array.from(slots),
    });
  });

  /** Ranks in turns on two nodes: measured on cray-mpich 9.1.0, 252 of them start and 254 do not. */
  const inTurns = (ranks: number): string[] => {
    const nodes = Array.from({ length: ranks }, (_, rank) => rank % 2);
    return [...written('cray', { shape: [2], cores: 128, mappings: [slotsOn(nodes, 128)] }).warnings];
  };

  it('is said not to start where its map of ranks to nodes is longer than 1,023 letters', () => {
    expect(inTurns(252)).toEqual([]);
    expect(inTurns(254)).toEqual([
      expect.stringMatching(
        /^Cray MPICH 9\.1 may fail to start: the rank mapping needs 1,024 characters and 1,023 fit\./,
      ),
    ]);
  });
});

describe('LSF', () => {
  it('is what the script openmpi_rankfile.sh of IBM turns into a rankfile of the same cores', () => {
    const { lines } = written('lsf', { shape: [4], cores: 4, mappings: [[5, 4, 0, 14]] });
    // awk '{printf("rank %d=%s slot=%s\n", NR-1, $1, $2)}' "$LSB_AFFINITY_HOSTFILE"
    const rankfile = lines.map((line, at) => {
      const [host = '', cores = ''] = line.split(/\s+/);
      return `rank ${at}=${host} slot=${cores}\n`;
    });
    const [own, converted] = [read(`${lines.join('\n')}\n`), read(rankfile.join(''))];
    expect(converted).toEqual(own);
    expect(own).toMatchObject({
      hosts: ['n01', 'n00', 'n03'],
      hostOfRank: Int32Array.of(0, 0, 1, 2),
      coreOfRank: Int32Array.of(1, 0, 0, 2),
    });
  });
});

describe('Blue Gene', () => {
  it('has the coordinates of the table of NCAR for the order TXYZ', () => {
    const slots = Array.from({ length: 64 }, (_, rank) => rank);
    const { lines, warnings, command } = written('bluegene', { shape: [4, 4, 2], cores: 2, mappings: [slots] });
    expect(lines.slice(0, 10)).toEqual([
      '0 0 0 0',
      '0 0 0 1',
      '1 0 0 0',
      '1 0 0 1',
      '2 0 0 0',
      '2 0 0 1',
      '3 0 0 0',
      '3 0 0 1',
      '0 1 0 0',
      '0 1 0 1',
    ]);
    expect([warnings, command]).toEqual([[], 'mpirun -np 64 -env BGLMPI_MAPPING=FILE PROGRAM']);
  });
});

describe('Intel MPI', () => {
  it('pins the ranks of each node to CPU 0 and CPU 3, as the reference has it', () => {
    const { command } = written('intel', { shape: [2], cores: 4, mappings: [[0, 3, 4, 7]] });
    expect(command).toBe('I_MPI_PIN_PROCESSOR_LIST=0,3 mpirun -machinefile FILE -n 4 PROGRAM');
  });
});

describe('Open MPI 5', () => {
  it('reads the rankfile of its manual, which we read as it says', () => {
    // mpirun(1) 5.0: rank 0 on aa, package 1, cores 0 to 2; rank 1 on bb, package 0, cores 0 and 1; rank 2 on cc, cores 2 and 3.
    expect(read('rank 0=aa slot=1:0-2\nrank 1=bb slot=0:0,1\nrank 2=cc slot=2-3\n')).toMatchObject({
      hosts: ['aa', 'bb', 'cc'],
      hostOfRank: Int32Array.of(0, 1, 2),
      socketOfRank: Int32Array.of(1, 0, -1),
      firstCoreOfRank: Int32Array.of(0, 0, 2),
      lastCoreOfRank: Int32Array.of(2, 1, 3),
    });
  });
});
