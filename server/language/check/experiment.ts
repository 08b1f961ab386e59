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
  formNames,
  formParts,
  namesOfChoices,
  metricsOfSubject,
  queueingMetrics,
  staticMetrics,
  type Comparing,
  type ExperimentDescription,
  type ExperimentMetric,
  type ExperimentSubject,
  type FormName,
  type FormPart,
  type RunForm,
  type QuotedNumber,
  type Replications,
  type Sampling,
  type SteadyStateOptions,
  type Varied,
} from '../../model/experiment.ts';
import type { NetworkModel } from '../../model/networkModel.ts';
import { variedMachineNumbers, type MachineDescription } from '../../network/contract.ts';
import { formatNumber } from '../../model/quantities.ts';
import { fastestBandwidth } from '../../model/machine.ts';
import { variedSettings, type VariedJob } from '../../model/simulation.ts';
import { variedPaths, type StreamDescription } from '../../model/stream.ts';
import { schedulers } from '../../scheduling/catalogue.ts';
import { comparisonEntries, metricEntries, openTraffic, steadyStates } from '../experimentWords.ts';
import { replace } from '../codes.ts';
import { entryText } from '../lookahead.ts';
import { amountLimit, quotedAdditions } from '../propertyForms.ts';
import { oneOf } from '../suggestions.ts';
import type { Declared } from '../symbols.ts';
import { tokenize } from '../tokens.ts';
import type { ChoiceNode, DeclarationNode, NumberValue, PropertyNode, QuotedNode, Span, Word } from '../tree.ts';
import { checkChoice, reportUnknown } from './choices.ts';
import { checkStreamFits, faultOfVaried } from './streamFit.ts';
import type { CheckedJob } from './job.ts';
import { faultOfVariedMachine, type CheckedMachine } from './machine.ts';
import { integerProperty, type Bounds } from './numbers.ts';
import { PhraseReader, phraseOf } from './phrase.ts';
import {
  allOf,
  headOf,
  nameOf,
  propertiesOf,
  reportConflict,
  reportMissing,
  removal,
  needed,
  soundParts,
  type Properties,
  type Written,
} from './properties.ts';
import { expectationOf, type Scope } from './scope.ts';
import {
  backgroundOf,
  checkBackground,
  budgetOf,
  chosenOf,
  checkNetworkFits,
  networkNamed,
  replayOf,
  type DeclaredNetworks,
} from './simulation.ts';

/** What experiments are checked against. */
export interface ExperimentDeclarations {
  readonly machines: ReadonlyMap<DeclarationNode, CheckedMachine>;
  readonly streams: ReadonlyMap<DeclarationNode, StreamDescription | undefined>;
  readonly networks: DeclaredNetworks;
  readonly jobs: ReadonlyMap<DeclarationNode, CheckedJob>;
}

interface ExperimentCheck {
  readonly scope: Scope;
  readonly declaration: DeclarationNode;
  readonly properties: Properties;
  /** What each entry of a list chose, as JSON. */
  readonly choices: Map<ChoiceNode, string>;
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
  const check: ExperimentCheck = { scope, declaration, properties, choices: new Map() };
  const machine = namedIn(check, 'machine');
  const subject = subjectOf(check);
  const kind = subject?.description.kind;
  const stream = subject?.stream && declared.streams.get(subject.stream.node);
  const jobs = subject?.jobs?.map(({ node }) => declared.jobs.get(node)?.description) ?? [];
  const lists = listsOf(check, kind);
  const known = entryNames(check, lists);
  const checkedMachine = machine && declared.machines.get(machine.node);
  const network = networkOf(check, declared, kind, checkedMachine);
  const settings = settingsOf(check, kind);
  const vary = allOf(
    properties
      .all('vary')
      .map((property) =>
        variedOf(check, property, { kind, stream, network, settings, jobs, machine: checkedMachine?.description }),
      ),
  );
  checkRate(check, kind, vary);
  checkFits(check, stream, vary, machine, checkedMachine);
  const parts = soundParts({
    name: nameOf(declaration),
    subject: needed(subject?.description),
    machine: needed(machine?.name),
    network,
    vary: needed(vary),
    replications: needed(replicationsOf(check)),
    steadyState: steadyStateOf(check, kind, stream),
    repeat: integerOf(check, 'repeat', 1),
    ...settings,
    report: needed(metricsOf(check, kind, jobs.length, network, checkedMachine)),
    busy: busyOf(check, kind),
    compare: needed(comparisonsOf(check, known)),
    quoted: needed(quotedOf(check, known, vary ?? [])),
    sampling: samplingOf(check, kind),
    forms: needed(formsOf(check, kind)),
  });
  if (parts === undefined || lists === undefined) return undefined;
  return { ...parts, ...lists };
}

function checkFits(
  { scope, declaration, properties }: ExperimentCheck,
  stream: StreamDescription | undefined,
  vary: readonly Varied[] = [],
  machine: Declared | undefined,
  checked: CheckedMachine | undefined,
): void {
  const span: Span = properties.get('stream') ?? headOf(declaration);
  if (stream && machine) checkStreamFits({ scope, span, stream, vary }, machine.name, checked);
}

type Entries = readonly CatalogueEntry[];

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
    if (choice !== undefined) check.choices.set(node, key);
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
function namedIn({ scope, properties }: ExperimentCheck, kind: 'machine' | 'stream'): Declared | undefined {
  const content = properties.get(kind)?.content;
  const [name, second] = content?.kind === 'names' ? content.names : [];
  if (second !== undefined) scope.report(second, 'wrong-value', `\`${kind}\` takes one ${kind}: remove the others.`);
  if (name === undefined) return undefined;
  const found = scope.symbols.lookup(kind, name.text);
  if (found === undefined) reportUnknown(scope, name, kind, scope.symbols.names(kind));
  return found;
}

/** The jobs of `job` or `jobs`: undefined where neither stands, empty where one of them is wrong. */
function jobsNamed({ scope, properties }: ExperimentCheck): readonly Declared[] | undefined {
  const property = properties.get('job') ?? properties.get('jobs');
  if (property?.content.kind !== 'names') return property && [];
  const { names } = property.content;
  const [, second] = names;
  if (property.word.text === 'job' && second !== undefined) {
    const { start, end } = property.word;
    const fix = { title: 'Change to `jobs`', start, end, text: 'jobs' };
    scope.report(second, 'wrong-value', '`job` takes one job: write `jobs` for several.', { fix });
  }
  const found = names.map((name, position) => {
    const declared = scope.symbols.lookup('job', name.text);
    if (declared === undefined) reportUnknown(scope, name, 'job', scope.symbols.names('job'));
    const isTwice = names.findIndex((other) => other.text === name.text) < position;
    if (isTwice) {
      const message = `\`${name.text}\` stands twice: declare another job that is like it, so that results tell them apart.`;
      scope.report(name, 'wrong-value', message);
    }
    return isTwice ? undefined : declared;
  });
  return property.word.text === 'job' && second !== undefined ? [] : (allOf(found) ?? []);
}

interface NamedSubject {
  readonly description: ExperimentSubject;
  readonly stream?: Declared;
  readonly jobs?: readonly Declared[];
}

/** What is run: a stream, jobs or traffic, one of them. */
function subjectOf(check: ExperimentCheck): NamedSubject | undefined {
  const { scope, declaration, properties } = check;
  const words = ['stream', 'job', 'jobs', 'traffic'] as const;
  const [first, second] = words.flatMap((word) => properties.get(word) ?? []);
  const [stream, jobs] = [namedIn(check, 'stream'), jobsNamed(check)];
  const traffic = choicesOf(check, 'traffic', openTraffic, 'pattern of traffic without jobs');
  if (second !== undefined) {
    const message =
      second.word.text === 'jobs' && first?.word.text === 'job'
        ? 'An experiment has `job` or `jobs`, not both: join them in `jobs`.'
        : 'An experiment runs a `stream`, a `job` or `jobs`, or `traffic`: remove the others.';
    reportConflict(scope, second, message);
    return undefined;
  }
  if (first === undefined && declaration.body !== undefined) {
    const names = scope.symbols.names('stream').slice(0, 3);
    reportMissing(scope, declaration, 'stream', '`stream thesis`, or a `job`, or `traffic`', names.map((name) => `stream ${name}`)); // prettier-ignore
  }
  if (stream !== undefined) return { description: { kind: 'stream', name: stream.name }, stream };
  if (jobs !== undefined && jobs.length > 0)
    return { description: { kind: 'job', names: jobs.map(({ name }) => name) }, jobs };
  if (traffic === undefined || traffic === 'wrong') return undefined;
  return { description: { kind: 'traffic', patterns: traffic } };
}

/** How messages travel; jobs and traffic need it, since nothing else takes time there. */
function networkOf(
  check: ExperimentCheck,
  { networks }: ExperimentDeclarations,
  kind: ExperimentSubject['kind'] | undefined,
  machine: CheckedMachine | undefined,
): Written<NetworkModel> {
  const { scope, declaration, properties } = check;
  const network = networkNamed(scope, properties, 'network', networks);
  const property = properties.get('network');
  if (property === undefined && (kind === 'traffic' || (kind === 'job' && !reportsMappingsAlone(check)))) {
    const names = scope.symbols.names('network').slice(0, 3);
    if (declaration.body !== undefined) {
      reportMissing(scope, declaration, 'network', '`network cut-through(packet 8)`', [...names, 'cut-through(packet 8)'].map((name) => `network ${name}`)); // prettier-ignore
    }
    return 'wrong';
  }
  if (network === undefined || network === 'wrong' || property === undefined) return network;
  const fits = checkNetworkFits(scope, properties.choice('network') ?? property, network, machine?.description);
  return fits && checkBackground(scope, properties, network) ? network : 'wrong';
}

/** Whether a report is written of which every metric is known without a simulation. */
function reportsMappingsAlone(check: ExperimentCheck): boolean {
  const names = choiceNodes(check, 'report').map(({ name }) => name.text);
  return names.length > 0 && names.every((name) => staticMetrics.some((metric) => metric === name));
}

/** The share of the nodes that other jobs hold. */
function busyOf({ scope, properties }: ExperimentCheck, kind: ExperimentSubject['kind'] | undefined): Written<number> {
  const property = properties.get('busy');
  if (property === undefined) return undefined;
  if (kind !== undefined && kind !== 'job') {
    const message = `\`busy\` goes with a \`job\`: ${kind === 'stream' ? 'the jobs of a stream take nodes from one another' : '`traffic` is of all nodes'}. Remove it.`;
    scope.report(property.word, 'does-not-apply', message, removal(property, 'Remove `busy`'));
    return undefined;
  }
  const reader = phraseOf(scope, property, expectationOf('experiment', 'busy'));
  const share = reader?.share();
  if (reader?.finish() !== true || share === undefined) return 'wrong';
  if (share < 1) return share;
  scope.report(property, 'out-of-range', 'With all nodes busy there are none for the job: write a share below 100%.');
  return 'wrong';
}

type Settings = Pick<ExperimentDescription, 'background' | 'replay' | 'budget' | 'overTime'>;

/** What goes with the simulation of a job alone. */
function settingsOf(
  { scope, properties }: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
): { readonly [Key in keyof Settings]-?: Written<NonNullable<Settings[Key]>> } {
  if (kind !== undefined && kind !== 'job') {
    for (const property of (['background', 'replay', 'budget', 'over-time'] as const).flatMap(
      (word) => properties.get(word) ?? [],
    )) {
      const { text } = property.word;
      const message = `\`${text}\` goes with a \`job\`, and this experiment runs ${kind === 'stream' ? 'a `stream`' : '`traffic`'}: remove it.`;
      scope.report(property.word, 'does-not-apply', message, removal(property, `Remove \`${text}\``));
    }
    return { background: undefined, replay: undefined, budget: undefined, overTime: undefined };
  }
  return {
    background: backgroundOf(scope, properties),
    replay: replayOf(scope, properties),
    budget: budgetOf(scope, properties, 'experiment'),
    overTime: overTimeOf(scope, properties),
  };
}

/** `10000 messages`. */
function overTimeOf(scope: Scope, properties: Properties): Written<number> {
  const property = properties.get('over-time');
  if (property === undefined) return undefined;
  const reader = phraseOf(scope, property, expectationOf('experiment', 'over-time'));
  const messages = reader?.integer({ minimum: 1, maximum: 2 ** 31 - 1 });
  reader?.expect('messages');
  return reader?.finish() === true && messages !== undefined ? messages : 'wrong';
}

/** Traffic comes at a rate, which is varied. */
function checkRate(
  { scope, declaration }: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
  vary: readonly Varied[] | undefined,
): void {
  if (
    kind !== 'traffic' ||
    vary === undefined ||
    declaration.body === undefined ||
    vary.some(({ path }) => path === 'rate')
  )
    return;
  const example = 'vary rate 0.05 .. 0.6 step 0.05';
  reportMissing(scope, declaration, 'vary rate', `\`${example}\`, in flits of a node and cycle`, [example]);
}

type Lists = Pick<ExperimentDescription, 'schedule' | 'allocate' | 'map'>;

/** What is crossed; a stream needs an allocator that can serve job after job, and others have no scheduler. */
function listsOf(check: ExperimentCheck, kind: ExperimentSubject['kind'] | undefined): Lists | undefined {
  reportSurplusLists(check, kind);
  const usual = kind === 'job' || kind === 'traffic' ? [] : [defaultScheduler()];
  const schedule = choicesOf(check, 'schedule', schedulers, 'scheduler') ?? usual;
  const allocate = choicesOf(check, 'allocate', allocators, 'allocator') ?? [];
  const map = choicesOf(check, 'map', mappers, 'mapper') ?? [];
  if (kind === 'stream' && !servesStreams(check)) return undefined;
  if (schedule === 'wrong' || allocate === 'wrong' || map === 'wrong') return undefined;
  return { schedule, allocate, map };
}

/** Traffic is of all nodes, and one job alone waits for nobody. */
function reportSurplusLists({ scope, properties }: ExperimentCheck, kind: ExperimentSubject['kind'] | undefined): void {
  const surplus =
    kind === 'traffic' ? (['schedule', 'allocate', 'map'] as const) : kind === 'job' ? (['schedule'] as const) : [];
  for (const property of surplus.flatMap((word) => properties.get(word) ?? [])) {
    const { text } = property.word;
    const message =
      kind === 'traffic'
        ? `\`traffic\` is of all nodes of the machine, without jobs: remove \`${text}\`.`
        : 'One job alone waits for nobody: remove `schedule`.';
    scope.report(property.word, 'does-not-apply', message, removal(property, `Remove \`${text}\``));
  }
}

function defaultScheduler(): Choice {
  const entry = findEntry<CatalogueEntry>(schedulers, 'fcfs');
  return { name: 'fcfs', options: entry === undefined ? {} : defaultOptions(entry) };
}

/**
 * A stream needs an allocator. Nodes and mappings that are written out are for one job, not for a stream of them: each is
 * reported.
 */
function servesStreams(check: ExperimentCheck): boolean {
  const { scope, declaration, properties } = check;
  if (properties.get('allocate') === undefined) {
    if (declaration.body === undefined) return false;
    reportMissing(scope, declaration, 'allocate', '`allocate rbs, first-fit`', ['allocate first-fit']);
    return false;
  }
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

/** By which words the entries of the lists may be called, and the names by which results tell them apart. */
interface EntryNames {
  readonly nameOf: ReadonlyMap<string, string>;
  /** Names that several entries have, with how each is written. */
  readonly shared: ReadonlyMap<string, readonly string[]>;
}

/** An entry is called by all that is written of it, `window(2)`; by its name alone where no other one has it. */
function entryNames(check: ExperimentCheck, lists: Lists | undefined): EntryNames | undefined {
  if (lists === undefined) return undefined;
  const nameOf = new Map<string, string>();
  const shared = new Map<string, readonly string[]>();
  for (const word of ['schedule', 'allocate', 'map'] as const) {
    const nodes = choiceNodes(check, word);
    for (const [name, choice] of namesOfChoices(lists[word])) {
      const written = nodes.filter((node) => check.choices.get(node) === JSON.stringify(choice));
      nameOf.set(entryText(tokenize(name).tokens.map(({ image }) => image)), name);
      for (const { start, end } of written) {
        nameOf.set(entryText(tokenize(check.scope.text.slice(start, end)).tokens.map(({ image }) => image)), name);
      }
      const [first] = written;
      const text = first === undefined ? name : check.scope.text.slice(first.start, first.end);
      shared.set(choice.name, [...(shared.get(choice.name) ?? []), text]);
    }
  }
  for (const [name, [first, second]] of shared) if (first !== undefined && second === undefined) shared.delete(name);
  return { nameOf, shared };
}

/** The name in the results of what a word calls; reports what calls none, or several. */
function resolveEntry(scope: Scope, word: Word, { nameOf, shared }: EntryNames): string | undefined {
  const name = nameOf.get(word.text);
  if (name !== undefined) return name;
  const several = shared.get(word.text);
  if (several === undefined) {
    const written = { ...word, text: scope.text.slice(word.start, word.end) };
    reportUnknown(scope, written, 'scheduler, allocator or mapper of this experiment', [...new Set(nameOf.values())]);
    return undefined;
  }
  const message = `\`${word.text}\` stands in a list ${several.length} times: write which one is meant, ${oneOf(several)}.`;
  scope.report(word, 'wrong-value', message, { otherFixes: several.map((text) => replace(word, text)) });
  return undefined;
}

/** What the paths of `vary` lead into. */
interface VariedSubject {
  readonly kind: ExperimentSubject['kind'] | undefined;
  readonly stream: StreamDescription | undefined;
  readonly network: Written<NetworkModel>;
  readonly settings: ReturnType<typeof settingsOf>;
  /** Undefined ones are wrong. */
  readonly jobs: readonly (VariedJob | undefined)[];
  readonly machine: MachineDescription | undefined;
}

/** `arrivals.rate 2e-4 .. 1.1e-3 step 1e-4`, `arrivals.rate [0.0003, 0.0006, 0.0009]`. */
function variedOf({ scope }: ExperimentCheck, property: PropertyNode, subject: VariedSubject): Varied | undefined {
  const { stream, machine } = subject;
  const reader = phraseOf(scope, property, expectationOf('experiment', 'vary'));
  if (reader === undefined) return undefined;
  const bounds = { minimum: -amountLimit, maximum: amountLimit };
  const path = reader.path();
  const listed = reader.isNext('[') ? reader.list(bounds) : undefined;
  const steps = listed === undefined ? stepsOf(reader, bounds) : undefined;
  if (!reader.finish() || path === undefined || !isVariable(scope, path, subject)) return undefined;
  const values = listed === undefined ? steps && valuesOf(scope, property, steps) : distinct(scope, listed);
  const fault =
    values &&
    (stream === undefined ? faultOfSetting(path.text, values, machine) : faultOfVaried(stream, path.text, values));
  if (fault !== undefined) scope.report(property, 'out-of-range', fault);
  return values === undefined || fault !== undefined ? undefined : { path: path.text, values };
}

interface Steps {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** `2e-4 .. 1.1e-3 step 1e-4`. */
function stepsOf(reader: PhraseReader, bounds: Bounds): Steps | undefined {
  const from = reader.number(bounds);
  reader.expect('..');
  const to = reader.number(bounds);
  reader.expect('step');
  const step = reader.number(bounds);
  return from === undefined || to === undefined || step === undefined ? undefined : { from, to, step };
}

/** A point that is there twice would be simulated twice and told as one. */
function distinct(scope: Scope, listed: readonly NumberValue[]): readonly number[] | undefined {
  const values = new Set<number>();
  for (const node of listed) {
    if (values.has(node.value)) {
      scope.report(node, 'out-of-range', `\`${node.text}\` is there twice: leave one out.`);
      return undefined;
    }
    values.add(node.value);
  }
  return [...values];
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

/** Reports a path that leads to no number of the subject; what is not known has no wrong paths. */
function isVariable(scope: Scope, path: Word, subject: VariedSubject): boolean {
  const { kind, stream, jobs } = subject;
  const paths = stream === undefined ? pathsOfSettings(subject, path.text) : [...variedPaths(stream).keys()];
  if (paths === undefined || paths.includes(path.text)) return true;
  const job = jobs.length === 1 ? 'this job' : 'these jobs';
  const whose = stream === undefined ? (kind === 'job' ? job : 'this traffic') : `stream \`${stream.name}\``;
  reportUnknown(scope, path, `number of ${whose} that could be varied`, paths, 'unknown-path');
  return false;
}

/** What can be varied without a stream; undefined where not all of it is known. */
function pathsOfSettings(
  { kind, network, settings, jobs, machine }: VariedSubject,
  path: string,
): readonly string[] | undefined {
  const { background, replay } = settings;
  const sound = jobs.filter((job) => job !== undefined);
  if (kind === undefined || kind === 'stream' || (machine === undefined && path.startsWith('machine.')))
    return undefined;
  if (network === 'wrong' || background === 'wrong' || replay === 'wrong' || sound.length < jobs.length)
    return undefined;
  const written = variedSettings({
    ...(network && { network }),
    ...(background && { background }),
    ...(replay && { replay }),
    jobs: sound,
  });
  const ofMachine = machine === undefined ? [] : variedMachineNumbers(machine).keys();
  return [...(kind === 'traffic' ? ['rate'] : []), ...written.keys(), ...ofMachine];
}

/** What numbers of jobs and traffic can be varied over: the first that fits the path. */
const settingRules: readonly {
  readonly path: RegExp;
  readonly allows: (value: number) => boolean;
  readonly says: string;
}[] = [
  {
    path: /^(?:network|replay)\.variation$/,
    allows: (value) => value >= 0 && value <= 100,
    says: 'is a coefficient of variation: 0 to 100.',
  },
  {
    path: /^network\./,
    allows: (value) => value >= 1 && Number.isInteger(value),
    says: 'takes whole numbers from 1 on.',
  },
  {
    path: /^replay\.delivered$/,
    allows: (value) => value > 0 && value <= 1,
    says: 'is a share above 0 and at most 1.',
  },
  {
    path: /^background\.rate$/,
    allows: (value) => value >= 0 && value <= 1,
    says: 'is of packets of a node and cycle: 0 to 1.',
  },
  {
    path: /^rate$/,
    allows: (value) => value > 0 && value <= 1,
    says: 'is of flits of a node and cycle: above 0, and at most the 1 that a link carries.',
  },
  {
    path: /\.bytes$/,
    allows: (value) => value >= 1 && Number.isInteger(value),
    says: 'takes whole numbers of bytes from 1 on.',
  },
  { path: /\./, allows: (value) => value > 0, says: 'must be above 0.' },
];

/** Why a job or traffic cannot be run with some of the values. */
function faultOfSetting(
  path: string,
  values: readonly number[],
  machine: MachineDescription | undefined,
): string | undefined {
  if (path.startsWith('machine.')) return machine && faultOfVariedMachine(machine, path, values);
  const rule = settingRules.find((one) => one.path.test(path));
  return rule === undefined || values.every((value) => rule.allows(value)) ? undefined : `\`${path}\` ${rule.says}`;
}

const byDefault = { kind: 'until', precision: 0.05, confidence: 0.95, atMost: 2000 } as const satisfies Replications;

/** `seeds 1 .. 50`, `replications 60`, `replications until 5 % at 95 % (at most 2000)`, `until 5 % at 95 %`. */
function replicationsOf({ scope, properties }: ExperimentCheck): Replications | undefined {
  const [seeds, replications, until] = (['seeds', 'replications', 'until'] as const).map((word) =>
    properties.get(word),
  );
  const written = [seeds, replications, until].filter((property) => property !== undefined);
  const [first, second] = written.sort((one, other) => one.start - other.start);
  if (first !== undefined && second !== undefined) {
    const known = seeds === undefined ? '`replications` or `until`' : '`seeds` or `replications`';
    reportConflict(scope, seeds ?? second, `An experiment has ${known}: remove one of them.`);
    return undefined;
  }
  if (until !== undefined) {
    const reader = phraseOf(scope, until, expectationOf('experiment', 'until'));
    return reader && untilOf(scope, until, reader);
  }
  if (seeds !== undefined) return seedsOf(phraseOf(scope, seeds, expectationOf('experiment', 'seeds')));
  if (replications === undefined) {
    return properties.get('steady-state') === undefined ? byDefault : { kind: 'seeds', from: 1, to: 1 };
  }
  const reader = phraseOf(scope, replications, expectationOf('experiment', 'replications'));
  if (reader?.isNumber !== true) return reader && untilOf(scope, replications, reader);
  const to = reader.integer({ minimum: 1, maximum: 1_000_000 });
  return reader.finish() && to !== undefined ? { kind: 'seeds', from: 1, to } : undefined;
}

function untilOf(scope: Scope, property: PropertyNode, reader: PhraseReader): Replications | undefined {
  if (property.word.text !== 'until') reader.expect('until');
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

/** `steady-state delete(20%, batches 30)`, `steady-state mser-5`: of one run of a stream, which leaves nothing out itself. */
function steadyStateOf(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
  stream: StreamDescription | undefined,
): Written<SteadyStateOptions> {
  const { scope, properties } = check;
  const property = properties.get('steady-state');
  if (property === undefined) return undefined;
  if (kind !== undefined && kind !== 'stream') {
    const message = `\`steady-state\` goes with a \`stream\`: ${kind === 'job' ? 'one job alone comes to its end' : 'of `traffic` say `warm-up` and `samples`'}. Remove it.`;
    scope.report(property.word, 'does-not-apply', message, removal(property, 'Remove `steady-state`'));
    return undefined;
  }
  const repeat = properties.get('repeat');
  if (repeat !== undefined) {
    reportConflict(scope, repeat, 'A steady state is that of one long run: remove `repeat`, or `steady-state`.');
    return 'wrong';
  }
  if (stream !== undefined && !('jobs' in stream.warmUp && stream.warmUp.jobs === 0)) {
    reportConflict(
      scope,
      property,
      `Stream \`${stream.name}\` has a \`warm-up\`, which leaves out the start of a run already: remove one of them.`,
    );
    return 'wrong';
  }
  const choice = chosenOf(scope, properties, 'steady-state', steadyStates, 'rule for a steady state');
  if (choice === undefined || choice === 'wrong') return choice;
  const { share, batches } = choice.options;
  return { delete: choice.name === 'mser-5' ? 'mser-5' : Number(share), batches: Number(batches) };
}

function integerOf({ scope, properties }: ExperimentCheck, word: string, byDefault: number): number | 'wrong' {
  return integerProperty(scope, properties, 'experiment', word) ?? byDefault;
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

function metricsOf(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] = 'stream',
  jobs: number,
  network: Written<NetworkModel>,
  machine: CheckedMachine | undefined,
): readonly ExperimentMetric[] | undefined {
  const measured = metricsOfSubject[kind];
  const chosen = choicesOf(check, 'report', metricEntries, 'metric');
  if (chosen === undefined) return measured.slice(0, 1);
  if (chosen === 'wrong') return undefined;
  const whose = kind === 'traffic' ? '`traffic`' : `a \`${kind}\``;
  if (kind === 'job') reportNoBandwidth(check, machine);
  for (const { name } of choiceNodes(check, 'report')) {
    if (measured.some((metric) => metric === name.text)) continue;
    const message = `\`${name.text}\` is not measured of ${whose}: use ${oneOf(measured)}.`;
    check.scope.report(name, 'does-not-apply', message, {
      otherFixes: measured.map((metric) => replace(name, metric)),
    });
  }
  if (kind === 'job') reportUnmeasured(check, jobs, network);
  return chosen.flatMap(({ name }) => experimentMetrics.find((metric) => metric === name) ?? []);
}

/** Servers are of the network of `queueing`, and one job alone is slowed down by nobody. */
function reportUnmeasured(check: ExperimentCheck, jobs: number, network: Written<NetworkModel>): void {
  const isQueueing = typeof network !== 'object' || network.switching === 'queueing';
  for (const { name } of choiceNodes(check, 'report')) {
    const isOfServers = queueingMetrics.some((metric) => metric === name.text);
    const isOfSeveral = name.text === 'slowdown' || name.text === 'predictedSlowdown';
    const message =
      isOfServers && !isQueueing
        ? `\`${name.text}\` is of the servers of a cluster: give it a network with \`switching queueing\`.`
        : isOfSeveral && jobs === 1
          ? `\`${name.text}\` is what other jobs make of the first one: name several in \`jobs\`.`
          : undefined;
    if (message !== undefined) check.scope.report(name, 'does-not-apply', message);
  }
}

/** Reports `congestionTime` on a machine whose links have no bandwidth. */
function reportNoBandwidth(check: ExperimentCheck, machine: CheckedMachine | undefined): void {
  const node = choiceNodes(check, 'report').find(({ name }) => name.text === 'congestionTime');
  if (node === undefined || machine?.description === undefined) return;
  const { name, figures } = machine.description;
  if (fastestBandwidth(figures) !== undefined) return;
  const message = `\`congestionTime\` is bytes over the bandwidth of a link: give machine \`${name}\` a \`bandwidth\`.`;
  check.scope.report(node.name, 'missing-property', message);
}

function comparisonsOf(check: ExperimentCheck, known: EntryNames | undefined): readonly Comparing[] | undefined {
  const chosen = choicesOf(check, 'compare', comparisonEntries, 'comparison');
  if (chosen === undefined) return [];
  if (chosen === 'wrong') return undefined;
  return allOf(
    chosen.map(({ name, options }): Comparing | undefined => {
      if (name === 'kruskal-wallis' || name === 'wilcoxon') return { kind: name, level: Number(options['level']) };
      const written = typeof options['to'] === 'string' ? options['to'] : '';
      const values = choiceNodes(check, 'compare').map((node) => node.options[0]?.values[0]);
      const value = values.find((one) => one?.kind === 'name' && one.text === written);
      if (known === undefined || value?.kind !== 'name') return undefined;
      const to = resolveEntry(check.scope, value, known);
      return to === undefined ? undefined : { kind: 'paired-ratio', to };
    }),
  );
}

/** The numbers of a paper; undefined where one is wrong. */
function quotedOf(
  check: ExperimentCheck,
  known: EntryNames | undefined,
  vary: readonly Varied[],
): readonly QuotedNumber[] | undefined {
  const property = check.properties.get('quoted');
  if (property?.content.kind !== 'quoted') return [];
  return allOf(property.content.entries.map((entry) => quotedNumbers(check.scope, entry, known, vary)))?.flat();
}

/**
 * `turnaround fcfs rbs / fcfs gabl at arrivals.rate 9e-4 : 1.01`; of a row also
 * `makespan random : 1213400, best 1113800, deviation 29400, differs`.
 */
function quotedNumbers(
  scope: Scope,
  entry: QuotedNode,
  known: EntryNames | undefined,
  vary: readonly Varied[],
): readonly QuotedNumber[] | undefined {
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
      const word = reader.entry();
      if (word === undefined) break;
      const name = known && resolveEntry(scope, word, known);
      if (name === undefined) reader.failed = true;
      else found.push(name);
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
  const added = addedTo(reader, to !== undefined);
  if (!reader.finish() || metric === undefined || value === undefined) return undefined;
  const row = { metric, of, at };
  const { differs, statistics } = added;
  const mean = { ...row, ...(to === undefined ? {} : { to }), value };
  return [
    { ...mean, ...(differs && { differs }) },
    ...[...statistics].map(([statistic, number]) => ({ ...row, statistic, value: number })),
  ];
}

/** `, best 1113800, deviation 29400, differs`: of the runs of a row. */
function addedTo(reader: PhraseReader, isRatio: boolean) {
  const statistics = new Map<'best' | 'deviation', number>();
  let differs: true | undefined;
  while (reader.isNext(',')) {
    if (isRatio) {
      reader.fail('A ratio is quoted alone: write `best`, `deviation` and `differs` behind the number of a row.');
      break;
    }
    reader.accept(',');
    const word = reader.oneOf(quotedAdditions, 'addition to a quoted number');
    if (word === undefined) break;
    if (word === 'differs') {
      differs = true;
      continue;
    }
    const value = reader.number({ minimum: -amountLimit, maximum: amountLimit });
    if (value !== undefined) statistics.set(word, value);
  }
  return { differs, statistics };
}

/** `short replications 10, iterations 4`. */
function formsOf(
  { scope, properties }: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
): Partial<Record<FormName, RunForm>> | undefined {
  const forms: Partial<Record<FormName, RunForm>> = {};
  if (kind === undefined) return forms;
  let isSound = true;
  for (const name of formNames) {
    const reader = phraseOf(scope, properties.get(name), expectationOf('experiment', name));
    if (reader === undefined) continue;
    const form: Partial<Record<FormPart, number>> = {};
    do {
      const part = reader.oneOf<FormPart>(formParts[kind], `part of a smaller run of ${kind === 'traffic' ? '`traffic`' : `a \`${kind}\``}`); // prettier-ignore
      const count = part && reader.integer({ minimum: 1, maximum: 1_000_000_000 });
      if (part !== undefined && count !== undefined) form[part] = count;
    } while (reader.accept(','));
    isSound = reader.finish() && isSound;
    forms[name] = form;
  }
  return isSound ? forms : undefined;
}
