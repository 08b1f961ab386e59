/**
 * The routing of a network in which each rail has a copy of its own (`rail-only`): `planesRouting` puts the routings of the copies
 * together. Routers, links and states of rail r follow those of rail r − 1, and no route leads from one rail to another.
 */
import { asAddressId, asLinkId, asRouterId, type LinkId } from '../../model/identifiers.ts';
import { routersOfPorts, type RouteGraph, type RouterFlows, type Routing, type Topology } from '../../model/machine.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';

/** One copy: its routing, and the first of its links and states among all. */
interface Copy {
  readonly routing: Routing;
  readonly firstLink: number;
  readonly endLink: number;
  readonly firstState: number;
}

/** Fails as `build` does, and with `routing-does-not-fit` if routes depend on loads. Copies without failures share one routing. */
export function planesRouting(
  topology: Topology,
  { count, plane }: NonNullable<Topology['planes']>,
  build: (plane: Topology) => Result<Routing>,
): Result<Routing> {
  const copies: Copy[] = [];
  let shared: Result<Routing> | undefined;
  let firstState = 0;
  for (let rail = 0; rail < count; rail++) {
    const built =
      topology.faults === undefined ? (shared ??= build(plane)) : build(planeWithFaults(topology, plane, rail));
    if (!built.ok) return built;
    const routing = built.value;
    if (routing.settled !== undefined) {
      return fail(
        'routing-does-not-fit',
        `\`routing ${routing.kind}\` conflicts with \`rail-only\`. Write \`routing minimal\` or \`routing valiant\`.`,
      );
    }
    const first = intAt(topology.links.firstLink, rail * plane.routerCount);
    const endLink = intAt(topology.links.firstLink, (rail + 1) * plane.routerCount);
    copies.push({ routing, firstLink: first, endLink, firstState });
    firstState += routing.graph?.stateCount ?? 0;
  }
  return succeed(joined(topology, plane.routerCount, copies));
}

/** The copy of one rail, with what failed there. Nodes whose router failed have failed there. O(routers + links of it + nodes). */
function planeWithFaults(topology: Topology, plane: Topology, rail: number): Topology {
  const { faults, rails, links } = topology;
  const { routerCount } = plane;
  const [begin, end] = [rail * routerCount, (rail + 1) * routerCount];
  const [first, last] = [intAt(links.firstLink, begin), intAt(links.firstLink, end)];
  const routers = faults?.routers.slice(begin, end) ?? new Uint8Array(routerCount);
  const nodes = Uint8Array.from(plane.routerOfNode, (router, node) =>
    faults?.nodes[node] === 1 || routers[router] === 1 || rails === undefined ? 1 : 0,
  );
  const local = (row: Int32Array, by: number): Int32Array => row.map((value) => value - by);
  const thinned = faults?.thinned?.of.slice(first, last);
  return {
    ...plane,
    links: {
      firstLink: local(links.firstLink.slice(begin, end + 1), first),
      from: local(links.from.slice(first, last), begin),
      to: local(links.to.slice(first, last), begin),
      routerLinkCount: last - first,
      linkCount: last - first + 2 * nodes.length,
    },
    faults: {
      routers,
      nodes,
      cables: (plane.links.routerLinkCount - (last - first)) / 2,
      ...(thinned && { thinned: { of: thinned, cables: thinned.reduce((sum, lost) => sum + lost, 0) / 2 } }),
    },
    allLinks: plane.links,
  };
}

/** Steps from where no way leads: more than any route has. */
const noWay = 2 ** 30;

function joined(topology: Topology, routersOfCopy: number, copies: readonly Copy[]): Routing {
  const { routerCount } = topology;
  const routers = routersOfPorts(topology);
  const railOf = (address: number): number =>
    Math.floor((address < routerCount ? address : intAt(routers, address - routerCount)) / routersOfCopy);
  /** The address on its own copy, on which ports are nodes. */
  const localOf = (address: number) =>
    asAddressId(
      address < routerCount
        ? address % routersOfCopy
        : routersOfCopy + intAt(topology.rails?.nodeOfPort ?? routers, address - routerCount),
    );
  /** Undefined between two rails. */
  const copyOf = (from: number, to: number): Copy | undefined => {
    const rail = railOf(from);
    return rail === railOf(to) ? copies[rail] : undefined;
  };
  const each = copies.map(({ routing }) => routing);
  const { kind, byNode, straight, hierarchy, ...first } = itemAt(each, 0);
  const graph = graphOfCopies(copies, routersOfCopy);
  return {
    kind,
    ...(byNode && { byNode }),
    ...(graph && { graph }),
    ...(hierarchy && { hierarchy: hierarchyOfCopies(copies, routersOfCopy) }),
    ...(straight && {
      straight: joined(
        topology,
        routersOfCopy,
        copies.map((copy) => ({ ...copy, routing: copy.routing.straight ?? copy.routing })),
      ),
    }),
    singlePath: each.every(({ singlePath }) => singlePath),
    symmetric: each.every(({ symmetric }) => symmetric),
    hops: (from, to) => copyOf(from, to)?.routing.hops(localOf(from), localOf(to)) ?? Infinity,
    route(from, to) {
      const copy = copyOf(from, to);
      const route = copy?.routing.route(localOf(from), localOf(to));
      return route?.map((link) => asLinkId(link + (copy?.firstLink ?? 0)));
    },
    stepsTo(router) {
      if (graph === undefined) return undefined;
      const { routing, firstState } = itemAt(copies, railOf(router));
      const steps = new Int32Array(graph.stateCount).fill(noWay);
      steps.set(routing.stepsTo(asRouterId(router % routersOfCopy)) ?? [], firstState);
      return steps;
    },
    ...(first.hopShares && {
      hopShares: (from, to, visit) => copyOf(from, to)?.routing.hopShares?.(localOf(from), localOf(to), visit),
    }),
    ...(first.weigh && {
      weigh(weights) {
        const weighed = copies.map(({ routing, firstLink, endLink }) =>
          routing.weigh?.(weights.slice(firstLink, endLink)),
        );
        return (from, to) =>
          railOf(from) === railOf(to) ? (weighed[railOf(from)]?.(localOf(from), localOf(to)) ?? Infinity) : Infinity;
      },
    }),
    visitShares(from, to, visit) {
      const copy = copyOf(from, to);
      copy?.routing.visitShares(localOf(from), localOf(to), (link, share) => {
        visit(asLinkId(link + copy.firstLink) satisfies LinkId, share);
      });
    },
    addLoads(flows, loads, cancellation) {
      copies.forEach(({ routing, firstLink, endLink }, rail) => {
        const own = flowsOfRail(flows, (address) => railOf(address) === rail, localOf);
        if (own.amount.length > 0) routing.addLoads(own, loads.subarray(firstLink, endLink), cancellation);
      });
    },
  };
}

function flowsOfRail(
  { from, to, amount }: RouterFlows,
  isOfRail: (address: number) => boolean,
  localOf: (address: number) => number,
): RouterFlows {
  const own = Array.from(amount.keys()).filter((flow) => isOfRail(intAt(from, flow)) && isOfRail(intAt(to, flow)));
  return {
    from: Int32Array.from(own, (flow) => localOf(intAt(from, flow))),
    to: Int32Array.from(own, (flow) => localOf(intAt(to, flow))),
    amount: Float64Array.from(own, (flow) => realAt(amount, flow)),
  };
}

function hierarchyOfCopies(copies: readonly Copy[], routersOfCopy: number): NonNullable<Routing['hierarchy']> {
  return {
    roots: copies.flatMap(({ routing }, rail) =>
      (routing.hierarchy?.roots ?? []).map((root) => asRouterId(root + rail * routersOfCopy)),
    ),
    level: Int32Array.from(copies.flatMap(({ routing }) => [...(routing.hierarchy?.level ?? [])])),
  };
}

/** The graphs of all copies as one; undefined if they have none. O(states + steps). */
function graphOfCopies(copies: readonly Copy[], routersOfCopy: number): RouteGraph | undefined {
  const graphs = copies.flatMap(({ routing, firstLink, firstState }, rail) =>
    routing.graph === undefined ? [] : [{ ...routing.graph, firstLink, firstState, firstRouter: rail * routersOfCopy }],
  );
  if (graphs.length < copies.length) return undefined;
  const shifted = (row: Int32Array, by: number): number[] => Array.from(row, (value) => value + by);
  const firstStep = [0];
  for (const graph of graphs) {
    const before = firstStep.at(-1) ?? 0;
    for (const step of graph.firstStep.subarray(1)) firstStep.push(before + step);
  }
  return {
    stateCount: firstStep.length - 1,
    routerOf: Int32Array.from(graphs.flatMap(({ routerOf, firstRouter }) => shifted(routerOf, firstRouter))),
    startOf: Int32Array.from(graphs.flatMap(({ startOf, firstState }) => shifted(startOf, firstState))),
    firstStep: Int32Array.from(firstStep),
    stepLink: Int32Array.from(graphs.flatMap(({ stepLink, firstLink }) => shifted(stepLink, firstLink))),
    stepTo: Int32Array.from(graphs.flatMap(({ stepTo, firstState }) => shifted(stepTo, firstState))),
  };
}
