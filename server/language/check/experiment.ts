import { allocators } from '../../allocation/catalogue.ts';
import { mappers } from '../../mapping/catalogue.ts';
import {
  type CatalogueEntry,
  type Choice,
  defaultOptions,
  findEntry,
  needsOnlyItsName,
} from '../../model/catalogue.ts';
import {
  experimentMetrics,
  type Comparing,
  type ExperimentDescription,
  type ExperimentMetric,
  type ExperimentSubject,
  type QuotedNumber,
  type Replications,
  type Sampling,
  type Varied,
} from '../../model/experiment.ts';
import type { NetworkModel } from '../../model/networkModel.ts';
import { formatNumber } from '../../model/quantities.ts';
import { variedPaths, type StreamDescription } from '../../model/stream.ts';
import { schedulers } from '../../scheduling/catalogue.ts';
import { backgrounds, comparisonEntries, metricEntries, openTraffic, switchingEntries } from '../experimentWords.ts';
import { amountLimit, propertyOf } from '../schema.ts';
import type { Declared } from '../symbols.ts';
import type { ChoiceNode, DeclarationNode, PropertyNode, QuotedNode, Span, Word } from '../tree.ts';
import { checkChoice, reportUnknown } from './choices.ts';
import { checkStreamFits, faultOfVaried } from './streamFit.ts';
import type { CheckedMachine } from './machine.ts';
import { networkInPlace } from './network.ts';
import { integerValue } from './numbers.ts';
import { PhraseReader, phraseOf } from './phrase.ts';
import {
  headOf,
  nameOf,
  propertiesOf,
  reportConflict,
  reportMissing,
  removal,
  needed,
  soundParts,
  type Properties,
} from './properties.ts';
import { expectationOf, type Scope } from './scope.ts';

/** What experiments are checked against. */
export interface ExperimentDeclarations {
  readonly machines: ReadonlyMap<DeclarationNode, CheckedMachine>;
  readonly streams: ReadonlyMap<DeclarationNode, StreamDescription | undefined>;
  readonly networks: ReadonlyMap<DeclarationNode, NetworkModel | undefined>;
}

interface ExperimentCheck {
  readonly scope: Scope;
  readonly declaration: DeclarationNode;
  readonly properties: Properties;
}

/** More points of a varied number than this are none that anyone waits for. */
const pointLimit = 10_000;

/** Checks one experiment; undefined where something is missing or wrong. O(properties + points). */
export function checkExperiment(
  scope: Scope,
  declaration: DeclarationNode,
  declared: ExperimentDeclarations,
): ExperimentDescription | undefined {
  const properties = propertiesOf(scope, declaration);
  const check: ExperimentCheck = { scope, declaration, properties };
  const machine = namedIn(check, 'machine');
  const subject = subjectOf(check);
  const kind = subject?.description.kind;
  const stream = subject?.declared && declared.streams.get(subject.declared.node);
  const lists = listsOf(check, kind);
  const known = knownNames(lists);
  const vary = allOf(properties.all('vary').map((property) => variedOf(check, property, stream)));
  if (stream !== undefined && machine !== undefined) {
    const span: Span = properties.get('stream') ?? headOf(declaration);
    const checked = declared.machines.get(machine.node);
    checkStreamFits({ scope, span, stream, vary: vary ?? [] }, machine.name, checked);
  }
  const parts = soundParts({
    name: nameOf(declaration),
    subject: needed(subject?.description),
    machine: needed(machine?.name),
    network: networkOf(check, declared),
    vary: needed(vary),
    replications: needed(replicationsOf(check)),
    repeat: integerOf(check, 'repeat', 1),
    background: chosenOf(check, 'background', backgrounds, 'kind of background'),
    report: needed(metricsOf(check, kind ?? 'stream')),
    compare: needed(comparisonsOf(check, known)),
    quoted: needed(quotedOf(check, known, vary ?? [])),
    sampling: samplingOf(check, kind),
  });
  if (parts === undefined || lists === undefined) return undefined;
  return { ...parts, ...lists };
}

/** Of a part: absent where it was not written, `wrong` where it cannot be. */
type Written<Part> = Part | 'wrong' | undefined;

type Entries = readonly CatalogueEntry[];

/** Everything, unless a part is missing. */
function allOf<Part>(parts: readonly (Part | undefined)[]): readonly Part[] | undefined {
  const found = parts.filter((part) => part !== undefined);
  return found.length === parts.length ? found : undefined;
}

function chosenOf(
  { scope, properties }: ExperimentCheck,
  word: string,
  entries: Entries,
  noun: string,
): Written<Choice> {
  if (properties.get(word) === undefined) return undefined;
  const node = properties.choice(word);
  return (node && checkChoice(scope, node, noun, entries).choice) ?? 'wrong';
}

const choiceNodes = ({ properties }: ExperimentCheck, word: string): readonly ChoiceNode[] => {
  const content = properties.get(word)?.content;
  return content?.kind === 'choices' ? content.choices : [];
};

/** The choices of a list, each once. */
function choicesOf(check: ExperimentCheck, word: string, entries: Entries, noun: string): Written<readonly Choice[]> {
  const { scope, properties } = check;
  if (properties.get(word) === undefined) return undefined;
  const nodes = choiceNodes(check, word);
  const seen = new Set<string>();
  const found = nodes.map((node) => {
    const { choice } = checkChoice(scope, node, noun, entries);
    const key = JSON.stringify(choice);
    if (choice !== undefined && seen.has(key)) {
      scope.report(node, 'no-effect', `\`${choice.name}\` stands twice: it is run once.`, { severity: 'warning' });
    }
    seen.add(key);
    return choice;
  });
  const all = allOf(found);
  if (all === undefined || all.length === 0) return 'wrong';
  return all.filter(
    (choice, index) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(choice)) === index,
  );
}

/** The one declaration that a property names. */
function namedIn({ scope, properties }: ExperimentCheck, kind: 'machine' | 'stream' | 'job'): Declared | undefined {
  const content = properties.get(kind)?.content;
  const [name, second] = content?.kind === 'names' ? content.names : [];
  if (second !== undefined) scope.report(second, 'wrong-value', `\`${kind}\` takes one ${kind}: remove the others.`);
  if (name === undefined) return undefined;
  const found = scope.symbols.lookup(kind, name.text);
  if (found === undefined) reportUnknown(scope, name, kind, scope.symbols.names(kind));
  return found;
}

/** What is run: a stream, a job or traffic, one of them. */
function subjectOf(
  check: ExperimentCheck,
): { readonly description: ExperimentSubject; readonly declared?: Declared } | undefined {
  const { scope, declaration, properties } = check;
  const [first, second] = (['stream', 'job', 'traffic'] as const).flatMap((word) => properties.get(word) ?? []);
  const [stream, job] = [namedIn(check, 'stream'), namedIn(check, 'job')];
  const traffic = choicesOf(check, 'traffic', openTraffic, 'pattern of traffic without jobs');
  if (second !== undefined) {
    reportConflict(scope, second, 'An experiment runs a `stream`, a `job` or `traffic`: remove the others.');
    return undefined;
  }
  if (first === undefined && declaration.body !== undefined) {
    const names = scope.symbols.names('stream').slice(0, 3);
    reportMissing(scope, declaration, 'stream', '`stream thesis`, or a `job`, or `traffic`', names.map((name) => `stream ${name}`)); // prettier-ignore
  }
  if (stream !== undefined) return { description: { kind: 'stream', name: stream.name }, declared: stream };
  if (job !== undefined) return { description: { kind: 'job', name: job.name }, declared: job };
  if (traffic === undefined || traffic === 'wrong') return undefined;
  return { description: { kind: 'traffic', patterns: traffic } };
}

/** The declared network, or the one that stands in place. */
function networkOf(check: ExperimentCheck, { networks }: ExperimentDeclarations): Written<NetworkModel> {
  const { scope, properties } = check;
  if (properties.get('network') === undefined) return undefined;
  const node = properties.choice('network');
  if (node === undefined) return 'wrong';
  const declared = scope.symbols.lookup('network', node.name.text);
  if (declared === undefined) {
    if (findEntry(switchingEntries, node.name.text) === undefined) {
      const names = [...scope.symbols.names('network'), ...switchingEntries.map(({ name }) => name)];
      reportUnknown(scope, node.name, 'network', names);
      return 'wrong';
    }
    const { choice } = checkChoice(scope, node, 'network', switchingEntries);
    return (choice && networkInPlace(choice)) ?? 'wrong';
  }
  if (node.parentheses !== undefined) {
    const message = `\`${node.name.text}\` is declared, and takes no figures here: change its declaration, or remove this.`;
    scope.report(node.parentheses, 'unexpected-argument', message);
    return 'wrong';
  }
  return networks.get(declared.node) ?? 'wrong';
}

type Lists = Pick<ExperimentDescription, 'schedule' | 'allocate' | 'map'>;

/** What is crossed; a stream needs an allocator that can serve job after job. */
function listsOf(check: ExperimentCheck, kind: ExperimentSubject['kind'] | undefined): Lists | undefined {
  const { scope, declaration, properties } = check;
  const schedule = choicesOf(check, 'schedule', schedulers, 'scheduler') ?? [defaultScheduler()];
  const allocate = choicesOf(check, 'allocate', allocators, 'allocator') ?? [];
  const map = choicesOf(check, 'map', mappers, 'mapper') ?? [];
  if (kind === 'stream' && properties.get('allocate') === undefined) {
    if (declaration.body !== undefined) {
      reportMissing(scope, declaration, 'allocate', '`allocate rbs, first-fit`', ['allocate first-fit']);
    }
    return undefined;
  }
  if (kind === 'stream' && !servesStreams(check)) return undefined;
  if (schedule === 'wrong' || allocate === 'wrong' || map === 'wrong') return undefined;
  return { schedule, allocate, map };
}

function defaultScheduler(): Choice {
  const entry = findEntry<CatalogueEntry>(schedulers, 'fcfs');
  return { name: 'fcfs', options: entry === undefined ? {} : defaultOptions(entry) };
}

/** Nodes and mappings that are written out are for one job, not for a stream of them: each is reported. */
function servesStreams(check: ExperimentCheck): boolean {
  let serves = true;
  const refuse = (node: ChoiceNode, message: string): void => {
    check.scope.report(node, 'does-not-apply', message);
    serves = false;
  };
  for (const node of choiceNodes(check, 'allocate')) {
    const entry = findEntry(allocators, node.name.text);
    if (entry === undefined || 'finder' in entry) continue;
    refuse(
      node,
      `\`${entry.name}\` places one job, and cannot serve a stream of them: use an allocator such as \`first-fit\`.`,
    );
  }
  for (const node of choiceNodes(check, 'map')) {
    const entry = findEntry(mappers, node.name.text);
    if (entry === undefined || needsOnlyItsName(entry)) continue;
    refuse(node, `\`${entry.name}\` maps one job, and the jobs of a stream differ: use another mapper.`);
  }
  return serves;
}

const knownNames = (lists: Lists | undefined): ReadonlySet<string> | undefined =>
  lists && new Set([...lists.schedule, ...lists.allocate, ...lists.map].map(({ name }) => name));

/** `arrivals.rate 2e-4 .. 1.1e-3 step 1e-4`. */
function variedOf(
  { scope }: ExperimentCheck,
  property: PropertyNode,
  stream: StreamDescription | undefined,
): Varied | undefined {
  const reader = phraseOf(scope, property, expectationOf('experiment', 'vary'));
  if (reader === undefined) return undefined;
  const bounds = { minimum: -amountLimit, maximum: amountLimit };
  const path = reader.path();
  const from = reader.number(bounds);
  reader.expect('..');
  const to = reader.number(bounds);
  reader.expect('step');
  const step = reader.number(bounds);
  if (!reader.finish() || path === undefined || from === undefined || to === undefined || step === undefined) {
    return undefined;
  }
  if (stream !== undefined && !isVariable(scope, path, stream)) return undefined;
  const values = valuesOf(scope, property, { from, to, step });
  const fault = stream && values && faultOfVaried(stream, path.text, values);
  if (fault !== undefined) scope.report(property, 'out-of-range', fault);
  return values === undefined || fault !== undefined ? undefined : { path: path.text, values };
}

interface Steps {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** From the first to the last, both included as far as the step leads there. */
function valuesOf(scope: Scope, property: PropertyNode, { from, to, step }: Steps): readonly number[] | undefined {
  const points = Math.floor(Math.abs(to - from) / Math.abs(step) + 1e-9) + 1;
  if (step === 0 || Math.sign(to - from) === -Math.sign(step) || points > pointLimit) {
    const message =
      step === 0 || points > pointLimit
        ? `\`vary\` has at most ${formatNumber(pointLimit)} points: write a larger step.`
        : `The step leads away from ${formatNumber(to)}: write \`step ${String(-step)}\`.`;
    scope.report(property, 'out-of-range', message);
    return undefined;
  }
  // 12 digits: what is written with fewer comes out as it would be written.
  return Array.from({ length: points }, (_, index) => Number((from + index * step).toPrecision(12)));
}

function isVariable(scope: Scope, path: Word, stream: StreamDescription): boolean {
  const paths = [...variedPaths(stream).keys()];
  if (paths.includes(path.text)) return true;
  reportUnknown(scope, path, `number of stream \`${stream.name}\` that could be varied`, paths, 'unknown-path');
  return false;
}

const byDefault = { kind: 'until', precision: 0.05, confidence: 0.95, atMost: 2000 } as const satisfies Replications;

/** `seeds 1 .. 50`, `replications 60`, `replications until 5 % at 95 % (at most 2000)`. */
function replicationsOf({ scope, properties }: ExperimentCheck): Replications | undefined {
  const [seeds, replications] = [properties.get('seeds'), properties.get('replications')];
  if (seeds !== undefined && replications !== undefined) {
    reportConflict(scope, seeds, 'An experiment has `seeds` or `replications`: remove one of them.');
    return undefined;
  }
  if (seeds !== undefined) return seedsOf(phraseOf(scope, seeds, expectationOf('experiment', 'seeds')));
  if (replications === undefined) return byDefault;
  const reader = phraseOf(scope, replications, expectationOf('experiment', 'replications'));
  if (reader?.isNumber !== true) return reader && untilOf(scope, replications, reader);
  const to = reader.integer({ minimum: 1, maximum: 1_000_000 });
  return reader.finish() && to !== undefined ? { kind: 'seeds', from: 1, to } : undefined;
}

function untilOf(scope: Scope, property: PropertyNode, reader: PhraseReader): Replications | undefined {
  reader.expect('until');
  const precision = reader.share();
  reader.expect('at');
  const confidence = reader.share();
  const atMost = atMostOf(reader);
  if (!reader.finish() || precision === undefined || confidence === undefined || atMost === undefined) return undefined;
  if (precision > 0 && confidence >= 0.5 && confidence < 1) return { kind: 'until', precision, confidence, atMost };
  const message =
    'The interval must be wider than 0 %, and its level at least 50 % and below 100 %: `until 5% at 95%`.';
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

function seedsOf(reader: PhraseReader | undefined): Replications | undefined {
  const bounds = { minimum: 0, maximum: 2 ** 31 - 1 };
  const from = reader?.integer(bounds);
  const to = reader?.accept('..') === true ? reader.integer({ ...bounds, minimum: from ?? 0 }) : from;
  if (reader?.finish() !== true || from === undefined || to === undefined) return undefined;
  return { kind: 'seeds', from, to };
}

function integerOf({ scope, properties }: ExperimentCheck, word: string, byDefault: number): number | 'wrong' {
  if (properties.get(word) === undefined) return byDefault;
  const value = properties.value(word);
  const form = propertyOf('experiment', word)?.content;
  if (value === undefined || form?.form !== 'integer') return 'wrong';
  return integerValue(scope, value, expectationOf('experiment', word), form) ?? 'wrong';
}

/** The samples of traffic; streams and jobs have none. */
function samplingOf(check: ExperimentCheck, kind: ExperimentSubject['kind'] | undefined): Written<Sampling> {
  const words = ['warm-up', 'sample', 'samples'] as const;
  const warmUp = integerOf(check, 'warm-up', 10_000);
  const sample = integerOf(check, 'sample', 1000);
  const samples = integerOf(check, 'samples', 30);
  const written = words.flatMap((word) => check.properties.get(word) ?? []);
  if (kind !== undefined && kind !== 'traffic') {
    for (const property of written) {
      const { text } = property.word;
      const message = `\`${text}\` of an experiment is of \`traffic\` without jobs: remove it${text === 'warm-up' ? ', or write it in the stream' : ''}.`;
      check.scope.report(property.word, 'does-not-apply', message, removal(property, `Remove \`${text}\``));
    }
    return undefined;
  }
  if (warmUp === 'wrong' || sample === 'wrong' || samples === 'wrong') return 'wrong';
  return kind === 'traffic' ? { warmUp, sample, samples } : undefined;
}

const usualMetric: Readonly<Record<ExperimentSubject['kind'], ExperimentMetric>> = {
  stream: 'turnaround',
  job: 'makespan',
  traffic: 'latency',
};

function metricsOf(check: ExperimentCheck, kind: ExperimentSubject['kind']): readonly ExperimentMetric[] | undefined {
  const chosen = choicesOf(check, 'report', metricEntries, 'metric');
  if (chosen === undefined) return [usualMetric[kind]];
  if (chosen === 'wrong') return undefined;
  return chosen.flatMap(({ name }) => experimentMetrics.find((metric) => metric === name) ?? []);
}

function comparisonsOf(
  check: ExperimentCheck,
  known: ReadonlySet<string> | undefined,
): readonly Comparing[] | undefined {
  const chosen = choicesOf(check, 'compare', comparisonEntries, 'comparison');
  if (chosen === undefined) return [];
  if (chosen === 'wrong') return undefined;
  return allOf(
    chosen.map(({ name, options }): Comparing | undefined => {
      if (name === 'kruskal-wallis' || name === 'wilcoxon') return { kind: name, level: Number(options['level']) };
      const to = typeof options['to'] === 'string' ? options['to'] : '';
      if (known === undefined || known.has(to)) return { kind: 'paired-ratio', to };
      const node = choiceNodes(check, 'compare').find((candidate) => candidate.name.text === name);
      const value = node?.options[0]?.values[0];
      if (value?.kind === 'name') reportUnknown(check.scope, value, 'scheduler, allocator or mapper of this experiment', [...known]); // prettier-ignore
      return undefined;
    }),
  );
}

/** The numbers of a paper; undefined where one is wrong. */
function quotedOf(
  check: ExperimentCheck,
  known: ReadonlySet<string> | undefined,
  vary: readonly Varied[],
): readonly QuotedNumber[] | undefined {
  const property = check.properties.get('quoted');
  if (property?.content.kind !== 'quoted') return [];
  return allOf(property.content.entries.map((entry) => quotedNumber(check.scope, entry, known, vary)));
}

/** `turnaround fcfs rbs / fcfs gabl at arrivals.rate 9e-4 : 1.01`. */
function quotedNumber(
  scope: Scope,
  entry: QuotedNode,
  known: ReadonlySet<string> | undefined,
  vary: readonly Varied[],
): QuotedNumber | undefined {
  const expected = {
    name: 'A quoted number',
    takes: 'a metric, names of a row, and a number behind `:`',
    example: 'turnaround rbs / gabl : 1.01',
  };
  const reader = new PhraseReader(scope, expected, entry, entry.parts);
  const metric = reader.oneOf(experimentMetrics, 'metric');
  const names = (): readonly string[] => {
    const found: string[] = [];
    while (reader.isWord && !reader.isNext('at')) {
      const word = reader.word();
      if (word === undefined) break;
      if (known !== undefined && !known.has(word.text)) {
        reportUnknown(scope, word, 'scheduler, allocator or mapper of this experiment', [...known]);
        reader.failed = true;
      }
      found.push(word.text);
    }
    return found;
  };
  const of = names();
  const to = reader.accept('/') ? names() : undefined;
  const at: { path: string; value: number }[] = [];
  while (reader.accept('at')) {
    const path = reader.path();
    const value = reader.number({ minimum: -amountLimit, maximum: amountLimit });
    if (path === undefined || value === undefined) break;
    if (!vary.some((varied) => varied.path === path.text)) {
      reportUnknown(
        scope,
        path,
        'number that this experiment varies',
        vary.map((varied) => varied.path),
      );
      reader.failed = true;
    }
    at.push({ path: path.text, value });
  }
  reader.expect(':');
  const number = reader.plain();
  const value = number && (reader.accept('%') ? number.value / 100 : number.value);
  if (!reader.finish() || metric === undefined || value === undefined) return undefined;
  return { metric, of, ...(to === undefined ? {} : { to }), at, value };
}
