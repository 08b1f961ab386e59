import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFabric, readForwarding } from '../../../server/interchange/readers.ts';
import { neverCancelled } from '../../../server/model/cancellation.ts';
import type { Fabric } from '../../../server/model/fabric.ts';
import { receiverOf, senderOf, type Machine } from '../../../server/model/machine.ts';
import { succeed, type Result } from '../../../server/model/result.ts';
import { buildMachine, noMachineFiles } from '../../../server/network/machine.ts';
import { sharedFolder } from '../../corpus/shared.ts';
import { requireOpenSm, simulated, type RoutedTables } from './subnet.ts';
import { walk, type PortLoads } from './walker.ts';

beforeAll(requireOpenSm);

const engines = ['minhop', 'updn', 'ftree', 'dfsssp'] as const;

/** Every file of InfiniBand that there is; why nothing can be routed on the others is told of each. */
const unroutable: Readonly<Record<string, string>> = {
  'topograph-bad.ibnetdiscover': 'is cut off: it has an adapter and no switch',
  'treydock-ibnetdiscover-p.3.out': 'has ports without a cable only, and no hosts',
};

/** Files by name: those of users, and the nets of the recipes. */
function files(): readonly { readonly name: string; readonly path: string }[] {
  const inFolder = (folder: string, pattern: RegExp) =>
    readdirSync(join(sharedFolder(), folder))
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => ({ name, path: join(sharedFolder(), folder, name) }));
  return [
    ...inFolder('data/topo/infiniband', /^ibsim-net|\.topo$|\.topofile$|\.ibnetdiscover$|ibnetdiscover.*\.out$/),
    ...inFolder('recipes/clients/ib', /\.net$/),
  ];
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** A fabric as a net of ibsim: hosts with one adapter, on the very ports. */
function netOf({ routers, nodes, cables }: Fabric): string {
  const rows = routers.map((): string[] => []);
  const adapters = nodes.map(({ router, port }, node) => {
    rows[router]!.push(`[${port}]\t"H${node}"[1]`);
    return `Hca\t1 "H${node}"\n[1]\t"S${router}"[${port}]\n`;
  });
  for (const { from, to, fromPort, toPort } of cables) {
    rows[from]!.push(`[${fromPort}]\t"S${to}"[${toPort}]`);
    rows[to]!.push(`[${toPort}]\t"S${from}"[${fromPort}]`);
  }
  const switches = rows.map((ports, router) => `Switch\t254 "S${router}"\n${ports.join('\n')}\n`);
  return [...adapters, ...switches].join('\n');
}

/** A machine on what ibnetdiscover printed, with a routing; by tables from a file of them. */
async function machineOf(routed: RoutedTables, name: string, tables = ''): Promise<Result<Machine>> {
  const fabric = valueOf(await readFabric(bytesOf(routed.ibnetdiscover), 'fabric', undefined));
  const isFile = name === 'from';
  return buildMachine(
    {
      name: 'judged',
      topology: { name: 'from', argument: { kind: 'file', uri: 'fabric' }, options: {} },
      routing: { name, options: {}, ...(isFile && { argument: { kind: 'file', uri: 'tables' } as const }) },
      cables: [],
      socketsPerNode: 1,
      coresPerSocket: 1,
      figures: {},
    },
    {
      ...noMachineFiles,
      fabric: () => succeed(fabric),
      forwarding: () => readForwarding(bytesOf(tables), 'tables', undefined),
    },
  );
}

/** Pairs of hosts over each link between switches, by the port that it leaves. */
function loadsOf(machine: Machine): PortLoads {
  const { topology, routing, nodeCount } = machine;
  const pairs = Array.from(
    { length: nodeCount ** 2 },
    (_, pair) => [Math.floor(pair / nodeCount), pair % nodeCount] as const,
  ).filter(([from, to]) => from !== to);
  const flows = {
    from: Int32Array.from(pairs, ([from]) => senderOf(machine, from)),
    to: Int32Array.from(pairs, ([, to]) => receiverOf(machine, to)),
    amount: new Float64Array(pairs.length).fill(1),
  };
  const loads = new Float64Array(topology.links.linkCount);
  routing.addLoads(flows, loads, neverCancelled);
  const { from, routerLinkCount } = topology.links;
  const { guids, ports } = topology.subnet!;
  return new Map(
    Array.from(
      { length: routerLinkCount },
      (_, link) => [`${guids[from[link]!]}:${ports[link]}`, loads[link]!] as const,
    ).filter(([, load]) => load > 0),
  );
}

const sorted = (loads: PortLoads): [string, number][] => [...loads].sort(([a], [b]) => (a < b ? -1 : 1));
const heaviest = (loads: PortLoads): number => Math.max(0, ...loads.values());

describe("loads by OpenSM's tables are those of walking them, packet by packet", () => {
  it.each(files())('$name', async ({ name, path }) => {
    const read = await readFabric(readFileSync(path), name, undefined);
    if (unroutable[name] !== undefined) {
      expect(!read.ok || read.value.nodes.length === 0).toBe(true);
      console.log(`| ${name} | ${unroutable[name]} |`);
      return;
    }
    const fabric = valueOf(read);
    const cells = await simulated(netOf(fabric), 'H0', async (subnet) => {
      const rows: string[] = [];
      let ours: string[] = [];
      for (const engine of engines) {
        const routed = subnet.route(engine);
        const walked = walk(routed.ibnetdiscover, routed.lfts);
        for (const tables of [routed.fts, routed.lfts, routed.fdbs]) {
          expect(sorted(loadsOf(valueOf(await machineOf(routed, 'from', tables))))).toEqual(sorted(walked));
        }
        rows.push(`${heaviest(walked)}${routed.engine === engine ? '' : ` (${routed.engine})`}`);
        ours = [];
        for (const routing of ['minimal', 'up-down', 'static', 'dfsssp', 'fat-tree']) {
          const machine = await machineOf(routed, routing);
          ours.push(machine.ok ? String(Math.round(100 * heaviest(loadsOf(machine.value))) / 100) : '–');
        }
      }
      return [...rows, ...ours];
    });
    console.log(`| ${[name, fabric.routers.length, fabric.nodes.length, ...cells].join(' | ')} |`);
  });

  it('with two LIDs for each port, to the first of them or to the second', async () => {
    const text = readFileSync(join(sharedFolder(), 'recipes/clients/ib/fattree.net'));
    await simulated(netOf(valueOf(await readFabric(text, 'net', undefined))), 'H0', async (subnet) => {
      const routed = subnet.route('minhop', { lmc: 1 });
      const walked = walk(routed.ibnetdiscover, routed.lfts);
      for (const tables of [routed.fts, routed.lfts, routed.fdbs]) {
        const machine = valueOf(await machineOf(routed, 'from', tables));
        expect(sorted(loadsOf(machine))).toEqual(sorted(walked));
        expect(machine.routing.doubts?.map(({ message }) => message)).toEqual([
          expect.stringMatching(/2 LIDs \(LMC\)/),
        ]);
      }
    });
  });
});
