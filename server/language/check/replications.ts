/** How often and for how long an experiment runs: seeds, replications until they are enough, samples, and smaller forms of it. */
import {
  formNames,
  formParts,
  type ExperimentSubject,
  type FormName,
  type FormPart,
  type Replications,
  type RunForm,
  type Sampling,
  type SteadyStateOptions,
} from '../../model/experiment.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { StreamDescription } from '../../model/stream.ts';
import type { PropertyNode } from '../tree.ts';
import type { PhraseReader } from './phrase.ts';
import { soundParts, type Properties, type Written } from './properties.ts';

const byDefault = { kind: 'until', precision: 0.05, confidence: 0.95, atMost: 2000 } as const satisfies Replications;

/** `seeds 1 .. 50`, `replications 60`, `replications until 5 % at 95 % (at most 2000)`, `until 5 % at 95 %`. */
export function replicationsOf(properties: Properties): Replications | undefined {
  const [seeds, replications, until] = (['seeds', 'replications', 'until'] as const).map((word) =>
    properties.get(word),
  );
  const written = [seeds, replications, until].filter((property) => property !== undefined);
  const [first, second] = written.sort((one, other) => one.start - other.start);
  if (first !== undefined && second !== undefined) {
    const known = seeds === undefined ? '`replications` or `until`' : '`seeds` or `replications`';
    properties.reportConflict(seeds ?? second, `An experiment has ${known}: remove one of them.`);
    return undefined;
  }
  if (until !== undefined) {
    const reader = properties.phrase(until);
    return reader && untilOf(properties, until, reader);
  }
  if (seeds !== undefined) return readSeeds(properties, seeds);
  if (replications === undefined) {
    return properties.get('steady-state') === undefined ? byDefault : { kind: 'seeds', from: 1, to: 1 };
  }
  const reader = properties.phrase(replications);
  if (reader?.isNumber !== true) return reader && untilOf(properties, replications, reader);
  const to = reader.integer({ minimum: 1, maximum: 1_000_000 });
  return reader.finish() && to !== undefined ? { kind: 'seeds', from: 1, to } : undefined;
}

function untilOf({ scope }: Properties, property: PropertyNode, reader: PhraseReader): Replications | undefined {
  if (property.word.text !== 'until') reader.expect('until');
  const precision = reader.share();
  reader.expect('at');
  const confidence = reader.share();
  const atMost = atMostOf(reader);
  if (!reader.finish() || precision === undefined || confidence === undefined || atMost === undefined) return undefined;
  if (precision > 0 && confidence >= 0.5 && confidence < 1) return { kind: 'until', precision, confidence, atMost };
  const message = 'The interval must be above 0 %, its level from 50 % to below 100 %: `until 5% at 95%`.';
  scope.report(property, 'out-of-range', message);
  return undefined;
}

/** `(at most 2000)`, or the default. */
function atMostOf(reader: PhraseReader): number | undefined {
  if (!reader.accept('(')) return byDefault.atMost;
  reader.expect('at');
  reader.expect('most');
  const most = reader.integer({ minimum: 2, maximum: 1_000_000 });
  reader.expect(')');
  return most;
}

/** `7`, `1 .. 50`, `1, 5, 20 .. 24`. */
function readSeeds(properties: Properties, property: PropertyNode): Replications | undefined {
  const { scope } = properties;
  const reader = properties.phrase(property);
  const bounds = { minimum: 0, maximum: 2 ** 31 - 1 };
  if (reader === undefined) return undefined;
  const ranges = reader.each(() => {
    const from = reader.integer(bounds);
    const to = reader.accept('..') ? reader.integer({ ...bounds, minimum: from ?? 0 }) : from;
    return from === undefined || to === undefined ? undefined : { from, to };
  });
  const [first, second] = ranges;
  if (!reader.finish() || first === undefined) return undefined;
  if (second === undefined) return { kind: 'seeds', ...first };
  const count = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (count > mostListedSeeds) {
    const message = `A list has at most ${formatNumber(mostListedSeeds)} seeds: write one range, \`seeds 1 .. ${count}\`.`;
    scope.report(property, 'out-of-range', message);
    return undefined;
  }
  const seeds = ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
  const twice = seeds.toSorted((a, b) => a - b).find((seed, index, sorted) => seed === sorted[index - 1]);
  if (twice === undefined) return { kind: 'listed', seeds };
  scope.report(property, 'out-of-range', `Seed ${twice} is listed twice. Remove one of them.`);
  return undefined;
}

const mostListedSeeds = 10_000;

/** `steady-state delete(20%, batches 30)`, `steady-state mser-5`: of one run of a stream, which leaves nothing out itself. */
export function checkSteadyState(
  properties: Properties,
  kind: ExperimentSubject['kind'] | undefined,
  stream: StreamDescription | undefined,
): Written<SteadyStateOptions> {
  const property = properties.get('steady-state');
  if (property === undefined || (kind !== undefined && kind !== 'stream')) return undefined;
  const repeat = properties.get('repeat');
  if (repeat !== undefined) {
    properties.reportConflict(repeat, '`steady-state` uses one long run. Remove `repeat` or `steady-state`.');
    return 'wrong';
  }
  if (stream !== undefined && !('jobs' in stream.warmUp && stream.warmUp.jobs === 0)) {
    const message = `Stream \`${stream.name}\` has a \`warm-up\`, which already excludes the start of a run. Remove one of them.`;
    properties.reportConflict(property, message);
    return 'wrong';
  }
  const choice = properties.chosen('steady-state');
  if (choice === undefined || choice === 'wrong') return choice;
  const { share, batches } = choice.options;
  return { delete: choice.name === 'mser-5' ? 'mser-5' : Number(share), batches: Number(batches) };
}

/** The samples of traffic; streams and jobs have none. */
export function samplingOf(properties: Properties, kind: ExperimentSubject['kind'] | undefined): Written<Sampling> {
  const sampling = soundParts({
    warmUp: properties.number('warm-up') ?? 10_000,
    sample: properties.number('sample') ?? 1000,
    samples: properties.number('samples') ?? 30,
  });
  if (kind !== undefined && kind !== 'traffic') return undefined;
  return sampling === undefined ? 'wrong' : kind && sampling;
}

/** `short replications 10, iterations 4`. */
export function formsOf(
  properties: Properties,
  kind: ExperimentSubject['kind'] | undefined,
): Partial<Record<FormName, RunForm>> | undefined {
  const forms: Partial<Record<FormName, RunForm>> = {};
  if (kind === undefined) return forms;
  let isSound = true;
  for (const name of formNames) {
    const reader = properties.phrase(properties.get(name));
    if (reader === undefined) continue;
    const form: Partial<Record<FormPart, number>> = {};
    reader.each(() => {
      const whose = kind === 'traffic' ? '`traffic`' : `a \`${kind}\``;
      const part = reader.oneOf<FormPart>(formParts[kind], `part of a smaller run of ${whose}`);
      const count = part && reader.integer({ minimum: 1, maximum: 1_000_000_000 });
      return part && count && (form[part] = count);
    });
    isSound = reader.finish() && isSound;
    forms[name] = form;
  }
  return isSound ? forms : undefined;
}
