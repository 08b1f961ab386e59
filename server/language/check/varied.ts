/** What an experiment varies: `vary PATH from .. to step`, or a list. */
import type { Choice } from '../../model/catalogue.ts';
import type { ExperimentSubject, Varied } from '../../model/experiment.ts';
import type { NetworkModel } from '../../model/networkModel.ts';
import { formatNumber } from '../../model/quantities.ts';
import {
  anyPositive,
  variedRow,
  variedSettings,
  type ReplayDescription,
  type VariedJob,
  type VariedLimits,
} from '../../model/simulation.ts';
import { variedPaths, type StreamDescription } from '../../model/stream.ts';
import { variedMachineNumbers, variedMachineWords, type MachineDescription } from '../../network/contract.ts';
import { amountLimit } from '../propertyForms.ts';
import type { PropertyNode, Word } from '../tree.ts';
import { reportUnknown } from './choices.ts';
import { faultOfVariedMachine } from './machine.ts';
import type { Bounds } from './numbers.ts';
import type { Amount, PhraseReader } from './phrase.ts';
import type { QuantityKind } from './quantities.ts';
import { presentParts, type Properties, type Written } from './properties.ts';
import { allOf, type Scope } from './scope.ts';
import { faultOfVaried } from './streamFit.ts';

/** More points of a varied number than this are none that anyone waits for. */
const pointLimit = 10_000;

const anyAmount: Bounds = { minimum: -amountLimit, maximum: amountLimit };

/** What the paths of `vary` lead into. */
export interface VariedSubject {
  readonly kind: ExperimentSubject['kind'] | undefined;
  readonly stream: StreamDescription | undefined;
  readonly network: Written<NetworkModel>;
  readonly background: Written<Choice>;
  readonly replay: Written<ReplayDescription>;
  /** Undefined ones are wrong. */
  readonly jobs: readonly (VariedJob | undefined)[];
  /** All that are crossed; undefined ones are wrong. */
  readonly machines: readonly (MachineDescription | undefined)[];
  /** Each job is run by itself. */
  readonly crossesJobs: boolean;
}

/** All that is varied, each path once; undefined where something is wrong. O(points). */
export function variedNumbers(properties: Properties, subject: VariedSubject): readonly Varied[] | undefined {
  const { scope } = properties;
  const paths = new Set<string>();
  return allOf(
    properties.all('vary').map((property) => {
      const varied = variedOf(properties, property, subject);
      if (varied === undefined) return undefined;
      if (paths.has(varied.path)) {
        const message = `\`${varied.path}\` is varied twice. Join the values in one \`vary\`.`;
        scope.report(property, 'wrong-value', message);
        return undefined;
      }
      paths.add(varied.path);
      return varied;
    }),
  );
}

/** `arrivals.rate 2e-4 .. 1.1e-3 step 1e-4`, `arrivals.rate [0.0003, 0.0006, 0.0009]`. */
function variedOf(properties: Properties, property: PropertyNode, subject: VariedSubject): Varied | undefined {
  const { scope } = properties;
  const reader = properties.phrase(property);
  if (reader === undefined) return undefined;
  const path = reader.path();
  const kind = subject.stream === undefined ? variedRow(path?.text ?? '')?.quantity : undefined;
  const listed = reader.isNext('[') ? reader.list(kind, anyAmount) : undefined;
  const steps = listed === undefined ? readSteps(reader, kind) : undefined;
  if (!reader.finish() || path === undefined || !isVariable(scope, path, subject)) return undefined;
  const values = listed === undefined ? steps && steppedValues(scope, property, steps) : distinct(scope, listed);
  if (values === undefined) return undefined;
  const fault = faultOfValues(subject, path.text, values);
  if (fault === undefined) return { path: path.text, values };
  scope.report(property, 'out-of-range', fault);
  return undefined;
}

const faultOfValues = (
  { stream, machines }: VariedSubject,
  path: string,
  values: readonly number[],
): string | undefined =>
  stream === undefined ? faultOfSetting(path, values, machines) : faultOfVaried(stream, path, values);

interface Steps {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** `2e-4 .. 1.1e-3 step 1e-4`, `1 GB/s .. 8 GB/s step 1 GB/s`. */
function readSteps(reader: PhraseReader, kind: QuantityKind | undefined): Steps | undefined {
  const number = (): number | undefined => reader.amount(kind, anyAmount)?.value;
  const from = number();
  reader.expect('..');
  const to = number();
  reader.expect('step');
  const step = number();
  return from === undefined || to === undefined || step === undefined ? undefined : { from, to, step };
}

/** A point that is there twice would be simulated twice and told as one. */
function distinct(scope: Scope, listed: readonly Amount[]): readonly number[] | undefined {
  const values = new Set<number>();
  for (const node of listed) {
    if (values.has(node.value)) {
      scope.report(node, 'out-of-range', `\`${node.text}\` is listed twice. Remove one of them.`);
      return undefined;
    }
    values.add(node.value);
  }
  return [...values];
}

/** From the first to the last, both included as far as the step leads there. */
function steppedValues(scope: Scope, property: PropertyNode, { from, to, step }: Steps): readonly number[] | undefined {
  const points = Math.floor(Math.abs(to - from) / Math.abs(step) + 1e-9) + 1;
  if (step === 0 || Math.sign(to - from) === -Math.sign(step) || points > pointLimit) {
    const message =
      step === 0 || points > pointLimit
        ? `\`vary\` has at most ${formatNumber(pointLimit)} points. Write a larger step.`
        : `The step moves away from ${formatNumber(to)}: write \`step ${String(-step)}\`.`;
    scope.report(property, 'out-of-range', message);
    return undefined;
  }
  // 12 digits: what is written with fewer comes out as it would be written.
  return Array.from({ length: points }, (_, index) => Number((from + index * step).toPrecision(12)));
}

/** Reports a path that leads to no number of the subject; what is not known has no wrong paths. */
function isVariable(scope: Scope, path: Word, subject: VariedSubject): boolean {
  const { kind, stream, jobs, crossesJobs } = subject;
  const paths = stream === undefined ? pathsOfSettings(subject, path.text) : [...variedPaths(stream).keys()];
  const [owner] = path.text.split('.');
  if (crossesJobs && jobs.some((job) => job?.name === owner)) {
    const message = `\`${path.text}\` varies one of several jobs that run separately. Vary it in an experiment with \`job ${owner ?? ''}\` alone.`;
    scope.report(path, 'unknown-path', message);
    return false;
  }
  if (paths === undefined || paths.includes(path.text)) return true;
  const missing = stream === undefined ? adviceForVaried(subject, path.text) : undefined;
  if (missing !== undefined) {
    scope.report(path, 'unknown-path', `\`${path.text}\` can be varied where it is written: ${missing}.`);
    return false;
  }
  const job = jobs.length === 1 ? 'this job' : 'these jobs';
  const whose = stream === undefined ? (kind === 'job' ? job : 'this traffic') : `stream \`${stream.name}\``;
  reportUnknown(scope, path, `number of ${whose} that could be varied`, paths, 'unknown-path');
  return false;
}

/** What can be varied without a stream; undefined where not all of it is known. */
function pathsOfSettings(
  { kind, network, background, replay, jobs, machines }: VariedSubject,
  path: string,
): readonly string[] | undefined {
  const sound = jobs.filter((job) => job !== undefined);
  const isKnown = machines.length > 0 && machines.every((machine) => machine !== undefined);
  if (kind === undefined || kind === 'stream' || (!isKnown && path.startsWith('machine.'))) return undefined;
  if (network === 'wrong' || background === 'wrong' || replay === 'wrong' || sound.length < jobs.length)
    return undefined;
  const written = variedSettings({
    ...presentParts({ network, background, replay }),
    jobs: sound,
  });
  const [first, ...others] = machines.map((one) => new Set(one && variedMachineNumbers(one).keys()));
  const ofMachines = [...(first ?? [])].filter((one) => others.every((numbers) => numbers.has(one)));
  return [...(kind === 'traffic' ? ['rate'] : []), ...written.keys(), ...ofMachines];
}

function notOfMachine(
  machines: readonly (MachineDescription | undefined)[],
  path: string,
  figure: string,
): string | undefined {
  const without = machines.find((machine) => machine !== undefined && !variedMachineNumbers(machine).has(path));
  if (without === undefined) return undefined;
  if (figure === 'cores' || figure === 'sockets') {
    return `machine \`${without.name}\` has GPUs, a file of its nodes, or cores of each socket one by one`;
  }
  const all = figure === 'bandwidth' || figure === 'latency' ? ', one for all its links' : '';
  return `give machine \`${without.name}\` \`${figure}\`${all}`;
}

/** What to write so that a number can be varied that could stand there and does not; undefined where there is no such number. */
function adviceForVaried({ kind, jobs, machines }: VariedSubject, path: string): string | undefined {
  const [owner = '', figure = ''] = path.split('.');
  if (owner === 'machine' && variedMachineWords.includes(figure)) return notOfMachine(machines, path, figure);
  const row = variedRow(path);
  if (row?.advice !== undefined && (owner === 'network' || kind === 'job')) return row.advice;
  if (row?.owner !== 'job' || !jobs.some((job) => job?.name === owner)) return undefined;
  return figure === 'tasks'
    ? `job \`${owner}\` has as many tasks as its grid, table, trace or degrees of parallelism say; declare another one and write both, \`job ${owner}, other\``
    : `give job \`${owner}\` \`${figure}\``;
}

/** Why a job or traffic cannot be run with some of the values. */
function faultOfSetting(
  path: string,
  values: readonly number[],
  machines: readonly (MachineDescription | undefined)[],
): string | undefined {
  if (path.startsWith('machine.')) {
    const faults = machines.map((machine) => machine && faultOfVariedMachine(machine, path, values));
    return faults.find((fault) => fault !== undefined);
  }
  const limits = variedRow(path)?.limits ?? (path.includes('.') ? anyPositive : undefined);
  return limits === undefined || values.every((value) => isWithin(limits, value))
    ? undefined
    : `\`${path}\` ${limits.says}`;
}

const isWithin = ({ minimum, maximum, isAbove, isWhole }: VariedLimits, value: number): boolean =>
  (isAbove === true ? value > minimum : value >= minimum) &&
  value <= maximum &&
  (isWhole !== true || Number.isInteger(value));
