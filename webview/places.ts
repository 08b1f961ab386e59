import type { Scene } from '../server/drawing/scene.ts';
import type { TaskOfJob } from '../server/protocol/messages.ts';

/** Where the picture shows what answers speak of by number. */
export interface Places {
  /** Entry of the scene's links that shows a directed link, and whether it runs from → to; undefined where none does. */
  link(link: number): { readonly entry: number; readonly forward: boolean } | undefined;
  /** Entry of the scene's nodes on which a task runs. */
  node(task: TaskOfJob): number | undefined;
}

const known = new WeakMap<Scene, Places>();

/** Built once per scene, when it is first asked for. O(links + tasks). */
export function placesOf(scene: Scene): Places {
  const places = known.get(scene) ?? build(scene);
  known.set(scene, places);
  return places;
}

function build({ links, nodes, jobs }: Scene): Places {
  const byLink = new Map<number, { readonly entry: number; readonly forward: boolean }>();
  // Backwards, so that of the two stubs of a cable the first stays.
  for (let entry = links.from.length - 1; entry >= 0; entry--) {
    byLink.set(links.forwardLink[entry]!, { entry, forward: true });
    byLink.set(links.backwardLink[entry]!, { entry, forward: false });
  }
  const byTask = jobs.map(({ taskCount }) => new Int32Array(taskCount).fill(-1));
  for (let entry = 0; entry < nodes.id.length; entry++) {
    for (let place = nodes.taskStart[entry]!; place < nodes.taskStart[entry + 1]!; place++) {
      byTask[nodes.taskJob[place]!]![nodes.task[place]!] = entry;
    }
  }
  return {
    link: (link) => byLink.get(link),
    node({ job, task }) {
      const entry = byTask[job]?.[task] ?? -1;
      return entry < 0 ? undefined : entry;
    },
  };
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
  `${jobs[job]?.name ?? `job ${job}`} ${task}`;
