import type { TaskNeeds } from '../../model/placement.ts';
import { countOf } from '../../model/quantities.ts';
import type { SimulationDescription } from '../../model/simulation.ts';
import { arrowText } from '../../model/words.ts';
import type { MachineDescription, NodeReferences } from '../../network/contract.ts';
import type { OwnChoices, PlacementDescription } from '../../study/program.ts';
import { replace } from '../codes.ts';
import { sourcesOfNames } from '../schema.ts';
import type { Declared } from '../symbols.ts';
import type { ChoiceNode, DeclarationNode, NamedNode, PropertyNode, Span, Word } from '../tree.ts';
import { anyList, checkChoice, defaultChoice, reportUnknown } from './choices.ts';
import { checkFit, machineSlots, type OwnChoice, type PlacementChoice, type PlacementSize } from './fit.ts';
import { readReferences } from './faults.ts';
import type { CheckedJob } from './job.ts';
import type { CheckedMachine } from './machine.ts';
import { declarationHead, presentParts, Properties, sound, type Written } from './properties.ts';
import { integerValue, type Bounds } from './numbers.ts';
import { PhraseReader } from './phrase.ts';
import { expectationOf, type Scope } from './scope.ts';
import { countLimit } from '../propertyForms.ts';
import { checkSimulation, type DeclaredNetworks } from './simulation.ts';

/** What placements are checked against. */
interface PlacementDeclarations {
  readonly machines: ReadonlyMap<DeclarationNode, CheckedMachine>;
  readonly jobs: ReadonlyMap<DeclarationNode, CheckedJob>;
  readonly networks: DeclaredNetworks;
}

/** A placement, absent parts left out; `choice`s are undefined where they are wrong. */
export interface CheckedPlacement {
  readonly description: PlacementDescription | undefined;
  readonly machine: Declared | undefined;
  readonly jobs: readonly Declared[];
  /** `same-as NAME`, with the name as written. */
  readonly sameAs: Word | undefined;
  readonly sameAsNode: ChoiceNode | undefined;
  /** Undefined where it is not to be simulated. */
  readonly simulation: SimulationDescription | undefined;
}

/** Checks one placement but for cycles of `same-as`. O(properties + length of lists). */
export function checkPlacement(
  scope: Scope,
  declaration: DeclarationNode,
  declared: PlacementDeclarations,
): CheckedPlacement {
  const properties = new Properties(scope, declaration);
  const { named, excluded, jobs } = namedJobs(properties);
  const [machine] = namedIn(properties, 'machine');
  const size = sizeOf(declared, machine, named, jobs);
  const jobSpan = spanOfNames(named) ?? declarationHead(declaration);
  const allocate = chosenOrDefault(properties, 'allocate', size);
  const map = chosenOrDefault(properties, 'map', size);
  const own = named.map((name) => checkOwn(scope, name, size));
  for (const name of excluded) checkOwn(scope, name, size);
  const limits = checkLimits(properties, size.machine?.nodes);
  // How many tasks a node can take then is known when the inside of nodes is.
  if (limits === undefined && own.every(({ needs }) => needs === undefined))
    checkFit(scope, jobSpan, { allocate, map, own }, size);
  const seed = sound(properties.number('seed') ?? 1);
  const found = jobs.filter((job) => job !== undefined);
  const sameAs = sameAsWord(allocate.node);
  const description = machine && declared.machines.get(machine.node)?.description;
  const rails = railUseOf(properties, description);
  const simulation = checkSimulation(properties, declared.networks, description);
  const parts = { machine, jobs: found, sameAs, sameAsNode: allocate.node, simulation };
  if (machine === undefined || found.length === 0 || found.length < jobs.length)
    return { description: undefined, ...parts };
  const choices = placementChoices(allocate, map, own);
  if (choices === undefined || seed === undefined || limits === 'wrong') return { description: undefined, ...parts };
  const names = { name: properties.name, machine: machine.name, jobs: found.map((job) => job.name) };
  return { description: { ...names, ...choices, ...rails, ...limits, seed }, ...parts };
}

/** How large the machine and the jobs are, as far as their declarations say it. */
const sizeOf = (
  declared: PlacementDeclarations,
  machine: Declared | undefined,
  named: readonly NamedNode[],
  jobs: readonly (Declared | undefined)[],
): PlacementSize => ({
  machine: machine && declared.machines.get(machine.node)?.size,
  machineName: machine?.name ?? '',
  jobNames: named.map(({ text }) => text),
  taskCounts: jobs.map((job) => job && declared.jobs.get(job.node)?.taskCount),
});

const sameAsWord = (node: ChoiceNode | undefined): Word | undefined =>
  node?.name.text === 'same-as' && node.argument?.kind === 'name' ? node.argument : undefined;

/**
 * The jobs that are placed. Where `job` and `jobs` both stand, which is an error, `jobs` counts for nothing but is checked, so
 * that its errors are known before anyone removes `job`.
 */
function namedJobs(properties: Properties) {
  const [alone, several] = [namedIn(properties, 'job'), namedIn(properties, 'jobs')];
  const isAlone = properties.get('job') !== undefined;
  if (!isAlone && properties.get('jobs') === undefined)
    properties.reportMissing('job', '`job heat`', properties.named('job'));
  return isAlone
    ? { named: properties.names('job'), excluded: properties.names('jobs'), jobs: alone }
    : { named: properties.names('jobs'), excluded: [], jobs: several };
}

/** The declarations that a property names, undefined for one that is not there; reports unknown names and more than one where one is meant. */
function namedIn(properties: Properties, word: 'machine' | 'job' | 'jobs'): readonly (Declared | undefined)[] {
  const { scope } = properties;
  const [, second] = properties.names(word);
  const kind = word === 'jobs' ? 'job' : word;
  if (word !== 'jobs' && second !== undefined) {
    const { start, end } = properties.get(word)?.word ?? second;
    const fix = kind === 'job' ? { fix: { title: 'Change to `jobs`', start, end, text: 'jobs' } } : {};
    const more = kind === 'job' ? 'write `jobs` for several' : 'remove the others';
    scope.report(second, 'wrong-value', `\`${word}\` takes one ${kind}: ${more}.`, fix);
  }
  return properties.declared(word, kind);
}

/** From the first to the last, with what stands in its parentheses. */
export function spanOfNames(names: readonly NamedNode[]): Span | undefined {
  const [first, last] = [names[0], names.at(-1)];
  return first && last && { start: first.start, end: last.parentheses?.end ?? last.end };
}

/** What a placement and each of its jobs may choose: where from, what by default, and what a list has the numbers of. */
const choiceRows = {
  allocate: { ...sourcesOfNames.allocators, byDefault: 'all', numbered: 'nodes' },
  map: { ...sourcesOfNames.mappers, byDefault: 'auto', numbered: 'slots' },
} as const;

/** A choice of the placement, or its default. */
function chosenOrDefault(properties: Properties, word: 'allocate' | 'map', size: PlacementSize): PlacementChoice {
  const { entries, byDefault } = choiceRows[word];
  return properties.get(word) === undefined
    ? { node: undefined, choice: defaultChoice(entries, byDefault) }
    : checkWord(properties.scope, word, properties.choice(word), size);
}

function checkWord(
  scope: Scope,
  word: 'allocate' | 'map',
  node: ChoiceNode | undefined,
  size: PlacementSize,
): PlacementChoice {
  if (node === undefined) return { node, choice: undefined };
  const { noun, entries, numbered } = choiceRows[word];
  const count = numbered === 'nodes' ? size.machine?.nodes : machineSlots(size.machine);
  const bounds = boundsBelow(count, `Machine \`${size.machineName}\` has ${numbered}`);
  const { choice, listLength } = checkChoice(scope, node, noun, entries, bounds);
  return { node, choice, listLength };
}

/** What a job chose for itself: each property at most once, and nodes of its own, not those of a placement. */
function checkOwn(scope: Scope, name: NamedNode, size: PlacementSize): OwnChoice {
  const found: { allocate?: PlacementChoice; map?: PlacementChoice } = {};
  const seen = new Set<string>();
  for (const property of name.own ?? []) {
    const word = property.word.text;
    if (seen.size === seen.add(word).size) {
      const message = `\`${word}\` is written twice for job \`${name.text}\`. Remove one of them.`;
      scope.report(property.word, 'duplicate-property', message);
      continue;
    }
    if (word !== 'allocate' && word !== 'map') continue;
    const node = property.content.kind === 'choice' ? property.content.choice : undefined;
    if (node?.name.text === 'same-as') {
      const message =
        '`same-as` copies the nodes of all jobs of a placement. ' +
        'Write it in the `allocate` of this placement, not of one job.';
      scope.report(node, 'does-not-apply', message);
      found[word] = { node, choice: undefined };
    } else found[word] = checkWord(scope, word, node, size);
  }
  const needs = checkNeeds(scope, name.own ?? []);
  return { ...found, ...presentParts({ needs }) };
}

/** What limits the tasks of a placement on its nodes; undefined where nothing does. */
function checkLimits(
  properties: Properties,
  nodes: number | undefined,
): Written<Pick<PlacementDescription, 'needs' | 'exclude'>> {
  const needs = checkNeeds(properties.scope, properties.declaration.properties);
  const exclude = excludedNodes(properties, nodes);
  if (needs === 'wrong' || exclude === 'wrong') return 'wrong';
  return needs === undefined && exclude === undefined ? undefined : presentParts({ needs, exclude });
}

/** Of numbers of cores and tasks. */
const needBounds = { minimum: 1, maximum: countLimit };

/** What these properties say of tasks; undefined where none does. What is wrong is reported. O(properties). */
function checkNeeds(scope: Scope, properties: readonly PropertyNode[]): Written<TaskNeeds> {
  const find = (word: string): PropertyNode | undefined => properties.find((one) => one.word.text === word);
  const parts = {
    coresPerTask: countOfTasks(scope, find('cores-per-task')),
    tasksPerNode: limitOfNode(scope, find('tasks-per-node')),
    tasksPerSocket: countOfTasks(scope, find('tasks-per-socket')),
  };
  const written = Object.entries(parts).filter(([, part]) => part !== undefined);
  if (written.length === 0) return undefined;
  return written.some(([, part]) => part === 'wrong') ? 'wrong' : (Object.fromEntries(written) as TaskNeeds);
}

function countOfTasks(scope: Scope, property: PropertyNode | undefined): Written<number> {
  if (property === undefined) return undefined;
  const { word, content } = property;
  const value = content.kind === 'value' ? content.value : undefined;
  return (value && integerValue(scope, value, expectationOf('placement', word.text), needBounds)) ?? 'wrong';
}

/** `4`, `even`. */
function limitOfNode(scope: Scope, property: PropertyNode | undefined): Written<number | 'even'> {
  if (property === undefined) return undefined;
  const { word, content } = property;
  if (content.kind !== 'phrase' || content.parts.length === 0) return 'wrong';
  const reader = new PhraseReader(scope, expectationOf('placement', word.text), property, content.parts);
  const limit = reader.accept('even') ? 'even' : reader.integer(needBounds);
  return reader.finish() && limit !== undefined ? limit : 'wrong';
}

/** `exclude ["n07", 12, 20..24]`, with or without the brackets. `nodes`: how many the machine has, where its declaration says it. */
const excludedNodes = (properties: Properties, nodes: number | undefined): Written<NodeReferences> =>
  properties.reads('exclude', (reader) => {
    const isList = reader.accept('[');
    const found = readReferences(properties.scope, reader, 'node', { switch: undefined, node: nodes });
    if (isList) reader.expect(']');
    return found;
  });

/** Undefined where one of them is wrong. */
function placementChoices(
  allocate: PlacementChoice,
  map: PlacementChoice,
  own: readonly OwnChoice[],
): Pick<PlacementDescription, 'allocate' | 'map' | 'own'> | undefined {
  const written = own.flatMap((choices) => [choices.allocate ?? [], choices.map ?? []].flat());
  if (allocate.choice === undefined || map.choice === undefined) return undefined;
  if (written.some(({ choice }) => choice === undefined)) return undefined;
  if (own.some(({ needs }) => needs === 'wrong')) return undefined;
  const ofJobs = own.map(({ allocate: nodes, map: mapper, needs }): OwnChoices =>
    presentParts({ allocate: nodes?.choice, map: mapper?.choice, needs: sound(needs) }),
  );
  const isOwn = ofJobs.some((choices) => Object.keys(choices).length > 0);
  return { allocate: allocate.choice, map: map.choice, ...(isOwn ? { own: ofJobs } : {}) };
}

/** 0 … count − 1, but never beyond what a machine may have. */
const boundsBelow = (count: number | undefined, what: string): Bounds =>
  count === undefined || count > anyList.maximum ? anyList : { minimum: 0, maximum: count - 1, what };

/** How tasks use rails; nothing where it is not written or wrong. */
function railUseOf(
  properties: Properties,
  machine: MachineDescription | undefined,
): Pick<PlacementDescription, 'rails'> {
  const node = properties.choice('rails');
  const choice = sound(properties.chosen('rails'));
  if (node === undefined || choice === undefined) return {};
  const { scope } = properties;
  const rail = choice.options['rail'];
  // What hosts of a file have is known when it is read.
  if (machine !== undefined && machine.topology.argument?.kind !== 'file') {
    const { count = 1 } = machine.rails ?? {};
    if (count === 1) {
      const message = `Nodes of machine \`${machine.name}\` have one rail: \`rails\` has no effect.`;
      scope.report(node.name, 'no-effect', message, { severity: 'warning' });
    } else if (typeof rail === 'number' && rail >= count) {
      scope.report(node, 'out-of-range', `Unknown rail ${rail}. Rails are 0 to ${count - 1}.`);
      return {};
    }
  }
  if (choice.name === 'only') return { rails: { kind: 'only', rail: typeof rail === 'number' ? rail : 0 } };
  return { rails: { kind: choice.name === 'own' ? 'own' : 'stripe' } };
}

/** A placement as far as `same-as` looks at it. */
export interface SameAsPlacement {
  readonly scope: Scope;
  readonly checked: CheckedPlacement;
}

type Placements = ReadonlyMap<string, SameAsPlacement>;

/** Names of a cycle that a message shows. */
const shownNames = 8;

/**
 * Checks every `same-as`: the placement exists, is another one, leads to no cycle, runs on the
 * same machine and has a job at each position. O(placements).
 */
export function checkSameAs(placements: Placements, names: readonly string[]): void {
  const cycles = placementCycles(placements);
  for (const [name, { scope, checked }] of placements) {
    const target = checked.sameAs;
    if (target === undefined) continue;
    const other = placements.get(target.text);
    const cycle = cycles.get(name);
    if (other === undefined) reportUnknown(scope, target, 'placement', names);
    else if (cycle !== undefined) reportPlacementCycle(scope, checked, name, cycle);
    else checkTarget(scope, target, checked, other.checked);
  }
}

/** A placement's place on a cycle of names. */
interface OnCycle {
  readonly cycle: readonly string[];
  readonly start: number;
}

function reportPlacementCycle(
  scope: Scope,
  { sameAs: target, sameAsNode: node }: CheckedPlacement,
  name: string,
  on: OnCycle,
): void {
  const { cycle, start } = on;
  if (target === undefined) return;
  const chain = Array.from(
    { length: Math.min(cycle.length, shownNames) },
    (_, step) => cycle[(start + step) % cycle.length] ?? '',
  );
  const rest = cycle.length > shownNames ? ['…', name] : [name];
  const message =
    cycle.length === 1
      ? 'A placement cannot use its own allocation. Name another one.'
      : `Placements use each other's allocation: ${arrowText(...chain, ...rest)}. Give one of them its own allocation.`;
  scope.report(target, 'same-as-cycle', message, { otherFixes: [node && replace(node, 'all')] });
}

function checkTarget(scope: Scope, target: Word, placement: CheckedPlacement, other: CheckedPlacement): void {
  const { machine } = other;
  if (machine !== undefined && placement.machine !== undefined && machine.node !== placement.machine.node) {
    const message = `\`${target.text}\` runs on \`${machine.name}\`, not on \`${placement.machine.name}\`. Both placements need the same machine.`;
    scope.report(target, 'does-not-apply', message);
    return;
  }
  if (other.jobs.length > 1 && other.jobs.length < placement.jobs.length) {
    const message = `\`${target.text}\` allocates for ${countOf(other.jobs.length, 'job')}, and there are ${placement.jobs.length} here.`;
    scope.report(target, 'does-not-apply', message);
  }
}

/** The placements on cycles. */
function placementCycles(placements: Placements): ReadonlyMap<string, OnCycle> {
  const cycles = new Map<string, OnCycle>();
  const seen = new Set<string>();
  for (const first of placements.keys()) {
    const path: string[] = [];
    let next: string | undefined = first;
    while (next !== undefined && !seen.has(next)) {
      seen.add(next);
      path.push(next);
      next = placements.get(next)?.checked.sameAs?.text;
    }
    // The walk ended at a name of its own path: from there on it is a cycle.
    const closes = next === undefined ? -1 : path.indexOf(next);
    if (closes < 0) continue;
    const cycle = path.slice(closes);
    for (const [start, name] of cycle.entries()) cycles.set(name, { cycle, start });
  }
  return cycles;
}
