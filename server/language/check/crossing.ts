/** What an experiment runs, and what it crosses: machines, routings, schedulers, allocators, mappers, patterns; and how its rows are called. */
import { allocators } from '../../allocation/catalogue.ts';
import { mappers } from '../../mapping/catalogue.ts';
import { type Choice, findEntry, needsOnlyItsName } from '../../model/catalogue.ts';
import {
  crossedJobs,
  namesOfChoices,
  type ExperimentDescription,
  type ExperimentSubject,
} from '../../model/experiment.ts';
import { schedulers } from '../../scheduling/catalogue.ts';
import { entryText } from '../lookahead.ts';
import type { Declared } from '../symbols.ts';
import { tokenize } from '../tokens.ts';
import type { ChoiceNode, Span } from '../tree.ts';
import { defaultChoice } from './choices.ts';
import { checkRoutingOf, type CheckedMachine } from './machine.ts';
import type { Properties, Written } from './properties.ts';
import { allOf } from './scope.ts';
import type { EntryNames } from './quoted.ts';

/** An experiment that is being checked. */
export interface ExperimentCheck {
  readonly properties: Properties;
  /** What each entry of a list chose, as JSON. */
  readonly choices: Map<ChoiceNode, string>;
}

/** The choices of a list, each once, from the catalogue of its row. */
export function choicesOf({ properties, choices }: ExperimentCheck, word: string): Written<readonly Choice[]> {
  if (properties.get(word) === undefined) return undefined;
  const byKey = new Map<string, Choice>();
  let isSound = true;
  for (const [node, choice] of properties.allChosen(word)) {
    if (choice === undefined) {
      isSound = false;
      continue;
    }
    const key = JSON.stringify(choice);
    choices.set(node, key);
    if (byKey.has(key)) {
      const message = `\`${choice.name}\` is listed twice but runs once. Remove one of them.`;
      properties.scope.report(node, 'no-effect', message, { severity: 'warning' });
    } else byKey.set(key, choice);
  }
  return isSound && byKey.size > 0 ? [...byKey.values()] : 'wrong';
}

/** The one stream. */
function streamNamed(check: ExperimentCheck): Declared | undefined {
  const { scope } = check.properties;
  const [, second] = check.properties.names('stream');
  if (second !== undefined) scope.report(second, 'wrong-value', '`stream` takes one stream. Remove the others.');
  return allNamed(check, 'stream')[0];
}

/** The declarations that a property names; none where one of them is wrong. */
export function allNamed(
  { properties }: ExperimentCheck,
  word: 'machine' | 'stream' | 'job' | 'jobs',
): readonly Declared[] {
  const kind = word === 'jobs' ? 'job' : word;
  const declared = properties.declared(word, kind);
  const names = properties.names(word);
  const repeated = names.filter(({ text }, position) => names.findIndex((other) => other.text === text) < position);
  for (const name of repeated) {
    const message = `\`${name.text}\` is listed twice. Declare a copy of this ${kind} with another name.`;
    properties.scope.report(name, 'wrong-value', message);
  }
  return (repeated.length === 0 && allOf(declared)) || [];
}

/** All machines, where there are several: they are crossed with everything else, but of a stream. */
export function machinesCrossed(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
  machines: readonly Declared[],
): Written<readonly string[]> {
  if (machines.length < 2) return undefined;
  const { properties } = check;
  const [, second] = properties.names('machine');
  if (kind !== 'stream' || second === undefined) return machines.map(({ name }) => name);
  const message = 'A stream runs on one machine. Write one experiment for each machine.';
  properties.scope.report(second, 'does-not-apply', message);
  return 'wrong';
}

/** What takes the place of the routings of the machines, each of which must be one of all of them. */
export function routingsOf(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
  machines: readonly (CheckedMachine | undefined)[],
): Written<readonly Choice[]> {
  const { properties } = check;
  if (properties.get('routing') !== undefined && kind === 'stream') return 'wrong';
  const chosen = choicesOf(check, 'routing');
  if (chosen === undefined || chosen === 'wrong') return chosen;
  const fits = properties.choices('routing').map((node) => {
    const choice = chosen.find((one) => JSON.stringify(one) === check.choices.get(node));
    return machines.every(
      (machine) =>
        !choice || !machine?.description || checkRoutingOf(properties.scope, { node, choice }, machine.description),
    );
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
export function checkSubject(check: ExperimentCheck): NamedSubject | undefined {
  const { properties } = check;
  const [first, second] = ['stream', 'job', 'jobs', 'traffic'].flatMap((word) => properties.get(word) ?? []);
  const [stream, alone, together] = [streamNamed(check), allNamed(check, 'job'), allNamed(check, 'jobs')];
  const traffic = choicesOf(check, 'traffic');
  if (second !== undefined) {
    const message =
      second.word.text === 'jobs' && first?.word.text === 'job'
        ? 'An experiment has `job` or `jobs`, not both. Join them in `jobs`.'
        : 'Write only one of `stream`, `job`, `jobs` and `traffic`. Remove the others.';
    properties.reportConflict(second, message);
    return undefined;
  }
  if (first === undefined)
    properties.reportMissing('stream', '`stream thesis`, or a `job`, or `traffic`', properties.named('stream'));
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
export function checkCrossedLists(
  check: ExperimentCheck,
  kind: ExperimentSubject['kind'] | undefined,
): Lists | undefined {
  const usual = kind === 'job' || kind === 'traffic' ? [] : [defaultChoice(schedulers, 'fcfs')];
  const schedule = choicesOf(check, 'schedule') ?? usual;
  const allocate = choicesOf(check, 'allocate') ?? [];
  const map = choicesOf(check, 'map') ?? [];
  if (kind === 'stream' && !servesStreams(check.properties)) return undefined;
  if (schedule === 'wrong' || allocate === 'wrong' || map === 'wrong') return undefined;
  return { schedule, allocate, map };
}

/**
 * A stream needs an allocator. Nodes and mappings that are written out are for one job, not for a stream of them: each is
 * reported.
 */
function servesStreams(properties: Properties): boolean {
  if (properties.get('allocate') === undefined) {
    properties.reportMissing('allocate', '`allocate random`', ['allocate random']);
    return false;
  }
  let serves = true;
  const refuse = (node: ChoiceNode, message: string): void => {
    properties.scope.report(node, 'does-not-apply', message);
    serves = false;
  };
  for (const node of properties.choices('allocate')) {
    const entry = findEntry(allocators, node.name.text);
    if (entry === undefined || 'finder' in entry) continue;
    refuse(
      node,
      `\`${entry.name}\` allocates for one job, not for streams. Use \`random\`, or \`first-fit\` on a torus or mesh.`,
    );
  }
  for (const node of properties.choices('map')) {
    const entry = findEntry(mappers, node.name.text);
    if (entry === undefined || needsOnlyItsName(entry)) continue;
    refuse(node, `\`${entry.name}\` maps a single job, not a stream. Use another mapper.`);
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
export function experimentRows(
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
function entryNames({ properties, choices }: ExperimentCheck, lists: Crossed): EntryNames {
  const nameOf = new Map<string, string>();
  const shared = new Map<string, readonly string[]>();
  const textOf = ({ start, end }: Span): string => properties.scope.text.slice(start, end);
  const asEntry = (text: string): string => entryText(tokenize(text).tokens.map(({ image }) => image));
  for (const word of wordsOfLists) {
    for (const [name, choice] of namesOfChoices(lists[word])) {
      const written = properties.choices(word).filter((node) => choices.get(node) === JSON.stringify(choice));
      for (const text of [name, ...written.map(textOf)]) nameOf.set(asEntry(text), name);
      const [first] = written;
      const text = first === undefined ? name : textOf(first);
      shared.set(choice.name, [...(shared.get(choice.name) ?? []), text]);
    }
  }
  for (const [name, [first, second]] of shared) if (first !== undefined && second === undefined) shared.delete(name);
  return { nameOf, shared };
}
