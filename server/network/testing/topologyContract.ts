import { asLinkId } from '../../model/identifiers.ts';
import type { Topology } from '../../model/machine.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import { reverseLinks, endsOfLink } from '../links.ts';
import type { TopologyEntry, TopologyRequest } from '../contract.ts';
import { componentsOf } from '../topologies/cableGraph.ts';
import { exampleNetworks } from './exampleNetworks.ts';
import { valueOf } from './routingContract.ts';

/** What is checked, by name. */
const properties = {
  size: 'has the size that it measures, and its name',
  rows: 'lists the links that leave each router in its rows, to other routers',
  order: 'lists links by ascending target where it has no axes',
  back: 'has one link back for every link',
  connected: 'is connected',
  numbers: 'numbers the nodes of one router after the other',
  hostLinks: 'has two host links for every node, or none at all',
  coordinates: 'has wrapping and twisted axes only beside coordinates',
  labels: 'has tiers, groups and names for all or for none',
} as const;
type Property = keyof typeof properties;

/** Properties that have nothing to look at on some topologies. */
const exceptions: readonly { readonly on: readonly string[]; readonly property: Property; readonly reason: string }[] =
  [
    {
      on: ['torus', 'mesh', 'hypercube', 'hyperx'],
      property: 'order',
      reason: 'links are listed by axis',
    },
    { on: ['cluster'], property: 'order', reason: 'the network has one switch' },
    {
      on: ['switches', 'irregular', 'fat-tree', 'dragonfly', 'dragonfly-plus', 'hyperx', 'cluster', 'from'],
      property: 'coordinates',
      reason: 'no axis can wrap',
    },
    {
      on: ['torus', 'mesh', 'hypercube', 'hyperx', 'switches', 'irregular', 'cluster'],
      property: 'labels',
      reason: 'routers have no tiers, groups or names',
    },
  ];

/** What every topology promises; the catalogue's entries go through it by themselves. */
export function testTopologyContract(entry: TopologyEntry): void {
  testContract(`topology ${entry.name}`, (contract) => {
    for (const { on, property, reason } of exceptions) {
      if (on.includes(entry.name)) contract.notApplicable(properties[property], reason);
    }
    for (const { title, request } of exampleNetworks(entry.name)) {
      contract.on(title, () => {
        const topology = valueOf(entry.build(request));
        checkSize(contract, topology, entry, request);
        checkRows(contract, topology);
        checkNodes(contract, topology);
        checkLabels(contract, topology);
      });
    }
  });
}

function checkSize(contract: Contract, topology: Topology, entry: TopologyEntry, request: TopologyRequest): void {
  contract.property(properties.size, (look) => {
    const { routerCount, routerOfNode, links, kind } = topology;
    const measured = entry.measure(request);
    const size = { routers: routerCount, nodes: routerOfNode.length, links: links.linkCount };
    for (const count of ['routers', 'nodes', 'links'] as const) {
      look(measured?.[count] === size[count], () => `${size[count]} ${count}, not ${measured?.[count]}`);
    }
    look(kind === entry.name, kind);
  });
}

function checkRows(contract: Contract, { links, routerCount, shape }: Topology): void {
  const rows = Array.from({ length: routerCount }, (_, router) => {
    const row = [links.firstLink[router]!, links.firstLink[router + 1]!] as const;
    return { router, sources: links.from.subarray(...row), targets: links.to.subarray(...row) };
  });

  contract.property(properties.rows, (look) => {
    const lengths = [links.firstLink.length, links.from.length, links.to.length].join();
    look(lengths === [routerCount + 1, links.routerLinkCount, links.routerLinkCount].join(), `lengths ${lengths}`);
    const ends = [links.firstLink[0], links.firstLink[routerCount]].join();
    look(ends === [0, links.routerLinkCount].join(), `rows from ${ends}`);
    for (const { router, sources, targets } of rows) {
      look(sources.length === targets.length, () => `${router}: ${sources.length} links to ${targets.length}`);
      look(!sources.some((source) => source !== router), () => `${router}: links from ${sources.join(' ')}`);
      look(!targets.includes(router), () => `${router}: a link to itself`);
    }
  });

  contract.property(properties.order, (look) => {
    for (const { router, targets } of shape === undefined ? rows : []) {
      if (targets.length > 1) look(isAscending(targets), () => `${router}: ${targets.join(' ')}`);
    }
  });

  contract.property(properties.back, (look) => {
    const reverse = reverseLinks(links);
    look(reverse.length === links.routerLinkCount, () => `${reverse.length} links back`);
    reverse.forEach((back, link) => {
      const isBack = links.from[back] === links.to[link] && links.to[back] === links.from[link];
      look(isBack && reverse[back] === link, () => `link ${link}, back ${back}`);
    });
  });

  contract.property(properties.connected, (look) => {
    const { count } = componentsOf(links);
    look(count === 1, () => `${count} components`);
  });
}

function checkNodes(contract: Contract, { links, routerCount, routerOfNode, hasHostLinks }: Topology): void {
  contract.property(properties.numbers, (look) => {
    look(routerOfNode.length > 0, 'no nodes');
    look(isAscending(routerOfNode), () => routerOfNode.join(' '));
    routerOfNode.forEach((router, node) => {
      look(router >= 0 && router < routerCount, () => `node ${node} at router ${router}`);
    });
  });

  contract.property(properties.hostLinks, (look) => {
    const hostLinks = links.linkCount - links.routerLinkCount;
    look(hostLinks === (hasHostLinks ? 2 * routerOfNode.length : 0), () => `${hostLinks} host links`);
    const machine = { topology: { links, routerOfNode } };
    for (const [node, router] of hasHostLinks ? routerOfNode.entries() : []) {
      const up = links.routerLinkCount + 2 * node;
      const ends = [up, up + 1].map((link) => endsOfLink(machine, asLinkId(link)));
      const expected = [
        { from: { host: node }, to: router },
        { from: router, to: { host: node } },
      ];
      look(JSON.stringify(ends) === JSON.stringify(expected), () => `node ${node}: ${JSON.stringify(ends)}`);
    }
  });
}

function checkLabels(contract: Contract, topology: Topology): void {
  const { shape, wraps, twist, tiers, groups, names, routerCount, routerOfNode } = topology;

  contract.property(properties.coordinates, (look) => {
    if (wraps) look(wraps.length === shape?.length, () => `${wraps.length} wraps`);
    if (!twist) return;
    const isAlong = twist.along.every((axis) => shape !== undefined && axis < shape.length);
    look(wraps === undefined && isAlong, () => `twist along ${twist.along.join()}`);
  });

  contract.property(properties.labels, (look) => {
    for (const labels of [tiers, groups, names?.routers]) {
      if (labels) look(labels.length === routerCount, () => `${labels.length} labels of ${routerCount} routers`);
    }
    if (names) look(names.nodes.length === routerOfNode.length, () => `${names.nodes.length} names of nodes`);
  });
}

const isAscending = (values: Int32Array): boolean =>
  values.every((value, index) => index === 0 || values[index - 1]! <= value);
