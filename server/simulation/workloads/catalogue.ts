import type { OptionSpecification } from '../../model/catalogue.ts';
import { cg } from './cg.ts';
import { ep, ft, is } from './collectiveSkeletons.ts';
import { collectiveOperations, collectiveOption } from './collectives.ts';
import type { SkeletonEntry } from './contract.ts';
import { lu } from './lu.ts';
import { mg } from './mg.ts';
import { bt, sp } from './multiPartition.ts';

/** How collective operations are sent. */
export { chosenCollective, collectives } from './collectives.ts';
export { jobCollectives } from './collectiveTraffic.ts';

/** How a training step keeps state in data-parallel groups. */
export { tasksOfDegrees, trainingProblem, trainings, usualTraining } from './training.ts';
export type { Parallelism, TrainingStep } from './training.ts';

/** What each group of tasks of a training step sends. */
export { microBatchesOf, sentInStep, trainingGroups } from './trainingTraffic.ts';
export type { GroupExchange, TrainingGroups } from './trainingTraffic.ts';

/** Every skeleton there is; a new one is a file and a line here. */
export const skeletons: readonly SkeletonEntry[] = [bt, cg, ep, ft, is, lu, mg, sp];

/** What may be said of a trace, whatever its format; a format reads what applies to it. */
export const traceOptions: readonly OptionSpecification[] = [
  {
    name: 'computing',
    summary: 'whether to simulate computation',
    kind: 'choice',
    choices: ['kept', 'ignored'],
    default: 'kept',
  },
  {
    name: 'speed',
    summary: 'operations per second, for formats that count operations',
    kind: 'number',
    minimum: 1,
    maximum: 1e18,
    default: 1e9,
  },
  {
    name: 'ticks',
    summary: 'ticks per second, for formats with clock ticks',
    kind: 'number',
    minimum: 1,
    maximum: 1e15,
    default: 1e9,
  },
  ...collectiveOperations.map((operation) => collectiveOption(operation)),
];
