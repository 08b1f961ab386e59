/**
 * One training step of a large language model, spread over tasks by tensor, pipeline, data and expert parallelism: what each
 * pair of tasks sends. Group by group: what the ranks of one group send is worked out once (`groupTraffic`) and written for all groups like it.
 *
 * Formulas, with b sequences of s tokens in a micro batch, m micro batches, hidden size h, t, p, d, E the degrees of tensor, pipeline,
 * data and expert parallelism, and l layers on a stage:
 *
 * - Tensor: each layer all-reduces b·s·h numbers twice forward and twice backward (Shoeybi et al. 2019, section 3, figure 4). Around a ring that
 *   is l · m · 8·b·s·h·(t − 1)/t numbers of each task (Narayanan et al. 2021, section 3.2). With sequence parallelism each all-reduce is a
 *   reduce-scatter and an all-gather, and two all-gathers more in the backward pass bring back what only a part was kept of (Korthikanti et al. 2022, section 4.2.2).
 * - Pipeline: b·s·h numbers a micro batch between neighbouring stages, forward and backward (Narayanan et al. 2021, section 3.2; Huang et al. 2019 the same),
 *   v times with v chunks a stage, and then from the last stage to the first v − 1 times (section 2.2); each tensor rank to its counterpart,
 *   its t-th part with sequence parallelism (section 4.1).
 * - Data: gradients of all parameters of a stage all-reduced (Shoeybi et al. 2019), or by the stages of ZeRO: reduce-scatter and all-gather of
 *   Ψ numbers each, and stage 3 gathers twice (Rajbhandari et al. 2020, sections 7.1 and 7.2).
 * - Experts: two all-to-alls forward, two backward in each layer that has them; a task gives each of the E tasks k·b·s/t·h/E numbers, where routing is
 *   even (Lepikhin et al. 2020, section 3.2; two of them are dispatch and combine).
 *
 * Parameters of a layer are 4·h² of attention, (2 + 2/q)·h² where q heads of queries share keys and values (Ainslie et al. 2023, section 2.2), and 2·h·f of the
 * feed-forward part, 3·h·f where it is gated (Shazeer 2020, section 2); embeddings, the output layer, norms, biases and the sums of losses are left out.
 */
import {
  defaultOptions,
  type CatalogueEntry,
  type Choice,
  type OptionSpecification,
  type OptionValues,
} from '../../model/catalogue.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { formatNumber } from '../../model/quantities.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import { addPair, assembleTraffic, createPairList } from '../../traffic/pairs.ts';
import { chosenCollective, collectiveOption, type CollectiveOperation } from './collectives.ts';
import { groupTraffic, mostPairs } from './collectiveTraffic.ts';

/** Ways to keep the optimiser's state and the parameters in the tasks of a data-parallel group. */
export interface TrainingEntry extends CatalogueEntry {
  /** How often gradients are scattered and parameters gathered in a step of m micro batches; absent: gradients are all-reduced. */
  readonly shards?: (microBatches: number) => { readonly scatters: number; readonly gathers: number };
}

const count = (
  name: string,
  summary: string,
  maximum: number,
  usual?: number,
): OptionSpecification => ({ name, summary, kind: 'integer', minimum: 1, maximum, ...(usual !== undefined && { default: usual }) }); // prettier-ignore

const trainingOptions: readonly OptionSpecification[] = [
  count('micro-batch', 'sequences of a micro batch', 1_048_576, 1),
  count('interleave', 'chunks of layers on each stage of the pipeline', 1024, 1),
  count('element', 'bytes of an activation or parameter', 8, 2),
  count('gradient', 'bytes of a gradient', 8, 2),
  count('feed-forward', 'width of the feed-forward part; 4 · hidden where absent', 2 ** 24),
  {
    name: 'gated',
    summary: 'whether the feed-forward part is gated, as SwiGLU is: three matrices in the place of two',
    kind: 'choice',
    choices: ['off', 'on'],
    default: 'off',
  },
  count('query-group', 'heads of queries that share keys and values; 1: each has its own', 1024, 1),
  {
    name: 'sequence-parallel',
    summary: 'whether activations between tensor-parallel parts are split by sequence',
    kind: 'choice',
    choices: ['off', 'on'],
    default: 'off',
  },
  count('experts', 'experts of a layer; as many as `expert` where absent', 65_536),
  count('top', 'experts that a token goes to', 1024, 2),
  count('every', 'each so-many-th layer has experts', 1024, 1),
  collectiveOption('all-reduce', 'ring'),
  collectiveOption('reduce-scatter', 'ring'),
  collectiveOption('all-gather', 'ring'),
];

const zero = 'Rajbhandari et al. 2020, ZeRO';

/** Every way there is; the first is that of jobs that name none. */
export const trainings: readonly TrainingEntry[] = [
  {
    name: 'replicated',
    summary: 'every task of a data-parallel group has all state: gradients are all-reduced, once a step',
    source: 'Shoeybi et al. 2019; Narayanan et al. 2021',
    options: trainingOptions,
  },
  {
    name: 'zero-1',
    summary: 'the optimiser’s state is split: gradients are reduce-scattered, parameters all-gathered, once a step',
    source: `${zero}, section 5.1`,
    options: trainingOptions,
    shards: () => ({ scatters: 1, gathers: 1 }),
  },
  {
    name: 'zero-2',
    summary: 'gradients are split too: reduce-scattered for each micro batch, parameters all-gathered once a step',
    source: `${zero}, section 7.1`,
    options: trainingOptions,
    shards: (microBatches) => ({ scatters: microBatches, gathers: 1 }),
  },
  {
    name: 'zero-3',
    summary:
      'parameters are split too: all-gathered forward and backward for each micro batch, gradients reduce-scattered',
    source: `${zero}, section 7.2`,
    options: trainingOptions,
    shards: (microBatches) => ({ scatters: microBatches, gathers: 2 * microBatches }),
  },
];

/** Degrees of parallelism. Experts are split within data parallelism; without `expert` no layer has any. */
export interface Parallelism {
  readonly tensor: number;
  readonly pipeline: number;
  readonly data: number;
  readonly expert?: number;
}

/** What the model and its step are. */
export interface TrainingStep {
  readonly parallelism: Parallelism;
  readonly layers: number;
  /** h: numbers of a token between layers. */
  readonly hidden: number;
  /** s: tokens of a sequence. */
  readonly sequence: number;
  /** Sequences of a step, over all data-parallel tasks. */
  readonly batch: number;
  /** Of {@link trainings}. */
  readonly choice: Choice;
}

/** The words of a job that say a {@link TrainingStep}. */
export type TrainingWord = 'parallelism' | 'layers' | 'hidden' | 'sequence' | 'batch' | 'training';

/** What does not divide: the word to point at, and a sentence with what to do. */
export interface TrainingProblem {
  readonly word: TrainingWord;
  readonly message: string;
}

/** The choice of a job that says nothing of it. */
export const usualTraining: Choice = {
  name: 'replicated',
  options: defaultOptions({ ...trainings[0]!, options: trainingOptions }),
};

/** Options with what stands in the place of absent ones. */
function settingsOf({ choice: { options }, hidden, parallelism }: TrainingStep) {
  const number = (name: string, otherwise: number): number => Number(options[name] ?? otherwise);
  return {
    microBatch: number('micro-batch', 1),
    interleave: number('interleave', 1),
    element: number('element', 2),
    gradient: number('gradient', 2),
    feedForward: number('feed-forward', 4 * hidden),
    feedForwardMatrices: options['gated'] === 'on' ? 3 : 2,
    queryGroup: number('query-group', 1),
    experts: number('experts', parallelism.expert ?? 1),
    top: number('top', 2),
    every: parallelism.expert === undefined ? 1 : number('every', 1),
    isSequenceParallel: options['sequence-parallel'] === 'on',
  };
}

/** The first thing that cannot be split as it is asked for; undefined where all can. */
export const trainingProblem = (taskCount: number, step: TrainingStep): TrainingProblem | undefined =>
  degreeProblem(taskCount, step) ?? modelProblem(step) ?? batchProblem(step) ?? expertProblem(step);

/** Degrees against the tasks, and each other. */
function degreeProblem(taskCount: number, { parallelism }: TrainingStep): TrainingProblem | undefined {
  const { tensor, pipeline, data, expert = 1 } = parallelism;
  const product = tensor * pipeline * data;
  if (product !== taskCount) {
    return {
      word: 'parallelism',
      message: `\`parallelism\` needs ${formatNumber(product)} tasks, tensor ${tensor} · pipeline ${pipeline} · data ${data}, and the job has ${formatNumber(taskCount)}: write \`tasks ${product}\` or other degrees (experts are split within \`data\`).`,
    };
  }
  if (data % expert === 0) return undefined;
  const message = `Experts are split within data parallelism: \`expert\` ${expert} must divide \`data\` ${data}.`;
  return { word: 'parallelism', message };
}

/** A problem where a number of `word` is not divisible; `what` is the name of the number. */
function indivisible(
  word: TrainingWord,
  what: string,
  value: number,
  by: number,
  reason: string,
): TrainingProblem | undefined {
  // prettier-ignore
  if (value % by === 0) return undefined;
  const message = `\`${what}\` ${formatNumber(value)} is not divisible by ${formatNumber(by)}, ${reason}: take ${nextMultiples(value, by)}.`;
  return { word, message };
}

const ofTensor = 'the degree of tensor parallelism';

/** Layers over stages, widths and sequences over tensor-parallel tasks. */
function modelProblem(step: TrainingStep): TrainingProblem | undefined {
  const { layers, hidden, sequence, parallelism } = step;
  const { tensor, pipeline, expert } = parallelism;
  const { interleave, every, feedForward, queryGroup, isSequenceParallel } = settingsOf(step);
  if (interleave > 1 && pipeline === 1) {
    return { word: 'training', message: '`interleave` needs a pipeline of several stages: remove it, or write `pipeline 2` or more.' }; // prettier-ignore
  }
  const parts = every > 1 ? 'stages times `interleave` times `every`' : 'the stages of the pipeline times `interleave`';
  return (
    indivisible('layers', 'layers', layers, pipeline * interleave * every, parts) ??
    indivisible('hidden', 'hidden', hidden, tensor, ofTensor) ??
    indivisible('training', 'feed-forward', feedForward, tensor, ofTensor) ??
    indivisible('hidden', 'hidden', hidden, queryGroup, '`query-group`: keys and values have that part of the width') ??
    (isSequenceParallel || expert !== undefined
      ? indivisible('sequence', 'sequence', sequence, tensor, `${ofTensor}, over which sequences are split`)
      : undefined)
  );
}

/** Sequences over data-parallel tasks and micro batches. */
function batchProblem(step: TrainingStep): TrainingProblem | undefined {
  const { batch, parallelism } = step;
  const { data, pipeline } = parallelism;
  const { microBatch, interleave } = settingsOf(step);
  const reason = 'the degree of data parallelism times `micro-batch`';
  const problem = indivisible('batch', 'batch', batch, data * microBatch, reason);
  const microBatches = batch / (data * microBatch);
  if (problem !== undefined || interleave === 1 || microBatches % pipeline === 0) return problem;
  const message = `\`interleave\` needs as many micro batches as stages of the pipeline, or a multiple: there are ${formatNumber(microBatches)}, and ${pipeline} stages.`;
  return { word: 'batch', message };
}

/** Experts over expert-parallel tasks. */
function expertProblem(step: TrainingStep): TrainingProblem | undefined {
  const { expert } = step.parallelism;
  if (expert === undefined) return undefined;
  const { experts, top } = settingsOf(step);
  const problem = indivisible('training', 'experts', experts, expert, 'the degree `expert`');
  if (problem !== undefined || top <= experts) return problem;
  const message = `A token cannot go to ${top} of ${experts} experts: write \`top ${experts}\` or less, or more \`experts\`.`;
  return { word: 'training', message };
}

function nextMultiples(value: number, of: number): string {
  const below = Math.floor(value / of) * of;
  return below === 0 ? formatNumber(of) : `${formatNumber(below)} or ${formatNumber(below + of)}`;
}

/** What a kind of group sends: `bytes` a rank, so often in a step. */
interface GroupOperation {
  readonly operation: CollectiveOperation;
  readonly bytes: number;
  readonly times: number;
}

/** Groups that are alike: `count` of them, a rank of a group `stride` tasks behind the one before it. */
interface Groups {
  readonly size: number;
  readonly stride: number;
  readonly operations: readonly GroupOperation[];
}

/** What groups of tasks send, and what stages send each other. */
interface StepTraffic {
  readonly groups: readonly Groups[];
  /** Of a task to its counterpart on the next stage, and as much back. */
  readonly toNextStage: number;
  /** Of the last stage to the first, and as much back. */
  readonly toFirstStage: number;
}

function stepTraffic(step: TrainingStep): StepTraffic {
  const { parallelism, layers, hidden, sequence, batch, choice } = step;
  const { tensor, pipeline, data, expert } = parallelism;
  const settings = settingsOf(step);
  const { microBatch, interleave, element, gradient, feedForward, top, isSequenceParallel } = settings;
  const microBatches = batch / (data * microBatch);
  const stageLayers = layers / pipeline;
  const expertLayers = expert === undefined ? 0 : stageLayers / settings.every;
  const activation = microBatch * sequence * hidden * element;
  // Attention, and the feed-forward part, which is `top` times as much where each token goes to so many experts.
  const reductions = microBatches * (2 * stageLayers + 2 * (stageLayers - expertLayers) + 2 * top * expertLayers);
  const inTensorGroups: readonly GroupOperation[] = isSequenceParallel
    ? [
        { operation: 'reduce-scatter', bytes: activation / tensor, times: reductions },
        { operation: 'all-gather', bytes: activation / tensor, times: 1.5 * reductions },
      ]
    : [{ operation: 'all-reduce', bytes: activation, times: reductions }];
  const attentionParameters = ((2 + 2 / settings.queryGroup) * hidden ** 2) / tensor;
  const feedForwardParameters = (settings.feedForwardMatrices * hidden * feedForward) / tensor;
  const shared = stageLayers * attentionParameters + (stageLayers - expertLayers) * feedForwardParameters;
  const ofExperts = expertLayers * (settings.experts / (expert ?? 1)) * feedForwardParameters;
  const shards = trainings.find(({ name }) => name === choice.name)?.shards?.(microBatches);
  const ofParameters = (parameters: number, size: number): readonly GroupOperation[] =>
    shards === undefined
      ? [{ operation: 'all-reduce', bytes: parameters * gradient, times: 1 }]
      : [
          { operation: 'reduce-scatter', bytes: (parameters * gradient) / size, times: shards.scatters },
          { operation: 'all-gather', bytes: (parameters * element) / size, times: shards.gathers },
        ];
  const expertGroups = (degree: number): readonly Groups[] => {
    const bytes = (top * activation) / tensor / degree;
    const times = 4 * expertLayers * microBatches;
    return [
      { size: degree, stride: tensor, operations: [{ operation: 'all-to-all', bytes, times }] },
      { size: data / degree, stride: tensor * degree, operations: ofParameters(ofExperts, data / degree) },
    ];
  };
  const handedOn = microBatches * (isSequenceParallel ? activation / tensor : activation);
  return {
    groups: [
      { size: tensor, stride: 1, operations: inTensorGroups },
      { size: data, stride: tensor, operations: ofParameters(shared, data) },
      ...(expert === undefined ? [] : expertGroups(expert)),
    ],
    toNextStage: pipeline > 1 ? interleave * handedOn : 0,
    toFirstStage: pipeline > 1 ? (interleave - 1) * handedOn : 0,
  };
}

/** Ordered pairs of the traffic of a step, at most. */
export function trainingPairBound(taskCount: number, step: TrainingStep): number {
  const stages = 4 * taskCount;
  return stepTraffic(step).groups.reduce(
    (sum, { size, operations }) =>
      sum +
      operations.reduce(
        (pairs, { operation }) =>
          pairs + (taskCount / size) * mostPairs(chosenCollective(operation, step.choice.options), size),
        0,
      ),
    stages,
  );
}

/**
 * The traffic of one training step. Tasks are numbered as Megatron-LM’s default order `tp-cp-ep-dp-pp` has them: task = tensor rank +
 * t · (data rank + d · stage), where the expert rank is the data rank modulo E.
 *
 * Fails with `illegal-parallelism` where something cannot be split as asked, `too-many-pairs`, `amounts-too-large`, and where cancelled.
 * O(pairs) time and memory.
 */
export function trainingTraffic(taskCount: number, step: TrainingStep, cancellation: Cancellation): Result<Traffic> {
  const problem = trainingProblem(taskCount, step);
  if (problem !== undefined) return fail('illegal-parallelism', problem.message);
  const list = createPairList(
    trainingPairBound(taskCount, step),
    `A training step on ${formatNumber(taskCount)} tasks`,
  );
  if (!list.ok) return list;
  const meter = new WorkMeter(cancellation);
  const add = (from: number, to: number, bytes: number): void => {
    addPair(list.value, from, to, bytes);
  };
  const { groups, toNextStage, toFirstStage } = stepTraffic(step);
  for (const kind of groups) {
    const added = addGroups(taskCount, kind, step.choice.options, add, meter);
    if (!added.ok) return added;
  }
  const { tensor, data, pipeline } = step.parallelism;
  const stage = tensor * data;
  for (let task = 0; task < taskCount; task++) {
    if (meter.isCancelledAfter(1)) return cancelled();
    const isLast = task >= taskCount - stage;
    const next = isLast ? task - stage * (pipeline - 1) : task + stage;
    const bytes = isLast ? toFirstStage : toNextStage;
    if (bytes === 0) continue;
    add(task, next, bytes);
    add(next, task, bytes);
  }
  return assembleTraffic(taskCount, list.value, cancellation);
}

function addGroups(
  taskCount: number,
  { size, stride, operations }: Groups,
  options: OptionValues,
  add: (from: number, to: number, bytes: number) => void,
  meter: WorkMeter,
): Result<void> {
  for (const { operation, bytes, times } of operations) {
    if (size === 1 || bytes === 0) continue;
    const group = groupTraffic(chosenCollective(operation, options), size, bytes, 0, meter);
    if (group === undefined) return cancelled();
    // Groups of one block interleave, block behind block.
    for (let block = 0; block < taskCount; block += size * stride) {
      for (let first = block; first < block + stride; first++) {
        if (meter.isCancelledAfter(group.from.length)) return cancelled();
        for (let pair = 0; pair < group.from.length; pair++) {
          add(first + stride * intAt(group.from, pair), first + stride * intAt(group.to, pair), times * realAt(group.bytes, pair)); // prettier-ignore
        }
      }
    }
  }
  return succeed(undefined);
}
