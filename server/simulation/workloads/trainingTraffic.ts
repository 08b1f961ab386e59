/**
 * One training step of a large language model, spread over tasks by tensor, context, pipeline, data and expert parallelism: what each
 * pair of tasks sends. Group by group: what the ranks of one group send is worked out once (`exchangeTraffic`) and written for all groups like it.
 *
 * Formulas, with b sequences of s tokens in a micro batch, m micro batches, hidden size h, t, c, p, d, E the degrees of tensor, context, pipeline,
 * data and expert parallelism, and l layers on a stage. A task has b·s/c tokens of a micro batch:
 *
 * - Tensor: each layer all-reduces b·s·h/c numbers twice forward and twice backward (Shoeybi et al. 2019, section 3, figure 4). Around a ring that
 *   is l · m · 8·b·s·h·(t − 1)/t numbers of each task (Narayanan et al. 2021, section 3.2). With sequence parallelism each all-reduce is a
 *   reduce-scatter and an all-gather, and two all-gathers more in the backward pass bring back what only a part was kept of (Korthikanti et al. 2022, section 4.2.2).
 * - Context: keys and values of a task, 2·b·s·h/(c·q·t) numbers of a layer where q heads of queries share them, go round a ring, c − 1 times forward, and backward
 *   c − 1 times the other way with as many gradients (Liu, Zaharia and Abbeel 2023, section 3; the second way round as Transformer Engine has it); or they are all-gathered,
 *   once more in the backward pass, and their gradients reduce-scattered (Grattafiori et al. 2024, section 3.3.2); or queries, keys, values and the
 *   outcome go through all-to-alls, there and back, so that a task has all tokens of a part of the heads (Jacobs et al. 2023, section 3.2).
 * - Pipeline: b·s·h/c numbers a micro batch between neighbouring stages, forward and backward (Narayanan et al. 2021, section 3.2; Huang et al. 2019 the same),
 *   v times with v chunks a stage, and then from the last stage to the first v − 1 times (section 2.2); each tensor rank to its counterpart,
 *   its t-th part with sequence parallelism (section 4.1).
 * - Data: gradients of all parameters of a stage all-reduced (Shoeybi et al. 2019), or by the stages of ZeRO: reduce-scatter and all-gather of
 *   Ψ numbers each, and stage 3 gathers twice (Rajbhandari et al. 2020, sections 7.1 and 7.2). Tasks of a context-parallel group have the same parameters and
 *   other tokens, so that they take part: c·d of them.
 * - Experts: two all-to-alls forward, two backward in each layer that has them; a task gives each of the E tasks k·b·s/(c·t)·h/E numbers, where routing is
 *   even (Lepikhin et al. 2020, section 3.2; two of them are dispatch and combine). They are split within the c·d tasks that have other tokens, which is the folding of
 *   Liu et al. 2025, section 3.2, with tensor parallelism the same in all layers.
 *
 * Parameters of a layer are 4·h² of attention, (2 + 2/q)·h² where q heads of queries share keys and values (Ainslie et al. 2023, section 2.2), and 2·h·f of the
 * feed-forward part, 3·h·f where it is gated (Shazeer 2020, section 2); embeddings, the output layer, norms, biases and the sums of losses are left out.
 */
import type { OptionValues } from '../../model/catalogue.ts';
import { neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { formatNumber } from '../../model/quantities.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import { addPair, assembleTraffic, createPairList } from '../../traffic/pairs.ts';
import { chosenCollective, type CollectiveOperation } from './collectives.ts';
import { groupTraffic, type GroupTraffic, mostPairs } from './collectiveTraffic.ts';
import { trainingSettings, trainingProblem, trainings, type Parallelism, type TrainingStep } from './training.ts';

/**
 * A collective operation, or messages between two ranks: of each to the `next` one round the group, or the `previous` one; of `neighbours` in a chain to
 * each other, and of its two `ends`.
 */
export type Exchange = CollectiveOperation | 'next' | 'previous' | 'neighbours' | 'ends';

/** What the tasks of a group send: `bytes` of the vector of an all-reduce, else of a part or a message, so often in a step. */
export interface GroupExchange {
  readonly exchange: Exchange;
  /** What it is that is sent. */
  readonly what: string;
  readonly bytes: number;
  /** The same in letters, as a number of numbers. */
  readonly formula: string;
  readonly times: number;
  readonly source: string;
}

/** Groups that are alike: a rank of a group is `stride` tasks behind the one before it, and groups of one block interleave. */
export interface TrainingGroups {
  /** The degree of parallelism that makes them. */
  readonly degree: keyof Parallelism;
  readonly size: number;
  readonly stride: number;
  readonly exchanges: readonly GroupExchange[];
}

/** Sizes of a step that its formulas rest on. */
function sizesOf(step: TrainingStep) {
  const { parallelism, layers, hidden, sequence, batch } = step;
  const { tensor, context, pipeline, data, expert } = parallelism;
  const settings = trainingSettings(step);
  const stageLayers = layers / pipeline;
  return {
    ...settings,
    microBatches: batch / (data * settings.microBatch),
    stageLayers,
    expertLayers: expert === undefined ? 0 : stageLayers / settings.every,
    activation: ((settings.microBatch * sequence) / context) * hidden * settings.element,
    attentionParameters: ((2 + 2 / settings.queryGroup) * hidden ** 2) / tensor,
    feedForwardParameters: (settings.feedForwardMatrices * hidden * settings.feedForward) / tensor,
  };
}

type Sizes = ReturnType<typeof sizesOf>;

/** Micro batches of a step, one after the other. */
export const microBatchesOf = (step: TrainingStep): number => sizesOf(step).microBatches;

/** Groups of tasks and what each sends in a step; of groups of one task too, which send nothing. */
export function trainingGroups(step: TrainingStep): readonly TrainingGroups[] {
  const { tensor, context, pipeline, data, expert } = step.parallelism;
  const sizes = sizesOf(step);
  const { stageLayers, expertLayers, attentionParameters, feedForwardParameters } = sizes;
  /** Tasks with the same parameters and other tokens. */
  const alike = context * data;
  const gradients = (owned: Owned, size: number) => gradientExchanges(step, sizes, owned, size);
  const shared: Owned = {
    of: expert === undefined ? 'the stage' : 'what all have',
    parameters: stageLayers * attentionParameters + (stageLayers - expertLayers) * feedForwardParameters,
    formula: expert === undefined ? 'l·((2 + 2/q)·h² + w·h·f)/t' : '(l·(2 + 2/q)·h² + (l − L)·w·h·f)/t',
  };
  const groups: readonly TrainingGroups[] = [
    { degree: 'tensor', size: tensor, stride: 1, exchanges: tensorExchanges(sizes, tensor) },
    { degree: 'context', size: context, stride: tensor, exchanges: contextExchanges(sizes, step.parallelism) },
    { degree: 'pipeline', size: pipeline, stride: tensor * alike, exchanges: pipelineExchanges(sizes, tensor) },
    { degree: 'data', size: alike, stride: tensor, exchanges: gradients(shared, alike) },
  ];
  if (expert === undefined) return groups;
  const ofExperts: Owned = {
    of: 'experts',
    parameters: expertLayers * (sizes.experts / expert) * feedForwardParameters,
    formula: 'L·(x/E)·w·h·f/t',
  };
  const tokens: GroupExchange = {
    exchange: 'all-to-all',
    what: 'alltoall of tokens to experts and back, forward and backward',
    bytes: (sizes.top * sizes.activation) / tensor / expert,
    formula: 'k·b·s·h/(c·t·E)',
    times: 4 * expertLayers * sizes.microBatches,
    source: 'Lepikhin et al. 2020, section 3.2',
  };
  const owners = alike / expert;
  return [
    ...groups,
    { degree: 'expert', size: expert, stride: tensor, exchanges: [tokens] },
    { degree: 'expert', size: owners, stride: tensor * expert, exchanges: gradients(ofExperts, owners) },
  ];
}

/** Parameters that a task has, and whose gradients its group sums. */
interface Owned {
  readonly of: string;
  readonly parameters: number;
  readonly formula: string;
}

function tensorExchanges(sizes: Sizes, tensor: number): readonly GroupExchange[] {
  const { microBatches, stageLayers, expertLayers, top, activation } = sizes;
  // Attention, and the feed-forward part, which is `top` times as much where each token goes to so many experts.
  const times = microBatches * (2 * stageLayers + 2 * (stageLayers - expertLayers) + 2 * top * expertLayers);
  const what = 'activations and their gradients';
  if (!sizes.isSequenceParallel) {
    const source = 'Shoeybi et al. 2019, section 3; Narayanan et al. 2021, section 3.2';
    return [{ exchange: 'all-reduce', what, bytes: activation, formula: 'b·s·h/c', times, source }];
  }
  const part = {
    what,
    bytes: activation / tensor,
    formula: 'b·s·h/(c·t)',
    source: 'Korthikanti et al. 2022, section 4.2.2',
  };
  return [
    { exchange: 'reduce-scatter', ...part, times },
    { exchange: 'all-gather', ...part, times: 1.5 * times },
  ];
}

/** Keys and values are sent for each layer; forward once, backward again, and then their gradients. */
function contextExchanges(sizes: Sizes, { tensor, context }: Parallelism): readonly GroupExchange[] {
  const { microBatches, stageLayers, activation, queryGroup, attention } = sizes;
  const layerTimes = microBatches * stageLayers;
  const keysAndValues = { bytes: (2 * activation) / tensor / queryGroup, formula: '2·b·s·h/(c·q·t)' };
  switch (attention) {
    case 'all-to-all': {
      const source = 'Jacobs et al. 2023, section 3.2';
      const part = activation / tensor / context;
      const times = 4 * layerTimes;
      return [
        {
          exchange: 'all-to-all',
          what: 'queries and attention results',
          bytes: part,
          formula: 'b·s·h/(c²·t)',
          times,
          source,
        },
        {
          exchange: 'all-to-all',
          what: 'keys and values',
          bytes: part / queryGroup,
          formula: 'b·s·h/(c²·q·t)',
          times,
          source,
        },
      ];
    }
    case 'all-gather': {
      const source = 'Grattafiori et al. 2024, section 3.3.2';
      return [
        {
          exchange: 'all-gather',
          what: 'keys and values, forward and backward',
          ...keysAndValues,
          times: 2 * layerTimes,
          source,
        },
        {
          exchange: 'reduce-scatter',
          what: 'gradients of keys and values',
          ...keysAndValues,
          times: layerTimes,
          source,
        },
      ];
    }
    default: {
      const source = 'Liu, Zaharia and Abbeel 2023, section 3';
      const round = (context - 1) * layerTimes;
      return [
        { exchange: 'next', what: 'keys and values, forward', ...keysAndValues, times: round, source },
        {
          exchange: 'previous',
          what: 'keys, values and their gradients, backward',
          ...keysAndValues,
          times: 2 * round,
          source,
        },
      ];
    }
  }
}

function pipelineExchanges(sizes: Sizes, tensor: number): readonly GroupExchange[] {
  const { microBatches, interleave, activation, isSequenceParallel } = sizes;
  const handedOn = isSequenceParallel
    ? { bytes: activation / tensor, formula: 'b·s·h/(c·t)', source: 'Narayanan et al. 2021, sections 3.2 and 4.1' }
    : { bytes: activation, formula: 'b·s·h/c', source: 'Narayanan et al. 2021, section 3.2; Huang et al. 2019' };
  const what = 'activations on, gradients back';
  const again = { ...handedOn, source: 'Narayanan et al. 2021, section 2.2' };
  return [
    { exchange: 'neighbours', what, ...handedOn, times: microBatches * interleave },
    ...(interleave === 1
      ? []
      : [{ exchange: 'ends', what, ...again, times: microBatches * (interleave - 1) } as const]),
  ];
}

/** Gradients, and the parameters themselves where they are split. */
function gradientExchanges(
  { choice }: TrainingStep,
  { microBatches, gradient, element }: Sizes,
  { of, parameters, formula }: Owned,
  size: number,
): readonly GroupExchange[] {
  const { source = '', shards } = trainings.find(({ name }) => name === choice.name) ?? {};
  const [what, whole] = [`gradients of ${of}`, parameters * gradient];
  const counts = shards?.(microBatches);
  if (counts === undefined) return [{ exchange: 'all-reduce', what, bytes: whole, formula, times: 1, source }];
  const part = { formula: `${formula}/n`, source };
  return [
    { exchange: 'reduce-scatter', what, bytes: whole / size, times: counts.scatters, ...part },
    {
      exchange: 'all-gather',
      what: `parameters of ${of}`,
      bytes: (parameters * element) / size,
      times: counts.gathers,
      ...part,
    },
  ];
}

/** Whether an exchange is between two ranks. */
const isBetweenTwo = (exchange: Exchange): exchange is Exclude<Exchange, CollectiveOperation> =>
  exchange === 'next' || exchange === 'previous' || exchange === 'neighbours' || exchange === 'ends';

/** Ordered pairs of a group, at most. */
function pairsOfExchange(exchange: Exchange, size: number, options: OptionValues): number {
  if (size === 1) return 0;
  return isBetweenTwo(exchange) ? 2 * size : mostPairs(chosenCollective(exchange, options), size);
}

/** What the ranks of one group send when an exchange is done once; undefined if cancelled. O(pairs). */
function exchangeTraffic(
  { exchange, bytes }: Pick<GroupExchange, 'exchange' | 'bytes'>,
  size: number,
  options: OptionValues,
  meter: WorkMeter,
): GroupTraffic | undefined {
  if (!isBetweenTwo(exchange)) return groupTraffic(chosenCollective(exchange, options), size, bytes, 0, meter);
  const ranks = Array.from({ length: size }, (_, rank) => rank);
  const pairs = {
    next: () => ranks.map((rank): Pair => [rank, (rank + 1) % size]),
    previous: () => ranks.map((rank): Pair => [(rank + 1) % size, rank]),
    neighbours: () =>
      ranks.slice(1).flatMap((rank): Pair[] => [
        [rank - 1, rank],
        [rank, rank - 1],
      ]),
    ends: (): Pair[] => [
      [size - 1, 0],
      [0, size - 1],
    ],
  }[exchange]();
  return {
    from: Int32Array.from(pairs, ([from]) => from),
    to: Int32Array.from(pairs, ([, to]) => to),
    bytes: new Float64Array(pairs.length).fill(bytes),
  };
}

type Pair = readonly [from: number, to: number];

/** Larger groups are not gone through for a number in a hover. */
const mostPairsLookedAt = 2 ** 20;

/**
 * Bytes that a task of such a group sends in a step, on average over the group: by the algorithms that the step has chosen. Undefined where
 * that would take long. O(pairs of a group).
 */
export function sentInStep(step: TrainingStep, { size }: TrainingGroups, exchange: GroupExchange): number | undefined {
  if (size === 1) return 0;
  if (pairsOfExchange(exchange.exchange, size, step.choice.options) > mostPairsLookedAt) return undefined;
  const group = exchangeTraffic(exchange, size, step.choice.options, new WorkMeter(neverCancelled));
  return group && (exchange.times * group.bytes.reduce((sum, bytes) => sum + bytes, 0)) / size;
}

/** Ordered pairs of the traffic of a step, at most. */
export const trainingPairBound = (taskCount: number, step: TrainingStep): number =>
  trainingGroups(step).reduce(
    (sum, { size, exchanges }) =>
      sum +
      exchanges.reduce(
        (pairs, { exchange }) => pairs + (taskCount / size) * pairsOfExchange(exchange, size, step.choice.options),
        0,
      ),
    0,
  );

/**
 * The traffic of one training step. Tasks are numbered as Megatron-LM’s default order `tp-cp-ep-dp-pp` has them: task = tensor rank +
 * t · (context rank + c · (data rank + d · stage)), where the expert rank is (context rank + c · data rank) modulo E.
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
  for (const groups of trainingGroups(step)) {
    const added = addGroups(taskCount, groups, step.choice.options, add, meter);
    if (!added.ok) return added;
  }
  return assembleTraffic(taskCount, list.value, cancellation);
}

function addGroups(
  taskCount: number,
  { size, stride, exchanges }: TrainingGroups,
  options: OptionValues,
  add: (from: number, to: number, bytes: number) => void,
  meter: WorkMeter,
): Result<void> {
  for (const exchange of exchanges) {
    const { bytes, times } = exchange;
    if (size === 1 || bytes === 0) continue;
    const group = exchangeTraffic(exchange, size, options, meter);
    if (group === undefined) return cancelled();
    // Groups of one block interleave, block behind block.
    for (let block = 0; block < taskCount; block += size * stride) {
      for (let first = block; first < block + stride; first++) {
        if (meter.isCancelledAfter(group.from.length)) return cancelled();
        for (let pair = 0; pair < group.from.length; pair++) {
          add(
            first + stride * intAt(group.from, pair),
            first + stride * intAt(group.to, pair),
            times * realAt(group.bytes, pair),
          );
        }
      }
    }
  }
  return succeed(undefined);
}
