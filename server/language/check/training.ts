/** Traffic that has a formula: `collective`, and `parallelism` with the words of a training step. */
import { taskLimit } from '../../model/job.ts';
import { formatNumber } from '../../model/quantities.ts';
import {
  jobCollectives,
  type Parallelism,
  tasksOfDegrees,
  trainingProblem,
  trainings,
  usualTraining,
} from '../../simulation/workloads/catalogue.ts';
import type { TrafficSource } from '../../study/program.ts';
import { replace } from '../codes.ts';
import { parallelismWords } from '../placementSchema.ts';
import { propertyOf } from '../schema.ts';
import type { ChoiceNode, DeclarationNode } from '../tree.ts';
import { checkChoice } from './choices.ts';
import { integerProperty } from './numbers.ts';
import { phraseOf } from './phrase.ts';
import { needed, removal, reportMissing, soundParts, type Properties } from './properties.ts';
import { expectationOf, takesMessage, type Scope } from './scope.ts';

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

/** The words of a training step have no effect on other jobs. */
export function warnOfTrainingWords(scope: Scope, properties: Properties): void {
  if (properties.get('parallelism') !== undefined) return;
  for (const word of [...sizeWords, 'training']) {
    const property = properties.get(word);
    if (property === undefined) continue;
    const message = `\`${word}\` has no effect on a job without \`parallelism\`.`;
    scope.report(property.word, 'no-effect', message, {
      severity: 'warning',
      ...removal(property, `Remove \`${word}\``),
    });
  }
}

/** A training step whose parts divide as they must; undefined where something of it is wrong. */
export function trainingSource(
  scope: Scope,
  declaration: DeclarationNode,
  properties: Properties,
  taskCount: number | undefined,
): TrafficSource | undefined {
  const parallelism = parallelismOf(scope, properties);
  for (const word of sizeWords.filter((each) => properties.get(each) === undefined)) {
    const { example } = propertyOf('job', word) ?? { example: word };
    reportMissing(scope, declaration, word, `\`${example}\``, [example]);
  }
  const sizes = soundParts({
    layers: needed(integerProperty(scope, properties, 'job', 'layers')),
    hidden: needed(integerProperty(scope, properties, 'job', 'hidden')),
    sequence: needed(integerProperty(scope, properties, 'job', 'sequence')),
    batch: needed(integerProperty(scope, properties, 'job', 'batch')),
  });
  const node = properties.choice('training');
  const choice =
    properties.get('training') === undefined
      ? usualTraining
      : node && checkChoice(scope, node, 'way to train', trainings).choice;
  if (parallelism === undefined || sizes === undefined || choice === undefined || taskCount === undefined)
    return undefined;
  const step = { parallelism, ...sizes, choice };
  const problem = trainingProblem(taskCount, step);
  if (problem === undefined) return { kind: 'parallelism', step };
  reportProblem(scope, declaration, properties, problem, parallelism, taskCount);
  return undefined;
}

/** At the word that does not fit; as many tasks as the degrees make are offered. */
function reportProblem(
  scope: Scope,
  declaration: DeclarationNode,
  properties: Properties,
  problem: { readonly word: string; readonly message: string },
  parallelism: Parallelism,
  taskCount: number,
): void {
  const property = properties.get(problem.word) ?? properties.get('parallelism');
  const tasks = properties.get('tasks');
  const product = tasksOfDegrees(parallelism);
  const otherFixes =
    product === taskCount || tasks === undefined || product > taskLimit ? [] : [replace(tasks, `tasks ${product}`)];
  scope.report(property ?? declaration, 'illegal-parallelism', problem.message, { otherFixes });
}

/** `tensor 8, context 2, pipeline 4, data 16, expert 8`, in any order; 1 of what is not written, and no experts. */
function parallelismOf(scope: Scope, properties: Properties): Parallelism | undefined {
  const property = properties.get('parallelism');
  if (property === undefined) return undefined;
  const expected = expectationOf('job', 'parallelism');
  const reader = phraseOf(scope, property, expected);
  if (reader === undefined) {
    scope.report(property.word, 'missing-value', takesMessage(expected));
    return undefined;
  }
  const degrees = new Map<(typeof parallelismWords)[number], number>();
  do {
    const word = reader.oneOf(parallelismWords, 'kind of parallelism');
    if (word !== undefined && degrees.has(word)) reader.fail(`\`${word}\` stands twice: remove one of them.`);
    const degree = reader.integer({ minimum: 1, maximum: taskLimit });
    if (word !== undefined && degree !== undefined) degrees.set(word, degree);
  } while (reader.accept(','));
  if (!reader.finish()) return undefined;
  const expert = degrees.get('expert');
  return {
    tensor: degrees.get('tensor') ?? 1,
    context: degrees.get('context') ?? 1,
    pipeline: degrees.get('pipeline') ?? 1,
    data: degrees.get('data') ?? 1,
    ...(expert !== undefined && { expert }),
  };
}
