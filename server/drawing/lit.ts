import { arrowText } from '../model/words.ts';
import { hostFlag, stubAtToFlag, type Scene } from './scene.ts';
import { sceneLinkEnds, sceneNodeName } from './labels.ts';

/**
 * Things that a place in the text stands for, by what the text calls them: a picture of any placement shows them where
 * it has them.
 */
export type TextThings =
  /** Jobs; with a flow the tasks at its ends alone. */
  | {
      readonly kind: 'jobs';
      readonly jobs: readonly string[];
      readonly flow?: { readonly from: number; readonly to: number };
    }
  | { readonly kind: 'tasks'; readonly tasks: readonly TaskRange[] }
  /** Nodes by number, both ends included. */
  | { readonly kind: 'nodes'; readonly first: number; readonly last: number }
  | { readonly kind: 'hosts'; readonly names: readonly string[] }
  /** Of a machine, where it is not the one of the placement that the place is part of. */
  | { readonly kind: 'cables'; readonly cables: readonly TextCable[]; readonly machine?: string };

/** Tasks of a job that follow one another, both ends included. */
export interface TaskRange {
  readonly job: string;
  readonly first: number;
  readonly last: number;
}

/** A cable by what is at its ends: routers, or a node. */
export interface TextCable {
  readonly from: CableEnd;
  readonly to: CableEnd;
}
type CableEnd = number | { readonly host: number };

/** Entries of a scene that come out, and what they are, in words. */
export interface Lit {
  readonly nodes: readonly number[];
  /** Of a cable in two parts, both of them. */
  readonly links: readonly number[];
  readonly words: string;
}

/** Where a picture shows things of the text; undefined where it shows none of them, as blocks do not. O(nodes + tasks + links). */
export function litIn(scene: Scene, things: TextThings): Lit | undefined {
  if (scene.blocks !== undefined) return undefined;
  const lit = find(scene, things);
  return lit.nodes.length === 0 && lit.links.length === 0 ? undefined : lit;
}

function find(scene: Scene, things: TextThings): Lit {
  switch (things.kind) {
    case 'jobs':
      return findJobs(scene, things);
    case 'tasks':
      return findTasks(scene, things);
    case 'nodes':
      return findNodes(scene, things);
    case 'hosts':
      return findHosts(scene, things);
    case 'cables':
      return findCables(scene, things);
  }
}

type Of<Kind extends TextThings['kind']> = Extract<TextThings, { readonly kind: Kind }>;

function findJobs(scene: Scene, { jobs: named, flow }: Of<'jobs'>): Lit {
  const jobs = named.filter((name) => scene.jobs.some((job) => job.name === name));
  const [first] = jobs;
  if (first === undefined) return nothing;
  if (flow !== undefined) {
    const ends = [flow.from, flow.to].map((task) => ({ job: first, first: task, last: task }));
    return {
      nodes: nodesOfTasks(scene, ends),
      links: [],
      words: arrowText(`${first} ${flow.from}`, `${first} ${flow.to}`),
    };
  }
  const all = jobs.map((job) => ({ job, first: 0, last: Infinity }));
  const words = `${jobs.length === 1 ? 'job' : 'jobs'} ${jobs.join(', ')}`;
  return { nodes: nodesOfTasks(scene, all), links: [], words };
}

function findTasks(scene: Scene, { tasks }: Of<'tasks'>): Lit {
  const nodes = nodesOfTasks(scene, tasks);
  const named = tasks.map(({ job, first, last }) => `${job} ${rangeWords(first, last)}`).join(', ');
  const [only] = nodes;
  const where = nodes.length === 1 && only !== undefined ? ` on ${sceneNodeName(scene, only)}` : '';
  return { nodes, links: [], words: `${named}${where}` };
}

function findNodes(scene: Scene, { first, last }: Of<'nodes'>): Lit {
  const nodes = entriesWhere(scene.nodes.id, (node) => first <= node && node <= last);
  const [only] = nodes;
  const words =
    nodes.length === 1 && only !== undefined ? sceneNodeName(scene, only) : `nodes ${rangeWords(first, last)}`;
  return { nodes, links: [], words };
}

function findHosts(scene: Scene, { names }: Of<'hosts'>): Lit {
  const wanted = new Set(names);
  const nodes = entriesWhere(scene.nodes.names, (name) => wanted.has(name));
  const ends = [...new Set([nodes[0], nodes.at(-1)])].flatMap((entry) =>
    entry === undefined ? [] : [sceneNodeName(scene, entry)],
  );
  return { nodes, links: [], words: ends.join(' … ') };
}

function findCables(scene: Scene, { cables, machine = scene.machine }: Of<'cables'>): Lit {
  if (machine !== scene.machine) return nothing;
  const links = entriesWhere(scene.links.from, (_, entry) => cables.some((cable) => isCable(scene, entry, cable)));
  // The second part of a cable is the same one.
  const whole = links.filter((entry) => (scene.links.flags[entry]! & stubAtToFlag) === 0);
  const named = whole.map((entry) => sceneLinkEnds(scene, entry).join(' – ')).slice(0, mostNamed);
  const more = whole.length > mostNamed ? ` and ${whole.length - mostNamed} more` : '';
  return { nodes: [], links, words: `${whole.length === 1 ? 'link' : 'links'} ${named.join(', ')}${more}` };
}

const nothing: Lit = { nodes: [], links: [], words: '' };

/** Cables that are named one by one. */
const mostNamed = 3;

const rangeWords = (first: number, last: number): string => (first === last ? `${first}` : `${first}–${last}`);

function entriesWhere<Value>(
  values: { readonly length: number; readonly [entry: number]: Value },
  isWanted: (value: Value, entry: number) => boolean,
): readonly number[] {
  const found: number[] = [];
  for (let entry = 0; entry < values.length; entry++) if (isWanted(values[entry]!, entry)) found.push(entry);
  return found;
}

/** Every node once. */
function nodesOfTasks({ nodes, jobs }: Scene, ranges: readonly TaskRange[]): readonly number[] {
  const wanted = ranges.map(({ job, first, last }) => ({
    job: jobs.findIndex(({ name }) => name === job),
    first,
    last,
  }));
  return entriesWhere(nodes.id, (_, entry) => {
    for (let place = nodes.taskStart[entry]!; place < nodes.taskStart[entry + 1]!; place++) {
      const [job, task] = [nodes.taskJob[place]!, nodes.task[place]!];
      if (wanted.some((range) => range.job === job && range.first <= task && task <= range.last)) return true;
    }
    return false;
  });
}

/** Either direction of it. */
function isCable({ links }: Scene, entry: number, { from, to }: TextCable): boolean {
  const [one, other] = [links.from[entry]!, links.to[entry]!];
  if ((links.flags[entry]! & hostFlag) !== 0) {
    const joins = (host: CableEnd, router: CableEnd): boolean =>
      typeof host === 'object' && host.host === one && router === other;
    return joins(from, to) || joins(to, from);
  }
  return (from === one && to === other) || (from === other && to === one);
}
