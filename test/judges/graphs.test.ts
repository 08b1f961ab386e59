/** Programs that draw and work on graphs read what we export: every rank is where the engine says. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { binary } from '../cli/binary.ts';
import { requireNetworkx } from './networkx/networkx.ts';

const cli = binary();
beforeAll(() => {
  requireNetworkx();
  if (spawnSync('dot', ['-V']).error || spawnSync('hwloc-calc', ['--version']).error) {
    throw new Error('Graphviz and hwloc are needed: apt-get install --no-install-recommends graphviz hwloc-nox');
  }
});

const coresOfNode = 4;
const flows = Array.from({ length: 16 }, (_, task) => `${task} -> ${(task * 7 + 3) % 16} : ${task + 1}`);

/** Sixteen ranks of two jobs on eight of sixteen nodes; the slot of each. */
function placed(): { readonly file: string; readonly slots: readonly number[] } {
  const file = join(cli.scratch(), 'judged.place');
  writeFileSync(
    file,
    `machine m { topology torus 4 x 4  sockets 2  cores 2 }
     table t { ${flows.join('\n')} }
     job a { tasks 16  table t }  job b { tasks 4  pattern ring }
     placement p { jobs a, b  machine m  map random  seed 9 }`,
  );
  const report = JSON.parse(cli.run(['run', file, '--json']).out) as {
    placements: { jobs: { mapping: number[] }[] }[];
  };
  return { file, slots: report.placements[0]?.jobs.flatMap(({ mapping }) => mapping) ?? [] };
}

const exported = (file: string, format: string): string =>
  cli.run(['export', file, 'p', '--format', format, '--names', 'n%02d']).out;

const hostOf = (slot: number): string => `n${String(Math.floor(slot / coresOfNode)).padStart(2, '0')}`;

describe('Graphviz', () => {
  it('finds every rank in the box of its host, and every pair', () => {
    const { file, slots } = placed();
    const { stdout, status } = spawnSync('dot', ['-Tdot_json'], { input: exported(file, 'dot'), encoding: 'utf8' });
    expect(status).toBe(0);
    const graph = JSON.parse(stdout) as {
      objects: { name: string; label?: string; nodes?: number[]; slot?: string }[];
      edges: { tail: number; head: number; bytes: string }[];
    };
    const { objects, edges } = graph;
    const boxes = objects.flatMap(({ label = '', nodes = [] }) =>
      nodes.map((at) => [objects[at]?.name, label] as const),
    );
    const hosts = new Map(boxes);
    expect(slots).toHaveLength(20);
    expect(slots.map((_, rank) => hosts.get(String(rank)))).toEqual(slots.map(hostOf));
    const bytes = new Map(
      edges.map(({ tail, head, bytes: of }) => [`${objects[tail]?.name} ${objects[head]?.name}`, of]),
    );
    for (const [task] of flows.entries()) {
      const to = (task * 7 + 3) % 16;
      if (to !== task) expect(bytes.get(`${task} ${to}`)).toBe(String(task + 1));
    }
    expect(bytes.has('16 17')).toBe(true);
  });
});

describe('networkx', () => {
  it('reads every rank of GraphML with its place, and every pair', () => {
    const { file, slots } = placed();
    const script = `
import json, sys, io, networkx
graph = networkx.read_graphml(io.BytesIO(sys.stdin.buffer.read()))
print(json.dumps({'nodes': dict(graph.nodes(data=True)), 'edges': list(graph.edges(data='bytes'))}))`;
    const input = exported(file, 'graphml');
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', script], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    const { nodes, edges } = JSON.parse(stdout) as {
      nodes: Record<string, { host: string; slot: number; core: number; job: string }>;
      edges: [string, string, number][];
    };
    const places = slots.map((slot) => ({ host: hostOf(slot), slot, core: slot % coresOfNode }));
    expect(slots.map((_, rank) => nodes[rank])).toMatchObject(places);
    expect(edges).toContainEqual(['2', '1', 3]);
  });
});

describe('hwloc', () => {
  it('means the same cores by the numbers of a rankfile', () => {
    const { file, slots } = placed();
    const texts = Array.from(exported(file, 'rankfile').matchAll(/^rank \d+=\S+ slot=(\d+):(\d+)$/gm));
    expect(texts).toHaveLength(slots.length);
    for (const [rank, [, socket, core]] of texts.entries()) {
      const words = ['-i', 'package:2 core:2 pu:1', '-H', 'package.core', `core:${(slots[rank] ?? 0) % coresOfNode}`];
      const { stdout } = spawnSync('hwloc-calc', words, { encoding: 'utf8' });
      expect(stdout.trim()).toBe(`Package:${socket ?? ''}.Core:${core ?? ''}`);
    }
  });
});
