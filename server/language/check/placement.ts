import type { Choice } from '../../model/catalogue.ts';
import { allocators } from '../../allocation/catalogue.ts';
import { mappers } from '../../mapping/catalogue.ts';
import { defaultOptions, findEntry } from '../../model/catalogue.ts';
import type { PlacementDescription } from '../../study/program.ts';
import { amountLimit } from '../properties.ts';
import type { Declared } from '../symbols.ts';
import type { ChoiceNode, DeclarationNode, PropertyNode, Span, Word } from '../tree.ts';
import { anyList, checkChoice, reportUnknown, type ListBounds } from './choices.ts';
import { expectationOf } from './expectations.ts';
import { checkFit, slotsOf, type PlacementChoice, type PlacementSize } from './fit.ts';
import type { CheckedJob } from './job.ts';
import type { CheckedMachine } from './machine.ts';
import { integerValue } from './numbers.ts';
import { headOf, nameOf, propertiesOf, reportConflict, reportMissing, type Properties } from './properties.ts';
import type { Scope } from './scope.ts';

/** What placements are checked against. */
export interface PlacementDeclarations {
  readonly machines: ReadonlyMap<DeclarationNode, CheckedMachine>;
  readonly jobs: ReadonlyMap<DeclarationNode, CheckedJob>;
}

/** A placement, absent parts left out; `choice`s are undefined where they are wrong. */
export interface CheckedPlacement {
  readonly description: PlacementDescription | undefined;
  readonly machine: Declared | undefined;
  readonly jobs: readonly Declared[];
  /** `same-as NAME`, with the name as written. */
  readonly sameAs: Word | undefined;
}

/** Checks one placement but for cycles of `same-as`. O(properties + length of lists). */
export function checkPlacement(
  scope: Scope,
  declaration: DeclarationNode,
  declared: PlacementDeclarations,
): CheckedPlacement {
  const properties = propertiesOf(scope, declaration);
  const machine = namedIn(scope, properties.get('machine'), 'machine')[0];
  const jobs = jobsOf(scope, declaration, properties);
  const machineSize = machine && declared.machines.get(machine.node)?.size;
  const taskCounts = jobs.map((job) => job && declared.jobs.get(job.node)?.taskCount);
  const size: PlacementSize = { machine: machineSize, machineName: machine?.name ?? '', taskCounts };
  const jobSpan = spanOfNames(properties.get('job') ?? properties.get('jobs')) ?? headOf(declaration);
  const allocate = checkAllocate(scope, properties, size);
  const map = checkMap(scope, properties, size);
  checkFit(scope, jobSpan, allocate, map, size);
  const seed = seedOf(scope, properties);
  const found = jobs.filter((job) => job !== undefined);
  const sameAs = sameAsOf(allocate.node);
  const complete = machine !== undefined && found.length > 0 && found.length === jobs.length;
  if (!complete || allocate.choice === undefined || map.choice === undefined || seed === undefined) {
    return { description: undefined, machine, jobs: found, sameAs };
  }
  const description: PlacementDescription = {
    name: nameOf(declaration),
    machine: machine.name,
    jobs: found.map((job) => job.name),
    allocate: allocate.choice,
    map: map.choice,
    seed,
  };
  return { description, machine, jobs: found, sameAs };
}

const sameAsOf = (node: ChoiceNode | undefined): Word | undefined =>
  node?.name.text === 'same-as' && node.argument?.kind === 'name' ? node.argument : undefined;

/** The jobs of `job` or `jobs`; undefined stands for one that nothing declares. */
function jobsOf(scope: Scope, declaration: DeclarationNode, properties: Properties): readonly (Declared | undefined)[] {
  const job = properties.get('job');
  const jobs = properties.get('jobs');
  if (job !== undefined && jobs !== undefined) {
    reportConflict(
      scope,
      job.start > jobs.start ? job : jobs,
      'A placement has `job` or `jobs`, not both: join them in `jobs`.',
    );
  }
  if (job === undefined && jobs === undefined && declaration.body !== undefined) {
    reportMissing(scope, declaration, 'job', '`job heat`');
  }
  return namedIn(scope, job ?? jobs, 'job');
}

/** The declarations that a property names; reports unknown names and more than one where one is meant. */
function namedIn(
  scope: Scope,
  property: PropertyNode | undefined,
  kind: 'machine' | 'job',
): readonly (Declared | undefined)[] {
  if (property?.content.kind !== 'names') return [];
  const { names } = property.content;
  const second = names[1];
  if (property.word.text !== 'jobs' && second !== undefined) {
    const fix = kind === 'job' ? { fix: { title: 'Change to `jobs`', ...spanOf(property.word), text: 'jobs' } } : {};
    const more = kind === 'job' ? 'write `jobs` for several' : 'remove the others';
    scope.report(second, 'wrong-value', `\`${property.word.text}\` takes one ${kind}: ${more}.`, fix);
  }
  return names.map((name) => {
    const found = scope.symbols.lookup(kind, name.text);
    if (found === undefined) reportUnknown(scope, name, kind, scope.symbols.names(kind));
    return found;
  });
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });

function spanOfNames(property: PropertyNode | undefined): Span | undefined {
  if (property?.content.kind !== 'names') return undefined;
  const { names } = property.content;
  const last = names.at(-1);
  return names[0] === undefined || last === undefined ? undefined : { start: names[0].start, end: last.end };
}

function checkAllocate(scope: Scope, properties: Properties, size: PlacementSize): PlacementChoice {
  const node = properties.choice('allocate');
  if (properties.get('allocate') === undefined) return { node, choice: defaultChoice(allocators, 'all') };
  if (node === undefined) return { node, choice: undefined };
  const bounds = boundsBelow(size.machine?.nodes, `Machine \`${size.machineName}\` has nodes`);
  const { choice, listLength } = checkChoice(scope, node, 'allocator', allocators, bounds);
  return { node, choice, listLength };
}

function checkMap(scope: Scope, properties: Properties, size: PlacementSize): PlacementChoice {
  const node = properties.choice('map');
  if (properties.get('map') === undefined) return { node, choice: defaultChoice(mappers, 'auto') };
  if (node === undefined) return { node, choice: undefined };
  const bounds = boundsBelow(slotsOf(size.machine), `Machine \`${size.machineName}\` has slots`);
  const { choice, listLength } = checkChoice(scope, node, 'mapper', mappers, bounds);
  return { node, choice, listLength };
}

/** 0 … count − 1, but never beyond what a machine may have. */
const boundsBelow = (count: number | undefined, what: string): ListBounds =>
  count === undefined || count > anyList.maximum ? anyList : { minimum: 0, maximum: count - 1, what };

function defaultChoice(entries: Parameters<typeof findEntry>[0], name: string): Choice {
  const entry = findEntry(entries, name);
  return { name, options: entry === undefined ? {} : defaultOptions(entry) };
}

function seedOf(scope: Scope, properties: Properties): number | undefined {
  if (properties.get('seed') === undefined) return 1;
  const value = properties.value('seed');
  const bounds = { minimum: -amountLimit, maximum: amountLimit };
  return value && integerValue(scope, value, expectationOf('placement', 'seed'), bounds);
}
