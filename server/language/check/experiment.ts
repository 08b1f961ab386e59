/** The check of an experiment: whether what it runs, crosses, varies, measures and compares goes together. */
import {
  crossedJobs,
  experimentMetrics,
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
import type { StreamDescription } from '../../model/stream.ts';
import { declaredBandwidths } from '../../network/contract.ts';
import { replace } from '../codes.ts';
import { comparisonEntries, metricEntries } from '../experimentWords.ts';
import { oneOf } from '../suggestions.ts';
import type { Declared } from '../symbols.ts';
import type { DeclarationNode, Span } from '../tree.ts';
import {
  allNamed,
  choiceNodes,
  choicesOf,
  listsOf,
  machinesCrossed,
  routingsOf,
  rowsOf,
  subjectOf,
  type ExperimentCheck,
  type NamedSubject,
} from './crossing.ts';
import type { CheckedJob } from './job.ts';
import type { CheckedMachine } from './machine.ts';
import { phraseOf } from './phrase.ts';
import {
  allOf,
  headOf,
  nameOf,
  propertiesOf,
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
import { isServedByNetwork } from './stream.ts';
import { checkStreamFits } from './streamFit.ts';
import { variedNumbers } from './varied.ts';

/** What experiments are checked against. */
export interface ExperimentDeclarations {
  readonly machines: ReadonlyMap<DeclarationNode, CheckedMachine>;
  readonly streams: ReadonlyMap<DeclarationNode, StreamDescription | undefined>;
  readonly networks: DeclaredNetworks;
  readonly jobs: ReadonlyMap<DeclarationNode, CheckedJob>;
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
      reportMissing(
        scope,
        declaration,
        'network',
        '`network cut-through(packet 8)`',
        [...names, 'cut-through(packet 8)'].map((name) => `network ${name}`),
      );
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
