import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

/** Labels of Kubernetes nodes go out as they came in. */
const cli = commandLine();

type Labels = Readonly<Record<string, string>>;

const prefix = 'fabric.topograph.run/';

/** `kubectl get nodes -o json`, of nodes in their order. */
const nodesJson = (nodes: Readonly<Record<string, Labels>>): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: Object.entries(nodes).map(([name, labels]) => ({
      kind: 'Node',
      metadata: {
        name,
        labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [prefix + key, value])),
      },
    })),
  });

/** What is written of a machine for which `topology` stands, with its warnings. */
async function exported(topology: string, files: Readonly<Record<string, string>> = {}, ...more: readonly string[]) {
  const folder = cli.scratch();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const file = join(folder, 'labels.place');
  writeFileSync(
    file,
    `machine m { topology ${topology} } job j { tasks 4  pattern ring } placement p { job j  machine m  map baseline }`,
  );
  const out = join(folder, 'labels.json');
  const { code, err } = await cli.run(['export', file, 'p', '--format', 'kubernetes', '-o', out, '--force', ...more]);
  if (code !== 0) return { code, err, labels: {} };
  const { items } = JSON.parse(readFileSync(out, 'utf8')) as {
    items: { metadata: { name: string; labels: Labels } }[];
  };
  const labels = Object.fromEntries(
    items.map(({ metadata }) => [
      metadata.name,
      Object.fromEntries(Object.entries(metadata.labels).map(([key, value]) => [key.replace(prefix, ''), value])),
    ]),
  );
  return { code, err, labels };
}

const cluster = {
  n1: { 'tier-0': 'l1', 'tier-1': 's1', 'tier-2': 'c' },
  n2: { 'tier-0': 'l1', 'tier-1': 's1', 'tier-2': 'c' },
  n3: { 'tier-0': 'l2', 'tier-1': 's1', 'tier-2': 'c' },
  n4: { 'tier-0': 'l3', 'tier-1': 's2', 'tier-2': 'c' },
};

describe('labels of Kubernetes', () => {
  it('come back as they were', async () => {
    const { labels, err } = await exported('from "nodes.json" as kubernetes', { 'nodes.json': nodesJson(cluster) });
    expect(labels, err).toEqual(cluster);
  });

  it('have as many tiers as the tree', async () => {
    const tall = Object.fromEntries(
      Object.entries(cluster).map(([name, labels]) => [name, { ...labels, 'tier-3': 'x', 'tier-10': 'y' }]),
    );
    const { labels, err } = await exported('from "nodes.json" as kubernetes', { 'nodes.json': nodesJson(tall) });
    expect(labels, err).toMatchObject({
      n1: { 'tier-0': 'l1', 'tier-1': 's1', 'tier-2': 'c', 'tier-3': 'x', 'tier-4': 'y' },
    });
    expect(err).not.toContain('tiers');
  });

  it('are leaves alone where the network is no tree, and that is said', async () => {
    const { labels, err } = await exported('torus 2 x 2');
    expect(labels).toEqual(
      Object.fromEntries([0, 1, 2, 3].map((node) => [`node000${node}`, { 'tier-0': `switch-${node}` }])),
    );
    expect(err).toContain('`torus` is not a tree of switches, so nodes have the label `tier-0` only.');
    expect(err).toContain('kubectl apply --server-side --field-manager=placewright -f');
  });

  it('are refused for names that no node can have', async () => {
    const { err } = await exported('torus 2 x 2', {}, '--names', 'N_[1-4]');
    expect(err).toContain('error: Invalid Kubernetes node name N_1.');
  });
});
