import { coordinatesOf } from '../model/shape.ts';
import type { PlacementReport } from '../model/report.ts';
import type { FabricLayout, Layout } from './layout/contract.ts';
import type { SceneNodes } from './scene.ts';
import { accumulated } from '../numeric/grouping.ts';
import { inverseOf } from '../numeric/permutation.ts';
import { coreOfSlot, nodeOfSlot } from '../model/slots.ts';

/** The nodes of a placement's machine with the tasks they run, in the layout's order. O(nodes + tasks + pairs that talk). */
export function drawNodes(report: PlacementReport, layout: Layout): SceneNodes {
  const places = layout.fabric === undefined ? placeInRouters(report, layout) : placeApart(report, layout.fabric);
  const { topology, nodeCount } = report.machine;
  const { names, faults } = topology;
  const entryOfNode = inverseOf(places.id, nodeCount);
  return {
    ...places,
    ...placedTasks(report, entryOfNode),
    ...exchangedBytes(report, entryOfNode, nodeCount),
    ...coordinatesOfNodes(report, places.id),
    names: names === undefined ? [] : Array.from(places.id, (node) => names.nodes[node]!),
    ...(faults && { broken: wantedEntries(places.id, (node) => faults.nodes[node] === 1) }),
  };
}

/** Entries of the nodes that are wanted, ascending. */
const wantedEntries = (id: Int32Array, isWanted: (node: number) => boolean): Int32Array =>
  Int32Array.from(id.keys()).filter((entry) => isWanted(id[entry]!));

type Places = Pick<SceneNodes, 'x' | 'y' | 'size' | 'id' | 'router' | 'perRouter'>;

/** By number where the layout put them; routers are drawn in the order of their numbers, too. */
function placeApart({ machine }: PlacementReport, { nodeX, nodeY, nodeSize }: FabricLayout): Places {
  const id = Int32Array.from({ length: machine.nodeCount }, (_, node) => node);
  return { x: nodeX, y: nodeY, size: nodeSize, id, router: machine.topology.routerOfNode, perRouter: 0 };
}

/** Several nodes of one router share its square as a small grid, row after row. */
function placeInRouters(report: PlacementReport, layout: Layout): Places {
  const { nodeCount, hostsPerRouter } = report.machine;
  const id = new Int32Array(nodeCount);
  let entry = 0;
  for (const router of layout.order) {
    for (let host = 0; host < hostsPerRouter; host++) id[entry++] = router * hostsPerRouter + host;
  }
  return { ...squaresInRouters(layout, id, hostsPerRouter), id, router: new Int32Array(0), perRouter: hostsPerRouter };
}

/** Where the nodes with these numbers stand that share the squares of their routers, so many each. O(nodes). */
export function squaresInRouters(layout: Layout, id: Int32Array, perRouter: number): Pick<Places, 'x' | 'y' | 'size'> {
  const columns = Math.ceil(Math.sqrt(perRouter));
  const rows = Math.ceil(perRouter / columns);
  // One node fills its square; of several each leaves a seam to the next.
  const fill = perRouter === 1 ? 1 : 0.82;
  const spread = perRouter === 1 ? 1 : 1.25;
  const [x, y, size] = [new Float32Array(id.length), new Float32Array(id.length), new Float32Array(id.length)];
  id.forEach((node, entry) => {
    const [router, host] = [Math.floor(node / perRouter), node % perRouter];
    const cell = (2 * layout.size[router]! * spread) / columns;
    x[entry] = layout.x[router]! + ((host % columns) - (columns - 1) / 2) * cell;
    y[entry] = layout.y[router]! + (Math.floor(host / columns) - (rows - 1) / 2) * cell;
    size[entry] = (cell / 2) * fill;
  });
  return { x, y, size };
}

/** Tasks of every drawn node in compressed sparse rows, and the job that has most of them. */
function placedTasks(
  report: PlacementReport,
  entryOfNode: Int32Array,
): Pick<SceneNodes, 'job' | 'taskStart' | 'task' | 'taskJob' | 'taskCore'> {
  const { machine } = report;
  const { nodeCount } = machine;
  const entryOfSlot = (slot: number): number => entryOfNode[nodeOfSlot(machine, slot)]!;

  const taskStart = new Int32Array(nodeCount + 1);
  for (const { mapping } of report.jobs) for (const slot of mapping) taskStart[entryOfSlot(slot) + 1]!++;
  accumulated(taskStart);

  const next = taskStart.slice(0, nodeCount);
  const task = new Int32Array(taskStart[nodeCount]!);
  const taskJob = new Int16Array(task.length);
  const taskCore = new Int32Array(task.length);
  report.jobs.forEach(({ mapping }, job) => {
    mapping.forEach((slot, index) => {
      const place = next[entryOfSlot(slot)]!++;
      task[place] = index;
      taskJob[place] = job;
      taskCore[place] = coreOfSlot(machine, slot);
    });
  });
  return { job: mainJobs(taskStart, taskJob, nodeCount), taskStart, task, taskJob, taskCore };
}

/** What each entry sends to others and receives from them, of the entry of every node. O(pairs that talk). */
export function exchangedBytes(
  { machine, jobs }: PlacementReport,
  entryOfNode: Int32Array,
  count: number,
): Pick<SceneNodes, 'sent' | 'received'> {
  const [sent, received] = [new Float64Array(count), new Float64Array(count)];
  for (const { job, mapping } of jobs) {
    const { rowStart, partner, bytes } = job.traffic;
    const own = mapping.map((slot) => entryOfNode[nodeOfSlot(machine, slot)]!);
    for (let task = 0; task < job.taskCount; task++) {
      const from = own[task]!;
      for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
        const to = own[partner[pair]!]!;
        if (from === to) continue;
        sent[from]! += bytes[pair]!;
        received[to]! += bytes[pair]!;
      }
    }
  }
  return { sent, received };
}

/** The job with most tasks on each node, ties to the earlier; −1 where there are none. */
function mainJobs(taskStart: Int32Array, taskJob: Int16Array, nodeCount: number): Int16Array {
  const main = new Int16Array(nodeCount).fill(-1);
  for (let entry = 0; entry < nodeCount; entry++) {
    // Tasks of one job lie together: jobs were dealt one after the other.
    let most = 0;
    let run = 0;
    for (let place = taskStart[entry]!; place < taskStart[entry + 1]!; place++) {
      const startsRun = place === taskStart[entry] || taskJob[place] !== taskJob[place - 1];
      run = startsRun ? 1 : run + 1;
      if (run > most) {
        most = run;
        main[entry] = taskJob[place]!;
      }
    }
  }
  return main;
}

function coordinatesOfNodes(
  report: PlacementReport,
  id: Int32Array,
): Pick<SceneNodes, 'coordinates' | 'coordinateCount'> {
  const { shape, routerOfNode } = report.machine.topology;
  if (shape === undefined) return { coordinates: new Int32Array(0), coordinateCount: 0 };
  const coordinateCount = shape.length;
  const coordinates = new Int32Array(id.length * coordinateCount);
  id.forEach((node, entry) => {
    const row = coordinates.subarray(entry * coordinateCount, (entry + 1) * coordinateCount);
    coordinatesOf(shape, routerOfNode[node]!, row);
  });
  return { coordinates, coordinateCount };
}
