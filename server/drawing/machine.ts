/**
 * The picture of a machine by itself, without anything placed on it: cables in the colours of their classes, and beside it
 * what a user asks of a machine before placing anything on it.
 */
import { appendAll } from '../model/lists.ts';
import { axisBetween, topologyWords, type LinkClass as LinkSpeeds, type Machine } from '../model/machine.ts';
import { axisFinder } from '../network/linkClasses.ts';
import { countOf, formatNumber, formatRate, formatSeconds, hopsOf, rootsText } from '../model/quantities.ts';
import type { Fabric } from '../model/fabric.ts';
import type { Metrics, PlacementReport } from '../model/report.ts';
import { type Result, succeed } from '../model/result.ts';
import { axisName } from '../model/shape.ts';
import { faultWords } from '../model/faults.ts';
import type { MachineFigures } from '../study/machineFigures.ts';
import { pictureOf } from './drawScene.ts';
import { tiersOf } from './layout/tiers.ts';
import type { LinkClass, MachineAbout, Scene } from './scene.ts';

/**
 * The picture of a machine with its figures; `fabric` is what its file holds, where it has one. The same machine gives the same
 * scene, byte for byte, and the layout of its placements. Fails as {@link pictureOf} does. O(nodes + links).
 */
export function machinePicture(machine: Machine, figures: MachineFigures, fabric?: Fabric): Result<Scene> {
  const picture = pictureOf(emptyReport(machine));
  if (!picture.ok) return picture;
  const scene = picture.value;
  const classes = drawnLinkClasses(machine);
  const classOf = new Uint8Array(machine.topology.links.linkCount).map((_, link) => classes.of(link));
  const about: MachineAbout = {
    kind: machineKindText(machine, figures),
    degrees: figures.degreeCounts,
    degreeWord: machine.topology.hasHostLinks ? 'switch' : 'node',
    linkClasses: classes.classes,
    classOf,
    degreeOf: figures.degrees,
    sparePorts: Int32Array.from(figures.sparePorts ?? []),
    notes: [...(scene.blocks?.notes ?? []), ...machineNotes(figures, fabric)],
  };
  const rows = figureRows(machine, figures);
  return succeed({
    ...scene,
    placement: '',
    labels: scene.blocks !== undefined ? 'task' : machine.topology.names === undefined ? 'node' : 'host',
    description: descriptionOf(machine, figures, about),
    figures: rows,
    figureValues: new Float64Array(rows.length).fill(NaN),
    about,
  });
}

const noMetrics: Metrics = {
  averageHops: 0,
  hopVariance: 0,
  maximumHops: 0,
  hopBytes: 0,
  weightedHops: 0,
  mappingCoefficient: undefined,
  maximumLinkLoad: 0,
  meanLinkLoad: 0,
  interNodeBytes: 0,
  congestionTime: undefined,
};

/** A placement of no job: what is drawn of it is the machine. */
const emptyReport = (machine: Machine): PlacementReport => ({
  name: '',
  machine,
  seed: 0,
  jobs: [],
  metrics: noMetrics,
  linkLoads: new Float64Array(machine.topology.links.linkCount),
  hotFrom: 0,
  hotLinks: [],
  notes: [],
  milliseconds: { allocate: 0, map: 0, evaluate: 0 },
});

/** Nothing else in such a picture has a colour. The first is for cables that are all alike. */
const classColors = ['#8a9fb0', '#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#a07d00', '#7b5fc7'];
const hostColor = '#9aa3ab';

export interface LinkClasses {
  readonly classes: readonly LinkClass[];
  /** Of a directed link, index into `classes`. O(1). */
  readonly of: (link: number) => number;
}

/** Where there were more classes, speeds tell none apart: nobody tells so many colours apart. */
const mostClasses = 24;

/**
 * Cables by axis, by tier, by group or all alike, and by what they can do; host links apart. Host links of a grid are not
 * drawn and are no class. O(links · dimensions).
 */
export function drawnLinkClasses(machine: Machine): LinkClasses {
  const { topology, linkClasses } = machine;
  const { links, hasHostLinks } = topology;
  const kinds = cableKinds(machine);
  const speeds = linkClasses?.classes ?? [{ cables: 1 }];
  const hosts = kinds.names.length;
  const kindOfLink = (link: number): number => (link < links.routerLinkCount ? kinds.of(link) : hosts);
  const speedOfLink = (link: number): number => linkClasses?.of?.[link] ?? 0;
  const drawn = hasHostLinks ? links.linkCount : links.routerLinkCount;
  // Of each link its kind and its speed: to find the kinds of a million links takes a second.
  const keyOf = new Int32Array(drawn).map((_, link) => kindOfLink(link) * speeds.length + speedOfLink(link));
  const counts = new Int32Array((hosts + 1) * speeds.length);
  for (const key of keyOf) counts[key]!++;
  const tellsSpeeds = counts.reduce((classes, count) => classes + (count > 0 ? 1 : 0), 0) <= mostClasses;
  if (!tellsSpeeds) {
    const kindOfKey = (key: number): number => key - (key % speeds.length);
    for (const [key, count] of counts.entries()) {
      if (key === kindOfKey(key)) continue;
      counts[kindOfKey(key)]! += count;
      counts[key] = 0;
    }
    for (const [link, key] of keyOf.entries()) keyOf[link] = kindOfKey(key);
  }
  const keys = [...counts.keys()].filter((key) => counts[key]! > 0);
  const placeOf = new Int32Array(counts.length);
  for (const [place, key] of keys.entries()) placeOf[key] = place;
  const firstOfHosts = keys.findIndex((key) => key >= hosts * speeds.length);
  const isAlone = keys.length === 1 && !hasHostLinks;
  const classes = keys.map((key, position): LinkClass => {
    const color = classColors[isAlone ? 0 : 1 + (position % (classColors.length - 1))]!;
    return {
      name: kinds.names[Math.floor(key / speeds.length)] ?? 'of hosts',
      cables: (counts[key]! / 2) * (tellsSpeeds ? speeds[key % speeds.length]!.cables : 1),
      words: tellsSpeeds ? speedWords(speeds[key % speeds.length]!) : 'of many bandwidths',
      color: position === firstOfHosts ? hostColor : color,
    };
  });
  return { classes, of: (link) => (link < drawn ? placeOf[keyOf[link]!]! : 0) };
}

/** `2 × 4.7 GB/s, 1 µs`. */
function speedWords({ bandwidth, latency, cables }: LinkSpeeds): string {
  const side = cables === 1 ? '' : `${cables} × `;
  return [
    ...(bandwidth === undefined ? [] : [side + formatRate(bandwidth / cables)]),
    ...(latency === undefined ? [] : [formatSeconds(latency)]),
  ].join(', ');
}

interface CableKinds {
  readonly names: readonly string[];
  /** Of a link between routers. */
  readonly of: (link: number) => number;
}

/** Machines of more axes have cables of one kind: nobody tells so many colours apart. */
const mostAxes = 6;

function cableKinds({ topology, linkClasses }: Machine): CableKinds {
  const { shape, groups, groupShape, twist, links } = topology;
  const { from, to } = links;
  if (shape !== undefined && (shape.length <= mostAxes || linkClasses?.of !== undefined)) {
    const ends = topology.hasHostLinks ? 'between switches' : 'between nodes';
    return {
      names: shape.map((_, axis) => (shape.length === 1 ? ends : `along ${axisName(axis)}`)),
      of: (link) => axisBetween(shape, from[link]!, to[link]!, twist).axis,
    };
  }
  if (groups !== undefined && groupShape !== undefined && groupShape.length < mostAxes) {
    const axisOf = axisFinder(topology, groupShape);
    return {
      names: [...groupShape.map((_, axis) => `in groups, ${axisName(axis)}`), 'between groups'],
      of: (link) => (groups[from[link]!] === groups[to[link]!] ? axisOf(link) : groupShape.length),
    };
  }
  if (groups !== undefined) {
    return {
      names: ['within groups', 'between groups'],
      of: (link) => Number(groups[from[link]!] !== groups[to[link]!]),
    };
  }
  const tiers = topology.routerCount > 1 && shape === undefined ? tiersOf(topology) : undefined;
  if (tiers === undefined)
    return { names: [topology.hasHostLinks ? 'between switches' : 'between nodes'], of: () => 0 };
  const top = tiers.reduce((most, tier) => Math.max(most, tier), 0);
  if (top < 2) return { names: ['between switches'], of: () => 0 };
  const names = Array.from({ length: top }, (_, tier) => `tier ${tier} – tier ${tier + 1}`);
  return { names, of: (link) => Math.max(0, Math.min(tiers[from[link]!]!, tiers[to[link]!]!)) };
}

/** `torus 8 x 8, dimension-order routing`. */
function machineKindText({ topology }: Machine, { routing, roots, format }: MachineFigures): string {
  const kind = format === undefined ? topologyWords(topology) : `network of a file (${format})`;
  return `${kind}, ${routing} routing${roots === undefined ? '' : ` from ${rootsText(roots)}`}`;
}

type Row = readonly [name: string, value: string];

/** The rows beside the picture and of the command line. */
export const figureRows = (machine: Machine, figures: MachineFigures): readonly Row[] => [
  ...sizeRows(machine, figures),
  ...(figures.parts === 1 ? distanceRows(figures) : []),
  ['Components', figures.parts === 1 ? '1, connected' : `${formatNumber(figures.parts)}, disconnected`],
  ...(figures.leftOut === undefined ? [] : [['Skipped', leftOutWords(figures.leftOut)] as const]),
  ...(figures.sparePorts === undefined ? [] : [['Spare ports', sparePortWords(figures.sparePorts)] as const]),
];

function sizeRows(
  { topology, inside }: Machine,
  { nodes, cores, routers, cables, hostLinks, faults }: MachineFigures,
): readonly Row[] {
  const { hasHostLinks } = topology;
  const rows: Row[] = [[hasHostLinks ? 'Hosts' : 'Nodes', formatNumber(nodes)]];
  const hasGpus = inside.slots === 'gpus';
  if (hasGpus || cores !== nodes) rows.push([hasGpus ? 'GPUs' : 'Cores', formatNumber(cores)]);
  if (hasHostLinks) rows.push(['Switches', formatNumber(routers)]);
  else if (routers !== nodes) rows.push(['Routers', formatNumber(routers)]);
  rows.push(['Links', formatNumber(cables)]);
  if (faults !== undefined) rows.push(['Failed hardware', faultWords(faults)]);
  if (hasHostLinks) rows.push(['Host links', formatNumber(hostLinks)]);
  return rows;
}

/** Those of a network in one part. */
function distanceRows({ diameter, meanDistance, bisection, bisectionBandwidth }: MachineFigures): readonly Row[] {
  const rows: Row[] = [];
  if (diameter !== undefined) rows.push(['Diameter', hopsOf(diameter)]);
  if (meanDistance !== undefined) rows.push(['Average distance', hopsOf(meanDistance)]);
  if (bisection !== undefined) {
    const cables = countOf(bisection.cables, 'link');
    rows.push(['Bisection', bisection.isBound ? `at most ${cables}` : cables]);
  }
  if (bisectionBandwidth !== undefined) {
    const rate = formatRate(bisectionBandwidth.rate);
    rows.push([
      'Bisection bandwidth',
      bisectionBandwidth.isBound ? `≤ ${rate} per direction` : `${rate} per direction`,
    ]);
  }
  return rows;
}

function sparePortWords(ports: readonly number[]): string {
  const known = ports.filter((count) => count >= 0);
  const sum = known.reduce((all, count) => all + count, 0);
  return `${formatNumber(sum)} on ${countOf(known.filter((count) => count > 0).length, 'switch', 'switches')}`;
}

/** Names of switches in a list of a part. */
const namedRouters = 4;
/** Parts that are told of one by one. */
const namedParts = 4;

function machineNotes(figures: MachineFigures, fabric: Fabric | undefined): readonly string[] {
  const { bisection, bisectionBandwidth, parts, diameter } = figures;
  const notes: string[] = [];
  if (parts === 1 && bisection !== undefined) {
    const { words, isBound } = bisection;
    notes.push(isBound ? `Bisection: ${words}, upper bound.` : `Bisection: ${words}.`);
  }
  if (parts === 1 && bisectionBandwidth !== undefined && bisectionBandwidth.words !== bisection?.words) {
    const { words, isBound } = bisectionBandwidth;
    notes.push(isBound ? `Bisection bandwidth: ${words}, upper bound.` : `Bisection bandwidth: ${words}.`);
  }
  if (parts === 1 && diameter === undefined) notes.push('Too large to compute distances.');
  if (parts > 1) appendAll(notes, networkPartWords(figures, fabric));
  if (fabric?.speeds !== undefined) {
    notes.push(
      `The file contains ${fabric.speeds.map(({ speed, cables }) => `${formatNumber(cables)} × ${speed}`).join(', ')}.`,
    );
  }
  return notes;
}

/** `Part 1: leaf-0, leaf-1 and 6 more switches.` */
function networkPartWords({ parts, partOfRouter }: MachineFigures, fabric: Fabric | undefined): readonly string[] {
  const words = Array.from({ length: Math.min(parts, namedParts) }, (_, part) => {
    const members = [...partOfRouter.keys()].filter((router) => partOfRouter[router] === part);
    const names = members.slice(0, namedRouters).map((router) => fabric?.routers[router] ?? `switch ${router}`);
    if (members.length === names.length) return `Component ${part + 1}: ${names.join(', ')}.`;
    return `Component ${part + 1}: ${names.join(', ')} and ${formatNumber(members.length - names.length)} more.`;
  });
  return parts > namedParts ? [...words, `And ${formatNumber(parts - namedParts)} components more.`] : words;
}

/** `2 parts of the file with 4 switches and 40 hosts`. */
const leftOutWords = ({ parts, switches, hosts }: NonNullable<Fabric['leftOut']>): string =>
  `${countOf(parts, 'part')} of the file with ${countOf(switches, 'switch', 'switches')} and ${countOf(hosts, 'host')}`;

/** For a reader who cannot see the picture. */
function descriptionOf(machine: Machine, figures: MachineFigures, about: MachineAbout): string {
  const rows = figureRows(machine, figures).map(([name, value]) => `${name.toLowerCase()} ${value}`);
  const degrees = about.degrees.map(
    ({ degree, routers }) => `${formatNumber(routers)} with ${countOf(degree, 'link')}`,
  );
  const degreeSentence =
    degrees.length > 6
      ? ''
      : ` ${about.degreeWord === 'switch' ? 'Switches' : 'Nodes'} by degree: ${degrees.join(', ')}.`;
  return `Machine ${machine.name}: ${about.kind}. ${rows.join(', ')}.${degreeSentence}`;
}
