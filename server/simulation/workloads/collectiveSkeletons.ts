import type { OptionSpecification, OptionValues } from '../../model/catalogue.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Result } from '../../model/result.ts';
import type { Workload, WorkloadBuilder } from '../../model/workload.ts';
import { itemAt } from '../../numeric/elements.ts';
import {
  type CollectiveCall,
  chosenCollective,
  type CollectiveEntry,
  collectiveOption,
  evenCall,
} from './collectives.ts';
import {
  skeletonChoices,
  illegalRanks,
  perClass,
  powerOfTwoRanks,
  type SkeletonEntry,
  skeletonOptions,
  writeIterations,
  writeTasks,
} from './contract.ts';

/** FT, IS and EP: benchmarks whose tasks talk by collective operations alone. */

const bytesOfInteger = 4;
const bytesOfDouble = 8;
const bytesOfComplex = 16;

const gridsOfFt = perClass([64, 64, 64], [128, 128, 32], [256, 256, 128], [512, 256, 256], [512, 512, 512]);
const iterationsOfFt = perClass(6, 6, 6, 20, 20);

/** The sum of each transform by which it is checked: a complex number. */
const checksOption: OptionSpecification = {
  name: 'checks',
  summary: 'algorithm of the checksum reductions',
  kind: 'choice',
  choices: ['none', 'binomial', 'recursive-doubling'],
  default: 'none',
};

function checkOf({ checks = 'none' }: OptionValues): CollectiveEntry | undefined {
  if (checks === 'none') return undefined;
  const operation = checks === 'binomial' ? 'reduce' : 'all-reduce';
  return chosenCollective(operation, { [operation]: checks });
}

export const ft: SkeletonEntry = {
  name: 'ft',
  summary: 'three-dimensional Fourier transforms: an alltoall of the whole grid per iteration',
  source: 'NAS Parallel Benchmarks 2 and 3 (MPI), FT/ft.f',
  details:
    'Tasks: a power of two. With at most one task per plane, each transform is one alltoall of nx · ny · nz / P² complex numbers per pair. With more, tasks are nz rows of P / nz neighbours; a transform is an alltoall in each row and one in each column. The number of transforms is iterations + 2, the first untimed. `checks` are the checksum reductions: `binomial` reduces to task 0, as in the sources; `recursive-doubling` is an allreduce. S, W and A have 6 iterations, B and C 20.',
  options: [...skeletonOptions, collectiveOption('all-to-all'), checksOption],
  skeleton: 'ft(class ${1:A})',
  build(taskCount, options, cancellation) {
    const { problem, iterations, pause } = skeletonChoices(options, iterationsOfFt);
    const [nx = 0, ny = 0, nz = 0] = gridsOfFt[problem];
    const exponent = powerOfTwoRanks(`ft(class ${problem})`, taskCount, nz * Math.min(ny, nz));
    if (!exponent.ok) return exponent;
    const ownBytes = ((nx * ny * nz) / taskCount) * bytesOfComplex;
    const allToAll = chosenCollective('all-to-all', options);
    const check = checkOf(options);
    const width = taskCount <= nz ? taskCount : taskCount / nz;
    return buildRanks(taskCount, cancellation, (rank) => {
      const row = Array.from({ length: width }, (_, at) => rank.task - (rank.task % width) + at);
      const column = Array.from({ length: taskCount / width }, (_, at) => (rank.task % width) + at * width);
      const transform = (groups: readonly (readonly number[])[]): void => {
        for (const group of groups) if (group.length > 1) rank.writeAmong(group, allToAll, ownBytes / group.length);
      };
      // The first transform to warm up and the one forward exchange x and y first; those back x and z.
      transform([column, row]);
      transform([column, row]);
      writeIterations(rank.builder, iterations, pause, () => {
        transform([row, column]);
        if (check !== undefined) rank.write(check, bytesOfComplex);
      });
    });
  },
};

const keysOfIs = perClass(2 ** 16, 2 ** 20, 2 ** 23, 2 ** 25, 2 ** 27);
const bucketsOfIs = perClass(512, 1024, 1024, 1024, 1024);
const iterationsOfIs = perClass(10, 10, 10, 10, 10);
const mostRanksOfIs = perClass(128, 1024, 1024, 1024, 1024);
/** Keys whose ranks are checked; they are summed with the sizes of buckets. */
const testedKeys = 5;
const tagOfLastKey = 1000;

export const is: SkeletonEntry = {
  name: 'is',
  summary: 'integer sort: allreduce of bucket sizes, then alltoall of the keys',
  source: 'NAS Parallel Benchmarks 2 and 3 (MPI), IS/is.c',
  details:
    'Tasks: a power of two. Assumes evenly spread keys, 4 · keys / P² bytes per pair; the benchmark differs by a few per cent. Sends one untimed iteration more, as the benchmark does. All classes have 10.',
  options: [...skeletonOptions, collectiveOption('all-reduce'), collectiveOption('all-to-all')],
  skeleton: 'is(class ${1:A})',
  build(taskCount, options, cancellation) {
    const { problem, iterations, pause } = skeletonChoices(options, iterationsOfIs);
    const exponent = powerOfTwoRanks(`is(class ${problem})`, taskCount, mostRanksOfIs[problem]);
    if (!exponent.ok) return exponent;
    const sizes = (bucketsOfIs[problem] + testedKeys) * bytesOfInteger;
    const keys = Math.floor((keysOfIs[problem] / taskCount ** 2) * bytesOfInteger);
    const allReduce = chosenCollective('all-reduce', options);
    const allToAll = chosenCollective('all-to-all', options);
    return buildRanks(taskCount, cancellation, (rank) => {
      writeIterations(rank.builder, iterations + 1, pause, () => {
        rank.write(allReduce, sizes);
        rank.write(allToAll, bytesOfInteger);
        rank.write(allToAll, keys);
      });
      if (rank.task < taskCount - 1) rank.builder.send(rank.task + 1, bytesOfInteger, tagOfLastKey);
      if (rank.task > 0) rank.builder.receive(rank.task - 1, bytesOfInteger, tagOfLastKey);
    });
  },
};

const iterationsOfEp = perClass(1, 1, 1, 1, 1);
/** Annuli in which random pairs are counted. */
const annuli = 10;
const mostRanksOfEp = 65_536;

export const ep: SkeletonEntry = {
  name: 'ep',
  summary: 'embarrassingly parallel: three allreduces at the end',
  source: 'NAS Parallel Benchmarks 2 and 3 (MPI), EP/ep.f',
  details: 'Any number of tasks. An iteration is a whole run of the benchmark; `pause` is its computation time.',
  options: [...skeletonOptions, collectiveOption('all-reduce')],
  skeleton: 'ep(class ${1:A})',
  build(taskCount, options, cancellation) {
    const { iterations, pause } = skeletonChoices(options, iterationsOfEp);
    if (taskCount < 1 || taskCount > mostRanksOfEp) {
      return illegalRanks('ep', taskCount, `1, 2, 3 … ${mostRanksOfEp} tasks`);
    }
    const allReduce = chosenCollective('all-reduce', options);
    return buildRanks(taskCount, cancellation, (rank) => {
      rank.builder.repeat(iterations);
      rank.builder.compute(pause);
      for (const doubles of [1, 1, annuli]) rank.write(allReduce, doubles * bytesOfDouble);
      rank.builder.end();
    });
  },
};

class Rank {
  readonly builder: WorkloadBuilder;
  readonly task: number;

  constructor(builder: WorkloadBuilder, task: number) {
    this.builder = builder;
    this.task = task;
  }

  /** Its part in a collective operation of all tasks. */
  write(algorithm: CollectiveEntry, bytes: number): void {
    this.#write(algorithm, evenCall(this.task, this.builder.taskCount, bytes), (rank) => rank);
  }

  /** Its part in a collective operation of some tasks, itself among them; `bytes` are those of a pair. */
  writeAmong(tasks: readonly number[], algorithm: CollectiveEntry, bytes: number): void {
    this.#write(algorithm, evenCall(tasks.indexOf(this.task), tasks.length, bytes), (rank) => itemAt(tasks, rank));
  }

  #write(algorithm: CollectiveEntry, call: CollectiveCall, taskOf: (rank: number) => number): void {
    algorithm.write(call, {
      send: (to, bytes) => {
        this.builder.send(taskOf(to), bytes, 0);
      },
      receive: (from, bytes) => {
        this.builder.receive(taskOf(from), bytes, 0);
      },
    });
  }
}

const buildRanks = (taskCount: number, cancellation: Cancellation, write: (rank: Rank) => void): Result<Workload> =>
  writeTasks(taskCount, cancellation, (builder, task) => {
    write(new Rank(builder, task));
  });
