/**
 * One training step of a large language model as a job declares it: degrees of parallelism, sizes of the model, how state is kept, and
 * what of that cannot be split. What the tasks then send is in `trainingTraffic.ts`.
 */
import { defaultOptions, type CatalogueEntry, type Choice, type OptionSpecification } from '../../model/catalogue.ts';
import { formatNumber } from '../../model/quantities.ts';
import { collectiveOption } from './collectives.ts';

/** Ways to keep the optimiser's state and the parameters in the tasks of a data-parallel group. */
export interface TrainingEntry extends CatalogueEntry {
  /** How often gradients are scattered and parameters gathered in a step of m micro batches; absent: gradients are all-reduced. */
  readonly shards?: (microBatches: number) => { readonly scatters: number; readonly gathers: number };
}

const countOption = (name: string, summary: string, maximum: number, usual?: number): OptionSpecification => ({
  name,
  summary,
  kind: 'integer',
  minimum: 1,
  maximum,
  ...(usual !== undefined && { default: usual }),
});

const trainingOptions: readonly OptionSpecification[] = [
  countOption('micro-batch', 'sequences per micro batch', 1_048_576, 1),
  countOption('interleave', 'chunks of layers per pipeline stage', 1024, 1),
  countOption('element', 'bytes per activation or parameter', 8, 2),
  countOption('gradient', 'bytes per gradient', 8, 2),
  countOption('feed-forward', 'width of the feed-forward layer (default: 4 · hidden)', 2 ** 24),
  {
    name: 'gated',
    summary: 'whether the feed-forward layer is gated (SwiGLU): three matrices instead of two',
    kind: 'choice',
    choices: ['off', 'on'],
    default: 'off',
  },
  countOption('query-group', 'query heads per key-value head (default 1: each has its own)', 1024, 1),
  {
    name: 'sequence-parallel',
    summary: 'whether to split activations between tensor-parallel layers by sequence',
    kind: 'choice',
    choices: ['off', 'on'],
    default: 'off',
  },
  {
    name: 'attention',
    summary: 'exchange of keys and values in context parallelism: ring, allgather, or alltoall by heads',
    kind: 'choice',
    choices: ['ring', 'all-gather', 'all-to-all'],
    default: 'ring',
  },
  countOption('experts', 'experts per layer (default: `expert`)', 65_536),
  countOption('top', 'experts per token', 1024, 2),
  countOption('every', 'every n-th layer has experts', 1024, 1),
  collectiveOption('all-reduce', 'ring'),
  collectiveOption('reduce-scatter', 'ring'),
  collectiveOption('all-gather', 'ring'),
];

const zero = 'Rajbhandari et al. 2020, ZeRO';

/** Every way there is; the first is that of jobs that name none. */
export const trainings: readonly TrainingEntry[] = [
  {
    name: 'replicated',
    summary: 'every data-parallel task has all state; allreduce of gradients once per step',
    source: 'Shoeybi et al. 2019; Narayanan et al. 2021',
    options: trainingOptions,
  },
  {
    name: 'zero-1',
    summary: 'splits the optimiser state; reduce-scatter of gradients and allgather of parameters once per step',
    source: `${zero}, section 5.1`,
    options: trainingOptions,
    shards: () => ({ scatters: 1, gathers: 1 }),
  },
  {
    name: 'zero-2',
    summary: 'also splits gradients; reduce-scatter per micro batch, allgather of parameters once per step',
    source: `${zero}, section 7.1`,
    options: trainingOptions,
    shards: (microBatches) => ({ scatters: microBatches, gathers: 1 }),
  },
  {
    name: 'zero-3',
    summary: 'also splits parameters; allgather forward and backward, reduce-scatter of gradients per micro batch',
    source: `${zero}, section 7.2`,
    options: trainingOptions,
    shards: (microBatches) => ({ scatters: microBatches, gathers: 2 * microBatches }),
  },
];

/** Degrees of parallelism. Experts are split within data and context parallelism; without `expert` no layer has any. */
export interface Parallelism {
  readonly tensor: number;
  readonly context: number;
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
export function trainingSettings({ choice: { options }, hidden, parallelism }: TrainingStep) {
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
    attention: options['attention'] ?? 'ring',
  };
}

/** The first thing that cannot be split as it is asked for; undefined where all can. */
export const trainingProblem = (taskCount: number, step: TrainingStep): TrainingProblem | undefined =>
  degreeProblem(taskCount, step) ?? modelProblem(step) ?? batchProblem(step) ?? expertProblem(step);

/** Tasks that the degrees make. */
export const tasksOfDegrees = ({ tensor, context, pipeline, data }: Parallelism): number =>
  tensor * context * pipeline * data;

/** Degrees against the tasks, and each other. */
function degreeProblem(taskCount: number, { parallelism }: TrainingStep): TrainingProblem | undefined {
  const { tensor, context, pipeline, data, expert = 1 } = parallelism;
  const product = tasksOfDegrees(parallelism);
  const ofContext = context === 1 ? '' : ` · context ${context}`;
  if (product !== taskCount) {
    return {
      word: 'parallelism',
      message: `\`parallelism\` needs ${formatNumber(product)} tasks (tensor ${tensor}${ofContext} · pipeline ${pipeline} · data ${data}), but the job has ${formatNumber(taskCount)}. Write \`tasks ${product}\` or other degrees.`,
    };
  }
  if ((context * data) % expert === 0) return undefined;
  const within = context === 1 ? 'data parallelism' : 'data and context parallelism';
  const whole = context === 1 ? `\`data\` ${data}` : `\`context\` times \`data\`, ${formatNumber(context * data)}`;
  return {
    word: 'parallelism',
    message: `Experts are split within ${within}: \`expert\` ${expert} must divide ${whole}.`,
  };
}

/** A problem where a number of `word` is not divisible; `what` is the name of the number. */
function indivisible(
  word: TrainingWord,
  what: string,
  value: number,
  by: number,
  reason: string,
): TrainingProblem | undefined {
  if (value % by === 0) return undefined;
  const message = `\`${what}\` ${formatNumber(value)} is not divisible by ${formatNumber(by)}, ${reason}. Write ${nextMultiples(value, by)}.`;
  return { word, message };
}

const ofTensor = 'the degree of tensor parallelism';
const ofContext = 'the degree of context parallelism';

/** Layers over stages, widths and sequences over tensor-parallel tasks. */
function modelProblem(step: TrainingStep): TrainingProblem | undefined {
  const { layers, hidden, sequence, parallelism } = step;
  const { tensor, context, pipeline, expert } = parallelism;
  const { interleave, every, feedForward, queryGroup, isSequenceParallel, attention } = trainingSettings(step);
  if (interleave > 1 && pipeline === 1) {
    return {
      word: 'training',
      message: '`interleave` needs several pipeline stages. Remove it, or write `pipeline 2` or more.',
    };
  }
  const parts = every > 1 ? 'stages times `interleave` times `every`' : 'the stages of the pipeline times `interleave`';
  return (
    indivisible('layers', 'layers', layers, pipeline * interleave * every, parts) ??
    indivisible('hidden', 'hidden', hidden, tensor, ofTensor) ??
    indivisible('training', 'feed-forward', feedForward, tensor, ofTensor) ??
    indivisible('hidden', 'hidden', hidden, queryGroup, '`query-group`: keys and values have that part of the width') ??
    (attention === 'all-to-all'
      ? (indivisible(
          'hidden',
          'hidden',
          hidden,
          tensor * context * queryGroup,
          'tensor times context parallelism times `query-group`: a task has all tokens of that part of the heads',
        ) ?? indivisible('sequence', 'sequence', sequence, context, ofContext))
      : context > 1
        ? indivisible(
            'sequence',
            'sequence',
            sequence,
            2 * context,
            `twice ${ofContext}: a task has a piece from either end, so that all have as much to do`,
          )
        : undefined) ??
    (isSequenceParallel || expert !== undefined
      ? indivisible(
          'sequence',
          'sequence',
          sequence,
          tensor * context,
          `${context > 1 ? 'tensor times context parallelism' : ofTensor}, over which sequences are split`,
        )
      : undefined)
  );
}

/** Sequences over data-parallel tasks and micro batches. */
function batchProblem(step: TrainingStep): TrainingProblem | undefined {
  const { batch, parallelism } = step;
  const { data, pipeline } = parallelism;
  const { microBatch, interleave } = trainingSettings(step);
  const reason = 'the degree of data parallelism times `micro-batch`';
  const problem = indivisible('batch', 'batch', batch, data * microBatch, reason);
  const microBatches = batch / (data * microBatch);
  if (problem !== undefined || interleave === 1 || microBatches % pipeline === 0) return problem;
  const message = `\`interleave\` needs a multiple of the pipeline stages as micro batches; found ${formatNumber(microBatches)} for ${pipeline} stages.`;
  return { word: 'batch', message };
}

/** Experts over expert-parallel tasks. */
function expertProblem(step: TrainingStep): TrainingProblem | undefined {
  const { expert } = step.parallelism;
  if (expert === undefined) return undefined;
  const { experts, top } = trainingSettings(step);
  const problem = indivisible('training', 'experts', experts, expert, 'the degree `expert`');
  if (problem !== undefined || top <= experts) return problem;
  const message = `\`top ${top}\` exceeds ${experts} experts. Write \`top ${experts}\` or less, or more \`experts\`.`;
  return { word: 'training', message };
}

function nextMultiples(value: number, of: number): string {
  const below = Math.floor(value / of) * of;
  return below === 0 ? formatNumber(of) : `${formatNumber(below)} or ${formatNumber(below + of)}`;
}
