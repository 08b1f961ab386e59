/** Traffic that has a formula: `collective`, and `parallelism` with the words of a training step. */
import { taskLimit } from '../../model/job.ts';
import { formatNumber } from '../../model/quantities.ts';
import {
  jobCollectives,
  type Parallelism,
  tasksOfDegrees,
  trainingProblem,
  usualTraining,
} from '../../simulation/workloads/catalogue.ts';
import type { TrafficSource } from '../../study/program.ts';
import { replace } from '../codes.ts';
import { parallelismWords } from '../placementSchema.ts';
import { propertyOf } from '../schema.ts';
import type { ChoiceNode } from '../tree.ts';
import { checkChoice } from './choices.ts';
import { needed, sound, soundParts, type Properties } from './properties.ts';
import type { Scope } from './scope.ts';

/** Ranks of the list are tasks of the job, and the root is one of them. */
export function collectiveSource(
  scope: Scope,
  node: ChoiceNode,
  taskCount: number | undefined,
): TrafficSource | undefined {
  const maximum = (taskCount ?? taskLimit) - 1;
  const what = taskCount === undefined ? undefined : 'The job has tasks';
  const checked = checkChoice(scope, node, 'collective operation', jobCollectives, { minimum: 0, maximum, what });
  const { choice, listLength } = checked;
  if (choice === undefined) return undefined;
  const size = listLength ?? taskCount;
  const { root } = choice.options;
  if (typeof root === 'number' && size !== undefined && root >= size) {
    const option =
      node.parentheses === undefined ? node : (node.options.find(({ name }) => name.text === 'root') ?? node);
    const message = `\`root\` is a position among the ${formatNumber(size)} ranks that take part, 0 to ${formatNumber(size - 1)}.`;
    scope.report(option, 'out-of-range', message);
    return undefined;
  }
  return { kind: 'collective', choice };
}

const sizeWords = ['layers', 'hidden', 'sequence', 'batch'] as const;

/** A training step whose parts divide as they must; undefined where something of it is wrong. */
export function trainingSource(properties: Properties, taskCount: number | undefined): TrafficSource | undefined {
  const parallelism = parallelismOf(properties);
  for (const word of sizeWords.filter((each) => properties.get(each) === undefined)) {
    const { example } = propertyOf('job', word) ?? { example: word };
    properties.reportMissing(word, `\`${example}\``, [example]);
  }
  const sizes = soundParts({
    layers: needed(properties.number('layers')),
    hidden: needed(properties.number('hidden')),
    sequence: needed(properties.number('sequence')),
    batch: needed(properties.number('batch')),
  });
  const choice = sound(properties.chosen('training') ?? usualTraining);
  if (parallelism === undefined || sizes === undefined || choice === undefined || taskCount === undefined)
    return undefined;
  const step = { parallelism, ...sizes, choice };
  const problem = trainingProblem(taskCount, step);
  if (problem === undefined) return { kind: 'parallelism', step };
  reportProblem(properties, problem, parallelism, taskCount);
  return undefined;
}

/** At the word that does not fit; as many tasks as the degrees make are offered. */
function reportProblem(
  properties: Properties,
  problem: { readonly word: string; readonly message: string },
  parallelism: Parallelism,
  taskCount: number,
): void {
  const property = properties.get(problem.word) ?? properties.get('parallelism');
  const tasks = properties.get('tasks');
  const product = tasksOfDegrees(parallelism);
  const isOther = product !== taskCount && product <= taskLimit;
  const otherFixes = [isOther ? tasks && replace(tasks, `tasks ${product}`) : undefined];
  properties.scope.report(property ?? properties.declaration, 'illegal-parallelism', problem.message, { otherFixes });
}

/** `tensor 8, context 2, pipeline 4, data 16, expert 8`, in any order; 1 of what is not written, and no experts. */
function parallelismOf(properties: Properties): Parallelism | undefined {
  const property = properties.get('parallelism');
  const reader = property && properties.phraseBehind(property);
  if (reader === undefined) return undefined;
  const degrees = new Map<(typeof parallelismWords)[number], number>();
  reader.each(() => {
    const word = reader.oneOf(parallelismWords, 'kind of parallelism');
    if (word !== undefined && degrees.has(word)) reader.fail(`\`${word}\` stands twice: remove one of them.`);
    const degree = reader.integer({ minimum: 1, maximum: taskLimit });
    return word && degree && degrees.set(word, degree);
  });
  if (!reader.finish()) return undefined;
  return { tensor: 1, context: 1, pipeline: 1, data: 1, ...Object.fromEntries(degrees) };
}
