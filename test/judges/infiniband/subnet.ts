/**
 * A simulated InfiniBand subnet under the real subnet manager: ibsim plays the fabric, OpenSM routes it,
 * and what it wrote into the switches is read back. Everything stays in a directory of its own.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IrregularNetwork } from './networks.ts';

const missingPackages =
  'OpenSM and ibsim are needed to judge routes: ' +
  'apt-get install --no-install-recommends opensm ibsim-utils infiniband-diags';

/** Throws with the command to install what is missing: a judge that is absent has not agreed. */
export function requireOpenSm(): void {
  for (const tool of ['opensm', 'ibsim', 'ibnetdiscover', 'dump_fts']) {
    if (spawnSync('which', [tool], { env: toolEnvironment() }).status !== 0) throw new Error(missingPackages);
  }
}

export interface RoutedSubnet {
  /** Output of ibnetdiscover, as users keep it. */
  readonly ibnetdiscover: string;
  /** Links from switch a to switch b along OpenSM's forwarding tables, row-major by switch number. */
  readonly hops: Int32Array;
}

/** Routes a network with the engine `updn` from the given root. */
export async function routeWithOpenSm(network: IrregularNetwork, root: number): Promise<RoutedSubnet> {
  const roots = `0x${(firstSwitchGuid + root).toString(16)}\n`;
  return simulated(networkFile(network), 'H0-0', (subnet) => {
    const { ibnetdiscover, lfts } = subnet.route('updn', { roots });
    return { ibnetdiscover, hops: hopsAlong(network, lfts) };
  });
}

/** What OpenSM left behind when it had routed a subnet. */
export interface RoutedTables {
  /** Output of ibnetdiscover and of dump_fts, as users keep it. */
  readonly ibnetdiscover: string;
  readonly fts: string;
  /** What OpenSM itself dumped. */
  readonly lfts: string;
  readonly fdbs: string;
  /** The engine whose tables these are: OpenSM falls back where one cannot route a fabric. */
  readonly engine: string;
}

/** A subnet that ibsim plays. */
export interface SimulatedSubnet {
  /** Routes it anew. `roots`: GUIDs, one a line; `lmc`: each port gets 2^lmc LIDs. */
  readonly route: (engine: string, options?: { readonly roots?: string; readonly lmc?: number }) => RoutedTables;
}

/** Runs ibsim on a network of its own format while `work` goes on; `host` is the adapter that the tools run on. */
export async function simulated<Outcome>(
  network: string,
  host: string,
  work: (subnet: SimulatedSubnet) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'pw-ib-'));
  const environment = { ...toolEnvironment(), SIM_HOST: host, OSM_CACHE_DIR: directory, OSM_TMP_DIR: directory };
  let simulator: ChildProcess | undefined;
  try {
    writeFileSync(join(directory, 'net'), network);
    simulator = spawn('ibsim', ['-s', '-n', join(directory, 'net')], { env: environment, stdio: 'ignore' });
    await sleep(400);
    if (simulator.exitCode !== null) throw new Error('ibsim refused the network');
    const inSubnet = { encoding: 'utf8', env: { ...environment, LD_PRELOAD: simulatedUmad }, timeout: 60_000 } as const;
    return await work({
      route(engine, { roots, lmc = 0 } = {}) {
        const log = join(directory, 'log');
        rmSync(log, { force: true });
        if (roots !== undefined) writeFileSync(join(directory, 'root'), roots);
        const given = roots === undefined ? [] : ['-a', join(directory, 'root')];
        const options = ['-o', '-R', engine, ...given, '-l', `${lmc}`, '--dump_files_dir', directory, '-D', '0x43'];
        const manager = spawnSync('opensm', [...options, '-f', log], inSubnet);
        if (manager.status !== 0)
          throw new Error(`opensm ended with ${manager.status ?? 'a signal'}:\n${manager.stdout}`);
        const [used = ''] = [...readFileSync(log, 'utf8').matchAll(/(\w+) tables configured on all switches/g)].map(
          (found) => found[1]!,
        );
        return {
          ibnetdiscover: spawnSync('ibnetdiscover', [], inSubnet).stdout,
          fts: spawnSync('dump_fts', [], inSubnet).stdout,
          lfts: readFileSync(join(directory, 'opensm-lfts.dump'), 'utf8'),
          fdbs: readFileSync(join(directory, 'opensm.fdbs'), 'utf8'),
          engine: used,
        };
      },
    });
  } finally {
    await end(simulator);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** ibsim numbers switches from here, in the order of its file. */
const firstSwitchGuid = 0x200000;
const simulatedUmad = '/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so';

const toolEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`,
  IBSIM_SOCKNAME: `placewright-${process.pid}`,
});

async function end(process: ChildProcess | undefined): Promise<void> {
  if (process === undefined || process.exitCode !== null) return;
  const gone = new Promise((resolve) => process.once('exit', resolve));
  process.kill();
  await gone;
}

/** Switch `Sn` has its hosts on the first ports, then its cables in the order of the network. */
function networkFile({ switches, hosts, cables }: IrregularNetwork): string {
  const ports = switchPorts({ switches, hosts, cables });
  const adapters: string[] = [];
  for (let id = 0; id < switches; id++) {
    for (let host = 0; host < hosts; host++) adapters.push(`Hca\t1 "H${id}-${host}"\n[1]\t"S${id}"[${host + 1}]\n`);
  }
  const blocks = ports.map((peers, id) => {
    const toHosts = Array.from({ length: hosts }, (_, host) => `[${host + 1}]\t"H${id}-${host}"[1]`);
    const toSwitches = peers.map(({ peer, port }, index) => `[${hosts + 1 + index}]\t"S${peer}"[${port}]`);
    return `Switch\t${hosts + peers.length} "S${id}"\n${[...toHosts, ...toSwitches].join('\n')}\n`;
  });
  return [...adapters, ...blocks].join('\n');
}

interface Port {
  readonly peer: number;
  /** Port number at the peer. */
  readonly port: number;
}

/** Switch ports behind the hosts' ones, in the order of the cables. */
function switchPorts({ switches, hosts, cables }: IrregularNetwork): readonly (readonly Port[])[] {
  const ports: Port[][] = Array.from({ length: switches }, () => []);
  for (const [a, b] of cables) {
    const portOfA = hosts + 1 + ports[a]!.length;
    const portOfB = hosts + 1 + ports[b]!.length;
    ports[a]!.push({ peer: b, port: portOfB });
    ports[b]!.push({ peer: a, port: portOfA });
  }
  return ports;
}

/** Follows the forwarding tables from every switch to every other. */
function hopsAlong(network: IrregularNetwork, tables: string): Int32Array {
  const { switches, hosts } = network;
  const ports = switchPorts(network);
  const output = readForwarding(tables, switches);
  const hops = new Int32Array(switches * switches);
  for (let from = 0; from < switches; from++) {
    for (let to = 0; to < switches; to++) {
      let at = from;
      let steps = 0;
      while (at !== to && steps <= switches) {
        at = ports[at]![output[at * switches + to]! - hosts - 1]!.peer;
        steps++;
      }
      hops[from * switches + to] = steps;
    }
  }
  return hops;
}

/** Output port of each switch towards each switch. */
function readForwarding(tables: string, switches: number): Int32Array {
  const output = new Int32Array(switches * switches);
  let at = -1;
  for (const line of tables.split('\n')) {
    const [, owner] = /^Unicast lids .* guid (0x[0-9a-f]+)/.exec(line) ?? [];
    if (owner !== undefined) at = Number(owner) - firstSwitchGuid;
    const [, port, target] = /^0x[0-9a-f]+ (\d+) # Switch portguid (0x[0-9a-f]+)/.exec(line) ?? [];
    if (port !== undefined) output[at * switches + Number(target) - firstSwitchGuid] = Number(port);
  }
  return output;
}
