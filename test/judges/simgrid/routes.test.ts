/** Routes of platforms against SimGrid itself: bandwidth and latency of each pair of hosts, ties included. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fabricOf } from '../../../server/interchange/testing/fabrics.ts';
import { asRouterId } from '../../../server/model/identifiers.ts';
import { seededRandom, type RandomSource } from '../../../server/model/random.ts';
import { succeed } from '../../../server/model/result.ts';
import { buildMachine, noMachineFiles } from '../../../server/network/machine.ts';
import { gridDescription } from '../../../server/network/testing/machines.ts';

const missing = 'SimGrid is needed to judge routes: apt-get install --no-install-recommends python3-simgrid';
const folder = mkdtempSync(join(tmpdir(), 'placewright-routes-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

type JudgedRoute = readonly [from: string, to: string, bandwidth: number, latency: number];

const some = <Item>(random: RandomSource, items: readonly Item[], count: number): Item[] => {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(random.integer(left.length), 1)[0]!);
};

/** One zone of hosts and, where routes are found over them, routers: all reach each other. Links are shared at random. */
function platform(routing: string, random: RandomSource): string {
  const hosts = Array.from({ length: 3 + random.integer(5) }, (_, host) => `h${host}`);
  const routers = routing === 'Full' ? [] : Array.from({ length: random.integer(4) }, (_, router) => `r${router}`);
  const ends = some(random, [...hosts, ...routers], hosts.length + routers.length);
  const links = Array.from({ length: 6 + random.integer(7) }, (_, link) => `l${link}`);
  const pairs = ends.flatMap((from, place) => ends.slice(0, place).map((to) => [from, to] as const));
  const tree = ends.slice(1).map((end, place) => [ends[random.integer(place + 1)]!, end] as const);
  const isInTree = new Set(tree.map((pair) => [...pair].sort((one, other) => (one < other ? -1 : 1)).join()));
  const others = pairs.filter((pair) => !isInTree.has([...pair].sort((one, other) => (one < other ? -1 : 1)).join()));
  const routes =
    routing === 'Full' ? pairs : [...tree, ...some(random, others, Math.min(others.length, random.integer(5)))];
  return `<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1"><zone id="z" routing="${routing}">
    ${ends.map((id) => (id.startsWith('h') ? `<host id="${id}" speed="1Gf"/>` : `<router id="${id}"/>`)).join('')}
    ${links.map((id) => `<link id="${id}" bandwidth="${10 * (1 + random.integer(50))}MBps" latency="${1 + random.integer(99)}us"/>`).join('')}
    ${routes
      .map(
        ([from, to]) =>
          `<route src="${from}" dst="${to}">${some(random, links, 1 + random.integer(3))
            .map((id) => `<link_ctn id="${id}"/>`)
            .join('')}</route>`,
      )
      .join('')}
  </zone></platform>\n`;
}

async function ourRoutes(text: string, pairs: readonly JudgedRoute[]): Promise<JudgedRoute[]> {
  const fabric = await fabricOf(text);
  const topology = { name: 'from', argument: { kind: 'file', uri: 'x' }, options: {} } as const;
  const built = buildMachine(
    { ...gridDescription('torus', [4]), name: 'm', topology, routing: { name: 'minimal', options: {} } },
    { ...noMachineFiles, fabric: () => succeed(fabric) },
  );
  if (!built.ok) throw new Error(built.failure.message);
  const { routing } = built.value;
  const { names, ownSpeeds, routerOfNode } = built.value.topology;
  return pairs.map(([from, to]) => {
    const [one, other] = [from, to].map((host) => asRouterId(routerOfNode[names!.nodes.indexOf(host)]!));
    const speeds = (routing.route(one!, other!) ?? []).map((link) => ownSpeeds!.speeds[ownSpeeds!.of[link]!]!);
    const bandwidth = Math.min(...speeds.map((speed) => speed.bandwidth ?? Infinity));
    return [from, to, bandwidth, speeds.reduce((sum, { latency = 0 }) => sum + latency, 0)];
  });
}

const sidesOfTori = [
  [5],
  [4, 3, 2],
  [1, 4, 6],
  [3, 3, 3],
  [2, 2, 2],
  [8, 2],
  [2, 5],
  [7, 4],
  [6],
  [2],
  [4, 4],
  [3, 2, 4],
];

function torus(seed: number): string {
  const sides = sidesOfTori[seed - 1]!;
  const last = sides.reduce((all, side) => all * side, 1) - 1;
  return `<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1"><zone id="z" routing="Full">
    <cluster id="c" prefix="n" radical="0-${last}" suffix="" speed="1Gf" bw="1GBps" lat="1us" topology="TORUS" topo_parameters="${sides.join(',')}"/>
  </zone></platform>\n`;
}

it.each(['Full', 'Floyd', 'Dijkstra', 'torus'])(
  'of zones with the routing %s are those of SimGrid',
  async (routing) => {
    let judged = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const text = routing === 'torus' ? torus(seed) : platform(routing, seededRandom(seed));
      const file = join(folder, `${routing}${seed}.xml`);
      writeFileSync(file, text);
      const { stdout, stderr, status } = spawnSync('/usr/bin/python3', [join(import.meta.dirname, 'routes.py'), file], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${missing}\n${stderr}`);
      const theirs = JSON.parse(stdout.trim().split('\n').at(-1)!) as JudgedRoute[];
      const digits = ([from, to, bandwidth, latency]: JudgedRoute) =>
        `${from} ${to} ${bandwidth} ${latency.toFixed(9)}`;
      expect((await ourRoutes(text, theirs)).map(digits), file).toEqual(theirs.map(digits));
      judged += theirs.length;
    }
    expect(judged).toBeGreaterThan(100);
  },
);
