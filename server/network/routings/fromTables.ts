/**
 * The routing that the switches of a fabric really have: their forwarding tables, dumped to a file. LIDs and numbers of ports become
 * nodes and links here, and every way from a switch to a node is gone before a machine is built with it.
 */
import type { ForwardingDump } from '../../model/forwarding.ts';
import { neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { OptionValues } from '../../model/catalogue.ts';
import { asRouterId } from '../../model/identifiers.ts';
import {
  nodeOfPort,
  nodeWorks,
  routerOfAddress,
  routersOfPorts,
  routerWorks,
  type ForwardingTables,
  type Routing,
  type Subnet,
  type Topology,
} from '../../model/machine.ts';
import { countOf, formatNumber } from '../../model/quantities.ts';
import { fail, quote, succeed, type Result } from '../../model/result.ts';
import { byteAt, intAt, itemAt } from '../../numeric/elements.ts';
import { groupedBy } from '../../numeric/grouping.ts';
import { fingerprintOf, fingerprintOfText } from '../../numeric/fingerprint.ts';
import type { RoutingEntry } from '../contract.ts';
import { nodeName, routerName } from '../names.ts';
import { integerOption } from '../topologies/argument.ts';
import { tableAddressCount, hopsInTable, noPort, tableRefusal, tableRouting } from './tableRouting.ts';

export const fromTables: RoutingEntry = {
  name: 'from',
  summary: 'forwarding tables of a fabric, read from a file of another tool',
  source: 'InfiniBand Architecture Specification, volume 1, section 14.2.5.6 (LinearForwardingTable)',
  details:
    'Forwarding tables of a subnet manager, with one next link per host and switch. Formats: output of ' +
    '`dump_fts` and OpenSM dumps. Needs `topology from` a file with ports (`ibnetdiscover`, `ibnetdiscover-p`, ' +
    '`iblinkinfo`). Switches are matched by GUID, otherwise by name. The LID of a host is the one that its ' +
    'switch forwards to its port. Dead ends, wrong hosts and forwarding loops are errors. Tables have at most ' +
    '134,217,728 entries.',
  argument: {
    kind: 'file',
    summary: 'the file of the forwarding tables',
    required: true,
    describes: 'routing',
  },
  options: [
    {
      name: 'path',
      summary: 'index of the LID used for ports with several LIDs (LMC), from 0',
      kind: 'integer',
      minimum: 0,
      maximum: 127,
    },
  ],
  skeleton: 'from "${1:opensm.fdbs}"',
  build: buildFromTables,
};

/**
 * Fails with `missing-file`, `routing-does-not-fit` where the topology does not tell ports, `too-many-routers`, `disconnected`,
 * `foreign-forwarding` where the tables are of other switches, `no-such-path` and `broken-forwarding`. O(addresses · routers + entries).
 */
function buildFromTables(
  topology: Topology,
  options: OptionValues,
  cancellation: Cancellation = neverCancelled,
  dump?: ForwardingDump,
): Result<Routing> {
  if (dump === undefined)
    return fail('missing-file', 'The forwarding tables were not read. Write `routing from "FILE"`.');
  const { subnet } = topology;
  if (subnet === undefined || topology.names?.nodesAreCounted === true) {
    return fail(
      'routing-does-not-fit',
      '`routing from` needs switch ports. Use `topology from` a file of `ibnetdiscover` or `iblinkinfo`.',
    );
  }
  const refusal = tableRefusal('from', topology);
  if (refusal) return refusal;
  const laid = new LaidTables(topology, subnet, dump);
  const problem = laid.lay(integerOption(options, 'path'), cancellation) ?? laid.brokenWay(cancellation);
  if (problem) return problem;
  const { port, doubts } = laid;
  return succeed({ ...tableRouting(topology, { kind: 'from', tables: { port }, symmetric: false }), doubts });
}

/** What a dump says, as a short text. O(entries). */
export const fingerprintOfDump = ({ switches, firstEntry, entries, targets }: ForwardingDump): string =>
  fingerprintOfText(JSON.stringify([switches, ...targets])) + fingerprintOf(firstEntry, entries);

/** In a table of ports: no entry. */
const noEntry = 255;

/** A dump laid over a topology. */
class LaidTables {
  /** As {@link ForwardingTables.port}. */
  readonly port: ForwardingTables['port'];
  readonly doubts: { readonly line?: number; readonly message: string }[] = [];
  readonly #topology: Topology;
  readonly #subnet: Subnet;
  readonly #dump: ForwardingDump;
  /** Place in the dump of the table of each router, −1 where it has none. */
  readonly #tableOf: Int32Array;
  /** The LID that packets to each address are sent to; 0 where there is none. */
  readonly #lidOf: Int32Array;

  constructor(topology: Topology, subnet: Subnet, dump: ForwardingDump) {
    this.#topology = topology;
    this.#subnet = subnet;
    this.#dump = dump;
    this.#tableOf = tablesOfRouters(topology, subnet, dump);
    this.#lidOf = new Int32Array(tableAddressCount(topology));
    this.port = new Uint16Array(tableAddressCount(topology) * topology.routerCount).fill(noPort);
  }

  /** Why it cannot be laid, if it cannot. O(addresses · routers + entries). */
  lay(path: number | undefined, cancellation: Cancellation): Result<never> | undefined {
    const foreign = this.#foreign();
    if (foreign) return foreign;
    const fault = this.#findLids(path);
    if (fault) return fault;
    const { routerCount } = this.#topology;
    const meter = new WorkMeter(cancellation);
    const linkAt = new Int32Array(noEntry + 1);
    const portTo = new Int32Array(largestTable);
    for (let router = 0; router < routerCount; router++) {
      if (intAt(this.#tableOf, router) < 0) continue;
      if (meter.isCancelledAfter(this.#lidOf.length)) return undefined;
      this.#linksAtPorts(router, linkAt);
      this.#entriesOf(router, portTo);
      for (let address = 0; address < this.#lidOf.length; address++) {
        if (this.#routerOf(address) === router) continue;
        // An address without a LID has 0, to which there is no entry.
        this.port[address * routerCount + router] = intAt(linkAt, intAt(portTo, intAt(this.#lidOf, address)));
      }
    }
    return undefined;
  }

  /** The first way from a switch with nodes to a node that does not lead there, as an error. O(addresses · routers). */
  brokenWay(cancellation: Cancellation): Result<never> | undefined {
    const { routerCount } = this.#topology;
    const meter = new WorkMeter(cancellation);
    const routers = routersOfPorts(this.#topology);
    const nodes = Array.from(routers.keys()).filter(
      (port) =>
        nodeWorks(this.#topology, nodeOfPort(this.#topology, port)) &&
        routerWorks(this.#topology, intAt(routers, port)),
    );
    const starts = Array.from(new Set(nodes.map((node) => intAt(routers, node))));
    let [broken, all] = [0, 0];
    let first: { readonly node: number; readonly start: number } | undefined;
    for (const node of nodes) {
      if (meter.isCancelledAfter(4 * routerCount)) return undefined;
      const row = hopsInTable(this.#topology, { port: this.port }, routerCount + node);
      for (const start of starts) {
        all++;
        if (row[start] !== noPort) continue;
        broken++;
        first ??= { node, start };
      }
    }
    if (first === undefined) return undefined;
    const count =
      broken === 1 ? '' : ` Of ${formatNumber(all)} ways from a switch to a host ${formatNumber(broken)} are broken.`;
    return fail('broken-forwarding', `${this.#reasonOf(first.start, first.node)}${count}`);
  }

  /** Tables of which not one, or of hosts whose ports are others, are those of another fabric. */
  #foreign(): Result<never> | undefined {
    const { switches, fileName } = this.#dump;
    const known = new Set(this.#tableOf);
    const strangers = switches.filter((_, table) => !known.has(table));
    const [stranger] = strangers;
    if (stranger === undefined) return undefined;
    const called = nameOfDumped(stranger);
    if (strangers.length < switches.length) {
      const message = `Skipped the tables of ${countOf(strangers.length, 'switch', 'switches')} that are not in the fabric; the first is ${called}.`;
      this.doubts.push({ line: stranger.line, message });
      return undefined;
    }
    const isNameless = this.#subnet.guids.slice(0, this.#topology.routerCount).every((guid) => guid === '');
    const reason = isNameless
      ? 'the fabric file has no GUIDs. Use the output of `ibnetdiscover`.'
      : 'the tables are from another fabric.';
    return fail(
      'foreign-forwarding',
      `${fileName}:${stranger.line}: The fabric has no switch of these tables (${countOf(switches.length, 'switch', 'switches')}, first ${called}): ${reason}`,
    );
  }

  /** The LID of a node is one that its switch sends out of its port; that of a switch the one it keeps for itself. O(entries + nodes). */
  #findLids(path: number | undefined): Result<never> | undefined {
    const { routerCount } = this.#topology;
    const { lids } = this.#subnet;
    let [several, moved] = [0, 0];
    for (const [address, found] of this.#deliveredLids()) {
      const isNode = address >= routerCount;
      const expected = intAt(lids, address);
      const start = found.indexOf(expected);
      if (isNode && expected > 0 && start < 0) moved++;
      const own = found.slice(Math.max(0, start));
      if (isNode) several = Math.max(several, own.length);
      const lid = own[isNode ? (path ?? 0) : 0];
      if (lid === undefined) return this.#noSuchPath(path ?? 0, address, own.length);
      this.#lidOf[address] = lid;
    }
    if (several > 1 && path === undefined) {
      const message = `Ports have up to ${several} LIDs (LMC). Packets use the first; write \`path 1\` for the next.`;
      this.doubts.push({ message });
    }
    if (moved > 0) {
      const message = `${countOf(moved, 'host')} with another LID than in the file of the fabric: the tables count. Dump both at one time.`;
      this.doubts.push({ message });
    }
    this.#lendLids();
    return undefined;
  }

  #noSuchPath(path: number, address: number, count: number): Result<never> {
    const there = count === 1 ? 'its port has one LID, path 0' : `its port has ${count} LIDs, paths 0 to ${count - 1}`;
    return fail('no-such-path', `No path ${path} to ${this.#nameOf(address)}: ${there}.`);
  }

  /** LIDs that come to each address, ascending. O(entries + nodes). */
  #deliveredLids(): ReadonlyMap<number, readonly number[]> {
    const { routerCount, links } = this.#topology;
    const { ports, guids } = this.#subnet;
    const lidsOfAddress = new Map<number, number[]>();
    const addressAt = new Int32Array(noEntry + 1);
    const { start: firstPort, members } = groupedBy(routersOfPorts(this.#topology), routerCount);
    for (let router = 0; router < routerCount; router++) {
      addressAt.fill(-1);
      addressAt[0] = router;
      for (const adapter of members.subarray(firstPort[router], firstPort[router + 1])) {
        const port = byteAt(ports, links.routerLinkCount + 2 * adapter + 1);
        if (port > 0) addressAt[port] = routerCount + adapter;
      }
      this.#eachEntry(router, (lid, port) => {
        const address = intAt(addressAt, port);
        if (address < 0) return;
        const told = this.#dump.targets.get(lid)?.guid;
        const guid = itemAt(guids, address);
        // A switch that sends packets for someone else out of this port.
        if (told !== undefined && guid !== '' && told !== guid && address >= routerCount) return;
        const known = lidsOfAddress.get(address);
        if (known) known.push(lid);
        else lidsOfAddress.set(address, [lid]);
      });
    }
    for (const found of lidsOfAddress.values()) found.sort((a, b) => a - b);
    return lidsOfAddress;
  }

  /** Packets to a switch without a LID of its own go the way of those to its first node. */
  #lendLids(): void {
    const { routerCount } = this.#topology;
    routersOfPorts(this.#topology).forEach((router, node) => {
      if (this.#lidOf[router] === 0) this.#lidOf[router] = intAt(this.#lidOf, routerCount + node);
    });
  }

  #routerOf(address: number): number {
    return routerOfAddress(this.#topology, address);
  }

  /** Calls `visit` for each entry of the table of a router. */
  #eachEntry(router: number, visit: (lid: number, port: number) => void): void {
    const table = intAt(this.#tableOf, router);
    if (table < 0) return;
    const { firstEntry, entries } = this.#dump;
    for (let index = intAt(firstEntry, table); index < intAt(firstEntry, table + 1); index++) {
      const entry = intAt(entries, index);
      visit(entry >> 8, entry & 0xff);
    }
  }

  /** Ports by LID, {@link noEntry} where there is none. */
  #entriesOf(router: number, portTo: Int32Array): void {
    portTo.fill(noEntry);
    this.#eachEntry(router, (lid, port) => (portTo[lid] = port));
  }

  #portFor(router: number, wanted: number): number {
    let found = noEntry;
    this.#eachEntry(router, (lid, port) => {
      if (lid === wanted) found = port;
    });
    return found;
  }

  /** Places of links among those that leave a router, by the port that they are plugged into; {@link noPort} where none is. */
  #linksAtPorts(router: number, linkAt: Int32Array): void {
    const { firstLink } = this.#topology.links;
    linkAt.fill(noPort);
    const first = intAt(firstLink, router);
    for (let link = first; link < intAt(firstLink, router + 1); link++) {
      const port = byteAt(this.#subnet.ports, link);
      if (port > 0) linkAt[port] = link - first;
    }
  }

  #nameOf(address: number): string {
    const { routerCount } = this.#topology;
    const machine = { topology: this.#topology };
    return address < routerCount
      ? `switch ${quote(routerName(machine, asRouterId(address)))}`
      : `host ${quote(nodeName(machine, nodeOfPort(this.#topology, address - routerCount)))}`;
  }

  /** Why packets from a switch do not come to a node. */
  #reasonOf(start: number, node: number): string {
    const { routerCount, links, faults } = this.#topology;
    const { fileName, switches } = this.#dump;
    const address = routerCount + node;
    const host = this.#nameOf(address);
    const lid = intAt(this.#lidOf, address);
    const again =
      faults === undefined
        ? 'Dump fabric and tables together.'
        : 'After a failure, dump the tables again, or use `routing static`.';
    if (lid === 0) {
      return `${fileName}: The table of ${this.#nameOf(this.#routerOf(address))} has no entry with the port of ${host}. ${again}`;
    }
    const way: number[] = [];
    let router = start;
    while (!way.includes(router)) {
      way.push(router);
      const at = this.port[address * routerCount + router] ?? noPort;
      if (at === noPort) return `${this.#endOf(router, lid, host)} ${again}`;
      router = intAt(links.to, intAt(links.firstLink, router) + at);
    }
    const loop = [...way.slice(way.indexOf(router)), router].map((one) =>
      routerName({ topology: this.#topology }, asRouterId(one)),
    );
    const line = switches[intAt(this.#tableOf, router)]?.line ?? 1;
    const shown = loop.length > longestLoop ? [...loop.slice(0, longestLoop), '…'] : loop;
    return `${fileName}:${line}: Forwarding loop for ${host} (LID ${lid}): ${shown.join(', ')}. ${again}`;
  }

  /** What a router does with packets that it does not send over a cable of the fabric. */
  #endOf(router: number, lid: number, host: string): string {
    const { fileName, switches } = this.#dump;
    const table = switches[intAt(this.#tableOf, router)];
    const name = this.#nameOf(router);
    if (table === undefined)
      return `${fileName}: No table of ${name}, which is on the route to ${host}. The file may be truncated.`;
    const port = this.#portFor(router, lid);
    const where = `${fileName}:${table.line}: The table of ${name}`;
    if (port === noEntry) return `${where} has no entry for ${host} (LID ${lid}).`;
    if (port === 0) return `${where} sends packets for ${host} (LID ${lid}) to the switch itself (port 0).`;
    return `${where} sends packets for ${host} (LID ${lid}) to port ${port}, which has no link to a switch.`;
  }
}

/** LIDs of hosts and switches. */
const largestTable = 0xc000;
/** Switches of a loop that a message names. */
const longestLoop = 8;

const nameOfDumped = ({ guid, name }: ForwardingDump['switches'][number]): string =>
  name === '' ? `0x${guid}` : `${quote(name)} (0x${guid})`;

/** The table of each router by its GUID; where the fabric has none, by a name that no other has. O(routers + tables). */
function tablesOfRouters(
  { routerCount, names }: Topology,
  { guids }: Subnet,
  { switches }: ForwardingDump,
): Int32Array {
  const byGuid = new Map(switches.map(({ guid }, table) => [guid, table]));
  const byName = new Map<string, number>();
  switches.forEach(({ name }, table) => byName.set(name, byName.has(name) || name === '' ? -1 : table));
  return Int32Array.from({ length: routerCount }, (_, router) => {
    const guid = itemAt(guids, router);
    return (guid === '' ? byName.get(names?.routers[router] ?? '') : byGuid.get(guid)) ?? -1;
  });
}
