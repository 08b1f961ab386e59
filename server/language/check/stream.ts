import type { Choice } from '../../model/catalogue.ts';
import { formatNumber } from '../../model/quantities.ts';
import {
  comparisons,
  jobShapes,
  logFields,
  logStatuses,
  scaledFields,
  type Estimates,
  type FieldCondition,
  type FieldScale,
  type JobSize,
  type LoggedJobs,
  type MessageLength,
  type Service,
  type StreamDescription,
  type StreamEnd,
  type SyntheticJobs,
  type WarmUp,
} from '../../model/stream.ts';
import { distributions, makeDistribution } from '../../scheduling/distributions.ts';
import { services } from '../experimentWords.ts';
import { amountLimit } from '../propertyForms.ts';
import type { ChoiceNode, DeclarationNode } from '../tree.ts';
import { checkChoice } from './choices.ts';
import type { PhraseReader } from './phrase.ts';
import { needed, Properties, soundParts, writtenProperty, type Written } from './properties.ts';
import { allOf, takesMessage, type Scope } from './scope.ts';
import { noTimeBetween } from './streamFit.ts';

const timeUnits: Readonly<Record<string, number>> = { cycles: 1, seconds: 1, hours: 3600, days: 86_400 };

/** Checks a stream; undefined where something is missing or wrong. O(properties + items of lists). */
export function checkStream(scope: Scope, declaration: DeclarationNode): StreamDescription | undefined {
  const properties = new Properties(scope, declaration);
  const isLog = properties.get('log') !== undefined;
  const parts = soundParts({
    jobs: needed(isLog ? checkLoggedJobs(properties) : syntheticJobs(properties)),
    traffic: properties.chosen('traffic'),
    messages: properties.number('messages') ?? 1,
    messageLength: needed(messageLengthOf(properties)),
    service: needed(serviceOf(properties, isLog)),
    end: streamEnd(properties, isLog) ?? 'wrong',
    warmUp: warmUpOf(properties) ?? 'wrong',
  });
  return parts && endsInTime(properties, parts) ? { name: properties.name, ...parts } : undefined;
}

function syntheticJobs(properties: Properties): SyntheticJobs | undefined {
  const arrivals = sizeChosen(properties, 'arrivals');
  if (arrivals === undefined) {
    const example = 'arrivals exponential(rate 0.001)';
    properties.reportMissing('arrivals', `\`${example}\`, or read the jobs from a log, \`log "FILE.swf"\``, [example]);
  }
  const size = streamJobSize(properties);
  if (arrivals === undefined || arrivals === 'wrong' || !passesTime(properties, arrivals) || size === undefined)
    return undefined;
  return { kind: 'distributions', arrivals, size };
}

/** Times between arrivals must not all be 0. */
function passesTime(properties: Properties, arrivals: Choice): boolean {
  const made = makeDistribution(arrivals);
  const node = properties.choice('arrivals');
  if (!made.ok || made.value.times !== undefined || made.value.mean > 0 || node === undefined) return true;
  properties.scope.report(node, 'out-of-range', noTimeBetween);
  return false;
}

function streamJobSize(properties: Properties): JobSize | undefined {
  const [width, height] = [sizeChosen(properties, 'width'), sizeChosen(properties, 'height')];
  const processors = sizeChosen(properties, 'processors');
  const hasSide = width !== undefined || height !== undefined;
  const property = properties.get('processors');
  if (property !== undefined && hasSide) {
    const message = 'Write `width` and `height`, or `processors`, not both. Remove one of them.';
    properties.reportConflict(property, message);
    return undefined;
  }
  if (property !== undefined) return processorsOf(properties, processors);
  if (width === undefined || height === undefined) {
    const missing = width === undefined ? 'width' : 'height';
    const example = `${missing} uniform(1, 16)`;
    const other = hasSide ? '' : ' and a height, or `processors uniform(1, 16)`';
    properties.reportMissing(missing, `\`${example}\`${other}`, [example]);
  }
  const sides = soundParts({ width: needed(width), height: needed(height) });
  return sides && { kind: 'sides', ...sides };
}

function processorsOf(properties: Properties, chosen: Written<Choice>): JobSize | undefined {
  if (chosen === undefined || chosen === 'wrong') return undefined;
  if (isDistribution(chosen)) return { kind: 'processors', processors: chosen };
  const message = `\`processors ${chosen.name}\` applies to streams from a log. Write a distribution, such as \`uniform(1, 16)\`.`;
  const node = properties.choice('processors');
  if (node !== undefined) properties.scope.report(node, 'does-not-apply', message);
  return undefined;
}

const isDistribution = (choice: Choice): boolean => distributions.some(({ name }) => name === choice.name);

function checkLoggedJobs(properties: Properties): LoggedJobs | undefined {
  const uri = properties.file('log');
  const estimates = properties.chosen('estimates');
  const processors = fieldOf(properties, sizeChosen(properties, 'processors', 'field of a log'));
  const phrases = <Part>(word: string, read: (reader: PhraseReader) => readonly Part[]) => {
    const found = properties.all(word).map((property) => {
      const reader = properties.phrase(property);
      const parts = reader && read(reader);
      return reader?.finish() === true ? parts : undefined;
    });
    return needed(allOf(found)?.flat());
  };
  const where = phrases('where', conditionsOf);
  const measure = phrases('measure', (reader) => {
    reader.expect('where');
    return conditionsOf(reader);
  });
  const scale = phrases('scale', readFieldScales);
  const first = properties.number('first');
  const status = properties.word<LoggedJobs['status']>('status') ?? logStatuses[0];
  const shape = properties.word<LoggedJobs['shape']>('shape') ?? jobShapes[0];
  const file = { uri: needed(uri), processors: needed(processors) };
  const parts = soundParts({ ...file, where, first, status, scale, shape, measure });
  if (parts === undefined || estimates === 'wrong') return undefined;
  return { kind: 'log', ...parts, estimates: estimatesOf(estimates) };
}

const estimatesOf = (choice: Choice | undefined): Estimates => ({
  kind: choice?.name === 'run' ? 'run' : 'at-least-run',
  missing: choice?.options['missing'] === 'double' ? 'double' : 'run',
});

function fieldOf(properties: Properties, chosen: Written<Choice>): LoggedJobs['processors'] | undefined {
  if (chosen === undefined) return 'allocated';
  if (chosen === 'wrong') return undefined;
  if (chosen.name === 'allocated' || chosen.name === 'requested') return chosen.name;
  const node = properties.choice('processors');
  const message = 'The log gives the processors of a job. Write `processors allocated` or `processors requested`.';
  if (node !== undefined) properties.scope.report(node, 'does-not-apply', message);
  return undefined;
}

/** `processors > 0, run >= 60`. */
const conditionsOf = (reader: PhraseReader): readonly FieldCondition[] =>
  reader.each(() => {
    const field = reader.oneOf(logFields, 'field of a log');
    const comparison = comparisons.find((sign) => reader.accept(sign));
    if (comparison === undefined)
      reader.fail('Expected a comparison, as in `processors > 0`. Operators are `<`, `<=`, `=`, `!=`, `>=` and `>`.');
    const value = reader.number({ minimum: -amountLimit, maximum: amountLimit });
    return field && comparison && value !== undefined ? { field, comparison, value } : undefined;
  });

/** `submit 0.8, run 2`. */
const readFieldScales = (reader: PhraseReader): readonly FieldScale[] =>
  reader.each(() => {
    const field = reader.oneOf(scaledFields, 'field that can be scaled');
    const factor = reader.number({ minimum: 1e-9, maximum: 1e9 });
    return field && factor !== undefined ? { field, factor } : undefined;
  });

/** What a property chose; a distribution must be one. */
function sizeChosen(properties: Properties, word: string, noun?: string): Written<Choice> {
  const choice = properties.chosen(word, noun);
  const node = properties.choice(word);
  const isWrong = typeof choice === 'object' && node !== undefined && !canBe(properties.scope, node, choice);
  return isWrong ? 'wrong' : choice;
}

/** Whether a choice is no distribution, or one that there is. */
function canBe(scope: Scope, node: ChoiceNode, choice: Choice): boolean {
  if (!isDistribution(choice)) return true;
  const made = makeDistribution(choice);
  if (!made.ok) scope.report(node, 'wrong-value', `\`${choice.name}\` cannot be: ${made.failure.message}`);
  return made.ok;
}

function messageLengthOf(properties: Properties): MessageLength | undefined {
  const bytes = properties.get('bytes');
  if (bytes !== undefined && properties.get('flits') !== undefined) return undefined;
  const unit = bytes === undefined ? 'flits' : 'bytes';
  const amount = properties.number(unit) ?? 8;
  return amount === 'wrong' ? undefined : { unit, amount };
}

/**
 * Whether jobs of a stream hold their nodes until their last message has arrived, as it is written: a stream with errors elsewhere
 * is held against its network too, so that mending them brings up no other.
 */
export function isServedByNetwork(declaration: DeclarationNode): boolean {
  const service = writtenProperty(declaration, 'service');
  if (service?.content.kind === 'choices') return service.content.choices[0]?.name.text === 'from-network';
  return declaration.body !== undefined && !service && !writtenProperty(declaration, 'log');
}

/** `from-network`, `from-network + exponential(mean 5)`, `from-log`, a distribution. */
function serviceOf(properties: Properties, isLog: boolean): Service | undefined {
  const property = properties.get('service');
  const byDefault: Service = { kind: isLog ? 'log' : 'network' };
  const service = property === undefined ? byDefault : writtenService(properties, isLog);
  if (service?.kind === 'network' && properties.get('traffic') === undefined) {
    const advice =
      '`traffic one-to-all`: its jobs hold their processors until their last message has arrived; or give them a `service` of another kind';
    properties.reportMissing('traffic', advice, ['traffic one-to-all']);
  }
  return service;
}

function writtenService(properties: Properties, isLog: boolean): Service | undefined {
  const { scope } = properties;
  const nodes = properties.choices('service');
  const chosen = nodes.map((node) => {
    const { choice } = checkChoice(scope, node, 'kind of service', services);
    return choice && canBe(scope, node, choice) ? choice : undefined;
  });
  const [choice, computing] = chosen;
  const [node, second] = nodes;
  if (choice === undefined || node === undefined || chosen.includes(undefined)) return undefined;
  const isNetwork = choice.name === 'from-network';
  if (nodes.length > (isNetwork ? 2 : 1) || (computing !== undefined && !isDistribution(computing))) {
    const message = 'Only `from-network` takes an added distribution: `from-network + exponential(mean 5)`.';
    scope.report(second ?? node, 'wrong-value', message);
    return undefined;
  }
  if (isNetwork) return { kind: 'network', ...(computing && { computing }) };
  if (choice.name !== 'from-log') return { kind: 'distribution', distribution: choice };
  if (isLog) return { kind: 'log' };
  scope.report(
    node,
    'does-not-apply',
    'This service needs a log. Write `log "FILE.swf"`, or use another kind of service.',
  );
  return undefined;
}

/** No more jobs than this are simulated in one run: each takes some 50 bytes. */
const mostJobs = 100_000_000;

/** Whether no more jobs come in a time that is written than can be simulated. */
function endsInTime(properties: Properties, { jobs, end }: Pick<StreamDescription, 'jobs' | 'end'>): boolean {
  if (end.kind !== 'time' || jobs.kind !== 'distributions') return true;
  const made = makeDistribution(jobs.arrivals);
  const count = made.ok && made.value.times === undefined ? end.time / made.value.mean : 0;
  const property = properties.get('jobs');
  if (count <= mostJobs || property === undefined) return true;
  const message = `About ${formatNumber(count)} jobs arrive in that time; at most ${formatNumber(mostJobs)} can be simulated. Shorten it, or lower the rate.`;
  properties.scope.report(property, 'out-of-range', message);
  return false;
}

/** `1000 completed`, `1000 arrived`, `for 30 days`. */
function streamEnd(properties: Properties, isLog: boolean): Written<StreamEnd> {
  if (properties.get('jobs') === undefined) {
    if (isLog || properties.choice('arrivals')?.name.text === 'at') return { kind: 'all' };
    properties.reportMissing('jobs', '`jobs 1000 completed`: jobs arrive without end', ['jobs 1000 completed']);
    return 'wrong';
  }
  return properties.reads('jobs', (reader): StreamEnd | undefined => {
    if (reader.accept('for')) {
      const amount = reader.number({ minimum: 1e-9, maximum: amountLimit });
      const unit = reader.oneOf(Object.keys(timeUnits), 'unit of time');
      return amount && unit ? { kind: 'time', time: amount * (timeUnits[unit] ?? 1) } : undefined;
    }
    const jobs = reader.integer({ minimum: 1, maximum: mostJobs });
    const kind = reader.oneOf(['completed', 'arrived'], 'end of a run');
    return jobs && kind ? { kind, jobs } : undefined;
  });
}

/** `100`, `20 %`, `mser-5`. */
function warmUpOf(properties: Properties): Written<WarmUp> {
  const written = properties.reads('warm-up', (reader) => {
    if (reader.accept('mser-5')) return 'mser-5';
    const number = reader.plain();
    return number && { ...number, isShare: reader.accept('%') };
  });
  if (written === undefined) return { kind: 'jobs', jobs: 0 };
  if (written === 'mser-5') return { kind: 'mser-5' };
  if (written === 'wrong') return written;
  const { value, isShare } = written;
  if (value >= 0 && value < (isShare ? 100 : 2 ** 31) && (isShare || Number.isInteger(value)))
    return isShare ? { kind: 'share', share: value / 100 } : { kind: 'jobs', jobs: value };
  properties.scope.report(written, 'out-of-range', takesMessage(properties.expectation('warm-up')));
  return 'wrong';
}
