/** The check of an experiment: whether what it runs, crosses, varies, measures and compares goes together. */
import {
  crossedJobs,
  type Comparing,
  type ExperimentDescription,
  type ExperimentSubject,
  type Varied,
} from '../../model/experiment.ts';
import {
  experimentMetrics,
  isBesideOthers,
  isServerMetric,
  isStaticMetric,
  metricsOfSubject,
  type ExperimentMetric,
} from '../../model/metrics.ts';
import { beyondStreams, type NetworkModel } from '../../model/networkModel.ts';
import type { StreamDescription } from '../../model/stream.ts';
import { declaredBandwidths } from '../../network/contract.ts';
import { replace } from '../codes.ts';
import { countLimit } from '../propertyForms.ts';
import { oneOf } from '../suggestions.ts';
import type { Declared } from '../symbols.ts';
import type { DeclarationNode, Span } from '../tree.ts';
import {
  allNamed,
  choicesOf,
  checkCrossedLists,
  machinesCrossed,
  routingsOf,
  experimentRows,
  checkSubject,
  type ExperimentCheck,
  type NamedSubject,
} from './crossing.ts';
import type { CheckedJob } from './job.ts';
import type { CheckedMachine } from './machine.ts';
import { declarationHead, needed, Properties, soundParts, type Written } from './properties.ts';
import { checkQuoted, resolveEntry, type EntryNames } from './quoted.ts';
import { formsOf, replicationsOf, samplingOf, checkSteadyState } from './replications.ts';
import { allOf, type Scope } from './scope.ts';
import {
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
  const properties = new Properties(scope, declaration);
  const check: ExperimentCheck = { properties, choices: new Map() };
  const machines = allNamed(check, 'machine');
  const [machine] = machines;
  const subject = checkSubject(check);
  const { kind, stream, jobs } = whatRuns(subject, declared);
  properties.refuseOf(kind);
  const lists = checkCrossedLists(check, kind);
  const checkedMachines = machines.map(({ node }) => declared.machines.get(node));
  const routing = routingsOf(check, kind, checkedMachines);
  const { crossed, known } = experimentRows(check, subject?.description, { lists, routing, machines });
  const network = experimentNetwork(check, declared, kind, checkedMachines);
  const isSound = checkStreamNetwork(properties, subject, network);
  const settings = jobSettings(properties, kind);
  const { background, replay } = settings;
  const crossesJobs = subject !== undefined && crossedJobs(subject.description).length > 0;
  const vary = variedNumbers(properties, {
    ...{ kind, stream, network, background, replay, jobs, crossesJobs },
    machines: checkedMachines.map((one) => one?.description),
  });
  checkRate(properties, kind, vary);
  checkFits(properties, stream, vary, machine, checkedMachines[0]);
  const report = reportedMetrics(check, kind, crossesJobs ? 1 : jobs.length, network, checkedMachines);
  const parts = soundParts({
    subject: needed(subject?.description),
    network,
    routing,
    machines: machinesCrossed(check, kind, machines),
    vary: needed(vary),
    replications: needed(replicationsOf(properties)),
    steadyState: checkSteadyState(properties, kind, stream),
    repeat: properties.number('repeat') ?? 1,
    ...settings,
    report: needed(report),
    busy: requestedBusyShare(properties, kind),
    compare: needed(checkComparisons(check, known)),
    quoted: needed(checkQuoted(properties, { known, lists: crossed, vary, report })),
    sampling: samplingOf(properties, kind),
    forms: needed(formsOf(properties, kind)),
  });
  if (parts === undefined || lists === undefined || machine === undefined || !isSound) return undefined;
  // Names are apart from the parts: a user may call something `wrong`.
  return { name: properties.name, machine: machine.name, ...parts, ...lists };
}

/** The declarations of a subject, undefined where they are wrong. */
const whatRuns = (subject: NamedSubject | undefined, { streams, jobs }: ExperimentDeclarations) => ({
  kind: subject?.description.kind,
  stream: subject?.stream && streams.get(subject.stream.node),
  jobs: subject?.jobs?.map(({ node }) => jobs.get(node)?.description) ?? [],
});

function checkFits(
  properties: Properties,
  stream: StreamDescription | undefined,
  vary: readonly Varied[] = [],
  machine: Declared | undefined,
  checked: CheckedMachine | undefined,
): void {
  const { scope, declaration } = properties;
  const span: Span = properties.get('stream') ?? declarationHead(declaration);
  if (stream && machine) checkStreamFits({ scope, span, stream, vary }, machine.name, checked);
}

/** How messages travel; jobs and traffic need it, since nothing else takes time there. */
function experimentNetwork(
  check: ExperimentCheck,
  { networks }: ExperimentDeclarations,
  kind: ExperimentSubject['kind'] | undefined,
  machines: readonly (CheckedMachine | undefined)[],
): Written<NetworkModel> {
  const { properties } = check;
  const network = networkNamed(properties, 'network', networks);
  const property = properties.get('network');
  if (property === undefined && (kind === 'traffic' || (kind === 'job' && !reportsMappingsAlone(properties)))) {
    const examples = [...properties.named('network'), 'network cut-through(packet 8)'];
    properties.reportMissing('network', '`network cut-through(packet 8)`', examples);
    return 'wrong';
  }
  if (network === undefined || network === 'wrong' || property === undefined) return network;
  const span = properties.choice('network') ?? property;
  const fits = machines.every((machine) => checkNetworkFits(properties.scope, span, network, machine?.description));
  return fits && checkBackground(properties, network) ? network : 'wrong';
}

/** Whether a network carries the messages of streams: reports what the engine of streams does not know. */
function checkStreamNetwork(
  properties: Properties,
  subject: NamedSubject | undefined,
  network: Written<NetworkModel>,
): boolean {
  const property = properties.get('network');
  const stream = subject?.stream?.node;
  if (stream === undefined || !isServedByNetwork(stream) || typeof network !== 'object' || property === undefined)
    return true;
  const unknown = beyondStreams(network);
  if (unknown === undefined) return true;
  const message = `Streams need wormhole switching with one virtual channel, but this network has \`${unknown}\`. Use another network.`;
  properties.scope.report(property, 'does-not-apply', message);
  return false;
}

/** Whether a report is written of which every metric is known without a simulation. */
function reportsMappingsAlone(properties: Properties): boolean {
  const names = properties.choices('report').map(({ name }) => name.text);
  // What is no metric at all says nothing of messages, and is reported for what it is.
  const messageMetrics = experimentMetrics.filter((metric) => !isStaticMetric(metric));
  return names.length > 0 && !messageMetrics.some((metric) => names.includes(metric));
}

/** The share of the nodes that other jobs hold. */
function requestedBusyShare(properties: Properties, kind: ExperimentSubject['kind'] | undefined): Written<number> {
  if (kind !== undefined && kind !== 'job') return undefined;
  const share = properties.reads('busy', (reader) => reader.share());
  const property = properties.get('busy');
  if (property === undefined || share !== 1) return share;
  const message = 'With all nodes busy, the job has none. Write a share below 100%.';
  properties.scope.report(property, 'out-of-range', message);
  return 'wrong';
}

type Settings = Pick<ExperimentDescription, 'background' | 'replay' | 'budget' | 'overTime'>;

/** What goes with the simulation of a job alone. */
function jobSettings(
  properties: Properties,
  kind: ExperimentSubject['kind'] | undefined,
): { readonly [Key in keyof Settings]-?: Written<NonNullable<Settings[Key]>> } {
  if (kind !== undefined && kind !== 'job')
    return { background: undefined, replay: undefined, budget: undefined, overTime: undefined };
  return {
    background: properties.chosen('background'),
    replay: replayOf(properties),
    budget: budgetOf(properties),
    overTime: properties.reads('over-time', (reader) => {
      const messages = reader.integer({ minimum: 1, maximum: countLimit });
      reader.expect('messages');
      return messages;
    }),
  };
}

/** Traffic comes at a rate, which is varied. */
function checkRate(
  properties: Properties,
  kind: ExperimentSubject['kind'] | undefined,
  vary: readonly Varied[] | undefined,
): void {
  if (kind !== 'traffic' || vary === undefined || vary.some(({ path }) => path === 'rate')) return;
  const example = 'vary rate 0.05 .. 0.6 step 0.05';
  properties.reportMissing('vary rate', `\`${example}\`, in flits of a node and cycle`, [example]);
}

function reportedMetrics(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] = 'stream',
  jobs: number,
  network: Written<NetworkModel>,
  machines: readonly (CheckedMachine | undefined)[],
): readonly ExperimentMetric[] | undefined {
  const measured = metricsOfSubject[kind];
  const { properties } = check;
  const chosen = choicesOf(check, 'report');
  if (chosen === undefined) return measured.slice(0, 1);
  if (chosen === 'wrong') return undefined;
  const whose = kind === 'traffic' ? '`traffic`' : `a \`${kind}\``;
  if (kind === 'job') reportNoBandwidth(properties, machines);
  for (const { name } of properties.choices('report')) {
    if (measured.some((metric) => metric === name.text)) continue;
    const message = `\`${name.text}\` is not measured of ${whose}: use ${oneOf(measured)}.`;
    properties.scope.report(name, 'does-not-apply', message, {
      otherFixes: measured.map((metric) => replace(name, metric)),
    });
  }
  if (kind === 'job') reportUnmeasured(properties, jobs, network);
  return chosen.flatMap(({ name }) => experimentMetrics.find((metric) => metric === name) ?? []);
}

/** Servers are of the network of `queueing`, and one job alone is slowed down by nobody. */
function reportUnmeasured(properties: Properties, jobs: number, network: Written<NetworkModel>): void {
  const isQueueing = typeof network !== 'object' || network.switching === 'queueing';
  for (const { name } of properties.choices('report')) {
    const message =
      isServerMetric(name.text) && !isQueueing
        ? `\`${name.text}\` needs a cluster and a network with \`switching queueing\`.`
        : isBesideOthers(name.text) && jobs === 1
          ? `\`${name.text}\` needs two or more jobs in \`jobs\`.`
          : undefined;
    if (message !== undefined) properties.scope.report(name, 'does-not-apply', message);
  }
}

/** Reports `congestionTime` on a machine whose links have no bandwidth. */
function reportNoBandwidth(properties: Properties, machines: readonly (CheckedMachine | undefined)[]): void {
  const node = properties.choices('report').find(({ name }) => name.text === 'congestionTime');
  const descriptions = machines.flatMap((machine) => machine?.description ?? []);
  const without = descriptions.find((description) => declaredBandwidths(description).size === 0);
  if (node === undefined || without === undefined) return;
  const { name } = without;
  const message = `\`congestionTime\` needs a link bandwidth. Give machine \`${name}\` a \`bandwidth\`.`;
  properties.scope.report(node.name, 'missing-property', message);
}

function checkComparisons(check: ExperimentCheck, known: EntryNames | undefined): readonly Comparing[] | undefined {
  const chosen = choicesOf(check, 'compare');
  if (chosen === undefined) return [];
  if (chosen === 'wrong') return undefined;
  return allOf(
    chosen.map(({ name, options }): Comparing | undefined => {
      if (name === 'kruskal-wallis' || name === 'wilcoxon') return { kind: name, level: Number(options['level']) };
      const written = typeof options['to'] === 'string' ? options['to'] : '';
      const values = check.properties.choices('compare').map((node) => node.options[0]?.values[0]);
      const value = values.find((one) => one?.kind === 'name' && one.text === written);
      if (known === undefined || value?.kind !== 'name') return undefined;
      const to = resolveEntry(check.properties.scope, value, known);
      return to === undefined ? undefined : { kind: 'paired-ratio', to };
    }),
  );
}
