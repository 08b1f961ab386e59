import { describe, expect, it } from 'vitest';
import { asLinkId } from '../../model/identifiers.ts';
import type { Topology } from '../../model/machine.ts';
import { reverseLinks, linkEnds } from '../links.ts';
import type { TopologyEntry } from '../contract.ts';
import { componentsOf } from '../topologies/cableGraph.ts';
import { exampleNetworks } from './exampleNetworks.ts';
import { valueOf } from './routingContract.ts';

/** What every topology promises; the catalogue's entries go through it by themselves. */
export function describeTopologyContract(entry: TopologyEntry): void {
  describe.each(exampleNetworks(entry.name))(`topology ${entry.name} $title`, ({ request }) => {
    const topology = valueOf(entry.build(request));

    it('has the size that it measures, and its name', () => {
      const { routerCount, routerOfNode, links } = topology;
      const size = { routers: routerCount, nodes: routerOfNode.length, links: links.linkCount };
      expect(entry.measure(request)).toEqual(size);
      expect(topology.kind).toBe(entry.name);
    });
    describeRows(topology);
    describeNodes(topology);
    describeLabels(topology);
  });
}

function describeRows(topology: Topology): void {
  const { links, routerCount, shape } = topology;

  it('lists the links that leave each router in its rows, by ascending target where it has no axes', () => {
    expect(links.firstLink).toHaveLength(routerCount + 1);
    expect(links.from).toHaveLength(links.routerLinkCount);
    expect(links.to).toHaveLength(links.routerLinkCount);
    expect([links.firstLink[0], links.firstLink[routerCount]]).toEqual([0, links.routerLinkCount]);
    for (let router = 0; router < routerCount; router++) {
      const row = [links.firstLink[router]!, links.firstLink[router + 1]!] as const;
      const targets = [...links.to.subarray(...row)];
      expect(new Set(links.from.subarray(...row))).toEqual(new Set(targets.length === 0 ? [] : [router]));
      expect(targets).not.toContain(router);
      if (!shape) expect(targets).toEqual(targets.toSorted((a, b) => a - b));
    }
  });

  it('has one link back for every link', () => {
    const reverse = reverseLinks(links);
    reverse.forEach((back, link) => {
      expect([links.from[back], links.to[back], reverse[back]]).toEqual([links.to[link], links.from[link], link]);
    });
  });

  it('is connected', () => {
    expect(componentsOf(links).count).toBe(1);
  });
}

function describeNodes({ links, routerCount, routerOfNode, hasHostLinks }: Topology): void {
  it('numbers the nodes of one router after the other', () => {
    expect(routerOfNode.length).toBeGreaterThan(0);
    expect(routerOfNode).toEqual(routerOfNode.toSorted());
    expect(routerOfNode[0]).toBeGreaterThanOrEqual(0);
    expect(routerOfNode.at(-1)).toBeLessThan(routerCount);
  });

  it('has two host links for every node, or none at all', () => {
    const hostLinks = links.linkCount - links.routerLinkCount;
    expect(hostLinks).toBe(hasHostLinks ? 2 * routerOfNode.length : 0);
    routerOfNode.forEach((router, node) => {
      if (!hasHostLinks) return;
      const up = links.routerLinkCount + 2 * node;
      const machine = { topology: { links, routerOfNode } };
      expect(linkEnds(machine, asLinkId(up))).toEqual({ from: { host: node }, to: router });
      expect(linkEnds(machine, asLinkId(up + 1))).toEqual({ from: router, to: { host: node } });
    });
  });
}

function describeLabels({ shape, wraps, twist, tiers, groups, names, routerCount, routerOfNode }: Topology): void {
  it('has coordinates, tiers, groups and names for all or for none', () => {
    expect([undefined, shape?.length]).toContain(wraps?.length);
    if (twist) expect([wraps, twist.along.every((axis) => axis < shape!.length)]).toEqual([undefined, true]);
    for (const labels of [tiers, groups, names?.routers]) expect([undefined, routerCount]).toContain(labels?.length);
    expect([undefined, routerOfNode.length]).toContain(names?.nodes.length);
  });
}
