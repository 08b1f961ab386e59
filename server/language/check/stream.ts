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
import { estimateKinds, jobSizes, services, trafficPatterns } from '../experimentWords.ts';
import { propertyOf } from '../schema.ts';
import { amountLimit } from '../propertyForms.ts';
import type { ChoiceNode, DeclarationNode } from '../tree.ts';
import { checkChoice } from './choices.ts';
import { integerValue, type Bounds } from './numbers.ts';
import { choiceWord } from './options.ts';
import { PhraseReader, phraseOf } from './phrase.ts';
import {
  allOf,
  fileOf,
  nameOf,
  propertiesOf,
  reportConflict,
  reportMissing,
  removal,
  needed,
  soundParts,
  type Properties,
} from './properties.ts';
import { quantityValue } from './quantities.ts';
import { expectationOf, takesMessage, type Scope } from './scope.ts';
import { noTimeBetween } from './streamFit.ts';

/** Properties that only a log has, and those that it never has. */
const ofLogs = ['estimates', 'where', 'status', 'first', 'scale', 'shape', 'measure'] as const;
const ofDistributions = ['arrivals', 'width', 'height'] as const;

const timeUnits: Readonly<Record<string, number>> = { cycles: 1, seconds: 1, hours: 3600, days: 86_400 };

/** Checks a stream; undefined where something is missing or wrong. O(properties + items of lists). */
export function checkStream(scope: Scope, declaration: DeclarationNode): StreamDescription | undefined {
  const properties = propertiesOf(scope, declaration);
  const check: StreamCheck = { scope, declaration, properties, isLog: properties.get('log') !== undefined };
  refuseOthers(check);
  const jobs = check.isLog ? loggedJobs(check) : syntheticJobs(check);
  const traffic = choiceOf(check, 'traffic', trafficPatterns, 'pattern of traffic');
  const messages = integerOf(check, 'messages', 1);
  const messageLength = messageLengthOf(check);
  const service = serviceOf(check);
  const end = endOf(check);
  const warmUp = warmUpOf(check);
  if (jobs === undefined || traffic === 'wrong' || messages === undefined || messageLength === undefined)
    return undefined;
  if (service === undefined || end === undefined || warmUp === undefined) return undefined;
  if (end.kind === 'time' && jobs.kind === 'distributions' && !endsInTime(check, jobs.arrivals, end.time)) {
    return undefined;
  }
  return {
    name: nameOf(declaration),
    jobs,
    ...(traffic === undefined ? {} : { traffic }),
    messages,
    messageLength,
    service,
    end,
    warmUp,
  };
}

interface StreamCheck {
  readonly scope: Scope;
  readonly declaration: DeclarationNode;
  readonly properties: Properties;
  readonly isLog: boolean;
}

/** A log says when jobs arrive and how large they are; without one nothing of a log applies. */
function refuseOthers({ scope, properties, isLog }: StreamCheck): void {
  for (const word of isLog ? ofDistributions : []) {
    const property = properties.get(word);
    if (property !== undefined)
      reportConflict(scope, property, `The log says it: a stream has \`log\` or \`${word}\`.`);
  }
  for (const property of isLog ? [] : ofLogs.flatMap((word) => properties.all(word))) {
    const { text } = property.word;
    const message = `\`${text}\` is of streams from a log: write \`log "FILE.swf"\`, or remove it.`;
    scope.report(property.word, 'does-not-apply', message, removal(property, `Remove \`${text}\``));
  }
}

function syntheticJobs(check: StreamCheck): SyntheticJobs | undefined {
  const { scope, declaration, properties } = check;
  const arrivals = choiceOf(check, 'arrivals', distributions, 'distribution');
  if (arrivals === undefined && properties.get('arrivals') === undefined && declaration.body !== undefined) {
    const example = 'arrivals exponential(rate 0.001)';
    reportMissing(scope, declaration, 'arrivals', `\`${example}\`, or read the jobs from a log, \`log "FILE.swf"\``, [
      example,
    ]);
  }
  const size = sizeOf(check);
  if (arrivals !== undefined && arrivals !== 'wrong' && !passesTime(check, arrivals)) return undefined;
  if (arrivals === undefined || arrivals === 'wrong' || size === undefined) return undefined;
  return { kind: 'distributions', arrivals, size };
}

/** Times between arrivals must not all be 0. */
function passesTime({ scope, properties }: StreamCheck, arrivals: Choice): boolean {
  const made = makeDistribution(arrivals);
  const node = properties.choice('arrivals');
  if (!made.ok || made.value.times !== undefined || made.value.mean > 0 || node === undefined) return true;
  scope.report(node, 'out-of-range', noTimeBetween);
  return false;
}

function sizeOf(check: StreamCheck): JobSize | undefined {
  const { scope, declaration, properties } = check;
  const width = choiceOf(check, 'width', distributions, 'distribution');
  const height = choiceOf(check, 'height', distributions, 'distribution');
  const processors = choiceOf(check, 'processors', jobSizes, 'distribution');
  const [w, h, p] = ['width', 'height', 'processors'].map((word) => properties.get(word));
  const side = w ?? h;
  if (p !== undefined && side !== undefined) {
    reportConflict(scope, p, 'A job asks for `width` and `height`, or for `processors`: remove one of them.');
    return undefined;
  }
  if (p !== undefined) return processorsOf(check, processors);
  if (declaration.body !== undefined && (w === undefined || h === undefined)) {
    const missing = w === undefined ? 'width' : 'height';
    const example = `${missing} uniform(1, 16)`;
    const other = side === undefined ? ' and a height, or `processors uniform(1, 16)`' : '';
    reportMissing(scope, declaration, missing, `\`${example}\`${other}`, [example]);
  }
  if (width === undefined || width === 'wrong' || height === undefined || height === 'wrong') return undefined;
  return { kind: 'sides', width, height };
}

function processorsOf({ scope, properties }: StreamCheck, chosen: Choice | 'wrong' | undefined): JobSize | undefined {
  if (chosen === undefined || chosen === 'wrong') return undefined;
  if (isDistribution(chosen)) return { kind: 'processors', processors: chosen };
  const message = `\`processors ${chosen.name}\` is of streams from a log: write a distribution, such as \`uniform(1, 16)\`.`;
  const node = properties.choice('processors');
  if (node !== undefined) scope.report(node, 'does-not-apply', message);
  return undefined;
}

const isDistribution = (choice: Choice): boolean => distributions.some(({ name }) => name === choice.name);

function loggedJobs(check: StreamCheck): LoggedJobs | undefined {
  const { scope, properties } = check;
  const uri = fileOf(scope, properties, 'log');
  const estimates = choiceOf(check, 'estimates', estimateKinds, 'kind of estimates');
  const processors = choiceOf(check, 'processors', jobSizes, 'field of a log');
  const field =
    processors === undefined ? 'allocated' : processors === 'wrong' ? undefined : fieldOf(check, processors);
  const where = properties
    .all('where')
    .map((property) => conditionsOf(phraseOf(scope, property, expectationOf('stream', 'where'))));
  const measure = properties
    .all('measure')
    .map((property) => measured(phraseOf(scope, property, expectationOf('stream', 'measure'))));
  const scale = properties
    .all('scale')
    .map((property) => scaled(phraseOf(scope, property, expectationOf('stream', 'scale'))));
  const first = properties.get('first') === undefined ? 'all' : integerOf(check, 'first', 1);
  const status = wordOf(check, 'status', logStatuses);
  const shape = wordOf(check, 'shape', jobShapes);
  const [allWhere, allMeasure, allScale] = [allOf(where), allOf(measure), allOf(scale)];
  const chosen = estimates === 'wrong' ? undefined : estimates;
  const parts = soundParts({
    uri: needed(uri),
    processors: needed(field),
    where: needed(allWhere?.flat()),
    first: first === 'all' ? undefined : needed(first),
    status: needed(status),
    scale: needed(allScale?.flat()),
    shape: needed(shape),
    measure: needed(allMeasure?.flat()),
  });
  if (parts === undefined || estimates === 'wrong') return undefined;
  return { kind: 'log', ...parts, estimates: estimatesOf(chosen) };
}

const estimatesOf = (choice: Choice | undefined): Estimates => ({
  kind: choice?.name === 'run' ? 'run' : 'at-least-run',
  missing: choice?.options['missing'] === 'double' ? 'double' : 'run',
});

function fieldOf(
  { scope, properties }: StreamCheck,
  chosen: Choice | 'wrong' | undefined,
): LoggedJobs['processors'] | undefined {
  if (chosen === undefined) return 'allocated';
  if (chosen === 'wrong') return undefined;
  if (chosen.name === 'allocated' || chosen.name === 'requested') return chosen.name;
  const node = properties.choice('processors');
  const message = 'The log says how many processors a job has: write `processors allocated` or `processors requested`.';
  if (node !== undefined) scope.report(node, 'does-not-apply', message);
  return undefined;
}

/** `processors > 0, run >= 60`. */
function conditionsOf(reader: PhraseReader | undefined): readonly FieldCondition[] | undefined {
  if (reader === undefined) return undefined;
  const conditions: FieldCondition[] = [];
  do {
    const field = reader.oneOf(logFields, 'field of a log');
    const comparison = comparisons.find((sign) => reader.accept(sign));
    if (comparison === undefined)
      reader.fail(
        'Write a comparison behind the field: `processors > 0`; the signs are `<`, `<=`, `=`, `!=`, `>=`, `>`.',
      );
    const value = reader.number({ minimum: -amountLimit, maximum: amountLimit });
    if (field !== undefined && comparison !== undefined && value !== undefined)
      conditions.push({ field, comparison, value });
  } while (reader.accept(','));
  return reader.finish() ? conditions : undefined;
}

function measured(reader: PhraseReader | undefined): readonly FieldCondition[] | undefined {
  reader?.expect('where');
  return conditionsOf(reader);
}

/** `submit 0.8, run 2`. */
function scaled(reader: PhraseReader | undefined): readonly FieldScale[] | undefined {
  if (reader === undefined) return undefined;
  const scales: FieldScale[] = [];
  do {
    const field = reader.oneOf(scaledFields, 'field that can be scaled');
    const factor = reader.number({ minimum: 1e-9, maximum: 1e9 });
    if (field !== undefined && factor !== undefined) scales.push({ field, factor });
  } while (reader.accept(','));
  return reader.finish() ? scales : undefined;
}

/** A choice, `wrong` where it cannot be, undefined where there is none. A distribution must be one. */
function choiceOf(
  { scope, properties }: StreamCheck,
  word: string,
  entries: Parameters<typeof checkChoice>[3],
  noun: string,
): Choice | 'wrong' | undefined {
  const node = properties.choice(word);
  if (node === undefined) return properties.get(word) === undefined ? undefined : 'wrong';
  return checkedChoice(scope, node, entries, noun) ?? 'wrong';
}

function checkedChoice(
  scope: Scope,
  node: ChoiceNode,
  entries: Parameters<typeof checkChoice>[3],
  noun: string,
): Choice | undefined {
  const { choice } = checkChoice(scope, node, noun, entries);
  if (choice === undefined || !isDistribution(choice)) return choice;
  const made = makeDistribution(choice);
  if (!made.ok) scope.report(node, 'wrong-value', `\`${choice.name}\` cannot be: ${made.failure.message}`);
  return made.ok ? choice : undefined;
}

function integerOf({ scope, properties }: StreamCheck, word: string, byDefault: number): number | undefined {
  if (properties.get(word) === undefined) return byDefault;
  const value = properties.value(word);
  const form = propertyOf('stream', word)?.content;
  const bounds: Bounds = form?.form === 'integer' ? form : { minimum: 1, maximum: amountLimit };
  return value && integerValue(scope, value, expectationOf('stream', word), bounds);
}

/** One of a few words; the first of them where none is written. */
function wordOf<Word extends string>(
  { scope, properties }: StreamCheck,
  word: string,
  words: readonly [Word, ...Word[]],
): Word | undefined {
  if (properties.get(word) === undefined) return words[0];
  const value = properties.value(word);
  const found = value && choiceWord(scope, value, words, expectationOf('stream', word));
  return words.find((candidate) => candidate === found);
}

function messageLengthOf(check: StreamCheck): MessageLength | undefined {
  const { scope, properties } = check;
  const [flits, bytes] = [properties.get('flits'), properties.get('bytes')];
  if (flits !== undefined && bytes !== undefined) {
    reportConflict(scope, bytes, 'A message has a length in `flits` or in `bytes`: remove one of them.');
    return undefined;
  }
  if (bytes === undefined) {
    const amount = integerOf(check, 'flits', 8);
    return amount === undefined ? undefined : { unit: 'flits', amount };
  }
  const value = properties.value('bytes');
  const amount = value && quantityValue(scope, value, 'size', expectationOf('stream', 'bytes'));
  return amount === undefined ? undefined : { unit: 'bytes', amount };
}

/**
 * Whether jobs of a stream hold their nodes until their last message has arrived, as it is written: a stream with errors elsewhere
 * is held against its network too, so that mending them brings up no other.
 */
export function isServedByNetwork({ properties, body }: DeclarationNode): boolean {
  const isWritten = (word: string): boolean => properties.some((property) => property.word.text === word);
  const content = properties.find(({ word }) => word.text === 'service')?.content;
  if (content?.kind === 'choices') return content.choices[0]?.name.text === 'from-network';
  return body !== undefined && !isWritten('service') && !isWritten('log');
}

/** `from-network`, `from-network + exponential(mean 5)`, `from-log`, a distribution. */
function serviceOf(check: StreamCheck): Service | undefined {
  const { scope, declaration, properties, isLog } = check;
  const content = properties.get('service')?.content;
  const needsTraffic = (): void => {
    if (properties.get('traffic') !== undefined || declaration.body === undefined) return;
    const advice =
      '`traffic one-to-all`: its jobs hold their processors until their last message has arrived; or give them a `service` of another kind';
    reportMissing(scope, declaration, 'traffic', advice, ['traffic one-to-all']);
  };
  if (content === undefined) {
    if (isLog) return { kind: 'log' };
    needsTraffic();
    return { kind: 'network' };
  }
  const service = writtenService(check, content.kind === 'choices' ? content.choices : []);
  if (service?.kind === 'network') needsTraffic();
  return service;
}

function writtenService({ scope, isLog }: StreamCheck, nodes: readonly ChoiceNode[]): Service | undefined {
  const chosen = nodes.map((node) => checkedChoice(scope, node, services, 'kind of service'));
  const [choice, computing] = chosen;
  const [node, second] = nodes;
  if (choice === undefined || node === undefined || chosen.includes(undefined)) return undefined;
  const isNetwork = choice.name === 'from-network';
  if (nodes.length > (isNetwork ? 2 : 1) || (computing !== undefined && !isDistribution(computing))) {
    const message =
      'Only a distribution can be added, and only to `from-network`: `from-network + exponential(mean 5)`.';
    scope.report(second ?? node, 'wrong-value', message);
    return undefined;
  }
  if (isNetwork) return { kind: 'network', ...(computing === undefined ? {} : { computing }) };
  if (choice.name !== 'from-log') return { kind: 'distribution', distribution: choice };
  if (isLog) return { kind: 'log' };
  scope.report(node, 'does-not-apply', 'There is no log: write `log "FILE.swf"`, or another kind of service.');
  return undefined;
}

/** No more jobs than this are simulated in one run: each takes some 50 bytes. */
const mostJobs = 100_000_000;

/** Whether so many jobs come in that time as can be simulated. */
function endsInTime({ scope, properties }: StreamCheck, arrivals: Choice, time: number): boolean {
  const made = makeDistribution(arrivals);
  const jobs = made.ok && made.value.times === undefined ? time / made.value.mean : 0;
  const property = properties.get('jobs');
  if (jobs <= mostJobs || property === undefined) return true;
  const message = `About ${formatNumber(jobs)} jobs come in that time, and at most ${formatNumber(mostJobs)} are simulated: shorten it, or let jobs come less often.`;
  scope.report(property, 'out-of-range', message);
  return false;
}

/** `1000 completed`, `1000 arrived`, `for 30 days`. */
function endOf({ scope, declaration, properties, isLog }: StreamCheck): StreamEnd | undefined {
  const property = properties.get('jobs');
  if (property === undefined) {
    if (isLog || properties.choice('arrivals')?.name.text === 'at') return { kind: 'all' };
    if (declaration.body !== undefined) {
      reportMissing(scope, declaration, 'jobs', '`jobs 1000 completed`: jobs arrive without end', [
        'jobs 1000 completed',
      ]);
    }
    return undefined;
  }
  const reader = phraseOf(scope, property, expectationOf('stream', 'jobs'));
  if (reader === undefined) return undefined;
  if (reader.accept('for')) {
    const amount = reader.number({ minimum: 1e-9, maximum: amountLimit });
    const unit = reader.oneOf(Object.keys(timeUnits), 'unit of time');
    if (!reader.finish() || amount === undefined || unit === undefined) return undefined;
    return { kind: 'time', time: amount * (timeUnits[unit] ?? 1) };
  }
  const jobs = reader.integer({ minimum: 1, maximum: mostJobs });
  const kind = reader.oneOf(['completed', 'arrived'], 'end of a run');
  return reader.finish() && jobs !== undefined && kind !== undefined ? { kind, jobs } : undefined;
}

/** `100`, `20 %`, `mser-5`. */
function warmUpOf({ scope, properties }: StreamCheck): WarmUp | undefined {
  const property = properties.get('warm-up');
  if (property === undefined) return { kind: 'jobs', jobs: 0 };
  const expected = expectationOf('stream', 'warm-up');
  const reader = phraseOf(scope, property, expected);
  if (reader === undefined) return undefined;
  if (reader.accept('mser-5')) return reader.finish() ? { kind: 'mser-5' } : undefined;
  const number = reader.plain();
  if (number === undefined) return undefined;
  const isShare = reader.accept('%');
  if (!reader.finish()) return undefined;
  if (number.value < 0 || number.value >= (isShare ? 100 : 2 ** 31) || (!isShare && !Number.isInteger(number.value))) {
    scope.report(number, 'out-of-range', takesMessage(expected));
    return undefined;
  }
  return isShare ? { kind: 'share', share: number.value / 100 } : { kind: 'jobs', jobs: number.value };
}
