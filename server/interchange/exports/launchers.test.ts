import { describe, expect, it } from 'vitest';
import { findEntry } from '../../model/catalogue.ts';
import { commandWith } from '../../model/commandLine.ts';
import type { NodeShape } from '../../model/fabric.ts';
import type { PlacementReport } from '../../model/report.ts';
import { exportFormats } from '../catalogue.ts';
import type { ExportOptions } from '../contract.ts';
import { reportOf } from '../testing/reports.ts';
import { namesOfPattern } from './hosts.ts';

/** Names whose order is that of the nodes of a torus 2 x 2 x 2. */
const hosts = Array.from({ length: 8 }, (_, node) => `n${node}`);
const byName: ExportOptions = { hosts };

function written(format: string, report: PlacementReport, options: ExportOptions = byName) {
  const result = findEntry(exportFormats, format)?.write(report, options);
  if (result?.ok !== true) throw new Error(result?.failure.message ?? `no format ${format}`);
  const { text, warnings, commands = [] } = result.value;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { lines, text, warnings, commands: commands.map((command) => `${command.of}: ${commandWith(command)}`) };
}

function refused(format: string, report: PlacementReport, options: ExportOptions = byName) {
  const result = findEntry(exportFormats, format)?.write(report, options);
  return result?.ok === false ? `${result.failure.code}: ${result.failure.message}` : 'written';
}

/** Two sockets of two cores: ranks on nodes 1, 1, 0, 1, 0 and 3, the fourth away from the first two. */
const scattered = reportOf({ shape: [2, 2, 2], sockets: 2, cores: 2, mappings: [[5, 4, 0, 6, 1, 13]] });
/** Ranks of every node on the same cores: the second and the third of one socket. */
const alike = reportOf({ shape: [2, 2, 2], cores: 4, mappings: [[5, 6, 1, 2]] });
/** Four GPUs, eight cores: each GPU has two cores beside it. */
const onGpus = reportOf({ shape: [2, 2, 2], sockets: 2, cores: 4, gpus: 4, mappings: [[4, 7, 0, 3]] });
const oneCore = reportOf({ shape: [2, 2, 2], mappings: [[3, 0, 2, 1]] });
const fiveAxes = reportOf({ shape: [2, 3, 2, 1, 2], cores: 4, mappings: [[0, 4 * 23 + 3, 4 * 2 + 1]] });

describe('processors', () => {
  /** Two sockets, whose cores the system numbers by turns, the second hardware threads behind them. */
  const numbered: NodeShape = {
    coresOfSockets: [2, 2],
    systemNumbers: [
      [
        [0, 4],
        [2, 6],
      ],
      [
        [1, 5],
        [3, 7],
      ],
    ],
    numaNodes: 2,
    warnings: [],
  };
  const onNumbered = reportOf({ shape: [2, 2, 2], node: numbered, mappings: [[1, 2, 5, 6]] });
  const single = {
    ...numbered,
    systemNumbers: [
      [[8], [10]],
      [[9], [11]],
    ],
  };
  const onSingle = reportOf({ shape: [2, 2, 2], node: single, mappings: [[1, 2, 5, 6]] });
  const unstated = reportOf({ shape: [2, 2, 2], gpus: 4, coresUnstated: true, mappings: [[0, 3, 4, 7]] });
  const unstatedSockets = reportOf({ shape: [2, 2, 2], sockets: 2, coresUnstated: true, mappings: [[0, 1, 2, 3]] });

  it.each<[string, PlacementReport, string, string | undefined]>([
    ['all hardware threads of a core', onNumbered, 'hydra', 'n0:2 binding=user:2+6,1+5'],
    ['all hardware threads of a core', onNumbered, 'lsf', 'n0 2,6'],
    ['all hardware threads of a core', onNumbered, 'slurm', '--cpu-bind=mask_cpu:0x44,0x22 '],
    ['all hardware threads of a core', onNumbered, 'intel', "I_MPI_PIN_DOMAIN='[44,22]' "],
    ['the one thread of a core', onSingle, 'hydra', 'n0:2 binding=user:10,9'],
    ['the one thread of a core', onSingle, 'lsf', 'n0 10'],
    ['the one thread of a core', onSingle, 'slurm', '--cpu-bind=map_cpu:10,9 '],
    ['the one thread of a core', onSingle, 'intel', 'I_MPI_PIN_PROCESSOR_LIST=10,9 '],
    ['nothing, on GPUs', unstated, 'hydra', 'n0:2'],
    ['nothing, on GPUs', unstated, 'lsf', 'n0'],
    ['nothing, on GPUs', unstated, 'slurm', undefined],
    ['nothing, on GPUs', unstated, 'intel', undefined],
    ['nothing, on sockets', unstatedSockets, 'hydra', 'n0:2'],
    ['nothing, on sockets', unstatedSockets, 'slurm', undefined],
  ])(
    'are those that the file of the node says, nothing where nobody states cores: %s',
    (_, report, format, expected) => {
      const { lines, commands, warnings } = written(format, report);
      if (expected === undefined) expect(commands[0]).not.toMatch(/cpu-bind|I_MPI_PIN/);
      else if (expected.startsWith('n0')) expect(lines[0]).toBe(expected);
      else expect(commands[0]).toContain(expected);
      expect(warnings.filter((warning) => /operating system|core/.test(warning))).toEqual([]);
    },
  );

  it('says that a rankfile binds ranks all the same', () => {
    expect(written('rankfile', unstated).warnings[0]).toBe(
      'Ranks 0 and 1 are both bound to core 0 of n0: the machine has no number of cores. Write `cores` in the machine.',
    );
  });
});

describe('hydra', () => {
  it('gives a line to ranks that follow one another on a host, and their cores', () => {
    const { lines, commands, warnings } = written('hydra', scattered);
    expect(lines).toEqual([
      'n1:2 binding=user:1,0',
      'n0:1 binding=user:0',
      'n1:1 binding=user:2',
      'n0:1 binding=user:1',
      'n3:1 binding=user:1',
    ]);
    expect(commands).toEqual(['MPICH: mpiexec.hydra -f FILE -n 6 PROGRAM']);
    expect(warnings).toEqual([
      expect.stringMatching(/^Ranks of one host are not consecutive \(first on n1\)\. The host has several lines\./),
      expect.stringMatching(/^Hydra needs the core numbers of the operating system; these count socket by socket\./),
    ]);
  });

  it('binds nothing to the one core of a node, and GPUs to all cores beside them', () => {
    expect(written('hydra', oneCore).lines).toEqual(['n3:1', 'n0:1', 'n2:1', 'n1:1']);
    expect(written('hydra', onGpus).lines).toEqual(['n1:2 binding=user:0+1,6+7', 'n0:2 binding=user:0+1,6+7']);
  });
});

describe('intel', () => {
  it('pins ranks where those of all nodes are on the same cores', () => {
    const { lines, commands, warnings } = written('intel', alike);
    expect(lines).toEqual(['n1:2', 'n0:2']);
    expect(commands).toEqual(['Intel MPI: I_MPI_PIN_PROCESSOR_LIST=1,2 mpirun -machinefile FILE -n 4 PROGRAM']);
    expect(warnings).toEqual([]);
  });

  it('pins ranks on GPUs to all cores beside them', () => {
    expect(written('intel', onGpus).commands).toEqual([
      "Intel MPI: I_MPI_PIN_DOMAIN='[3,c0]' mpirun -machinefile FILE -n 4 PROGRAM",
    ]);
  });

  it('says that it cannot pin where nodes differ', () => {
    const { commands, warnings } = written('intel', scattered);
    expect(commands).toEqual(['Intel MPI: mpirun -machinefile FILE -n 6 PROGRAM']);
    expect(warnings.at(-1)).toMatch(
      /^Intel MPI binds the k-th rank of every node alike; n1 and n0 use different cores\./,
    );
  });
});

describe('slurm', () => {
  it('names the host of each rank, and binds where it can', () => {
    const { lines, commands, warnings } = written('slurm', alike);
    expect(lines).toEqual(['n1', 'n1', 'n0', 'n0']);
    expect(commands).toEqual([
      'Slurm: SLURM_HOSTFILE=FILE srun -N 2 -n 4 --distribution=arbitrary --cpu-bind=map_cpu:1,2 PROGRAM',
    ]);
    expect(warnings).toEqual([]);
  });

  it('binds ranks on GPUs by masks, and says where it cannot bind', () => {
    expect(written('slurm', onGpus).commands[0]).toContain('--cpu-bind=mask_cpu:0x3,0xc0 ');
    const { lines, commands, warnings } = written('slurm', scattered);
    expect(lines).toEqual(['n1', 'n1', 'n0', 'n1', 'n0', 'n3']);
    expect(commands[0]).not.toContain('--cpu-bind');
    expect(warnings).toEqual([expect.stringMatching(/^Slurm binds the k-th rank of every node alike.*right nodes/)]);
  });
});

describe('flux', () => {
  const mapOf = (mapping: readonly number[], cores = 4): unknown =>
    JSON.parse(written('flux', reportOf({ shape: [2, 2, 2], cores, mappings: [mapping] })).text);

  it.each<[string, readonly number[], readonly (readonly number[])[]]>([
    ['blocks', [0, 1, 4, 5, 8, 9], [[0, 3, 2, 1]]],
    ['rounds', [0, 4, 8, 1, 5, 9], [[0, 3, 1, 2]]],
    [
      'nodes that differ',
      [0, 1, 2, 4, 8, 9],
      [
        [0, 1, 3, 1],
        [1, 1, 1, 1],
        [2, 1, 2, 1],
      ],
    ],
    [
      'nodes backwards',
      [8, 4, 0],
      [
        [2, 1, 1, 1],
        [1, 1, 1, 1],
        [0, 1, 1, 1],
      ],
    ],
    [
      'used nodes alone',
      [20, 21, 12, 13],
      [
        [1, 1, 2, 1],
        [0, 1, 2, 1],
      ],
    ],
  ])('writes %s', (_, mapping, expected) => {
    expect(mapOf(mapping)).toEqual(expected);
  });

  it('counts nodes by their names, and says so where the machine does otherwise', () => {
    const { text, warnings } = written('flux', oneCore, { hosts: ['n10', 'n9', 'n8', 'n7', 'a', 'b', 'c', 'd'] });
    expect(JSON.parse(text)).toEqual([
      [0, 1, 1, 1],
      [3, 1, 1, 1],
      [1, 2, 1, 1],
    ]);
    expect(warnings).toEqual([expect.stringMatching(/Launchers sort hosts by name, so n7 is number 0, before n10\./)]);
  });
});

describe('cray', () => {
  it('lists the ranks of each node by their cores', () => {
    const report = reportOf({ shape: [2, 2, 2], cores: 4, mappings: [[6, 5, 2, 0, 12]] });
    const { lines, text, commands } = written('cray', report);
    expect(lines).toEqual(['3,2', '1,0', '4']);
    expect(text).toContain('# ranks per node: 2\n');
    expect(commands).toEqual([
      "Cray MPICH: MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=FILE srun -N 3 -n 5 --ntasks-per-node=2 --nodelist='n[0-1,3]' PROGRAM",
    ]);
  });

  it('refuses nodes with different numbers of ranks', () => {
    expect(refused('cray', scattered)).toMatch(
      /^uneven-ranks: A rank order needs equal ranks per node; n0 has 2, n1 has 3\./,
    );
  });
});

describe('bluegene', () => {
  it('writes coordinates and the core', () => {
    const { lines, commands, warnings } = written('bluegene', scattered);
    expect(lines).toEqual(['1 0 0 1', '1 0 0 0', '0 0 0 0', '1 0 0 2', '0 0 0 1', '1 1 0 1']);
    expect(commands[0]).toBe('Blue Gene/L: mpirun -np 6 -env BGLMPI_MAPPING=FILE PROGRAM');
    expect(warnings).toEqual([expect.stringMatching(/Blue Gene\/L needs a rank in every slot of its block\./)]);
  });

  it('is of Q where there are five axes', () => {
    const { lines, commands } = written('bluegene', fiveAxes, {});
    expect(lines).toEqual(['0 0 0 0 0 0', '1 2 1 0 1 3', '0 1 0 0 0 1']);
    expect(commands).toEqual(['Blue Gene/Q: runjob --np 3 --ranks-per-node 4 --mapping FILE : PROGRAM']);
  });

  it('counts places of a node in powers of two, as many as hold its ranks', () => {
    const { commands } = written('bluegene', reportOf({ shape: [2, 2, 2, 2, 2], cores: 4, mappings: [[0, 1, 2]] }), {});
    expect(commands[0]).toContain(' --ranks-per-node 4 ');
  });

  it('refuses other machines', () => {
    expect(refused('bluegene', reportOf({ shape: [4, 4], mappings: [[0, 1]] }), {})).toMatch(/^not-a-torus: .*`m`/);
  });
});

describe('lsf', () => {
  it('names the host and the cores of each rank', () => {
    expect(written('lsf', scattered).lines).toEqual(['n1 1', 'n1 0', 'n0 0', 'n1 2', 'n0 1', 'n3 1']);
    expect(written('lsf', onGpus).lines).toEqual(['n1 0,1', 'n1 6,7', 'n0 0,1', 'n0 6,7']);
  });
});

describe('threads of hybrid programs', () => {
  /** Two sockets of four cores: two ranks of two cores on each of two nodes. */
  const hybrid = reportOf({
    ...{ shape: [2, 2, 2], sockets: 2, cores: 4, needs: { coresPerTask: 2 } },
    mappings: [[8, 12, 0, 4]],
  });
  const openMp = 'OMP_NUM_THREADS=2 OMP_PLACES=cores OMP_PROC_BIND=close';

  it.each<[format: string, lines: readonly string[], command: string]>([
    [
      'rankfile',
      ['rank 0=n1 slot=0:0-1', 'rank 1=n1 slot=1:0-1', 'rank 2=n0 slot=0:0-1', 'rank 3=n0 slot=1:0-1'],
      'Open MPI 4: mpirun -np 4 -x OMP_NUM_THREADS=2 -x OMP_PLACES=cores -x OMP_PROC_BIND=close --rankfile FILE PROGRAM',
    ],
    [
      'slurm',
      ['n1', 'n1', 'n0', 'n0'],
      `Slurm: SLURM_HOSTFILE=FILE ${openMp} srun -N 2 -n 4 --distribution=arbitrary --cpus-per-task=2 --cpu-bind=mask_cpu:0x3,0x30 PROGRAM`,
    ],
    [
      'hydra',
      ['n1:2 binding=user:0+1,4+5', 'n0:2 binding=user:0+1,4+5'],
      'MPICH: mpiexec.hydra -f FILE -genv OMP_NUM_THREADS 2 -genv OMP_PLACES cores -genv OMP_PROC_BIND close -n 4 PROGRAM',
    ],
    [
      'intel',
      ['n1:2', 'n0:2'],
      "Intel MPI: I_MPI_PIN_DOMAIN='[3,30]' mpirun -machinefile FILE -genv OMP_NUM_THREADS 2 -genv OMP_PLACES cores -genv OMP_PROC_BIND close -n 4 PROGRAM",
    ],
    [
      'lsf',
      ['n1 0,1', 'n1 4,5', 'n0 0,1', 'n0 4,5'],
      'Open MPI under LSF: LSB_AFFINITY_HOSTFILE=FILE mpirun -np 4 -x OMP_NUM_THREADS=2 -x OMP_PLACES=cores -x OMP_PROC_BIND=close PROGRAM',
    ],
    [
      'flux',
      ['[[1,1,2,1],[0,1,2,1]]'],
      'Flux: flux run -N 2 -n 4 --cores-per-task=2 --env=OMP_NUM_THREADS=2 --env=OMP_PLACES=cores --env=OMP_PROC_BIND=close --exclusive --taskmap=manual:"$(cat FILE)" PROGRAM',
    ],
    [
      'cray',
      ['2,3', '0,1'],
      `Cray MPICH: MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=FILE ${openMp} srun -N 2 -n 4 --ntasks-per-node=2 --cpus-per-task=2 --nodelist='n[0-1]' PROGRAM`,
    ],
  ])('%s binds each rank to its cores and starts a thread on each', (format, lines, command) => {
    const { lines: found, commands } = written(format, hybrid);
    expect(found).toEqual(lines);
    expect(commands[0]).toBe(command);
  });

  it.each(['torchrun', 'pytorch'])('%s sets the number of threads in its script', (format) => {
    expect(written(format, hybrid).text).toContain(`export ${openMp}`);
  });

  it('binds the hardware threads of all cores of a rank', () => {
    const node: NodeShape = {
      coresOfSockets: [4],
      systemNumbers: [
        [
          [0, 4],
          [1, 5],
          [2, 6],
          [3, 7],
        ],
      ],
      numaNodes: 1,
      warnings: [],
    };
    const report = reportOf({ shape: [2, 2, 2], node, needs: { coresPerTask: 2 }, mappings: [[0, 2]] });
    expect(written('slurm', report).commands[0]).toContain('--cpus-per-task=4 --cpu-bind=mask_cpu:0x33,0xcc');
  });

  it('counts cores through the node where a rank has some of two sockets', () => {
    const report = reportOf({ shape: [2, 2, 2], sockets: 2, cores: 2, needs: { coresPerTask: 3 }, mappings: [[0, 4]] });
    expect(written('rankfile', report).lines).toEqual(['rank 0=n0 slot=0-2', 'rank 1=n1 slot=0-2']);
    expect(written('csv', report).lines[1]).toContain('0-1 0');
  });

  it('are said to differ between jobs, which one launch line cannot set', () => {
    const report = reportOf({
      ...{ shape: [2, 2, 2], cores: 8, ownNeeds: [{ coresPerTask: 2 }, { coresPerTask: 4 }] },
      mappings: [
        [0, 2],
        [4, 8],
      ],
    });
    const { warnings, commands, lines } = written('rankfile', report);
    expect(lines).toEqual(['rank 0=n0 slot=0-1', 'rank 1=n0 slot=2-3', 'rank 2=n0 slot=4-7', 'rank 3=n1 slot=0-3']);
    expect(warnings.join(' ')).toContain('one OMP_NUM_THREADS');
    expect(commands[0]).not.toContain('OMP_');
  });
});

describe('ampi', () => {
  it('counts processing elements through the nodes that are used', () => {
    const { lines, commands, warnings } = written('ampi', scattered);
    expect(lines).toEqual(['5', '4', '0', '6', '1', '9']);
    expect(commands).toEqual(['AMPI: ./charmrun +p12 ./PROGRAM +vp6 +mapping MAPFILE']);
    expect(warnings).toEqual([
      expect.stringMatching(/^Processing elements count the used nodes in order\. Nodes without ranks have none/),
    ]);
  });
});

describe('scotch', () => {
  it('gives each rank its node', () => {
    expect(written('scotch', scattered).lines).toEqual(['6', '0\t1', '1\t1', '2\t0', '3\t1', '4\t0', '5\t3']);
  });
});

describe('csv', () => {
  it('has a row for each rank, with what its columns say', () => {
    expect(written('csv', scattered).lines.slice(0, 3)).toEqual([
      'rank,job,task,node,host,slot,socket,core',
      '0,job0,0,1,n1,5,0,1',
      '1,job0,1,1,n1,4,0,0',
    ]);
    expect(written('csv', onGpus).lines.slice(0, 3)).toEqual([
      'rank,job,task,node,host,slot,socket,core,gpu',
      '0,job0,0,1,n1,4,0,0-1,0',
      '1,job0,1,1,n1,7,1,2-3,3',
    ]);
  });
});

describe('dot', () => {
  it('puts ranks into the box of their node and draws what they send', () => {
    const { lines } = written('dot', oneCore);
    expect(lines.join('\n')).toContain(
      'subgraph "cluster_3" {\n    label="n3";\n    0 [job="job0", task=0, "node"=3, slot=3, core=0];\n  }',
    );
    expect(lines).toContain('  0 -> 1 [bytes=1024, penwidth=4.00];');
  });
});

describe('graphml', () => {
  it('has ranks with their places, and names that XML would misread escaped', () => {
    const { text } = written('graphml', { ...onGpus, name: 'a--b' });
    expect(text).toContain('<!-- Placement a- -b');
    expect(text).toContain(
      '<node id="1"><data key="job">job0</data><data key="task">1</data><data key="node">1</data><data key="host">n1</data><data key="slot">7</data><data key="gpu">3</data></node>',
    );
    expect(text).toContain('<edge source="0" target="1"><data key="bytes">1024</data></edge>');
  });
});

describe('what launchers cannot do', () => {
  it.each(['rankfile', 'slurm', 'hydra', 'intel', 'flux', 'cray', 'lsf'])(
    '%s refuses hosts that are too small, before there is a file',
    (format) => {
      const slotsOfHosts = new Map(hosts.map((host) => [host, host === 'n1' ? 1 : 4]));
      expect(refused(format, alike, { hosts, slotsOfHosts })).toMatch(
        /^host-too-small: Host n1 has 1 slot, but the placement needs 2 ranks there\./,
      );
      expect(refused(format, alike, { hosts, slotsOfHosts: new Map(hosts.map((host) => [host, 2])) })).toBe('written');
    },
  );

  it('Open MPI 5 wants to be told where GPUs share cores', () => {
    const crowded = reportOf({ shape: [2, 2, 2], gpus: 4, mappings: [[0, 1, 2, 3]] });
    const ofGpus = expect.stringMatching(/A rankfile cannot assign these GPUs\./) as string;
    expect(written('rankfile', crowded).warnings).toEqual([
      expect.stringMatching(/share core 0.*overload-allowed/),
      ofGpus,
    ]);
    expect(written('rankfile', onGpus).warnings).toEqual([ofGpus]);
  });

  it.each(
    exportFormats
      .filter(
        ({ name }) =>
          !['json', 'csv', 'dot', 'graphml', 'vector', 'kubernetes', 'slurm-tree', 'slurm-block'].includes(name),
      )
      .map(({ name }) => name),
  )('%s starts several jobs as one, and says so', (format) => {
    const jobs = reportOf({
      shape: [2, 2, 2],
      cores: 2,
      mappings: [
        [1, 0],
        [4, 5],
      ],
    });
    const { warnings, commands } = written(format, jobs);
    expect(warnings.join('\n')).toMatch(/one program.*job0: ranks 0 to 1; job job1: ranks 2 to 3/);
    expect(commands.length).toBeGreaterThan(0);
  });
});

describe('names by a pattern', () => {
  it.each([
    ['n%d', ['n0', 'n1', 'n2']],
    ['nid%05d-ib', ['nid00000-ib', 'nid00001-ib', 'nid00002-ib']],
    ['a[7-8],b', ['a7', 'a8', 'b']],
  ])('%s', (pattern, expected) => {
    expect(namesOfPattern(pattern, { nodeCount: 3 })).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['n%x', /'n%x' is the same for all nodes. Write %d/],
    ['%d %d', /is the same for all nodes/],
    ['a[1-', /bracket/],
    ['a b', /'a b'/],
  ])('%s is refused', (pattern, expected) => {
    const names = namesOfPattern(pattern, { nodeCount: 3 });
    expect(!names.ok && names.failure.message).toMatch(expected);
  });
});
