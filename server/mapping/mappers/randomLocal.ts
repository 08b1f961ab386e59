import { intAt, realAt } from '../../numeric/elements.ts';
import { WorkMeter } from '../../model/cancellation.ts';
import { shuffle, type RandomSource } from '../../model/random.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { mappingOf, groupPlaces, type Places } from '../../optimisation/problem/places.ts';
import { taskGraphOf, type TaskGraph } from '../../optimisation/problem/taskGraph.ts';

export const randomLocal: MapperEntry = {
  name: 'random-local',
  summary: 'tasks that say most to each other kept together on a switch, switches in random order',
  source: 'Orduña et al. 2004, section 5.2 (random with locality)',
  details:
    'The paper says no more than that. Here switches are drawn at random and filled one after the other. The ' +
    'first task on a switch is the free task with most traffic. Each next one has most traffic with the tasks on ' +
    'the switch; ties go to the lower task. If no free task has traffic with the switch, the one with most ' +
    'traffic is next. The paper calls its mappings partially random, with one switch for the tasks with most ' +
    'traffic. With `switches 1`, one switch is filled in this way, and the other tasks use any other slots.',
  options: [
    {
      name: 'switches',
      summary: 'switches that are filled so, all others at random; where left out, all',
      kind: 'integer',
      minimum: 1,
      maximum: 2 ** 22,
    },
  ],
  bytesPerPair: 40,
  complexity: 'O(n log n + n · pairs of a switch)',
  scaling: 'linear',
  map: ({ machine, job, slots }, { random, cancellation, options }) => {
    const places = groupPlaces(machine, slots);
    const graph = taskGraphOf(job.traffic, cancellation);
    if (cancellation.isCancelled()) return cancelled();
    const filling = startFilling(graph);
    const work = new WorkMeter(cancellation);
    const switches = placesBySwitch(places);
    shuffle(switches.order, random);
    const filled = Number(options['switches'] ?? switches.order.length);
    for (const router of switches.order.slice(0, filled)) {
      if (cancellation.isCancelled()) return cancelled();
      if (!fillSwitch(filling, switches.places.get(router)!, work)) return cancelled();
    }
    putRest(
      filling,
      switches.order.slice(filled).flatMap((router) => switches.places.get(router)!),
      random,
    );
    return succeed({ mapping: mappingOf(places, filling.placeOfTask), notes: [] });
  },
};

/** The switches that have places, and the places of each. */
function placesBySwitch({ placeCount, siteOfPlace, routerOfSite }: Places) {
  const places = new Map<number, number[]>();
  for (let place = 0; place < placeCount; place++) {
    const router = intAt(routerOfSite, intAt(siteOfPlace, place));
    const own = places.get(router);
    if (own) own.push(place);
    else places.set(router, [place]);
  }
  return { places, order: [...places.keys()] };
}

interface Filling {
  readonly graph: TaskGraph;
  /** −1 until a task has one. */
  readonly placeOfTask: Int32Array;
  /** Most traffic first. */
  readonly busiest: Int32Array;
  /** How many of `busiest` are known to have a place. */
  passed: number;
  /** Bytes with the tasks on the present switch. */
  readonly bytesHere: Float64Array;
}

function startFilling(graph: TaskGraph): Filling {
  const { taskCount, rowStart, weight } = graph;
  const bytes = Float64Array.from({ length: taskCount }, (_, task) =>
    weight.subarray(rowStart[task], rowStart[task + 1]).reduce((sum, amount) => sum + amount, 0),
  );
  return {
    graph,
    placeOfTask: new Int32Array(taskCount).fill(-1),
    busiest: Int32Array.from({ length: taskCount }, (_, task) => task).sort(
      (a, b) => realAt(bytes, b) - realAt(bytes, a) || a - b,
    ),
    passed: 0,
    bytesHere: new Float64Array(taskCount),
  };
}

/** Fills the places of one switch; false if cancelled. */
function fillSwitch(filling: Filling, places: readonly number[], work: WorkMeter): boolean {
  const { graph, placeOfTask, bytesHere } = filling;
  const partners: number[] = [];
  for (const place of places) {
    const task = heaviestPartner(filling, partners) ?? nextBusiest(filling);
    if (task === undefined) break;
    placeOfTask[task] = place;
    if (work.isCancelledAfter(partners.length + intAt(graph.rowStart, task + 1) - intAt(graph.rowStart, task)))
      return false;
    for (let edge = intAt(graph.rowStart, task); edge < intAt(graph.rowStart, task + 1); edge++) {
      const partner = intAt(graph.partner, edge);
      if (bytesHere[partner] === 0) partners.push(partner);
      bytesHere[partner] = realAt(bytesHere, partner) + realAt(graph.weight, edge);
    }
  }
  for (const task of partners) bytesHere[task] = 0;
  return true;
}

/** The tasks without a place on such places, drawn at random. */
function putRest({ placeOfTask }: Filling, places: number[], random: RandomSource): void {
  shuffle(places, random);
  let next = 0;
  placeOfTask.forEach((place, task) => {
    if (place < 0) placeOfTask[task] = places[next++]!;
  });
}

/** Of the partners without a place the one with most traffic with the tasks on the switch; undefined for none. */
function heaviestPartner({ placeOfTask, bytesHere }: Filling, partners: readonly number[]): number | undefined {
  let best: number | undefined;
  for (const task of partners) {
    if (intAt(placeOfTask, task) >= 0) continue;
    const ahead = best === undefined ? 1 : realAt(bytesHere, task) - realAt(bytesHere, best) || best - task;
    if (ahead > 0) best = task;
  }
  return best;
}

function nextBusiest(filling: Filling): number | undefined {
  const { busiest, placeOfTask } = filling;
  while (filling.passed < busiest.length) {
    const task = intAt(busiest, filling.passed);
    if (intAt(placeOfTask, task) < 0) return task;
    filling.passed++;
  }
  return undefined;
}
