import { describe, expect, it } from 'vitest';
import { defaultOptions, type OptionValues } from '../../model/catalogue.ts';
import { neverCancelled, WorkMeter } from '../../model/cancellation.ts';
import type { Traffic } from '../../model/traffic.ts';
import { collectiveOperations, collectives, evenCall } from './collectives.ts';
import { collectiveTraffic, groupTraffic, jobCollectives, mostPairs } from './collectiveTraffic.ts';
import { type Parallelism, tasksOfDegrees, trainingProblem, trainings, type TrainingStep } from './training.ts';
import { sentInStep, trainingGroups, trainingPairBound, trainingTraffic } from './trainingTraffic.ts';

/** Four layers of width 8, sequences of 4 tokens, numbers of 2 bytes: an activation of a sequence is 64 bytes. */
const stepOf = (
  parallelism: Parallelism,
  options: OptionValues = {},
  name = 'replicated',
  more: Partial<TrainingStep> = {},
): TrainingStep => {
  const entry = trainings.find((one) => one.name === name)!;
  const choice = { name, options: { ...defaultOptions(entry), ...options } };
  return { parallelism, layers: 4, hidden: 8, sequence: 4, batch: 4, choice, ...more };
};

function trafficOf(step: TrainingStep): Traffic {
  const traffic = trainingTraffic(tasksOfDegrees(step.parallelism), step, neverCancelled);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return traffic.value;
}

/** Bytes by pair, `0>1`. */
function pairsOf({ taskCount, rowStart, partner, bytes }: Traffic): Record<string, number> {
  const pairs: Record<string, number> = {};
  for (let task = 0; task < taskCount; task++) {
    for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++)
      pairs[`${task}>${partner[pair]!}`] = bytes[pair]!;
  }
  return pairs;
}

const totalOf = ({ bytes }: Traffic): number => bytes.reduce((sum, amount) => sum + amount, 0);

/** One degree alone. */
const only = (degrees: Partial<Parallelism>): Parallelism => ({
  tensor: 1,
  context: 1,
  pipeline: 1,
  data: 1,
  ...degrees,
});

describe('the traffic of a training step, worked by hand', () => {
  // Four micro batches, four layers, four all-reduces of 64 bytes each: 64 of them. On two tasks a ring sends the whole once each way.
  it('tensor: 8·b·s·h·(t − 1)/t numbers a layer and micro batch', () => {
    expect(pairsOf(trafficOf(stepOf(only({ tensor: 2 }))))).toEqual({ '0>1': 64 * 64, '1>0': 64 * 64 });
    const ofFour = pairsOf(trafficOf(stepOf(only({ tensor: 4 }))));
    expect(ofFour).toEqual({ '0>1': 6144, '1>2': 6144, '2>3': 6144, '3>0': 6144 });
    expect(ofFour['0>1']).toBe(4 * 4 * ((8 * 1 * 4 * 8 * 3) / 4) * 2);
  });

  // Llama 3 of 70 billion parameters (Grattafiori et al. 2024, table 3): 80 layers, 8,192 wide, 28,672 in the gated feed-forward part, 8 of 64 heads with keys
  // and values. With the embeddings and the output layer of 128,256 words, which are left out here, and the norms these are its 70,553,706,496 parameters.
  it('data: all parameters of a model of today, once each way between two tasks', () => {
    const options = { 'feed-forward': 28_672, gated: 'on', 'query-group': 8 };
    const more = { layers: 80, hidden: 8192, sequence: 8192, batch: 2 };
    const parameters = 70_553_706_496 - 2 * 128_256 * 8192 - (2 * 80 + 1) * 8192;
    const bytes = 2 * parameters;
    expect(pairsOf(trafficOf(stepOf(only({ data: 2 }), options, 'replicated', more)))).toEqual({
      '0>1': bytes,
      '1>0': bytes,
    });
    const zero = pairsOf(trafficOf(stepOf(only({ data: 2 }), options, 'zero-3', more)));
    expect(zero).toEqual({ '0>1': 1.5 * bytes, '1>0': 1.5 * bytes });
  });

  // DeepSeek-V3’s experts of a layer (DeepSeek-AI 2024, section 4.2): 256 of width 2,048, gated, 8 of them for each token.
  it('experts: those of a layer on eight tasks, of which two have the same ones', () => {
    const options = { 'feed-forward': 2048, gated: 'on', experts: 256, top: 8 };
    const step = stepOf(only({ data: 16, expert: 8 }), options, 'replicated', {
      layers: 1,
      hidden: 7168,
      sequence: 4096,
      batch: 16,
    });
    const pairs = pairsOf(trafficOf(step));
    const [tokens, attention] = [4 * ((8 * 4096 * 7168) / 8) * 2, 4 * 7168 ** 2 * 2];
    const ofExperts = (256 / 8) * 3 * 7168 * 2048 * 2;
    // Task 0 gives tokens to the eight of its group; a ring of sixteen has the gradients of attention; task 8 has the same experts.
    expect(pairs['0>7']).toBe(tokens);
    expect(pairs['0>1']).toBeCloseTo(tokens + (attention * 2 * 15) / 16, -2);
    expect(pairs['0>8']).toBe(ofExperts);
    expect(pairs['0>9']).toBeUndefined();
  });

  it('sequence parallelism: four reduce-scatters and six all-gathers of a part in the place of four all-reduces', () => {
    const traffic = trafficOf(stepOf(only({ tensor: 4 }), { 'sequence-parallel': 'on' }));
    // 16 layers and micro batches, ten collectives, three parts of 16 bytes to the next task.
    expect(pairsOf(traffic)).toEqual({ '0>1': 7680, '1>2': 7680, '2>3': 7680, '3>0': 7680 });
  });

  it('pipeline: an activation a micro batch forward, as much back', () => {
    const traffic = pairsOf(trafficOf(stepOf(only({ pipeline: 4 }))));
    expect(traffic).toEqual({ '0>1': 256, '1>0': 256, '1>2': 256, '2>1': 256, '2>3': 256, '3>2': 256 });
  });

  it('interleaved: as often as there are chunks, and from the last stage to the first between them', () => {
    const step = stepOf(only({ pipeline: 4 }), { interleave: 2 }, 'replicated', { layers: 8 });
    const traffic = pairsOf(trafficOf(step));
    expect(traffic).toEqual({
      ...{ '0>1': 512, '1>0': 512, '1>2': 512, '2>1': 512, '2>3': 512, '3>2': 512 },
      ...{ '3>0': 256, '0>3': 256 },
    });
  });

  it('pipeline beside sequence parallelism: each tensor rank its part', () => {
    const options = { 'sequence-parallel': 'on' };
    const [whole, split] = [{}, options].map((each) =>
      pairsOf(trafficOf(stepOf(only({ tensor: 2, pipeline: 2 }), each))),
    );
    expect([whole!['0>2'], whole!['1>3'], split!['0>2'], split!['3>1']]).toEqual([256, 256, 128, 128]);
  });

  // 12·h² numbers a layer, 4 layers: 3,072 numbers of 2 bytes; a ring of 4 sends 2 · 3/4 of them.
  it.each([
    ['replicated', 2 * 3 * 1536],
    ['zero-1', 2 * 3 * 1536],
    ['zero-2', 2 * 3 * 1536],
    // Rajbhandari 2020, section 7.2.2: 3Ψ instead of 2Ψ.
    ['zero-3', 3 * 3 * 1536],
  ])('data: %s with one micro batch', (name, bytes) => {
    const traffic = pairsOf(trafficOf(stepOf(only({ data: 4 }), {}, name)));
    expect(traffic).toEqual({ '0>1': bytes, '1>2': bytes, '2>3': bytes, '3>0': bytes });
  });

  it.each([
    ['zero-1', 1 + 1],
    ['zero-2', 2 + 1],
    ['zero-3', 2 + 4],
  ])('data: %s with two micro batches sends parts %i times', (name, times) => {
    const traffic = pairsOf(trafficOf(stepOf(only({ data: 4 }), {}, name, { batch: 8 })));
    expect(traffic['0>1']).toBe(times * 3 * 1536);
  });

  it('data: gradients of 4 bytes are twice as much to scatter and not to gather', () => {
    const traffic = pairsOf(trafficOf(stepOf(only({ data: 4 }), { gradient: 4 }, 'zero-1')));
    expect(traffic['0>1']).toBe(3 * 3 * 1536);
  });

  it('experts: four all-to-alls a layer of k·b·s·h/E numbers, and gradients of what each group shares', () => {
    const step = stepOf(only({ data: 4, expert: 2 }));
    const traffic = pairsOf(trafficOf(step));
    // Attention, 4·h² a layer, among all four: 4 · 256 numbers, 2 bytes, 2 · 3/4. Experts, 8·h² a layer, among two: 4 · 512 numbers.
    const [shared, ofExperts] = [1.5 * 1024 * 2, 2048 * 2];
    const tokens = 4 * 4 * ((2 * 64) / 2);
    expect(tokens).toBe(1024);
    expect(traffic).toEqual({
      ...{ '0>1': tokens + shared, '1>0': tokens, '2>3': tokens + shared, '3>2': tokens },
      ...{ '1>2': shared, '3>0': shared },
      ...{ '0>2': ofExperts, '2>0': ofExperts, '1>3': ofExperts, '3>1': ofExperts },
    });
  });

  it('experts in every second layer: half the tokens, half the gradients of experts', () => {
    const traffic = pairsOf(trafficOf(stepOf(only({ data: 2, expert: 2 }), { every: 2 })));
    // Two layers with tokens, two micro batches; shared are attention of 4 layers and the feed-forward part of 2: 1,024 + 1,024 numbers.
    expect(traffic).toEqual({ '0>1': 2 * 2 * 4 * 64 + 4096, '1>0': 2 * 2 * 4 * 64 + 4096 });
  });

  it('numbers tasks tensor first, then expert, data, pipeline', () => {
    const step = stepOf({ ...only({ tensor: 2, pipeline: 2, data: 4, expert: 2 }) }, {}, 'replicated', { batch: 8 });
    const traffic = pairsOf(trafficOf(step));
    const partners = Object.keys(traffic).flatMap((pair) => (pair.startsWith('0>') ? [Number(pair.slice(2))] : []));
    // Tensor 1; next in the ring of data and of experts 2; the expert's counterpart 4; the next stage 8.
    expect(partners.sort((a, b) => a - b)).toEqual([1, 2, 4, 8]);
  });
});

/** Sequences of 16 tokens: four tasks have four each. Four layers and micro batches, keys and values of 2·4·8 numbers of 2 bytes. */
describe('context parallelism, worked by hand', () => {
  const step = (options: OptionValues = {}, degrees: Partial<Parallelism> = {}, more: Partial<TrainingStep> = {}) =>
    stepOf(only({ context: 4, ...degrees }), options, 'replicated', { sequence: 16, ...more });
  const keysAndValues = 2 * 4 * 8 * 2;
  const times = 4 * 4;
  // All 3,072 parameters of the four layers are the same in the four tasks: a ring of four sends 2 · 3/4 of their gradients.
  const gradients = 2 * 3 * 1536;

  it('in a ring: keys and values on three times, and three times back with their gradients', () => {
    const [forward, backward] = [3 * times * keysAndValues, 2 * 3 * times * keysAndValues];
    expect(pairsOf(trafficOf(step()))).toEqual({
      ...{
        '0>1': forward + gradients,
        '1>2': forward + gradients,
        '2>3': forward + gradients,
        '3>0': forward + gradients,
      },
      ...{ '1>0': backward, '2>1': backward, '3>2': backward, '0>3': backward },
    });
  });

  it('gathered: twice all keys and values, once their gradients, to the next round a ring', () => {
    const sent = 3 * times * 3 * keysAndValues + gradients;
    expect(pairsOf(trafficOf(step({ attention: 'all-gather' })))).toEqual({
      '0>1': sent,
      '1>2': sent,
      '2>3': sent,
      '3>0': sent,
    });
  });

  it('by heads: a fourth of queries, keys, values and outcome to each other task, there and back', () => {
    const pairs = pairsOf(trafficOf(step({ attention: 'all-to-all' })));
    const each = (4 * 8 * 2) / 4;
    expect([pairs['0>2'], pairs['2>0'], pairs['3>1']]).toEqual(Array.from({ length: 3 }, () => 2 * 4 * times * each));
    expect(pairs['0>1']).toBe(2 * 4 * times * each + gradients);
  });

  // Jacobs et al. 2023, section 3.2: 4·N·h/P numbers forward of each task, N tokens on P tasks; sent to others are (P − 1)/P of them.
  it('by heads is the volume of DeepSpeed Ulysses', () => {
    const groups = trainingGroups(step({ attention: 'all-to-all' })).find(({ degree }) => degree === 'context')!;
    const sent = groups.exchanges.reduce((sum, exchange) => sum + sentInStep(step(), groups, exchange)!, 0);
    const forward = ((4 * 16 * 8) / 4) * (3 / 4);
    expect(sent).toBe(2 * times * forward * 2);
  });

  it.each([
    ['ring', 3 * 3 * times * (keysAndValues / 2)],
    ['all-gather', 3 * 3 * times * (keysAndValues / 2)],
    ['all-to-all', 3 * 4 * times * (16 + 8)],
  ])('%s: heads that share keys and values, two of them, send half of those', (attention, bytes) => {
    const shared = step({ attention, 'query-group': 2 });
    const groups = trainingGroups(shared).find(({ degree }) => degree === 'context')!;
    expect(groups.exchanges.reduce((sum, exchange) => sum + sentInStep(shared, groups, exchange)!, 0)).toBe(bytes);
  });

  it('beside tensor and sequence parallelism: a task has its part of tokens and heads', () => {
    const both = step({ 'sequence-parallel': 'on' }, { tensor: 2, context: 2 }, { sequence: 16 });
    const pairs = pairsOf(trafficOf(both));
    // Tensor-parallel neighbours: ten collectives of a half of 8 tokens’ activations for each layer and micro batch.
    expect(pairs['0>1']).toBe(10 * times * ((8 * 8 * 2) / 2));
    // The next one with other tokens is two tasks on: half the heads of 8 tokens forward, twice that backward, and half of the gradients.
    expect(pairs['0>2']).toBe(3 * times * ((2 * 8 * 8 * 2) / 2) + (4 * 12 * 64 * 2) / 2);
    expect(pairs['0>3']).toBeUndefined();
  });

  it('hands on the tokens of a task between stages', () => {
    const stages = pairsOf(trafficOf(step({}, { context: 2, pipeline: 2 })));
    expect([stages['0>2'], stages['3>1']]).toEqual([4 * 8 * 8 * 2, 4 * 8 * 8 * 2]);
  });

  it('numbers tasks tensor first, then context, data, pipeline, and experts through context and data', () => {
    const degrees = { tensor: 2, context: 2, data: 2, pipeline: 2, expert: 4 };
    const groups = trainingGroups(step({}, degrees)).map(({ degree, size, stride }) => [degree, size, stride]);
    expect(groups).toEqual([
      ['tensor', 2, 1],
      ['context', 2, 2],
      ['pipeline', 2, 8],
      ['data', 4, 2],
      ['expert', 4, 2],
      ['expert', 1, 8],
    ]);
    const tokens = pairsOf(trafficOf(step({}, degrees)));
    expect(tokens['0>6']).toBeGreaterThan(0);
    expect(tokens['0>7']).toBeUndefined();
  });

  it('of the last phase of Llama 3 405B sends the keys and values of eight heads of 128 numbers', () => {
    // Grattafiori et al. 2024, tables 3 and 4: 126 layers (128 here, which its stages divide), 16,384 wide, 128 heads of which 16 share keys and values; tensor 8, context 16, pipeline 16, data 8.
    const llama = stepOf(
      only({ tensor: 8, context: 16, pipeline: 16, data: 8 }),
      { 'query-group': 16, attention: 'all-gather', 'feed-forward': 53_248, gated: 'on', 'sequence-parallel': 'on' },
      'zero-2',
      { layers: 128, hidden: 16_384, sequence: 131_072, batch: 128 },
    );
    expect(trainingProblem(16_384, llama)).toBeUndefined();
    const [gathered] = trainingGroups(llama).find(({ degree }) => degree === 'context')!.exchanges;
    // One head of keys and one of values are left to a tensor-parallel task, 8,192 tokens of it to a context-parallel one.
    expect(gathered).toMatchObject({ exchange: 'all-gather', bytes: 2 * 128 * 8192 * 2, times: 2 * 8 * 16 });
  });
});

describe('a training step', () => {
  const gpt3: TrainingStep = stepOf(only({ tensor: 8, pipeline: 16, data: 128 }), {}, 'replicated', {
    layers: 96,
    hidden: 12_288,
    sequence: 2048,
    batch: 1536,
  });

  it('of GPT-3 on 16,384 tasks is the sum of the formulas of Narayanan et al. 2021', () => {
    const [b, s, h, t, p, d, m, l] = [1, 2048, 12_288, 8, 16, 128, 12, 6];
    const tensor = 2 * l * m * ((8 * b * s * h * (t - 1)) / t);
    const pipeline = ((2 * (p - 1)) / p) * m * b * s * h * 2;
    const data = 2 * ((2 * (d - 1)) / d) * ((12 * h ** 2 * l) / t);
    expect(totalOf(trafficOf(gpt3)) / 16_384 / (tensor + pipeline + data)).toBeCloseTo(1, 12);
  });

  it('ends where it is cancelled, at each look', () => {
    for (const looks of [0, 1, 3]) {
      let asked = 0;
      const cancellation = { isCancelled: () => asked++ >= looks };
      const result = trainingTraffic(16_384, gpt3, cancellation);
      expect(result.ok ? 'done' : result.failure.code).toBe('cancelled');
    }
  });

  it.each(['ring', 'all-gather', 'all-to-all'])(
    'has no more pairs than its bound with attention by %s',
    (attention) => {
      const step = stepOf(
        only({ tensor: 2, context: 4, pipeline: 2, data: 3, expert: 6 }),
        { attention, interleave: 2 },
        'zero-3',
        { batch: 6, sequence: 16 },
      );
      expect(trafficOf(step).bytes.length).toBeLessThanOrEqual(trainingPairBound(48, step));
    },
  );

  it('is the sum of what its groups send', () => {
    const step = stepOf(only({ tensor: 2, context: 2, pipeline: 2, data: 4, expert: 4 }), {}, 'zero-1', {
      batch: 8,
      sequence: 16,
    });
    const parts = trainingGroups(step).flatMap((groups) =>
      groups.exchanges.map((exchange) => sentInStep(step, groups, exchange)!),
    );
    expect(totalOf(trafficOf(step))).toBeCloseTo(32 * parts.reduce((sum, part) => sum + part, 0), 6);
  });

  it('has no more pairs than its bound', () => {
    for (const algorithm of ['ring', 'recursive-halving', 'recursive-doubling', 'binomial']) {
      const options = { 'all-reduce': algorithm };
      const step = stepOf(only({ tensor: 4, pipeline: 2, data: 6, expert: 3 }), options, 'replicated', { batch: 6 });
      expect(trafficOf(step).bytes.length).toBeLessThanOrEqual(trainingPairBound(48, step));
    }
  });

  it('is refused where its pairs are too many', () => {
    const step = stepOf(only({ data: 16_384, expert: 16_384 }), {}, 'replicated', { batch: 16_384 });
    const result = trainingTraffic(16_384, step, neverCancelled);
    expect(result.ok ? 'done' : result.failure.code).toBe('too-many-pairs');
  });

  it.each([
    [
      8,
      only({ tensor: 4 }),
      {},
      {},
      /^`parallelism` needs 4 tasks \(tensor 4 · pipeline 1 · data 1\), but the job has 8\. Write `tasks 4`/,
    ],
    [
      8,
      only({ context: 2, data: 2 }),
      {},
      {},
      /needs 4 tasks \(tensor 1 · context 2 · pipeline 1 · data 2\), but the job has 8/,
    ],
    [
      4,
      only({ context: 4 }),
      {},
      {},
      /`sequence` 4 is not divisible by 8, twice the degree of context parallelism.*Write 8/,
    ],
    [
      4,
      only({ context: 4 }),
      { attention: 'all-to-all' },
      { sequence: 6 },
      /`sequence` 6 is not divisible by 4, the degree of context/,
    ],
    [
      4,
      only({ context: 4 }),
      { attention: 'all-to-all', 'query-group': 4 },
      {},
      /`hidden` 8 is not divisible by 16, tensor times/,
    ],
    [
      6,
      only({ tensor: 3, context: 2 }),
      { 'sequence-parallel': 'on' },
      { hidden: 6, sequence: 8 },
      /`sequence` 8 is not divisible by 6, tensor times/,
    ],
    [
      4,
      only({ context: 2, data: 2, expert: 3 }),
      {},
      { sequence: 8 },
      /within data and context parallelism: `expert` 3 must divide `context` times `data`, 4/,
    ],
    [4, only({ data: 4, expert: 3 }), {}, {}, /`expert` 3 must divide `data` 4/],
    [2, only({ data: 2, expert: 4 }), {}, {}, /`expert` 4 must divide `data` 2/],
    [3, only({ pipeline: 3 }), {}, {}, /`layers` 4 is not divisible by 3, .*\. Write 3 or 6/],
    [4, only({ pipeline: 4 }), { interleave: 2 }, {}, /`layers` 4 is not divisible by 8/],
    [2, only({ data: 2, expert: 2 }), { every: 3 }, {}, /divisible by 3, stages times/],
    [3, only({ tensor: 3 }), {}, {}, /`hidden` 8 is not divisible by 3/],
    [4, only({ tensor: 4 }), { 'feed-forward': 10 }, {}, /`feed-forward` 10 .*Write 8 or 12/],
    [8, only({ tensor: 8 }), { 'sequence-parallel': 'on' }, {}, /`sequence` 4 is not divisible by 8.*Write 8/],
    [4, only({ data: 4 }), { 'micro-batch': 3 }, {}, /`batch` 4 is not divisible by 12/],
    [1, only({}), { interleave: 2 }, {}, /needs several pipeline stages/],
    [4, only({ pipeline: 4 }), { interleave: 2 }, { layers: 8, batch: 6 }, /found 6 for 4 stages/],
    [
      4,
      only({ data: 4, expert: 4 }),
      { experts: 6 },
      {},
      /`experts` 6 is not divisible by 4, the degree `expert`\. Write 4 or 8/,
    ],
    [2, only({ data: 2, expert: 2 }), { top: 3 }, {}, /`top 3` exceeds 2 experts/],
  ])('on %i tasks, %o %o %o, is refused with what to do', (tasks, parallelism, options, more, message) => {
    expect(trainingProblem(tasks, stepOf(parallelism, options, 'replicated', more))?.message).toMatch(message);
  });

  it('of numbers as large as the language takes is refused or finite', () => {
    const more = { layers: 2 ** 20, hidden: 2 ** 24, sequence: 2 ** 30, batch: 2 ** 30 };
    const total = totalOf(trafficOf(stepOf(only({ tensor: 2, data: 2 }), {}, 'zero-3', more)));
    expect(total).toBeGreaterThan(2 ** 53);
    expect(Number.isFinite(total)).toBe(true);
  });
});

const sizes = [1, 2, 3, 4, 5, 7, 8, 12, 16, 31];

describe.each(collectives.map((entry) => [entry.operation, entry.name, entry] as const))('%s, %s', (_, __, entry) => {
  it.each(sizes)('on %i ranks sends in all what it writes message by message', (size) => {
    const written: Record<string, number> = {};
    for (let rank = 0; rank < size; rank++) {
      const send = (to: number, bytes: number): void => {
        written[`${rank}>${to}`] = (written[`${rank}>${to}`] ?? 0) + bytes;
      };
      entry.write(evenCall(rank, size, 1000), { send, receive: () => undefined });
    }
    const group = groupTraffic(entry, size, 1000, 0, new WorkMeter(neverCancelled))!;
    const summed = Object.fromEntries(
      Array.from(group.bytes, (bytes, pair) => [`${group.from[pair]!}>${group.to[pair]!}`, bytes]),
    );
    expect(summed).toEqual(written);
    expect(group.bytes.length).toBeLessThanOrEqual(mostPairs(entry, size));
  });
});

describe('a job of one collective operation', () => {
  const sent = (name: string, algorithm: string, ranks?: readonly number[], root = 0) => {
    const entry = jobCollectives.find((one) => one.name === name)!;
    const request = { taskCount: 8, ...(ranks && { ranks }), bytes: 100, times: 3, options: { algorithm, root } };
    const traffic = collectiveTraffic(entry, request, neverCancelled);
    return traffic.ok ? pairsOf(traffic.value) : traffic.failure.code;
  };

  it.each([
    ['all-reduce', 'ring', [6, 2], 0, { '6>2': 300, '2>6': 300 }],
    [
      'all-reduce',
      'recursive-halving',
      [1, 3, 5, 7],
      0,
      {
        '1>5': 300,
        '5>1': 300,
        '3>7': 300,
        '7>3': 300,
        '1>3': 150,
        '3>1': 150,
        '5>7': 150,
        '7>5': 150,
      },
    ],
    ['broadcast', 'flat', [4, 5, 6], 1, { '5>6': 300, '5>4': 300 }],
    ['scatter', 'binomial', [0, 1, 2, 3], 0, { '0>2': 600, '0>1': 300, '2>3': 300 }],
    [
      'all-to-all',
      'pairwise',
      [7, 0, 3],
      0,
      { '7>0': 300, '7>3': 300, '0>7': 300, '0>3': 300, '3>7': 300, '3>0': 300 },
    ],
  ] as const)('%s(algorithm %s) of %j', (name, algorithm, ranks, root, pairs) => {
    expect(sent(name, algorithm, ranks, root)).toEqual(pairs);
  });

  it('is of all tasks where none are listed', () => {
    expect(Object.values(sent('all-gather', 'ring'))).toEqual(Array.from({ length: 8 }, () => 7 * 300));
  });

  it('has every operation but the barrier, which sends no bytes', () => {
    const operations = collectiveOperations.filter((operation) => operation !== 'barrier');
    expect(jobCollectives.map(({ name }) => name)).toEqual(operations);
  });
});
