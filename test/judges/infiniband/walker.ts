/**
 * A second, slow and simple reading of what `ibnetdiscover` and OpenSM wrote, apart from server/interchange, and a walk along the
 * tables packet by packet: which port of which switch each pair of hosts crosses.
 */

/** Pairs of hosts over each port that leads from a switch to a switch, `GUID:port`. */
export type PortLoads = ReadonlyMap<string, number>;

export function walk(ibnetdiscover: string, lfts: string): PortLoads {
  const { hosts, farEnd } = cabling(ibnetdiscover);
  const tables = forwarding(lfts);
  const loads = new Map<string, number>();
  for (const from of hosts) {
    for (const to of hosts) {
      if (from === to) continue;
      let at = from.at;
      for (let steps = 0; at.startsWith('S'); steps++) {
        if (steps > tables.size) throw new Error(`Packets for LID ${to.lid} go round in a loop.`);
        const out = `${at.slice(2)}:${tables.get(at.slice(2))?.get(to.lid) ?? 'none'}`;
        const far = farEnd.get(out);
        if (far === undefined) throw new Error(`Packets for LID ${to.lid} end at ${out}.`);
        if (far.startsWith('S')) loads.set(out, (loads.get(out) ?? 0) + 1);
        at = far;
      }
      if (at !== to.id) throw new Error(`Packets for ${to.id} come to ${at}.`);
    }
  }
  return loads;
}

/** Hosts with the switch that they hang on, and what is at the other end of each port of a switch. */
function cabling(ibnetdiscover: string) {
  const hosts: { readonly id: string; readonly lid: number; readonly at: string }[] = [];
  const farEnd = new Map<string, string>();
  let own = '';
  for (const line of ibnetdiscover.split('\n')) {
    own = /^(?:Switch|Ca)\s+\d+ "(.+?)"/.exec(line)?.[1] ?? own;
    const [, port = '', far = ''] = /^\[(\d+)\](?:\(\w+\))?\s+"(.+?)"/.exec(line) ?? [];
    if (port === '') continue;
    if (own.startsWith('S')) farEnd.set(`${own.slice(2)}:${port}`, far);
    else hosts.push({ id: own, lid: Number(/# lid (\d+)/.exec(line)?.[1]), at: far });
  }
  return { hosts, farEnd };
}

/** The port of each switch, by GUID, to each LID. */
function forwarding(lfts: string): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const tables = new Map<string, Map<number, number>>();
  let own = new Map<number, number>();
  for (const line of lfts.split('\n')) {
    const [, guid] = /^Unicast lids .* guid 0x(\w+)/.exec(line) ?? [];
    if (guid !== undefined) tables.set(guid, (own = new Map<number, number>()));
    const [, lid, port] = /^0x(\w+) (\d+) #/.exec(line) ?? [];
    if (lid !== undefined) own.set(Number.parseInt(lid, 16), Number(port));
  }
  return tables;
}
