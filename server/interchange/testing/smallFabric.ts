/** What `ibnetdiscover` prints of two leaves, two spines and four hosts; one port is down. */
export const ibnetdiscover = `#
# Topology file: generated on Mon Jan 15 10:00:00 2024
#
# Initiated from node 0002c90300000010 port 0002c90300000011

vendid=0x2c9
devid=0xbd36
sysimgguid=0x2c90200000103
switchguid=0x2c90200000100(2c90200000100)
Switch\t36 "S-0002c90200000100"\t\t# "leaf-0" enhanced port 0 lid 1 lmc 0
[1]\t"H-0002c90300000010"[1](2c90300000011) \t\t# "n001 HCA-1" lid 10 4xQDR
[2]\t"H-0002c90300000020"[1](2c90300000021) \t\t# "n002 HCA-1" lid 11 4xQDR
[19]\t"S-0002c90200000300"[1]\t\t# "spine-0" lid 3 4xQDR
[20]\t"S-0002c90200000400"[1]\t\t# "spine-1" lid 4 4xQDR

vendid=0x2c9
devid=0xbd36
sysimgguid=0x2c90200000203
switchguid=0x2c90200000200(2c90200000200)
Switch\t36 "S-0002c90200000200"\t\t# "leaf-1" enhanced port 0 lid 2 lmc 0
[1]\t"H-0002c90300000030"[1](2c90300000031) \t\t# "n003 HCA-1" lid 12 4xQDR
[2]\t"H-0002c90300000040"[1](2c90300000041) \t\t# "n004 HCA-1" lid 13 4xQDR
[19]\t"S-0002c90200000300"[2]\t\t# "spine-0" lid 3 4xQDR
[20]\t"S-0002c90200000400"[2]\t\t# "spine-1" lid 4 4xQDR

vendid=0x2c9
devid=0xbd36
sysimgguid=0x2c90200000303
switchguid=0x2c90200000300(2c90200000300)
Switch\t36 "S-0002c90200000300"\t\t# "spine-0" enhanced port 0 lid 3 lmc 0
[1]\t"S-0002c90200000100"[19]\t\t# "leaf-0" lid 1 4xQDR
[2]\t"S-0002c90200000200"[19]\t\t# "leaf-1" lid 2 4xQDR

vendid=0x2c9
devid=0xbd36
sysimgguid=0x2c90200000403
switchguid=0x2c90200000400(2c90200000400)
Switch\t36 "S-0002c90200000400"\t\t# "spine-1" enhanced port 0 lid 4 lmc 0
[1]\t"S-0002c90200000100"[20]\t\t# "leaf-0" lid 1 4xQDR
[2]\t"S-0002c90200000200"[20]\t\t# "leaf-1" lid 2 4xQDR

${[1, 2, 3, 4]
  .map(
    (host) => `vendid=0x2c9
devid=0x1003
sysimgguid=0x2c903000000${host}3
caguid=0x2c903000000${host}0
Ca\t1 "H-0002c903000000${host}0"\t\t# "n00${host} HCA-1"
[1](2c903000000${host}1) \t"S-0002c90200000${host < 3 ? 1 : 2}00"[${host % 2 === 0 ? 2 : 1}]\t\t# lid ${9 + host} lmc 0 "leaf-${host < 3 ? 0 : 1}" lid ${host < 3 ? 1 : 2} 4xQDR
`,
  )
  .join('\n')}`;

/** The same fabric as Slurm would describe a tree of it. */
export const slurmTree = `SwitchName=leaf-0 Nodes=n00[1-2]
SwitchName=leaf-1 Nodes=n00[3-4]
SwitchName=top Switches=leaf-[0-1]
`;

/** One package of two cores, as \`lstopo --of xml\` writes it. */
export const hwlocNode = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003" allowed_cpuset="0x00000003" nodeset="0x00000001" complete_nodeset="0x00000001" allowed_nodeset="0x00000001" gp_index="1">
    <object type="Package" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="2">
      <object type="NUMANode" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="3" local_memory="8589934592"/>
      <object type="Core" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="4">
        <object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="5"/>
      </object>
      <object type="Core" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="6">
        <object type="PU" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="7"/>
      </object>
    </object>
  </object>
</topology>
`;

/**
 * As OpenSM dumps the forwarding tables of that fabric: through which port each switch sends to LIDs 10 to 13, those of the hosts, over
 * one of the spines or both.
 */
export const forwardingTables = (spines: 1 | 2): string => {
  const up = [19, 18 + spines];
  const ports: Readonly<Record<string, readonly number[]>> = {
    '0002c90200000100': [1, 2, ...up],
    '0002c90200000200': [...up, 1, 2],
    '0002c90200000300': [1, 1, 2, 2],
    '0002c90200000400': [1, 1, 2, 2],
  };
  return Object.entries(ports)
    .map(([guid, ways]) =>
      [
        `dump_ucast_routes: Switch 0x${guid}`,
        'LID    : Port : Hops : Optimal',
        ...ways.map(
          (port, host) => `0x000${(10 + host).toString(16)} : 0${String(port).padStart(2, '0')}  : 01   : yes`,
        ),
        '',
      ].join('\n'),
    )
    .join('');
};
