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
  crossedJobs,
  experimentMetrics,
  namesOfChoices,
  metricsOfSubject,
  queueingMetrics,
  staticMetrics,
  type Comparing,
  type ExperimentDescription,
  type ExperimentMetric,
  type ExperimentSubject,
  type Varied,
} from '../../model/experiment.ts';
import { beyondStreams, type NetworkModel } from '../../model/networkModel.ts';
import { routings } from '../../network/catalogue.ts';
import { declaredBandwidths } from '../../network/contract.ts';
import type { StreamDescription } from '../../model/stream.ts';
import { schedulers } from '../../scheduling/catalogue.ts';
import { comparisonEntries, metricEntries, openTraffic } from '../experimentWords.ts';
import { replace } from '../codes.ts';
import { entryText } from '../lookahead.ts';
import { oneOf } from '../suggestions.ts';
import type { Declared } from '../symbols.ts';
import { tokenize } from '../tokens.ts';
import type { ChoiceNode, DeclarationNode, NamedNode, Span } from '../tree.ts';
import { checkChoice, reportUnknown } from './choices.ts';
import { isServedByNetwork } from './stream.ts';
import { checkStreamFits } from './streamFit.ts';
import type { CheckedJob } from './job.ts';
import { checkRoutingOf, type CheckedMachine } from './machine.ts';
import { phraseOf } from './phrase.ts';
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
import { quotedOf, resolveEntry, type EntryNames } from './quoted.ts';
import { formsOf, repeatOf, replicationsOf, samplingOf, steadyStateOf } from './replications.ts';
import { expectationOf, type Scope } from './scope.ts';
import {
  backgroundOf,
  checkBackground,
  budgetOf,
  checkNetworkFits,
  networkNamed,
  replayOf,
  type DeclaredNetworks,
} from './simulation.ts';
import { variedNumbers } from './varied.ts';

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

/** Checks one experiment; undefined where something is missing or wrong. O(properties + points). */
export function checkExperiment(
  scope: Scope,
  declaration: DeclarationNode,
  declared: ExperimentDeclarations,
): ExperimentDescription | undefined {
  const properties = propertiesOf(scope, declaration);
  const check: ExperimentCheck = { scope, declaration, properties, choices: new Map() };
  const machines = allNamed(check, 'machine');
  const [machine] = machines;
  const subject = subjectOf(check);
  const { kind, stream, jobs } = whatRuns(subject, declared);
  const lists = listsOf(check, kind);
  const checkedMachines = machines.map(({ node }) => declared.machines.get(node));
  const routing = routingsOf(check, kind, checkedMachines);
  const { crossed, known } = rowsOf(check, subject?.description, { lists, routing, machines });
  const network = networkOf(check, declared, kind, checkedMachines);
  const isSound = checkStreamNetwork(check, subject, network);
  const settings = settingsOf(check, kind);
  const { background, replay } = settings;
  const crossesJobs = subject !== undefined && crossedJobs(subject.description).length > 0;
  const vary = variedNumbers(scope, properties, {
    ...{ kind, stream, network, background, replay, jobs, crossesJobs },
    machines: checkedMachines.map((one) => one?.description),
  });
  checkRate(check, kind, vary);
  checkFits(check, stream, vary, machine, checkedMachines[0]);
  const report = metricsOf(check, kind, crossesJobs ? 1 : jobs.length, network, checkedMachines);
  const parts = soundParts({
    subject: needed(subject?.description),
    network,
    routing,
    machines: machinesCrossed(check, kind, machines),
    vary: needed(vary),
    replications: needed(replicationsOf(scope, properties)),
    steadyState: steadyStateOf(scope, properties, kind, stream),
    repeat: repeatOf(scope, properties),
    ...settings,
    report: needed(report),
    busy: busyOf(check, kind),
    compare: needed(comparisonsOf(check, known)),
    quoted: needed(quotedOf(scope, properties, { known, lists: crossed, vary, report })),
    sampling: samplingOf(scope, properties, kind),
    forms: needed(formsOf(scope, properties, kind)),
  });
  if (parts === undefined || lists === undefined || machine === undefined || !isSound) return undefined;
  // Names are apart from the parts: a user may call something `wrong`.
  return { name: nameOf(declaration), machine: machine.name, ...parts, ...lists };
}

/** The declarations of a subject, undefined where they are wrong. */
const whatRuns = (subject: NamedSubject | undefined, { streams, jobs }: ExperimentDeclarations) => ({
  kind: subject?.description.kind,
  stream: subject?.stream && streams.get(subject.stream.node),
  jobs: subject?.jobs?.map(({ node }) => jobs.get(node)?.description) ?? [],
});

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

const namesIn = ({ properties }: ExperimentCheck, word: string): readonly NamedNode[] => {
  const content = properties.get(word)?.content;
  return content?.kind === 'names' ? content.names : [];
};

/** The one stream. */
function streamNamed(check: ExperimentCheck): Declared | undefined {
  const [, second] = namesIn(check, 'stream');
  if (second !== undefined) check.scope.report(second, 'wrong-value', '`stream` takes one stream: remove the others.');
  return allNamed(check, 'stream')[0];
}

/** The declarations that a property names; none where one of them is wrong. */
function allNamed(check: ExperimentCheck, word: 'machine' | 'stream' | 'job' | 'jobs'): readonly Declared[] {
  const { scope } = check;
  const kind = word === 'jobs' ? 'job' : word;
  const names = namesIn(check, word);
  const found = names.map((name, position) => {
    const declared = scope.symbols.lookup(kind, name.text);
    if (declared === undefined) reportUnknown(scope, name, kind, scope.symbols.names(kind));
    const isTwice = names.findIndex((other) => other.text === name.text) < position;
    if (isTwice) {
      const message = `\`${name.text}\` stands twice: declare another ${kind} that is like it, so that results tell them apart.`;
      scope.report(name, 'wrong-value', message);
    }
    return isTwice ? undefined : declared;
  });
  return allOf(found) ?? [];
}

/** All machines, where there are several: they are crossed with everything else, but of a stream. */
function machinesCrossed(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
  machines: readonly Declared[],
): Written<readonly string[]> {
  if (machines.length < 2) return undefined;
  const [, second] = namesIn(check, 'machine');
  if (kind !== 'stream' || second === undefined) return machines.map(({ name }) => name);
  check.scope.report(second, 'does-not-apply', 'A stream is run on one machine: write an experiment for each of them.');
  return 'wrong';
}

/** What takes the place of the routings of the machines, each of which must be one of all of them. */
function routingsOf(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
  machines: readonly (CheckedMachine | undefined)[],
): Written<readonly Choice[]> {
  const { scope, properties } = check;
  const property = properties.get('routing');
  if (property !== undefined && kind === 'stream') {
    const message = 'A stream travels as its machine says: write `routing` in the machine.';
    scope.report(property.word, 'does-not-apply', message, removal(property, 'Remove `routing`'));
    return 'wrong';
  }
  const chosen = choicesOf(check, 'routing', routings, 'routing');
  if (chosen === undefined || chosen === 'wrong') return chosen;
  const fits = choiceNodes(check, 'routing').map((node) => {
    const choice = chosen.find((one) => JSON.stringify(one) === check.choices.get(node));
    const wrong = machines.find(
      (machine) => choice && machine?.description && !checkRoutingOf(scope, { node, choice }, machine.description),
    );
    return wrong === undefined;
  });
  return fits.every(Boolean) ? chosen : 'wrong';
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
  const [stream, alone, together] = [streamNamed(check), allNamed(check, 'job'), allNamed(check, 'jobs')];
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
  const jobs = first?.word.text === 'jobs' ? together : alone;
  if (jobs.length > 0) {
    const crossed = jobs === alone && jobs.length > 1 ? ({ crossed: true } as const) : {};
    return { description: { kind: 'job', names: jobs.map(({ name }) => name), ...crossed }, jobs };
  }
  if (traffic === undefined || traffic === 'wrong') return undefined;
  return { description: { kind: 'traffic', patterns: traffic } };
}

/** How messages travel; jobs and traffic need it, since nothing else takes time there. */
function networkOf(
  check: ExperimentCheck,
  { networks }: ExperimentDeclarations,
  kind: ExperimentSubject['kind'] | undefined,
  machines: readonly (CheckedMachine | undefined)[],
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
  const span = properties.choice('network') ?? property;
  const fits = machines.every((machine) => checkNetworkFits(scope, span, network, machine?.description));
  return fits && checkBackground(scope, properties, network) ? network : 'wrong';
}

/** Whether a network carries the messages of streams: reports what the engine of streams does not know. */
function checkStreamNetwork(
  { scope, properties }: ExperimentCheck,
  subject: NamedSubject | undefined,
  network: Written<NetworkModel>,
): boolean {
  const property = properties.get('network');
  const stream = subject?.stream?.node;
  if (stream === undefined || !isServedByNetwork(stream) || typeof network !== 'object' || property === undefined)
    return true;
  const unknown = beyondStreams(network);
  if (unknown === undefined) return true;
  const message = `Streams are simulated with wormhole switching and one channel, and this network has \`${unknown}\`: use another one.`;
  scope.report(property, 'does-not-apply', message);
  return false;
}

/** Whether a report is written of which every metric is known without a simulation. */
function reportsMappingsAlone(check: ExperimentCheck): boolean {
  const names = choiceNodes(check, 'report').map(({ name }) => name.text);
  // What is no metric at all says nothing of messages, and is reported for what it is.
  const messageMetrics = experimentMetrics.filter((metric) => !staticMetrics.some((one) => one === metric));
  return names.length > 0 && !messageMetrics.some((metric) => names.includes(metric));
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

/** What rows differ in: the lists by their words, and what their entries are. */
const crossedWords = {
  routing: 'routing',
  schedule: 'scheduler',
  allocate: 'allocator',
  map: 'mapper',
  traffic: 'pattern',
} as const;
type Crossed = Readonly<Record<keyof typeof crossedWords, readonly Choice[]>>;
const wordsOfLists = Object.keys(crossedWords) as readonly (keyof Crossed)[];

/** The names of rows in one list, and what they are. */
interface NamedList {
  readonly noun: string;
  readonly names: readonly string[];
}

const crossedLists = (lists: Crossed): readonly NamedList[] =>
  wordsOfLists.map((word) => ({ noun: crossedWords[word], names: [...namesOfChoices(lists[word]).keys()] }));

/** How rows are called; not known where one of the lists is wrong. */
function rowsOf(
  check: ExperimentCheck,
  subject: ExperimentSubject | undefined,
  {
    lists,
    routing = [],
    machines,
  }: {
    readonly lists: Lists | undefined;
    readonly routing: Written<readonly Choice[]>;
    readonly machines: readonly Declared[];
  },
): { readonly crossed: readonly NamedList[]; readonly known?: EntryNames } {
  if (lists === undefined || routing === 'wrong') return { crossed: [] };
  const all = { ...lists, routing, traffic: subject?.kind === 'traffic' ? subject.patterns : [] };
  const declared: readonly NamedList[] = [
    { noun: 'job', names: subject === undefined ? [] : crossedJobs(subject) },
    { noun: 'machine', names: machines.length > 1 ? machines.map(({ name }) => name) : [] },
  ];
  const known = entryNames(check, all);
  const nameOf = new Map([...declared.flatMap(({ names }) => names.map((name) => [name, name] as const)), ...known.nameOf]); // prettier-ignore
  return { crossed: [...declared, ...crossedLists(all)], known: { ...known, nameOf } };
}

/** An entry is called by all that is written of it, `window(2)`; by its name alone where no other one has it. */
function entryNames(check: ExperimentCheck, lists: Crossed): EntryNames {
  const nameOf = new Map<string, string>();
  const shared = new Map<string, readonly string[]>();
  for (const word of wordsOfLists) {
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

function metricsOf(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] = 'stream',
  jobs: number,
  network: Written<NetworkModel>,
  machines: readonly (CheckedMachine | undefined)[],
): readonly ExperimentMetric[] | undefined {
  const measured = metricsOfSubject[kind];
  const chosen = choicesOf(check, 'report', metricEntries, 'metric');
  if (chosen === undefined) return measured.slice(0, 1);
  if (chosen === 'wrong') return undefined;
  const whose = kind === 'traffic' ? '`traffic`' : `a \`${kind}\``;
  if (kind === 'job') reportNoBandwidth(check, machines);
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
function reportNoBandwidth(check: ExperimentCheck, machines: readonly (CheckedMachine | undefined)[]): void {
  const node = choiceNodes(check, 'report').find(({ name }) => name.text === 'congestionTime');
  const descriptions = machines.flatMap((machine) => machine?.description ?? []);
  const without = descriptions.find((description) => declaredBandwidths(description).size === 0);
  if (node === undefined || without === undefined) return;
  const { name } = without;
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
