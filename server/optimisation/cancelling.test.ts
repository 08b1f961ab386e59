import { describe, expect, it } from 'vitest';
import { ignoreProgress, workPerPoll, type Cancellation } from '../model/cancellation.ts';
import { seededRandom } from '../model/random.ts';
import type { Traffic } from '../model/traffic.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { prepareAnnealing } from './annealing/annealing.ts';
import { randomStart } from './annealing/testing/cores.ts';
import { descendSparse } from './descent/sparseDescent.ts';
import { graphEigenvalueBound } from './bounds/provenEigenvalue.ts';
import { boxPlaces } from './embedding/placeSites.ts';
import { graphCoordinates } from './embedding/graphCoordinates.ts';
import { AdditiveObjective } from './objective.ts';
import { partitionOntoPlaces } from './partitioning/dualBisection.ts';
import { placesByParts } from './partitioning/placesByParts.ts';
import type { SearchProblem } from './problem/searchProblem.ts';
import { SearchRecorder } from './searchRecorder.ts';
import { problemOn } from './testing/problems.ts';
import { searchProblemOf } from './testing/searchProblem.ts';
import { WatchedProblem } from './testing/watchedProblem.ts';

/** Edges that may be read between two polls: what a meter lets by, and once more for the row that it was in. */
const mostVisits = 2 * workPerPoll;
/** Polls after which a search is cancelled. */
const polls = 25;

const recorder = () => new SearchRecorder('', 1, { now: () => 0, progress: ignoreProgress });

interface Kernel {
  readonly what: string;
  readonly run: (problem: SearchProblem, cancellation: Cancellation) => unknown;
}

const kernels: readonly Kernel[] = [
  { what: 'growing boxes', run: boxPlaces },
  { what: 'bisections', run: (problem, cancellation) => partitionOntoPlaces(problem, seededRandom(1), cancellation) },
  { what: 'k-way partitions', run: (problem, cancellation) => placesByParts(problem, seededRandom(1), cancellation) },
  { what: 'tables for annealing', run: prepareAnnealing },
  { what: 'coordinates of graphs', run: ({ graph }, cancellation) => graphCoordinates(graph, 3, cancellation) },
  {
    what: 'eigenvalues of graphs',
    run: ({ graph, places }, cancellation) => graphEigenvalueBound(graph, places.placeCount, Infinity, cancellation),
  },
  {
    what: 'sparse descents',
    run: (problem, cancellation) => {
      const objective = new AdditiveObjective(problem, randomStart(problem), cancellation);
      descendSparse(objective, problem.graph, recorder(), cancellation);
    },
  },
];

describe('kernels read few edges between two polls of the flag, and after the last', () => {
  const search = searchProblemOf(
    problemOn(gridMachine('torus', [32, 16]), { taskCount: 512, traffic: everyPair(512) }),
  );

  it.each(kernels)('$what', ({ run }) => {
    const watched = new WatchedProblem(search, mostVisits, polls);
    run(watched.problem, watched.cancellation);
    expect(watched.polls).toBeGreaterThan(0);
  });

  it('and the edges are counted', () => {
    const watched = new WatchedProblem(search, mostVisits, polls);
    expect(() => watched.problem.graph.partner.map((task) => task)).toThrow(/edges were read since poll 0/);
  });
});

/** A byte from every task to every other. */
function everyPair(taskCount: number): Traffic {
  const tasks = Array.from({ length: taskCount }, (_, task) => task);
  return {
    taskCount,
    rowStart: Int32Array.from({ length: taskCount + 1 }, (_, task) => task * (taskCount - 1)),
    partner: Int32Array.from(tasks.flatMap((task) => tasks.filter((other) => other !== task))),
    bytes: new Float64Array(taskCount * (taskCount - 1)).fill(1),
  };
}
