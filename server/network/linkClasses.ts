/**
 * What each link of a machine can do, from what its declaration says of all links, of groups of them and of single
 * cables, and what its file says: `classifyLinks` makes the classes, the others read them. What says most goes first:
 * a cable of the declaration, its group, `interface` for links of nodes, the file, then what is said of all links.
 */
import type {
  GroupFigures,
  LinkClass,
  LinkGroup,
  LinkSpeed,
  Machine,
  MachineFigures,
  Topology,
} from '../model/machine.ts';
import { axisBetween, fastestBandwidth, groupName, hasLinksOfNodes } from '../model/machine.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import type { Shape } from '../model/shape.ts';
import { intAt, itemAt, realAt } from '../numeric/elements.ts';

/** Whether a grid has links of nodes because its figures speak of them. */
export const speaksOfPorts = ({ interface: port, groups = [] }: MachineFigures): boolean =>
  port !== undefined || groups.some(({ group }) => group.kind === 'hosts');

/**
 * The classes of the links of a topology; none where nothing says what they can do. Fails with `no-such-links`
 * where figures name a group that the topology does not have. O(links).
 */
export function classifyLinks(figures: MachineFigures, topology: Topology): Result<Pick<Machine, 'linkClasses'>> {
  const groups = withLocalFigures(groupsWithPorts(figures, topology), topology);
  const stranger = groups.find(({ group }) => !hasGroup(topology, group));
  if (stranger !== undefined) {
    const name = groupName(stranger.group);
    return fail(
      'no-such-links',
      `\`topology ${topology.kind}\` has no links \`${name}\` ${whyNot[stranger.group.kind]}.`,
    );
  }
  const isEven = topology.ownSpeeds === undefined && topology.faults?.thinned === undefined;
  if (groups.length === 0 && isEven) {
    const { bandwidth, latency, cables = 1 } = figures;
    if (bandwidth === undefined && latency === undefined && cables === 1) return succeed({});
    return succeed({ linkClasses: { classes: [classOf(undefined, {}, false, figures, 0)] } });
  }
  return succeed({ linkClasses: unequalClasses(figures, topology, groups) });
}

/** Classes where links differ, or may. O(links). */
function unequalClasses(
  figures: MachineFigures,
  topology: Topology,
  groups: readonly GroupFigures[],
): NonNullable<Machine['linkClasses']> {
  const { ownSpeeds, links, hasPorts } = topology;
  const thinned = topology.faults?.thinned?.of;
  const groupOf = groupFinder(topology, groups);
  const own = ownSpeeds?.speeds ?? [{}];
  const classes: LinkClass[] = [];
  const kinds = (groups.length + 1) * own.length;
  const mostLost = thinned?.reduce((most, lost) => Math.max(most, lost), 0) ?? 0;
  const known = new Int32Array(kinds * (mostLost + 1)).fill(-1);
  const of = new Int32Array(links.linkCount);
  // The general figures are those of cables between routers where ports are no cables.
  const general = (link: number): General => {
    if (link < links.routerLinkCount) return figures;
    return hasPorts === true ? {} : bareSpeed(figures);
  };
  const lostOf = (link: number): number => (link < links.routerLinkCount ? (thinned?.[link] ?? 0) : 0);
  for (let link = 0; link < of.length; link++) {
    const [group, speed, lost] = [groupOf(link), ownSpeeds === undefined ? 0 : intAt(ownSpeeds.of, link), lostOf(link)];
    const key = lost * kinds + (group + 1) * own.length + speed;
    if (known[key] === -1) {
      known[key] = classes.length;
      const isDeclared = ownSpeeds?.areDeclared === true;
      classes.push(classOf(groups[group], itemAt(own, speed), isDeclared, general(link), lost));
    }
    of[link] = intAt(known, key);
  }
  // A torus of one router has axes and no links: readers of classes find one all the same.
  if (classes.length === 0) return { classes: [classOf(undefined, {}, false, figures, 0)] };
  return classes.length === 1 ? { classes } : { classes, of };
}

const whyNot: Readonly<Record<LinkGroup['kind'], string>> = {
  hosts: 'between nodes and routers',
  axis: 'along such an axis',
  tier: 'between switches of this tier and the next',
  local: 'within groups of switches',
  global: 'between groups of switches',
};

/**
 * The groups that figures speak of, with `interface` as the bandwidth of links of nodes, which are a group as well where
 * there are several cables between routers.
 */
function groupsWithPorts(
  { groups = [], interface: port, cables = 1 }: MachineFigures,
  topology: Topology,
): readonly GroupFigures[] {
  if (port === undefined && (cables === 1 || !hasLinksOfNodes(topology))) return groups;
  const isHosts = ({ group }: GroupFigures): boolean => group.kind === 'hosts';
  const hosts: GroupFigures = { group: { kind: 'hosts' }, cables: 1, ...groups.find(isHosts) };
  return [...groups.filter((one) => !isHosts(one)), { ...(port === undefined ? {} : { bandwidth: port }), ...hosts }];
}

/** Where groups are grids what is said of local links holds for their rows and columns, as far as these say nothing else. */
function withLocalFigures(groups: readonly GroupFigures[], { groupShape }: Topology): readonly GroupFigures[] {
  const local = groups.find(({ group }) => group.kind === 'local');
  if (groupShape === undefined || local === undefined) return groups;
  return groups.map((one) => (one.group.kind === 'axis' ? { ...local, ...one } : one));
}

/** What is said of all links, or of all between routers. */
type General = Pick<MachineFigures, 'bandwidth' | 'latency' | 'cables'>;

function hasGroup(topology: Topology, group: LinkGroup): boolean {
  const { groupShape, tiers, groups, hasHostLinks, hasPorts } = topology;
  switch (group.kind) {
    case 'hosts':
      return hasHostLinks || hasPorts === true;
    case 'axis':
      return group.axis < (shapeOfLinks(topology) ?? groupShape ?? []).length;
    case 'tier':
      return tiers?.some((tier) => tier === group.tier + 1) === true;
    default:
      return groups !== undefined;
  }
}

/** The coordinates that links lead along, those of each copy where rails have networks of their own. */
const shapeOfLinks = ({ shape, planes }: Topology): Shape | undefined => shape ?? planes?.plane.shape;

const bareSpeed = ({ bandwidth, latency }: LinkSpeed): LinkSpeed => ({
  ...(bandwidth === undefined ? {} : { bandwidth }),
  ...(latency === undefined ? {} : { latency }),
});

/** `lost`: of the cables side by side as many are missing. */
function classOf(
  figures: GroupFigures | undefined,
  own: LinkSpeed,
  isDeclared: boolean,
  general: General,
  lost: number,
): LinkClass {
  const [first, second] = isDeclared ? [own, figures ?? {}] : [figures ?? {}, own];
  const cables = (figures?.cables ?? general.cables ?? 1) - lost;
  const speed = { ...bareSpeed(general), ...bareSpeed(second), ...bareSpeed(first) };
  return {
    ...(figures === undefined ? {} : { group: figures.group }),
    cables,
    ...speed,
    ...(speed.bandwidth === undefined ? {} : { bandwidth: speed.bandwidth * cables }),
  };
}

/**
 * How many cables side by side figures say that each link between routers stands for, whatever is missing of them; undefined where each
 * stands for one. O(1) a link on most networks.
 */
export function bundlesOf(figures: MachineFigures, topology: Topology): ((link: number) => number) | undefined {
  const { cables = 1 } = figures;
  const groups = withLocalFigures(groupsWithPorts(figures, topology), topology);
  const isBundle = (group: GroupFigures): boolean => group.group.kind !== 'hosts' && (group.cables ?? 1) > 1;
  if (cables === 1 && !groups.some(isBundle)) return undefined;
  const groupOf = groupFinder(topology, groups);
  return (link) => groups[groupOf(link)]?.cables ?? cables;
}

/** Of a directed link, the index of its group among `groups`, or −1. */
function groupFinder(topology: Topology, groups: readonly GroupFigures[]): (link: number) => number {
  const indexOf = (wanted: (group: LinkGroup) => boolean): number => groups.findIndex(({ group }) => wanted(group));
  const { groupShape, tiers, groups: groupOfRouter } = topology;
  const shape = shapeOfLinks(topology);
  const { from, to, routerLinkCount } = topology.links;
  const hosts = indexOf(({ kind }) => kind === 'hosts');
  const between = ((): ((link: number) => number) => {
    const sides = shape ?? groupShape ?? [];
    const axes = sides.map((_, axis) => indexOf((group) => group.kind === 'axis' && group.axis === axis));
    const axisOf = axisFinder(topology, sides);
    if (shape !== undefined) return (link) => itemAt(axes, axisOf(link));
    if (tiers !== undefined) {
      const top = tiers.reduce((most, tier) => Math.max(most, tier), 0);
      const ofTier = Array.from({ length: top + 1 }, (_, tier) =>
        indexOf((group) => group.kind === 'tier' && group.tier === tier),
      );
      return (link) => itemAt(ofTier, Math.min(intAt(tiers, intAt(from, link)), intAt(tiers, intAt(to, link))));
    }
    if (groupOfRouter === undefined) return () => -1;
    const [local, global] = [indexOf(({ kind }) => kind === 'local'), indexOf(({ kind }) => kind === 'global')];
    return (link) => {
      if (groupOfRouter[intAt(from, link)] !== groupOfRouter[intAt(to, link)]) return global;
      const own = groupShape === undefined ? -1 : itemAt(axes, axisOf(link));
      return own >= 0 ? own : local;
    };
  })();
  return (link) => (link < routerLinkCount ? between(link) : hosts);
}

/** The axis of a link between two routers of a grid, a HyperX, or a group that is a grid. O(dimensions). */
export function axisFinder(
  { links, twist }: Pick<Topology, 'links' | 'twist'>,
  shape: Shape,
): (link: number) => number {
  if (twist !== undefined) {
    return (link) => axisBetween(shape, intAt(links.from, link), intAt(links.to, link), twist).axis;
  }
  const strides: number[] = [];
  let stride = 1;
  for (const side of shape) {
    strides.push(stride);
    stride *= side;
  }
  // Routers on one line differ by a multiple of the stride of its axis, less than that of the next axis. An axis of side 1
  // has no links and the stride of the next one.
  return (link) => {
    const difference = Math.abs(intAt(links.to, link) - intAt(links.from, link));
    return strides.findLastIndex((each) => each <= difference);
  };
}

/** Cables side by side that a link between routers stands for. O(1). */
export const cablesOfLink = ({ linkClasses }: Pick<Machine, 'linkClasses'>, link: number): number =>
  linkClasses?.classes[linkClasses.of === undefined ? 0 : intAt(linkClasses.of, link)]?.cables ?? 1;

/** Bytes per second of a link; undefined where nobody says. O(1). */
export const bandwidthOf = ({ linkClasses }: Pick<Machine, 'linkClasses'>, link: number): number | undefined =>
  linkClasses?.classes[linkClasses.of === undefined ? 0 : intAt(linkClasses.of, link)]?.bandwidth;

/**
 * What a byte takes on each link, by LinkId, as a multiple of what it takes on the fastest; 0 where nobody says. Undefined
 * where it takes the same on all of them: then bytes compare as times do. Where no link has a bandwidth all take the same,
 * but for ports of a grid, of which nobody says that they are as slow as cables. O(links).
 */
export function relativeTimes(machine: Pick<Machine, 'topology' | 'linkClasses'>): Float64Array | undefined {
  const { topology, linkClasses } = machine;
  const { linkCount, routerLinkCount } = topology.links;
  const fastest = fastestBandwidth(machine);
  if (fastest === undefined) {
    return topology.hasPorts === true ? new Float64Array(linkCount).fill(1, 0, routerLinkCount) : undefined;
  }
  const of = linkClasses?.of;
  if (of === undefined) return undefined;
  const times = Float64Array.from(linkClasses!.classes, ({ bandwidth }) =>
    bandwidth === undefined ? 0 : fastest / bandwidth,
  );
  if (times.every((time) => time === 1)) return undefined;
  return Float64Array.from({ length: linkCount }, (_, link) => realAt(times, intAt(of, link)));
}

/** Seconds that a byte takes on each link, by LinkId, 0 where nobody says; undefined where all are as fast, or nobody says of any. O(links). */
export function secondsPerByte(machine: Pick<Machine, 'topology' | 'linkClasses'>): Float64Array | undefined {
  const fastest = fastestBandwidth(machine);
  return fastest === undefined ? undefined : relativeTimes(machine)?.map((time) => time / fastest);
}

/** Whether a byte takes longer over some links between routers than over others. O(links). */
export function differBetweenRouters({ topology, linkClasses }: Pick<Machine, 'topology' | 'linkClasses'>): boolean {
  if (linkClasses?.of === undefined) return false;
  const used = new Set(linkClasses.of.subarray(0, topology.links.routerLinkCount));
  return new Set(Array.from(used, (index) => linkClasses.classes[index]?.bandwidth)).size > 1;
}

/** How long each link works, in bytes of the fastest: its load where a byte takes the same on all. O(links). */
export const busyTimes = (loads: Float64Array, times: Float64Array | undefined): Float64Array =>
  times === undefined ? loads : loads.map((load, link) => load * realAt(times, link));
