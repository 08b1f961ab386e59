/** A small file of each format of networks and of insides of nodes, in the order of the catalogues. */
export const fabricSamples: Readonly<Record<string, string>> = {
  ibnetdiscover:
    'Switch\t8 "S-1"\t# "a" base\n[1]\t"H-2"[1](3)\t# "n1 HCA-1" lid 3 4xQDR\n[2]\t"S-3"[1]\t# "b" lid 3 4xQDR\n\nCa\t1 "H-2"\t# "n1 HCA-1"\n[1](3)\t"S-1"[1]\t# lid 3 lmc 0 "a" lid 3 4xQDR\n',
  'ibnetdiscover-p': [
    "SW  1719  1 0x7cfe9003009ce5b0 4x EDR - SW  1516  1 0x7cfe900300b07320 ( 'a' - 'b' )",
    "SW  1719  2 0x7cfe9003009ce5b0 4x EDR - CA   134  1 0x7cfe9003003b4bde ( 'a' - 'n1 HCA-1' )",
    "CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719  2 0x7cfe9003009ce5b0 ( 'n1 HCA-1' - 'a' )",
    "SW  1516  1 0x7cfe900300b07320 4x EDR - SW  1719  1 0x7cfe9003009ce5b0 ( 'b' - 'a' )",
    '',
  ].join('\n'),
  iblinkinfo: `CA: n01 mlx5_0:
      0x0000000000100003      7    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    1[  ] "leaf1" ( )
CA: n02 mlx5_0:
      0x0000000000100005      8    1[  ] ==( 4X      14.0625 Gbps Active/  LinkUp)==>       2    2[  ] "leaf1" ( )
Switch: 0x0000000000200001 leaf1:
           2    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       7    1[  ] "n01 mlx5_0" ( )
           2    2[  ] ==( 4X      14.0625 Gbps Active/  LinkUp)==>       8    1[  ] "n02 mlx5_0" ( )
           2    3[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       3    1[  ] "spine" ( )
           2    4[  ] ==(                Down/ Polling)==>             [  ] "" ( )
Switch: 0x0000000000200002 spine:
           3    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    3[  ] "leaf1" ( )
`,
  'omni-path': `100g;10240;1;;;;01;SW;core1 S201A;48;SW;edge L101A
100g;10240;1;;;;02;SW;core1 S201A;47;SW;edge L101A
100g;10240;1;;;;1;FI;n01 hfi1_0;3;SW;edge L101A
25g;10240;1;;;;1;FI;n02 hfi1_0;4;SW;edge L101A
`,
  scontrol:
    'SwitchName=a Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=b[1-2]\nSwitchName=b1 Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=b2 Level=0 LinkSpeed=1\n',
  'slurm-tree': 'SwitchName=a Switches=b[1-2]\nSwitchName=b1 Nodes=n[1-2]\nSwitchName=b2\n',
  'slurm-block': 'BlockName=a Nodes=n[1-2]\nBlockSizes=2\n',
  'slurm-yaml': '- topology: t\n  tree:\n    switches:\n      - switch: a\n        nodes: n[1-2]\n',
  topograph: 'switches:\n  a:\n    switches:\n    - b\nblocks:\n- switch: b\n  nodes: [n1]\n',
  kubernetes: `{
  "kind": "List",
  "items": [
    {"kind": "Node", "metadata": {"name": "n1", "labels": {
      "network.topology.nvidia.com/accelerator": "nvl1",
      "network.topology.nvidia.com/block": "s1",
      "network.topology.nvidia.com/spine": "s3"}}},
    {"kind": "Node", "metadata": {"name": "n2", "labels": {
      "network.topology.nvidia.com/block": "s2",
      "network.topology.nvidia.com/spine": "s3"}}}
  ]
}
`,
  simgrid: `<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="a" prefix="a-" radical="0-3" suffix="" speed="1Gf" bw="125MBps" lat="50us"/>
    <cluster id="b" prefix="b-" radical="1,3" suffix="" speed="1Gf" bw="1.25E9Bps" lat="1.0E-6s"/>
    <link id="l" bandwidth="10Gbps" latency="1us"/>
    <zoneRoute src="a" dst="b" gw_src="a-a_router" gw_dst="b-b_router">
      <link_ctn id="l"/>
    </zoneRoute>
  </zone>
</platform>
`,
  netq: `[{"nodes": [{"id": "tier-1", "compounded_nodes": [
  {"id": "node0", "name": "leaf1", "device_type": "switch"},
  {"id": "node1", "name": "leaf2", "device_type": "switch"},
  {"id": "node2", "name": "n1", "device_type": "host"}]}],
 "links": [{"id": "node0-*-node1", "compounded_links": [
  {"id": "a", "interfaces": [{"node": "node0", "interface": "swp1"}, {"node": "node1", "interface": "swp1"}]},
  {"id": "b", "interfaces": [{"node": "node2", "interface": "eth0"}, {"node": "node1", "interface": "swp2"}]}]}]}]
`,
  lldp: `{"local-chassis": {"chassis": {"leaf1": {"capability": [{"type": "Bridge", "enabled": true}]}}}}
{"lldp": {"interface": [
  {"swp1": {"chassis": {"n01": {"id": {"type": "mac", "value": "bb"}, "capability": {"type": "Station", "enabled": true}}},
            "port": {"id": {"type": "ifname", "value": "eth0"}}}},
  {"swp2": {"chassis": {"spine1": {"capability": [{"type": "Bridge", "enabled": true}]}},
            "port": {"id": {"type": "ifname", "value": "swp7"}}}}]}}
`,
  'flux-r':
    '{"version": 1, "execution": {"R_lite": [{"rank": "0-1", "children": {"core": "0-3"}}], "nodelist": ["n[1-2]"]}}\n',
  'flux-jgf': `{"graph": {"nodes": [
  {"id": "0", "metadata": {"type": "rack", "name": "rack0", "paths": {"containment": "/c0/rack0"}}},
  {"id": "1", "metadata": {"type": "node", "name": "n0", "paths": {"containment": "/c0/rack0/n0"}}},
  {"id": "2", "metadata": {"type": "node", "name": "n1", "paths": {"containment": "/c0/rack1/n1"}}}], "edges": []}}
`,
  dot: `// drawn by hand
graph G {
  graph [hostidtype="hostname", version="1:0"];
  "spine1":"swp1" -- "leaf1":"swp31";
  "spine1":"swp2" -- "leaf2":"swp31" [speed="100G"];
  "leaf1":"swp1" -- "n1":"eth0" [speed="25G"];
  "leaf2":"swp1" -- "n2":"eth0";
}
`,
  anynet: 'router 0 node 0 router 1 5\nrouter 1 node 1\n',
  'matrix-market': '%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 1\n3 2 2\n',
  csv: '0,1\n1,0\n',
};

export const nodeSamples: Readonly<Record<string, string>> = {
  hwloc: `<topology version="2.0">
<object type="Machine" cpuset="0x3" nodeset="0x1">
<object type="Package" nodeset="0x1"><object type="Core"><object type="PU" os_index="0"/></object><object type="Core"><object type="PU" os_index="1"/></object>
<object type="Bridge" bridge_type="0-1"><object type="Bridge" bridge_type="1-1">
<object type="PCIDev" gp_index="7" pci_busid="0000:3b:00.0" pci_type="0302 [10de:1db8] [10de:131d] a1 00"><object type="OSDev" gp_index="9" name="cuda0" osdev_type="5"/></object>
<object type="PCIDev" gp_index="8" pci_busid="0000:3c:00.0" pci_type="0207 [15b3:101b] [15b3:0006] 00"><object type="OSDev" name="mlx5_0" osdev_type="3"/></object>
</object></object></object>
<object type="Bridge" bridge_type="0-1"><object type="PCIDev" gp_index="6" pci_busid="0000:1b:00.0" pci_type="0302 [10de:1db8] [10de:131d] a1 00"/></object>
</object>
<distances2hetero nbobjs="2" kind="25" name="NVLinkBandwidth"><indexes length="17">OSDev:9 PCIDev:6 </indexes><u64values>0 50000 50000 0</u64values></distances2hetero>
</topology>
`,
  nccl: `<system version="1">
  <cpu numaid="0" affinity="0000ffff" arch="x86_64">
    <pci busid="ffff:ff:01.0" class="0x060400" link_speed="16 GT/s" link_width="16">
      <pci busid="0001:00:00.0" class="0x030200"><gpu dev="0" sm="80"><nvlink target="0002:00:00.0" count="12" tclass="0x030200"/></gpu></pci>
      <pci busid="0101:00:00.0" class="0x020700"><nic><net name="mlx5_0" dev="0"/></nic></pci>
    </pci>
  </cpu>
  <cpu numaid="1" affinity="ffff0000" arch="x86_64">
    <pci busid="0002:00:00.0" class="0x030200"><gpu dev="1" sm="80"><nvlink target="0001:00:00.0" count="12" tclass="0x030200"/></gpu></pci>
  </cpu>
</system>
`,
  'nvidia-smi': `\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID
GPU0\t X \tNV12\tPXB\t0-15,32-47\t0\t\tN/A
GPU1\tNV12\t X \tSYS\t16-31,48-63\t1\t\tN/A
NIC0\tPXB\tSYS\t X \t\t\t\t

Legend:

  X    = Self

NIC Legend:

  NIC0: mlx5_0
`,
};

const table = (line: string, ...entries: string[]): string => `${[line, ...entries].join('\n')}\n`;

/** Two switches with LIDs 2 and 4, a host with LID 3 on port 1 of the first. Of both, the other way on port 7. */
export const forwardingSamples: Readonly<Record<string, string>> = {
  'dump-fts': [
    table(
      'Unicast lids [0x0-0x4] of switch DR path slid 0; dlid 0; 0,1 guid 0x000000000000000a (leaf (1)):',
      '  Lid  Out   Destination',
      '       Port     Info ',
      "0x0002 000 : (Switch portguid 0x000000000000000a: 'leaf (1)')",
      "0x0003 001 : (Channel Adapter portguid 0x0000000000000101: 'n01 HCA-1')",
      "0x0004 007 : (Switch portguid 0x000000000000000b: 'leaf2')",
      '3 valid lids dumped ',
    ),
    table(
      'Unicast lids [0x0-0x4] of switch Lid 4 guid 0x000000000000000b (leaf2):',
      '  Lid  Out   Destination',
      '       Port     Info ',
      "0x0002 007 : (Switch portguid 0x000000000000000a: 'leaf (1)')",
      "0x0003 007 : (Channel Adapter portguid 0x0000000000000101: 'n01 HCA-1')",
      "0x0004 000 : (Switch portguid 0x000000000000000b: 'leaf2')",
      '3 valid lids dumped ',
    ),
  ].join(''),
  'opensm-lfts': [
    table(
      "Unicast lids [0-4] of switch Lid 2 guid 0x000000000000000a ('leaf (1)'):",
      "0x0002 000 # Switch portguid 0x000000000000000a: 'leaf (1)'",
      "0x0003 001 # Channel Adapter portguid 0x0000000000000101: 'n01 HCA-1'",
      "0x0004 007 # Switch portguid 0x000000000000000b: 'leaf2'",
      '4 lids dumped',
    ),
    table(
      "Unicast lids [0-4] of switch Lid 4 guid 0x000000000000000b ('leaf2'):",
      "0x0002 007 # Switch portguid 0x000000000000000a: 'leaf (1)'",
      "0x0003 007 # Channel Adapter portguid 0x0000000000000101: 'n01 HCA-1'",
      "0x0004 000 # Switch portguid 0x000000000000000b: 'leaf2'",
      '4 lids dumped',
    ),
  ].join(''),
  'opensm-fdbs': [
    table(
      'dump_ucast_routes: Switch 0x000000000000000a',
      'LID    : Port : Hops : Optimal',
      '0x0001 : UNREACHABLE',
      '0x0002 : 000  : 00   : yes',
      '0x0003 : 001  : 01   : yes',
      '0x0004 : 007  : 01   : No 1 hop path possible via port 7!',
    ),
    table(
      'dump_ucast_routes: Switch 0x000000000000000b',
      'LID    : Port : Hops : Optimal',
      '0x0001 : UNREACHABLE',
      '0x0002 : 007  : 01   : yes',
      '0x0003 : 007  : 02   : yes',
      '0x0004 : 000  : 00   : yes',
    ),
  ].join(''),
};

/** Of tables, but for traces; what is no text has a letter for each byte. */
export const tableSamples: Readonly<Record<string, string>> = {
  'matrix-market': '%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 500\n2 3 7\n3 1 20\n',
  npy: `\x93NUMPY\x01\x00\x76\x00${"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 3), }".padEnd(117)}\n\x00\x05\x01\x07\x00\x02\x09\x03\x00`,
  'pml-monitoring': [
    '# POINT TO POINT',
    'E\t0\t1\t5830912 bytes\t1264 msgs sent\t1,0,832,16,0,416',
    'E\t1\t0\t5824000 bytes\t416 msgs sent\t0,0,0,416',
    'I\t1\t2\t40 bytes\t2 msgs sent\t2,0',
    '# COLLECTIVES',
    'C\t2\t1\t8 bytes\t1 msgs sent',
    '',
  ].join('\n'),
  scotch: '0\n4\t8\n1\t011\n1\t2\t7\t2\t1\t4\n2\t2\t7\t1\t3\t3\n1\t2\t3\t2\t4\t4\n3\t2\t4\t3\t1\t1\n',
  metis: '% weights\n4 4 1\n2 7 3 1\n1 7 4 3\n1 1 4 4\n2 3 3 4\n',
  treematch: '0 1267 2 \n1267 0 1 \n2 1 0 \n',
  'edge-list': 'from,to,bytes,messages\n0,1,500,5\n1,2,7,1\n2,0,20.5,2\n',
  csv: ',a,b,c\na,0,5,1\nb,7,0,2\nc,9,3,0\n',
};

/** A call of a rank as dumpi2ascii writes it, begun at `time`, a quarter of a second long. */
const dumpiCall = (time: number, name: string, ...values: readonly string[]): string => {
  const at = (seconds: number): string => `at walltime ${seconds.toFixed(9)}, cputime 0.1 seconds in thread 0.`;
  return [`MPI_${name} entering ${at(time)}`, ...values, `MPI_${name} returning ${at(time + 0.25)}`, ''].join('\n');
};
const dumpiWorld = 'MPI_Comm comm=2 (MPI_COMM_WORLD)';

/** A small trace of each format; what it sums to is a table as well. */
export const traceSamples: Readonly<Record<string, string>> = {
  workload:
    'workload 1\ntasks 2\ntask 0 { repeat 2 { compute 0.5 send 1 1024 tag 7\nreceive 1 8 } }\ntask 1 { repeat 2 { receive 0 1024 tag 7 send 0 8 } }\n',
  goal: table(
    'num_ranks 2',
    'rank 0 {',
    'l1: send 100b to 1 tag 3',
    'l2: calc 50',
    'l2 requires l1',
    '}',
    'rank 1 {',
    'l1: recv 100b from 0 tag 3',
    'l2: calc 7 cpu 1',
    'l2 irequires l1',
    '}',
  ),
  simgrid: table(
    '0 init',
    '1 init',
    '0 compute 5e8',
    '0 send 1 0 8',
    '1 recv 0 0 8',
    '0 allreduce 8 1',
    '1 allreduce 8 1',
    '0 finalize',
    '1 finalize',
  ),
  'otf2-print': table(
    '=== OTF2-PRINT ===',
    '=== Events ===',
    'ENTER  0  100  Region: "MPI_Send" <4>',
    'MPI_SEND  0  105  Receiver: 1 ("Master thread" <7>), Communicator: "c" <0>, Tag: 5, Length: 64',
    'MPI_RECV  7  120  Sender: 0 ("Master thread" <0>), Communicator: "c" <0>, Tag: 5, Length: 64',
    'MPI_COLLECTIVE_BEGIN  0  130',
    'MPI_COLLECTIVE_END  0  139  Operation: ALLREDUCE, Communicator: "c" <0>, Root: NONE, Sent: 16, Received: 16',
    'MPI_COLLECTIVE_BEGIN  7  130',
    'MPI_COLLECTIVE_END  7  139  Operation: ALLREDUCE, Communicator: "c" <0>, Root: NONE, Sent: 16, Received: 16',
  ),
  dumpi2ascii: [
    dumpiCall(100, 'Init', 'int argc=1'),
    dumpiCall(101, 'Comm_rank', dumpiWorld, 'int rank=0'),
    dumpiCall(102, 'Comm_size', dumpiWorld, 'int size=2'),
    dumpiCall(103, 'Send', 'int count=4', 'MPI_Datatype datatype=9 (MPI_INT)', 'int dest=1', 'int tag=17', dumpiWorld),
    dumpiCall(104, 'Finalize'),
  ].join(''),
  vef: table(
    'VEF3 3 5 1 1 3 0 1000',
    'C0 0 1 2',
    'G0 C0 2 0 100 100 0 50 -1',
    'G0 C0 2 1 100 100 0 50 -1',
    'G0 C0 2 2 100 100 0 50 -1',
    '0 0 1 86 4 2000 -1',
    '1 0 2 10 5 1000 0',
    '2 1 2 20 6 3000 0',
    '3 2 0 30 7 0 G0',
    '4 2 2 0 2 500 2',
  ),
  fsin: table('s 0 1 5 32', 'r 1 0 5 32', 'c 1 100', 's 1 0 6 320', 'r 0 1 6 320'),
  dimemas: table(
    '#DIMEMAS:"cg.prv":1,0000000000000123:3(1,1,1),1',
    'd:1:1:3:0:1:2',
    'd:1:2:2:2:0',
    '1:0:0:0.25',
    '2:0:0:1:100:7:1:0',
    '3:1:0:0:100:7:1:1',
    '3:1:0:0:100:7:1:2',
    '2:1:0:2:0:8:9:1:0',
    '3:2:0:1:8:9:1:0',
    '20:0:0:50000001:1',
    '10:0:0:1:2:2:0:0:64',
    '10:2:0:1:2:2:0:64:0',
    's:1:2:3',
  ),
};

/** Mappings as launchers and other tools write them. */
export const givenSamples: Readonly<Record<string, string>> = {
  vector: '# slots\n3 0 2 1\n',
  rankfile: 'rank 0=n01 slot=0:1\nrank 1=n02 slot=3\nrank 2=n01 slot=1-2\n',
  hydra: 'n1:2 binding=user:1,0\nn0:1 binding=user:0+1\n',
  slurm: 'n[01-02]\nn03\n',
  flux: '{"version":1,"map":[[0,2,2,1],[1,1,1,1]]}',
  cray: '# ranks per node: 2\n0,3,1\n2,4-5\n',
  bluegene: '0 0 0 0\n1 0 0 0\n0 1 1 1\n',
  lsf: 'n1 0,1\nn1 2\nn0 0\n',
  scotch: '3\n0\t2\n1\t0\n2\t1\n',
  csv: 'rank,node,slot,host\n0,3,7,n03\n1,0,0,n00\n',
  json: '{"placements":[{"name":"p","jobs":[{"name":"j","nodes":[0,1],"mapping":[1,0]}]}]}',
};
