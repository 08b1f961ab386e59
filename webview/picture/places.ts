/**
 * The way from numbers (of links, nodes, tasks) to the entries of a scene that show them, and the names that are shown.
 */
import {
  arrowText,
  coordinateLabel,
  entriesByNumber,
  formatRanges,
  sceneLinkEnds,
} from '../../server/drawing/labels.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import type { TaskOfJob } from '../../server/protocol/messages.ts';
import { t } from '../page/words.ts';

/** Where the picture shows what answers speak of by number. */
export interface Places {
  /**
   * Entry of the scene's links that shows a directed link, and whether it runs from → to; undefined where none does.
   */
  link(link: number): { readonly entry: number; readonly forward: boolean } | undefined;
  /** Entry of the scene's nodes that shows a node by its number. */
  nodeNumbered(node: number): number | undefined;
  /** Entry of the scene's nodes on which a task runs. */
  node(task: TaskOfJob): number | undefined;
  /** Entries of the scene's links of the adapters of a node by its number, by rail; none where nodes have one adapter alone. */
  rails(node: number): readonly number[];
}

const known = new WeakMap<Scene, Places>();

/** One for each scene. Each way is worked out when it is first asked for: O(links), O(nodes), O(tasks). */
export function scenePlaces(scene: Scene): Places {
  const places = known.get(scene) ?? buildPlaces(scene);
  known.set(scene, places);
  return places;
}

function buildPlaces(scene: Scene): Places {
  const byLink = onDemand(() => entriesByLink(scene));
  const byTask = onDemand(() => entriesByTask(scene));
  const byNumber = onDemand(() => entriesByNumber(scene.nodes));
  const byHost = onDemand(() => railsByHost(scene));
  return {
    link(link) {
      const entry = byLink()[link] ?? -1;
      return entry < 0 ? undefined : { entry, forward: scene.links.forwardLink[entry] === link };
    },
    nodeNumbered: (node) => byNumber().get(node),
    rails: (node) => byHost().get(node) ?? [],
    node({ job, task }) {
      const entry = byTask()[job]?.[task] ?? -1;
      return entry < 0 ? undefined : entry;
    },
  };
}

/** What `make` gives, which is called when it is first wanted. */
function onDemand<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** −1 for links that are not shown. */
function entriesByLink({ links: { forwardLink, backwardLink } }: Scene): Int32Array {
  let last = -1;
  for (let entry = 0; entry < forwardLink.length; entry++)
    last = Math.max(last, forwardLink[entry]!, backwardLink[entry]!);
  const entries = new Int32Array(last + 1).fill(-1);
  // Backwards, so that of the two stubs of a cable the first stays.
  for (let entry = forwardLink.length - 1; entry >= 0; entry--) {
    entries[forwardLink[entry]!] = entry;
    entries[backwardLink[entry]!] = entry;
  }
  return entries;
}

/** By job and task. */
function entriesByTask({ nodes, jobs }: Scene): readonly Int32Array[] {
  const entries = jobs.map(({ taskCount }) => new Int32Array(taskCount).fill(-1));
  for (let entry = 0; entry < nodes.id.length; entry++) {
    for (let place = nodes.taskStart[entry]!; place < nodes.taskStart[entry + 1]!; place++)
      entries[nodes.taskJob[place]!]![nodes.task[place]!] = entry;
  }
  return entries;
}

function railsByHost({ links }: Scene): ReadonlyMap<number, readonly number[]> {
  const entries = new Map<number, number[]>();
  links.rail?.forEach((rail, entry) => {
    const node = links.from[entry]!;
    if (rail >= 0) entries.set(node, [...(entries.get(node) ?? []), entry]);
  });
  return entries;
}

/** The task that stands for a node: that on the given place, else the first of the job with most tasks there. */
export function taskOfNode({ nodes }: Scene, entry: number, place?: number): TaskOfJob | undefined {
  if (place !== undefined) return { job: nodes.taskJob[place]!, task: nodes.task[place]! };
  const job = nodes.job[entry]!;
  for (let each = nodes.taskStart[entry]!; each < nodes.taskStart[entry + 1]!; each++) {
    if (nodes.taskJob[each] === job) return { job, task: nodes.task[each]! };
  }
  return undefined;
}

/** `heat 3`. */
export const taskName = ({ jobs }: Scene, { job, task }: TaskOfJob): string =>
  `${jobs[job]?.name ?? t('job {0}', job)} ${task}`;

/** Longer lists of tasks are cut in the name of a node. */
const longestTasks = 24;

/**
 * How the two ends of a link are called where there is room: by what the picture shows in the square, and the other in
 * brackets: `task 3 (node 18)`, with several jobs `heat 3 (node 18)`, `node 18 (task 3)`, `(2, 2) (task 3)`; switches
 * by what stands on them.
 */
export function linkEndNames(scene: Scene, link: number): readonly [from: string, to: string] {
  const { nodes, links } = scene;
  if (nodes.perRouter === 0 || scene.blocks !== undefined) return sceneLinkEnds(scene, link);
  return [routerWithTasks(scene, links.from[link]!), routerWithTasks(scene, links.to[link]!)];
}

/** A directed link: `node 5 (task 3) → node 6 (task 4)`, `leaf-3 → spine-1`, `node 4 → 2`. */
export function linkName(scene: Scene, link: number): string {
  const place = scenePlaces(scene).link(link);
  if (place === undefined) return `${link}`;
  const [from, to] = linkEndNames(scene, place.entry);
  return place.forward ? arrowText(from, to) : arrowText(to, from);
}

/** Of a router that is drawn as its nodes. */
function routerWithTasks(scene: Scene, router: number): string {
  const { nodes, labels } = scene;
  const { perRouter } = nodes;
  const numbers = Array.from({ length: perRouter }, (_, host) => router * perRouter + host);
  const tasks = tasksOfNodes(scene, numbers);
  const entry = scenePlaces(scene).nodeNumbered(numbers[0]!)!;
  const number = perRouter === 1 ? t('node {0}', router) : t('nodes {0}', formatRanges(numbers));
  const name = labels === 'coordinates' ? coordinateLabel(nodes, entry) : number;
  if (tasks === '') return name;
  return labels === 'task' ? `${tasks} (${name})` : `${name} (${tasks})`;
}

/** `task 3`, `tasks 0–3`, `heat 3, ocean 0–1`; '' where no task runs. */
function tasksOfNodes(scene: Scene, numbers: readonly number[]): string {
  const { nodes, jobs } = scene;
  const byJob = new Map<number, number[]>();
  for (const number of numbers) {
    const entry = scenePlaces(scene).nodeNumbered(number)!;
    for (let place = nodes.taskStart[entry]!; place < nodes.taskStart[entry + 1]!; place++) {
      const job = nodes.taskJob[place]!;
      byJob.set(job, [...(byJob.get(job) ?? []), nodes.task[place]!]);
    }
  }
  const parts = [...byJob].map(([job, tasks]) => {
    const word = jobs.length > 1 ? jobs[job]!.name : tasks.length === 1 ? 'task' : 'tasks';
    return `${word} ${formatRanges(tasks.sort((one, other) => one - other))}`;
  });
  const text = parts.join(', ');
  return text.length > longestTasks ? `${text.slice(0, longestTasks - 1)}…` : text;
}
