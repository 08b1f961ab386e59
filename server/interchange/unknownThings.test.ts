import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { FabricWarning } from '../model/fabric.ts';
import type { Result } from '../model/result.ts';
import { fabricFormats, forwardingFormats, nodeFormats, tableFormats, traceFormats } from './catalogue.ts';
import { readFabric, readForwarding, readGiven, readNodeShape, readTable, readTrace } from './readers.ts';
import {
  fabricSamples,
  forwardingSamples,
  givenSamples,
  nodeSamples,
  tableSamples,
  traceSamples,
} from './testing/samples.ts';

/**
 * A thing that no version of a format has, in its small file: a part of the file, and what stands in its place. Every reader warns of it or refuses it; none is
 * silent. What stands in comments, and what a tool prints for people, is no part of a format.
 */
type Unknown = readonly (readonly [piece: string, instead: string])[];

interface Kind {
  readonly kind: string;
  readonly samples: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  readonly read: (bytes: Uint8Array, format: string) => Result<unknown> | Promise<Result<unknown>>;
  readonly unknown: Readonly<Record<string, Unknown>>;
}

const namesOf = (entries: readonly { readonly name: string }[]): readonly string[] => entries.map(({ name }) => name);

const kinds: readonly Kind[] = [
  {
    kind: 'network',
    samples: fabricSamples,
    names: namesOf(fabricFormats),
    read: (bytes, format) => readFabric(bytes, 'file', format, neverCancelled),
    unknown: {
      ibnetdiscover: [
        ['\nCa\t1', '\nFrob\t1 "X-1"\nCa\t1'],
        ['\nCa\t1', '\nfrobid=0x2c9\nCa\t1'],
        ['4xQDR', '4xFROB'],
      ],
      'ibnetdiscover-p': [
        ['SW  1516', 'frob frob\nSW  1516'],
        ['4x EDR - SW  1516', '4x FROB - SW  1516'],
      ],
      iblinkinfo: [
        ['Switch: 0x0000000000200002', 'Frob: 0x1 x:\nSwitch: 0x0000000000200002'],
        ['7    1[  ] ==( 4X      25.78125 Gbps', '7    1[  ] ==( 7X      25.78125 Gbps'],
      ],
      'omni-path': [
        ['25g;', 'frob;2\n25g;'],
        ['25g;', '25frob;'],
      ],
      scontrol: [['SwitchName=b2 ', 'SwitchName=b2 Frob=1 ']],
      'slurm-tree': [['SwitchName=b2', 'SwitchName=b2 Frob=1']],
      'slurm-block': [
        ['BlockSizes=2', 'BlockSizes=2 Frob=1'],
        ['BlockSizes', 'Frob=1\nBlockSizes'],
      ],
      'slurm-yaml': [['- topology: t\n', '- topology: t\n  frob: 1\n']],
      topograph: [['- switch: b\n', '- switch: b\n  frob: 1\n']],
      kubernetes: [
        ['"nvl1",', '"nvl1", "network.topology.nvidia.com/frob": "x",'],
        ['"items": [', '"items": [ {"kind": "Frob"},'],
      ],
      simgrid: [
        ['<link id', '<frob/><link id'],
        ['<link id', '<link frob="1" id'],
      ],
      netq: [['{"id": "node0",', '{"frob": 1, "id": "node0",']],
      lldp: [['"port": {', '"port": {"frob": 1, ']],
      'flux-r': [
        ['{"rank"', '{"frob": 1, "rank"'],
        ['"nodelist"', '"frob": 1, "nodelist"'],
      ],
      'flux-jgf': [['"metadata": {', '"metadata": {"frob": 1, ']],
      dot: [
        ['speed="100G"', 'speed="100G", frob=1'],
        ['speed="100G"', 'speed="frob"'],
        ['"spine1":"swp1"', '"spine1" [type=frob];\n"spine1":"swp1"'],
        ['"spine1":"swp1"', 'frob=1;\n"spine1":"swp1"'],
      ],
      anynet: [['router 1 node 1', 'router 1 node 1 frob 2']],
      'matrix-market': [['integer', 'frob']],
      csv: [['0,1\n1,0\n', 'from,to,frob\na,b,1\n']],
    },
  },
  {
    kind: 'node',
    samples: nodeSamples,
    names: namesOf(nodeFormats),
    read: (bytes) => readNodeShape(bytes, 'file'),
    unknown: {
      hwloc: [
        ['<object type="Core">', '<frob/><object type="Core">'],
        ['<object type="Core">', '<object frob="1" type="Core">'],
        ['type="Package"', 'type="Frob"'],
      ],
      nccl: [
        ['<gpu dev=', '<frob/><gpu dev='],
        ['<gpu dev=', '<gpu frob="1" dev='],
      ],
      'nvidia-smi': [
        ['PXB', 'FROB'],
        ['GPU NUMA ID', 'FROB'],
        ['\nNIC0\t', '\nFROB\t'],
      ],
    },
  },
  {
    kind: 'forwarding tables',
    samples: forwardingSamples,
    names: namesOf(forwardingFormats),
    read: (bytes) => readForwarding(bytes, 'file', undefined),
    unknown: Object.fromEntries(namesOf(forwardingFormats).map((name) => [name, [['0x0004 ', 'frob\n0x0004 ']]])),
  },
  {
    kind: 'table',
    samples: tableSamples,
    // What a trace sums to is read by the readers of traces.
    names: namesOf(tableFormats).filter((name) => !namesOf(traceFormats).includes(name)),
    read: (bytes, format) => readTable(bytes, 'file', neverCancelled, format),
    unknown: {
      'matrix-market': [['integer', 'frob']],
      npy: [["'shape'", "'frob': 1, 'shape'"]],
      'pml-monitoring': [['# COLL', 'F\t1\t2\t40 bytes\t2 msgs sent\n# COLL']],
      scotch: [['\n1\t2\t7', '\nfrob\n1\t2\t7']],
      metis: [['4 4 1', '4 4 1 1 1']],
      treematch: [['0 1267 2', '0 1267 2 frob']],
      'edge-list': [['messages', 'frob']],
      csv: [['a,0,5,1', 'a,0,5,1,frob']],
    },
  },
  {
    kind: 'trace',
    samples: traceSamples,
    names: namesOf(traceFormats),
    read: (bytes, format) => readTrace([{ name: 'file', chunks: () => [bytes] }], format, {}),
    unknown: {
      workload: [['compute 0.5', 'frob 1 compute 0.5']],
      goal: [
        ['l2: calc 50', 'l3: frob 1\nl2: calc 50'],
        ['tag 3', 'tag 3 frob 2'],
      ],
      simgrid: [
        ['0 compute', '0 frob 1\n0 compute'],
        ['0 send 1 0 8', '0 send 1 0 8 6 frob'],
      ],
      'otf2-print': [
        ['MPI_RECV  7', 'MPI_FROB  0 106  Receiver: 1\nMPI_RECV  7'],
        ['MPI_RECV  7', 'RMA_PUT  0 106  Remote: 1\nMPI_RECV  7'],
        ['Tag: 5', 'Frob: 5, Tag: 5'],
        ['MPI_RECV  7', 'frob\nMPI_RECV  7'],
      ],
      dumpi2ascii: [
        ['MPI_Send', 'MPI_Frob'],
        ['MPI_Send', 'MPI_Ineighbor_alltoallv'],
        ['datatype=9 (MPI_INT)', 'datatype=99 (MPI_FROB)'],
      ],
      vef: [['4 2 2 0', '5 2 2 0 frob\n4 2 2 0']],
      fsin: [['c 1 100', 'f 1 100\nc 1 100']],
      dimemas: [
        ['20:0:0', '99:0:0:1\n20:0:0'],
        ['d:1:2', 'd:7:1\nd:1:2'],
        ['\ns:1', '\nf:1'],
      ],
    },
  },
  {
    kind: 'mapping',
    samples: givenSamples,
    names: Object.keys(givenSamples),
    read: (bytes) => readGiven(bytes, 'file', neverCancelled),
    unknown: {
      vector: [['3 0', 'frob\n3 0']],
      rankfile: [['slot=0:1', 'slot=0:1 frob=1']],
      hydra: [['n1:2 binding', 'n1:2 frob=1 binding']],
      slurm: [['n03', 'n03 frob=1']],
      flux: [['"version":1', '"version":1,"frob":1']],
      cray: [['0,3,1', '0,3,1\nfrob']],
      bluegene: [['0 0 0 0', '0 0 0 0 frob']],
      lsf: [['n1 2', 'n1 2 frob']],
      scotch: [['0\t2', '0\t2\tfrob']],
      csv: [['slot,host\n', 'slot,frob\n']],
      json: [['"name":"p"', '"name":"p","frob":1']],
    },
  },
];

const bytesOf = (text: string, format: string): Uint8Array => Buffer.from(text, format === 'npy' ? 'latin1' : 'utf8');

/** What a reader says of a file: its warnings, or why it refuses it. */
function saidOf(result: Result<unknown>): readonly string[] {
  if (!result.ok) return [result.failure.message];
  const { warnings = [] } = result.value as { readonly warnings?: readonly (string | FabricWarning)[] };
  return warnings.map((warning) =>
    typeof warning === 'string' ? warning : `${warning.line ?? ''}: ${warning.message}`,
  );
}

describe.each(kinds)('files of the kind $kind', ({ samples, names, read, unknown }) => {
  it('have something unknown for each format', () => {
    expect(Object.keys(unknown).sort()).toEqual([...names].sort());
  });

  const things = names.flatMap((name) =>
    (unknown[name] ?? []).map(([piece, instead]) => [name, piece, instead] as const),
  );
  it.each(things)('%s: %j became %j', async (name, piece, instead) => {
    const sample = samples[name] ?? '';
    const before = saidOf(await read(bytesOf(sample, name), name));
    const after = saidOf(
      await read(
        bytesOf(
          sample.replace(piece, () => instead),
          name,
        ),
        name,
      ),
    );
    expect(sample).toContain(piece);
    expect(after.filter((sentence) => !before.includes(sentence))).not.toEqual([]);
  });
});

it('are warnings with a number and the first line, a name each', async () => {
  const said: string[] = [];
  for (const { kind, samples, names, read, unknown } of kinds) {
    for (const name of names) {
      const sample = samples[name] ?? '';
      const known = saidOf(await read(bytesOf(sample, name), name));
      for (const [piece, instead] of unknown[name] ?? []) {
        const text = sample.replaceAll(piece, () => instead);
        const result = await read(bytesOf(text, name), name);
        const words = result.ok ? saidOf(result).filter((word) => !known.includes(word)) : [];
        said.push(...words.map((word) => `${kind} ${name} ${word}`));
      }
    }
  }
  expect(said).toMatchInlineSnapshot(`
    [
      "network ibnetdiscover 5: 1 line without a record or a port, from this line on: skipped.",
      "network ibnetdiscover 5: 1 line without a record or a port, from this line on: skipped.",
      "network ibnetdiscover : Links with unknown speed (2 with 4xFROB) use the bandwidth of the machine.",
      "network ibnetdiscover-p : Links with unknown speed (1 with 4xFROB) use the bandwidth of the machine.",
      "network iblinkinfo : Links have different widths or speeds (1 with 7xEDR, 1 with 4xFDR, 1 with 4xEDR). Each keeps its own.",
      "network omni-path : Links with unknown speed (1 with 25frob) use the bandwidth of the machine.",
      "network slurm-yaml 2: Unknown member 'frob', 1 time: not read.",
      "network topograph 7: Unknown member 'frob', 1 time: not read.",
      "network kubernetes 5: Unknown label 'network.topology.nvidia.com/frob', 1 time: not read.",
      "network kubernetes 3: Object of kind 'Frob', 1 time: not read.",
      "network simgrid 7: Unknown element <frob>, 1 time: not read.",
      "network simgrid 7: Unknown attribute \`frob\` of <link>, 1 time: not read.",
      "network netq 2: Unknown member 'frob', 1 time: not read.",
      "network lldp 4: Unknown member 'frob', 2 times: not read.",
      "network flux-r 1: Unknown member 'frob', 1 time: not read.",
      "network flux-r 1: Unknown member 'frob', 1 time: not read.",
      "network flux-jgf 2: Unknown member 'frob', 3 times: not read.",
      "network dot 5: Unknown attribute 'frob', 1 time: not read.",
      "network dot 5: Invalid speed 'frob' (example: \`25G\` for Gbit/s), 1 time: not read.",
      "network dot 4: Unknown kind of device 'frob', 1 time: not read.",
      "network dot 5: 5 devices of unknown kind (switch or host): inferred from ports, names and neighbours ('spine1' a switch, 'leaf1' a switch, 'leaf2' a switch, 'n1' a host …).",
      "network dot 4: Unknown attribute 'frob', 1 time: not read.",
      "network csv 1: Skipped columns: 'frob'.",
      "node hwloc 3: Unknown element <frob>, 2 times: not read.",
      "node hwloc 3: Unknown attribute \`frob\` of <object>, 2 times: not read.",
      "node hwloc : The file lists no package. The machine counts as one socket.",
      "node hwloc 3: Objects of the unknown type 'Frob', 1 time: not read.",
      "node nccl 4: Unknown element <frob>, 2 times: not read.",
      "node nccl 4: Unknown attribute \`frob\` of <gpu>, 2 times: not read.",
      "node nvidia-smi 1: Skipped columns: 'FROB'.",
      "table edge-list Only the columns 'from', 'to' and 'bytes' are read. Skipped: 'frob'.",
      "trace simgrid Extra words after \`send\`, 1 time, first in file:4: not read.",
      "trace otf2-print Unknown event \`MPI_FROB\`, 1 time, first in file:5: not read.",
      "trace otf2-print Unknown event \`RMA_PUT\`, 1 time, first in file:5: not read.",
      "trace otf2-print Line without an event, 1 time, first in file:5: not read.",
      "trace dumpi2ascii Unknown call \`MPI_Frob\`, 1 time, first in file:18: not read.",
      "trace dumpi2ascii The trace does not give the size of datatype MPI_FROB. Its elements count as one byte.",
      "trace dumpi2ascii 1 message is never received. First: 4 bytes with tag 17 from task 0 to task 1, sent and not received.",
      "trace dimemas Unknown record \`99\`, 1 time, first in file:10: not read.",
      "trace dimemas Unknown definition \`d:7\`, 1 time, first in file:3: not read.",
      "mapping hydra 1: Unknown key 'frob' of a host, 1 time: not read.",
      "mapping slurm 2: Unknown key 'frob' of a host, 1 time: not read.",
      "mapping flux 1: Unknown member 'frob', 1 time: not read.",
      "mapping csv 1: Skipped columns: 'frob'.",
      "mapping json 1: Unknown member 'frob', 1 time: not read.",
    ]
  `);
});
