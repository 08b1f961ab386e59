import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readFabric, readNodeShape } from '../../server/interchange/readers.ts';
import type { Fabric } from '../../server/model/fabric.ts';
import { countInfiniband, countObjects, countSlurmBlocks, countSlurmTree } from './fabricReading.ts';
import { sharedFolder, unpack } from './shared.ts';

const topologies = join(sharedFolder(), 'data', 'topo');
const simulated = join(sharedFolder(), 'recipes', 'clients', 'ib');

const filesOf = (folder: string): string[] => readdirSync(join(topologies, folder)).sort();

/** Switches, hosts, cables; what the warnings speak of; or why the file is refused. */
type Expected = readonly [switches: number, hosts: number, cables: number, ...warnings: RegExp[]] | RegExp;

/** Every file of these folders, read or refused. */
const table: Readonly<Record<string, Readonly<Record<string, Expected>>>> = {
  infiniband: {
    'ibsim-net': [2, 2, 2],
    'ibsim-net.1': [1, 2, 0],
    'ibsim-net.2sw2path': [2, 2, 2],
    'ibsim-net.2sw2path4hca': [2, 4, 2],
    'ibsim-net.2sw2path4hca2port': [2, 2, 2],
    'jabl-1.topo': [
      2,
      4,
      2,
      /NICs \(3 hosts with 1, 1 host with 2\)/,
      /named by id: 4\. .*'MT23108 .* contain no host name/,
    ],
    'jabl-2.topo': [1, 2, 0],
    'jabl-4.topo': [1, 1, 0],
    'jabl-notes.rst': /Unknown network format/,
    'psmn-X5.1.dot': [11, 89, 24],
    'psmn-X5.map': /Unknown network format/,
    'psmn-X5.spine': /Unknown network format/,
    'psmn-X5.topofile': [
      11,
      89,
      70,
      /136 with 4xQDR, 23 with 4xDDR/,
      /named by id: 89\. .*'MT25408 .* contain no host name/,
    ],
    'psmn-X5.topology.conf': /:6: Switch 'S-0002c90200417670' is below 'S-0008f10500108c5c' and below .* not a tree/,
    'topograph-bad.ibnetdiscover': /:10: .*no switch after 'H-b8e92403009ca838': it may be truncated/,
    'topograph-netq-topologyGraph.json': [3, 8, 47, /8 devices of unknown kind .*'dgx-04' a host/],
    'treydock-ibnetdiscover-p.1.out': [4, 3, 1, /1 device without a record/],
    'treydock-ibnetdiscover-p.2.out': [
      5,
      1,
      0,
      /already linked to port 81 /,
      /1 device without/,
      /1 adapter for SHARP/,
    ],
    'treydock-ibnetdiscover-p.3.out': [1, 0, 0],
  },
  scontrol: { 'leonardo.scontrol-show-topology.txt': [418, 5024, 417] },
  slurm: {
    'azure-block_topology.txt': [5, 72, 4, /between-blocks/],
    'azure-nodes_guids.txt': /Unknown network format/,
    'azure-slurm_illegal_block_topology.txt': /:4: .*comments\. Remove the #/,
    'azure-slurm_illegal_block_topology_2.txt': [4, 54, 3, /between-blocks/],
    'azure-slurm_topology.txt': [6, 16, 5],
    'azure-topology.txt': /:26: Switch 'ibsw47' is below 'ibsw26' and below 'ibsw14' \(line 14\)/,
    'slurm-check-block.topology.conf': [9, 32, 8, /between-blocks/],
    'slurm-test133-case1.topology.conf': [529, 10_000, 528],
    'slurm-test133-case2.topology.conf': [528, 10_000, 527],
    'slurm-test133-case3.topology.conf': [23, 400, 22],
    'slurm-test133-case4.topology.conf': [22, 400, 20],
    'slurm-test133-case5.topology.conf': [22, 400, 20],
    'slurm-test133-case6.topology.conf': [7, 40, 4],
    'topograph-dra-block.conf': [13, 96, 12, /between-blocks/],
    'topograph-model-dual-xclr-irregular.yaml': [34, 255, 33],
    'topograph-model-medium.yaml': [7, 8, 6],
    'topograph-model-nvl72.yaml': [7, 72, 6],
    'topograph-oci-sim-tree.conf': [19, 96, 18],
  },
  simgrid: {
    'cluster_backbone.xml': [1, 100, 0, /1 cluster with a backbone/],
    'cluster_dragonfly.xml': [
      60,
      120,
      213,
      /^Dragonflies: 1\./,
      /^Unknown attribute `limiter_link` of <cluster>, 1 time/,
    ],
    'cluster_fat_tree.xml': [6, 16, 16, /^SimGrid orders parallel links of the fat tree/],
    'cluster_multi.xml': [
      4,
      24,
      3,
      /^1 link shared by several routes/,
      /^2 clusters with a backbone/,
      /policy SHARED.*: 1\./,
      /2, 4 cores/,
    ],
    'cluster_torus.xml': [12, 12, 36],
    'g5k.xml': [90, 1528, 114, /^28 links shared by several routes/, /^40 clusters with a backbone/],
    'griffon.xml': [
      4,
      92,
      3,
      /^1 link shared by several routes/,
      /^3 clusters with a backbone/,
      /policy SHARED.*: 1\./,
    ],
  },
  flux: {
    'rv1.json': [1, 1, 0, /containers of nodes, not their links/],
    'tiny.jgf.json': [2, 2, 1, /containers of nodes, not their links/],
  },
  opa: {
    'linksum_swd06.csv': [18, 0, 288],
  },
  nccl: {
    'aws-g5.48xl-topo.xml': /Write `node from "FILE"` instead/,
    'aws-p4d-24xl-topo.xml': /Write `node from "FILE"` instead/,
    'aws-p4de-24xl-topo.xml': /Write `node from "FILE"` instead/,
    'azhpc-ncv4-graph.xml': /Write `node from "FILE"` instead/,
    'azhpc-ncv4-topo.xml': /Write `node from "FILE"` instead/,
    'azhpc-ndv4-topo.xml': /Write `node from "FILE"` instead/,
    'azhpc-ndv5-topo.xml': /Write `node from "FILE"` instead/,
  },
  sst: {
    'astra-FullyConnected.yml': /simulator configuration with network parameters/,
    'astra-Ring.yml': /simulator configuration with network parameters/,
    'astra-Ring_FullyConnected_Switch.yml': /simulator configuration with network parameters/,
    'astra-Switch.yml': /simulator configuration with network parameters/,
    'ember-loadfile': /Unknown network format/,
    'ember-qos.load': /Unknown kind of JSON/,
    'merlin-anytopo-README.md': /Unknown network format/,
  },
  'topozoo-sample': {
    'Abilene.graphml': /GraphML is not read/,
    'Geant2012.graphml': /GraphML is not read/,
  },
  tracer: {
    'dfly.conf': /simulator configuration with network parameters/,
    'fattree.conf': /simulator configuration with network parameters/,
    'hypreX_expressMesh.conf': /simulator configuration with network parameters/,
    'stencil4d-global_map.bin': /The file is binary, not text/,
    'stencil4d-job0': /The file is binary, not text/,
    'stencil4d-job1': /The file is binary, not text/,
    'stencil4d-tracer_config': /Unknown network format/,
    'torus.conf': /simulator configuration with network parameters/,
  },
  boxfish: {
    LICENSE: /Unknown network format/,
    'bgpc_links.yaml.xz': /compressed with xz\. Unpack it first/,
    'bgpc_map.yaml': /Unknown network format/,
    'bgpc_meta.yaml': /Unknown network format/,
    'bgpc_nodes.yaml.xz': /compressed with xz\. Unpack it first/,
    'bgq_synthetic_links.yaml.xz': /compressed with xz\. Unpack it first/,
    'bgq_synthetic_meta.yaml': /Unknown network format/,
    'collex_communicator_map.yaml': /Unknown network format/,
    'collex_communicators.yaml': /Unknown network format/,
    'collex_links.yaml.xz': /compressed with xz\. Unpack it first/,
    'collex_map.yaml': /Unknown network format/,
    'collex_meta.yaml': /Unknown network format/,
    'collex_nodes.yaml.xz': /compressed with xz\. Unpack it first/,
  },
  cray: {
    'codes-dfdally-72-inter': /The file is binary, not text/,
    'codes-dfdally-72-intra': /The file is binary, not text/,
    'codes-dfdally_72.conf': /simulator configuration with network parameters/,
    'codes-dfdally_72.yaml': /simulator configuration with network parameters/,
    'codes-inter-theta.bin.xz': /compressed with xz\. Unpack it first/,
    'codes-intra-theta.bin.xz': /compressed with xz\. Unpack it first/,
    'codes-modelnet-theta.conf': /simulator configuration with network parameters/,
    'links-edison.txt.xz': /compressed with xz\. Unpack it first/,
    'sstmacro-cascade_intragroup.txt.xz': /compressed with xz\. Unpack it first/,
    'sstmacro-edison_intergroup.txt.xz': /compressed with xz\. Unpack it first/,
    'sstmacro-edison_intragroup.txt.xz': /compressed with xz\. Unpack it first/,
    'sstmacro-fullmap.txt': /:2: Column 1: Invalid number of cables 'nid0000'/,
    'sstmacro-hopper_nodemap.txt': /:2: The row has 5 values, but the first row has 2/,
    'theta.interconnect.xz': /compressed with xz\. Unpack it first/,
  },
  'kisti-nurion': {
    LICENSE: /Unknown network format/,
    'leaf_edge_node.list': /Unknown network format/,
    'p3dfft-out.4096.8430966.pbs.xz': /compressed with xz\. Unpack it first/,
    'p3dfft-out.host.4096.8430966.pbs.xz': /compressed with xz\. Unpack it first/,
    'p3dfft-out.host.4096.8430968.pbs.xz': /compressed with xz\. Unpack it first/,
    'poisson-out.hilbert.4096.8047991.pbs.xz': /compressed with xz\. Unpack it first/,
    'poisson-out.host.4096.8047991.pbs.xz': /compressed with xz\. Unpack it first/,
  },
  booksim: {
    README: /Unknown network format/,
    anynet_config: /simulator configuration with network parameters/,
    anynet_file: [3, 9, 3],
    cmeshconfig: /simulator configuration with network parameters/,
    dragonflyconfig: /simulator configuration with network parameters/,
    fattree_config: /simulator configuration with network parameters/,
  },
};

const read = (path: string): ReturnType<typeof readFabric> =>
  readFabric(readFileSync(path), path.slice(path.lastIndexOf('/') + 1), undefined);

async function fabricOf(path: string): Promise<Fabric> {
  const result = await read(path);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

const countsOf = ({ routers, nodes, cables }: Fabric): { switches: number; hosts: number; cables: number } => ({
  switches: routers.length,
  hosts: nodes.length,
  cables: cables.length,
});

const cases = Object.entries(table).flatMap(([folder, files]) =>
  Object.entries(files).map(([file, expected]): [string, string, Expected] => [folder, file, expected]),
);

describe('networks of other tools', () => {
  it.each(Object.keys(table))('of %s are all in the table', (folder) => {
    // Two files of the catalogue of shared data that not every copy of it holds.
    const missing = filesOf(folder).filter((file) => table[folder]?.[file] === undefined);
    expect(missing.filter((file) => !/gb200|jabl-3/.test(file))).toEqual([]);
  });

  it('has all folders, besides that of nodes', () => {
    const folders = readdirSync(topologies).filter((folder) => folder !== 'hwloc');
    expect(folders.filter((folder) => table[folder] === undefined)).toEqual([]);
  });

  const packed = cases.filter(([, file]) => file.endsWith('.xz') && !file.endsWith('.bin.xz'));
  it.each(packed)('%s/%s is no network when it is unpacked, and is told so', async (folder, file) => {
    const text = unpack(join(topologies, folder, file));
    const result = await readFabric(new TextEncoder().encode(text), 'file', undefined);
    expect(result.ok ? 'was read' : result.failure.message).toMatch(/^file(?::\d+)?: /);
  });

  it.each(cases)('%s/%s', async (folder, file, expected) => {
    const result = await read(join(topologies, folder, file));
    if (expected instanceof RegExp) {
      expect(result.ok ? 'was read' : result.failure).toMatchObject({
        code: 'bad-fabric',
        message: expect.stringMatching(expected) as string,
      });
      return;
    }
    const [switches, hosts, cables, ...warnings] = expected;
    if (!result.ok) throw new Error(result.failure.message);
    expect(countsOf(result.value)).toEqual({ switches, hosts, cables });
    expect(result.value.warnings.map(({ message }) => message)).toEqual(
      warnings.map((warning) => expect.stringMatching(warning) as string),
    );
  });

  const readings: [string, RegExp, typeof countSlurmTree][] = [
    ['infiniband', /^(?:ibsim-net|jabl-\d|psmn-X5\.topofile)/, countInfiniband],
    ['slurm', /case[123]\.|oci-sim|azure-slurm_topology/, countSlurmTree],
    ['slurm', /block/, countSlurmBlocks],
  ];
  const counted = readings.flatMap(([folder, names, count]) =>
    filesOf(folder)
      .filter((file) => names.test(file) && !(table[folder]?.[file] instanceof RegExp))
      .map((file): [string, string, typeof countSlurmTree] => [folder, file, count]),
  );
  it('are counted a second time', () => {
    expect(counted.length).toBeGreaterThanOrEqual(16);
  });
  it.each(counted)('%s/%s agrees with a plain count', async (folder, file, count) => {
    const path = join(topologies, folder, file);
    expect(countsOf(await fabricOf(path))).toEqual(count(readFileSync(path, 'utf8')));
  });

  afterAll(async () => {
    for (const [folder, file] of cases) process.stdout.write(`${folder}/${file}: ${await summaryOf(folder, file)}\n`);
  });
});

async function summaryOf(folder: string, file: string): Promise<string> {
  const result = await read(join(topologies, folder, file));
  if (!result.ok) return `refused: ${result.failure.message}`;
  const { switches, hosts, cables } = countsOf(result.value);
  return `${result.value.format}, switches ${switches}, hosts ${hosts}, cables ${cables}, warnings ${result.value.warnings.length}`;
}

/** Cables and hosts by names, whatever the order of the file. */
function namesOf({ routers, nodes, cables }: Fabric): { cables: string[]; hosts: string[] } {
  return {
    cables: cables.map(({ from, to }) => [routers[from], routers[to]].sort().join(' ')).sort(),
    hosts: nodes.map(({ name, router }) => `${name} ${routers[router] ?? '?'}`).sort(),
  };
}

describe('one fabric, as it was simulated and as ibnetdiscover saw it', () => {
  const fabrics: [string, string, number, number, number][] = [
    ['irr16.net', 'out-irr16-updn', 16, 64, 24],
    ['torus4x4.net', 'out-torus4x4-dor', 16, 16, 32],
    ['fattree.net', 'out-fattree-ftree', 8, 16, 16],
  ];
  it.each(fabrics)('%s', async (net, output, switches, hosts, cables) => {
    const given = await fabricOf(join(simulated, net));
    expect(countsOf(given)).toEqual({ switches, hosts, cables });
    for (const file of ['ibnetdiscover.txt', 'ibnetdiscover-p.txt', 'iblinkinfo.txt']) {
      const seen = await fabricOf(join(simulated, output, file));
      expect(namesOf(seen)).toEqual(namesOf(given));
      expect(seen.warnings).toEqual([]);
    }
  });
});

/** GPUs, NICs, and how many pairs of them reach each other in which way; none in the files that are not here. */
const deviceTable: Readonly<Record<string, readonly [number, number, string]>> = {
  'flux-sched-001N_amd_gpu_corona11': [4, 1, 'SYS 10'],
  'flux-sched-001N_multi_gpu_types_chimera': [2, 3, 'PHB 3, PIX 3, SYS 4'],
  'flux-sched-004N_exclusive_04-brokers-sierra_0': [4, 4, 'NODE 8, PIX 4, SYS 16'],
  'flux-sched-064N_exclusive_64-brokers_0': [0, 1, ''],
  'hwloc-24em64t-2n6c2t-pci': [3, 1, 'PHB 2, SYS 4'],
  'hwloc-40intel64-2g2n4c+pcilocality': [0, 1, ''],
  'hwloc-cxlmem+dax.v2': [0, 1, ''],
  'hwloc-cxlmem+dax.v3': [0, 1, ''],
  'hwloc-nvidiaDGX2': [16, 0, 'NV6 120'],
  'hwloc-power8gpudistances': [4, 0, 'NV2 2, SYS 4'],
};

const noLinks = /lists no NVLink or Infinity Fabric between its \d GPUs/;

/** Sockets, cores of each, NUMA nodes. */
const nodeTable: Readonly<Record<string, readonly [number, number, number, ...RegExp[]]>> = {
  'flux-sched-001N_amd_gpu_corona11': [2, 24, 8, noLinks],
  'flux-sched-001N_multi_gpu_types_chimera': [1, 32, 4, noLinks],
  'flux-sched-004N_exclusive_04-brokers-sierra_0': [2, 16, 2, /NUMA nodes without cores .*: 4;/, noLinks],
  'flux-sched-064N_exclusive_64-brokers_0': [2, 8, 2],
  'hwloc-16-2gr2gr2n2c+misc': [1, 16, 8, /lists no package/],
  'hwloc-16amd64-4distances': [8, 2, 8],
  'hwloc-24em64t-2n6c2t-pci': [2, 6, 2, noLinks],
  'hwloc-32em64t-2n8c2t-pci-noio': [2, 8, 2],
  'hwloc-40intel64-2g2n4c+pcilocality': [4, 10, 4],
  'hwloc-64intel64-heteromem': [1, 16, 8],
  'hwloc-8intel64-4n2t-memattrs': [1, 8, 4, /lists no package/, /lists no core/],
  'hwloc-AMD-19h-Zen3-2xEpyc-7763': [2, 64, 1],
  'hwloc-Intel-KnightsLanding-XeonPhi-7210': [1, 64, 1],
  'hwloc-Intel-SapphireRapids-2xXeonMax9460': [2, 40, 1],
  'hwloc-cxlmem+dax.v2': [1, 4, 1],
  'hwloc-cxlmem+dax.v3': [1, 4, 1],
  'hwloc-fakecpukinds': [1, 2, 1, /^Cores of \d kinds/],
  'hwloc-fakeheterodistances': [4, 2, 8, /lists no core/],
  'hwloc-memorysidecaches': [2, 20, 4],
  'hwloc-nvidia-dgx-gb10': [1, 20, 1, /^Cores of \d kinds/],
  'hwloc-nvidiaDGX2': [2, 2, 2],
  'hwloc-power8gpudistances': [2, 4, 2],
};

/** Sockets, cores of each, NUMA nodes, GPUs, NICs; or why the file is refused. */
const acceleratorTable: Readonly<Record<string, readonly [number, number, number, number, number] | RegExp>> = {
  'aws-g5.48xl-topo.xml': [2, 0, 2, 0, 0],
  'aws-p4d-24xl-topo.xml': [2, 48, 2, 8, 4],
  'aws-p4de-24xl-topo.xml': [2, 48, 2, 8, 4],
  'azhpc-ncv4-graph.xml': /:1: This is the NCCL graph of rings and trees/,
  'azhpc-ncv4-topo.xml': [4, 24, 4, 4, 0],
  'azhpc-ndv4-topo.xml': [4, 24, 4, 8, 8],
  'azhpc-ndv5-topo.xml': [2, 48, 2, 8, 8],
};

describe('insides of nodes, as NCCL saw them', () => {
  it.each(filesOf('nccl').map((file): [string] => [file]))('%s', async (file) => {
    const result = await readNodeShape(readFileSync(join(topologies, 'nccl', file)), file);
    const expected = acceleratorTable[file];
    if (expected instanceof RegExp) {
      expect(result.ok ? 'was read' : result.failure.message).toMatch(expected);
      return;
    }
    if (!result.ok) throw new Error(result.failure.message);
    const { coresOfSockets, coresUnknown, numaNodes, devices = [] } = result.value;
    const gpus = devices.filter(({ kind }) => kind === 'gpu').length;
    if (coresOfSockets[0] === 0) expect(coresUnknown).toMatch(/:13: The <cpu> has no `affinity`/);
    expect(new Set(coresOfSockets).size).toBe(1);
    expect([coresOfSockets.length, coresOfSockets[0], numaNodes, gpus, devices.length - gpus]).toEqual(expected);
  });
});

describe('insides of nodes, as hwloc saw them', () => {
  const files = filesOf('hwloc').map((file): [string] => [file.replace(/\.xml\.xz$/, '')]);
  it.each(files)('%s', async (name) => {
    const xml = unpack(join(topologies, 'hwloc', `${name}.xml.xz`));
    const result = await readNodeShape(new TextEncoder().encode(xml), name);
    if (!result.ok) throw new Error(result.failure.message);
    const { coresOfSockets, numaNodes, warnings, devices = [], paths = [] } = result.value;
    const gpus = devices.filter(({ kind }) => kind === 'gpu').length;
    const kinds = paths.map(({ kind, links = '' }) => `${kind}${links}`).toSorted();
    const ways = Array.from(new Set(kinds), (kind) => `${kind} ${kinds.filter((own) => own === kind).length}`);
    expect([gpus, devices.length - gpus, ways.join(', ')]).toEqual(deviceTable[name] ?? [0, 0, '']);
    const sockets = coresOfSockets.length;
    const [...expected] = nodeTable[name] ?? [];
    expect([sockets, Math.min(...coresOfSockets), numaNodes]).toEqual(expected.slice(0, 3));
    expect(warnings.map(({ message }) => message)).toEqual(
      expected.slice(3).map((warning) => expect.stringMatching(warning as RegExp) as string),
    );
    const packages = countObjects(xml, 'Package') + countObjects(xml, 'Socket');
    const cores = countObjects(xml, 'Core') || countObjects(xml, 'PU');
    expect(sockets).toBe(Math.max(1, packages));
    expect(coresOfSockets.reduce((sum, own) => sum + own, 0)).toBe(cores);
  });

  it('are not read while they are compressed', async () => {
    const path = join(topologies, 'hwloc', 'hwloc-fakecpukinds.xml.xz');
    const result = await readNodeShape(readFileSync(path), 'node.xml.xz');
    expect(!result.ok && result.failure.message).toMatch(/^node\.xml\.xz: .*xz\. Unpack it first \(`unxz`\)/);
  });
});
