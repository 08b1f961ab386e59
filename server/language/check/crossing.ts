/** What an experiment runs, and what it crosses: machines, routings, schedulers, allocators, mappers, patterns; and how its rows are called. */
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
  namesOfChoices,
  type ExperimentDescription,
  type ExperimentSubject,
} from '../../model/experiment.ts';
import { routings } from '../../network/catalogue.ts';
import { schedulers } from '../../scheduling/catalogue.ts';
import { openTraffic } from '../experimentWords.ts';
import { entryText } from '../lookahead.ts';
import type { Declared } from '../symbols.ts';
import { tokenize } from '../tokens.ts';
import type { ChoiceNode, DeclarationNode, NamedNode } from '../tree.ts';
import { checkChoice, reportUnknown } from './choices.ts';
import { checkRoutingOf, type CheckedMachine } from './machine.ts';
import { allOf, reportConflict, reportMissing, removal, type Properties, type Written } from './properties.ts';
import type { EntryNames } from './quoted.ts';
import type { Scope } from './scope.ts';

/** An experiment that is being checked. */
export interface ExperimentCheck {
  readonly scope: Scope;
  readonly declaration: DeclarationNode;
  readonly properties: Properties;
  /** What each entry of a list chose, as JSON. */
  readonly choices: Map<ChoiceNode, string>;
}

type Entries = readonly CatalogueEntry[];

/** The entries of a list as they are written. */
export const choiceNodes = ({ properties }: ExperimentCheck, word: string): readonly ChoiceNode[] => {
  const content = properties.get(word)?.content;
  return content?.kind === 'choices' ? content.choices : [];
};

/** The choices of a list, each once. */
export function choicesOf(
  check: ExperimentCheck,
  word: string,
  entries: Entries,
  noun: string,
): Written<readonly Choice[]> {
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
export function allNamed(check: ExperimentCheck, word: 'machine' | 'stream' | 'job' | 'jobs'): readonly Declared[] {
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
export function machinesCrossed(
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
export function routingsOf(
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

/** What runs, with its declarations. */
export interface NamedSubject {
  readonly description: ExperimentSubject;
  readonly stream?: Declared;
  readonly jobs?: readonly Declared[];
}

/** What is run: a stream, jobs or traffic, one of them. */
export function subjectOf(check: ExperimentCheck): NamedSubject | undefined {
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
    reportMissing(
      scope,
      declaration,
      'stream',
      '`stream thesis`, or a `job`, or `traffic`',
      names.map((name) => `stream ${name}`),
    );
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

type Lists = Pick<ExperimentDescription, 'schedule' | 'allocate' | 'map'>;

/** What is crossed; a stream needs an allocator that can serve job after job, and others have no scheduler. */
export function listsOf(check: ExperimentCheck, kind: ExperimentSubject['kind'] | undefined): Lists | undefined {
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
    reportMissing(scope, declaration, 'allocate', '`allocate random`', ['allocate random']);
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
      `\`${entry.name}\` places one job, and cannot serve a stream of them: use an allocator such as \`random\`, or \`first-fit\` on a torus or mesh.`,
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
export function rowsOf(
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
  const nameOf = new Map([
    ...declared.flatMap(({ names }) => names.map((name) => [name, name] as const)),
    ...known.nameOf,
  ]);
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
