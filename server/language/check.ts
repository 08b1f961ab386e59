import type { Choice } from '../model/catalogue.ts';
import type { ExperimentDescription, ExperimentProgram } from '../model/experiment.ts';
import { shortened } from '../model/result.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { SimulationDescription } from '../model/simulation.ts';
import type { StreamDescription } from '../model/stream.ts';
import type { MachineDescription } from '../network/contract.ts';
import type { Program, JobDescription, PlacementDescription } from '../study/program.ts';
import type { Stencil } from '../traffic/contract.ts';
import { checkJob, type CheckedJob } from './check/job.ts';
import { checkExperiment } from './check/experiment.ts';
import { checkMachine, type CheckedMachine } from './check/machine.ts';
import { checkNetwork } from './check/network.ts';
import { checkPlacement, type CheckedPlacement, checkSameAs, type SameAsPlacement } from './check/placement.ts';
import { scopeOf, type Scope } from './check/scope.ts';
import { checkStencil } from './check/stencil.ts';
import { checkStream } from './check/stream.ts';
import { checkTable, type CheckedTable } from './check/table.ts';
import { problemAt, withBlanks, replace } from './codes.ts';
import { filesNeeded, filesOfExperiments, type FileNeed } from './fileNeeds.ts';
import { gatherSources, type ReadText, type Sources } from './sources.ts';
import { symbolsOf, type Declared, type SymbolTable, freeName } from './symbols.ts';
import type { Problem, DeclarationKind, DeclarationNode } from './tree.ts';
import { fileNameOf } from './uris.ts';

/**
 * The checker: what the declarations of a file and of all it imports mean, what is wrong with them, and the program of
 * what is sound. It is entered here.
 *
 * The folder `check` looks at one declaration at a time: a file for each kind (`machine`, `job`, `stencil`, `table`,
 * `placement` with `fit`), and for each kind of value (`choices` with their `options` and `lists`, `numbers`,
 * `quantities`, `properties`). Every check is given a {@link Scope}, reports what it finds there, and gives a
 * description for the study, or undefined where something that the description needs is missing or wrong. No check
 * throws, reads a file or looks at another declaration but through the descriptions that were made before it.
 */

/** What the checker gives: a program of what is sound, and everything that is wrong. */
export interface CheckedProgram {
  readonly program: Program;
  /** Of each file, by URI, in order of the text: of syntax, of imports and of meaning. */
  readonly problems: ReadonlyMap<string, readonly Problem[]>;
  readonly symbols: SymbolTable;
  /** Sound tables by name, those included that no job has. */
  readonly tables: ReadonlyMap<string, CheckedTable>;
  /** What is run over time, in a program of its own: the study knows nothing of it. */
  readonly experiments: ExperimentProgram;
  /** Files that the program needs besides its sources. */
  readonly fileUris: readonly FileNeed[];
}

/** Texts, and what they mean. */
export interface CheckedSources {
  readonly sources: Sources;
  readonly checked: CheckedProgram;
}

/** Reads a file with all it imports, and checks it. Files whose text is that of `previous` are not parsed again. */
export async function readAndCheck(uri: string, read: ReadText, previous?: Sources): Promise<CheckedSources> {
  const sources = await gatherSources(uri, read, previous);
  return { sources, checked: checkSources(sources) };
}

/** More problems of one file than this are counted, not shown. */
const problemLimit = 200;

/**
 * Checks a file with all it imports, and makes a program of what has no error. What is shown
 * while typing is this. Pure; never throws. O(length of the texts), but sorting.
 */
export function checkSources(sources: Sources): CheckedProgram {
  const symbols = symbolsOf(sources);
  const problems = new Map<string, Problem[]>();
  const scopes = new Map<string, Scope>();
  for (const file of sources.files.values()) {
    const list = [...file.problems];
    problems.set(file.uri, list);
    scopes.set(file.uri, scopeOf(file.uri, symbols, list, file.text));
  }
  const scopeFor = (uri: string): Scope => scopes.get(uri) ?? scopeOf(uri, symbols, []);
  checkRepeatedNames(symbols, sources, scopeFor);
  const declarations = checkDeclarations(sources, symbols, scopeFor);
  const isSound = soundness(problems);
  const { program, fileUris } = buildProgram(sources.root, symbols, declarations, isSound);
  const experiments = experimentsOf(sources.root, symbols, declarations, isSound, program);
  const warnings = errorsInImports(sources, problems);
  const shown = new Map<string, readonly Problem[]>();
  for (const [uri, list] of problems) {
    const text = sources.files.get(uri)?.text ?? '';
    const all = sortProblems([...list, ...(warnings.get(uri) ?? [])]);
    shown.set(
      uri,
      all.map((problem) => withBlanks(problem, text)),
    );
  }
  return {
    program,
    problems: shown,
    symbols,
    tables: new Map(
      symbols
        .all('table')
        .filter(isSound)
        .flatMap(({ name, node }) => {
          const table = declarations.tables.get(node);
          return table === undefined ? [] : [[name, table] as const];
        }),
    ),
    experiments,
    fileUris: [...fileUris, ...filesOfExperiments(experiments)],
  };
}

/** What was made of each declaration of all files. */
interface CheckedDeclarations {
  readonly tables: ReadonlyMap<DeclarationNode, CheckedTable | undefined>;
  readonly machines: ReadonlyMap<DeclarationNode, CheckedMachine>;
  readonly jobs: ReadonlyMap<DeclarationNode, CheckedJob>;
  readonly placements: ReadonlyMap<DeclarationNode, CheckedPlacement>;
  readonly streams: ReadonlyMap<DeclarationNode, StreamDescription | undefined>;
  readonly experiments: ReadonlyMap<DeclarationNode, ExperimentDescription | undefined>;
}

/** Runs every check on every declaration, those first that others need. */
function checkDeclarations(
  sources: Sources,
  symbols: SymbolTable,
  scopeFor: (uri: string) => Scope,
): CheckedDeclarations {
  const each = <Checked>(kind: DeclarationKind, check: (scope: Scope, node: DeclarationNode) => Checked) => {
    const results = new Map<DeclarationNode, Checked>();
    for (const { uri, tree } of sources.files.values()) {
      for (const node of tree.declarations) {
        if (node.kind === kind) results.set(node, check(scopeFor(uri), node));
      }
    }
    return results;
  };
  const stencils = each('stencil', checkStencil);
  const tables = each('table', checkTable);
  const traffic = {
    stencils: resultsByName<Stencil | undefined>(symbols, 'stencil', stencils),
    tables: resultsByName<CheckedTable | undefined>(symbols, 'table', tables),
  };
  const machines = each('machine', checkMachine);
  const jobs = each('job', (scope, node) => checkJob(scope, node, traffic));
  const streams = each('stream', checkStream);
  const networks = each('network', checkNetwork);
  const experiments = each('experiment', (scope, node) =>
    checkExperiment(scope, node, { machines, streams, networks, jobs }),
  );
  const placements = each('placement', (scope, node) => checkPlacement(scope, node, { machines, jobs, networks }));
  checkSameAs(placementsByName(symbols, placements, scopeFor), symbols.names('placement'));
  return { tables, machines, jobs, placements, streams, experiments };
}

/** What was made of the declarations of a kind that hold, by their names. */
function resultsByName<Checked>(
  symbols: SymbolTable,
  kind: DeclarationKind,
  results: ReadonlyMap<DeclarationNode, Checked>,
): ReadonlyMap<string, Checked | undefined> {
  return new Map(symbols.all(kind).map(({ name, node }) => [name, results.get(node)]));
}

function placementsByName(
  symbols: SymbolTable,
  placements: ReadonlyMap<DeclarationNode, CheckedPlacement>,
  scopeFor: (uri: string) => Scope,
): ReadonlyMap<string, SameAsPlacement> {
  const named = new Map<string, SameAsPlacement>();
  for (const { name, node, uri } of symbols.all('placement')) {
    const checked = placements.get(node);
    if (checked !== undefined) named.set(name, { scope: scopeFor(uri), checked });
  }
  return named;
}

/** Reports names that are declared twice, in one file or across imports, with the line of the first. */
function checkRepeatedNames(symbols: SymbolTable, sources: Sources, scopeFor: (uri: string) => Scope): void {
  const lineOf = lineCounter(sources);
  for (const { declared, first } of symbols.repeated) {
    const { node, uri, name } = declared;
    const file = first.uri === uri ? '' : ` of ${fileNameOf(first.uri)}`;
    const message = `There is a ${node.kind} \`${name}\` already, on line ${lineOf(first)}${file}: give this one another name.`;
    const free = freeName(symbols, node.kind, name);
    const otherFixes =
      node.name === undefined ? [] : [{ ...replace(node.name, free), title: `Rename this one to \`${free}\`` }];
    scopeFor(uri).report(node.name ?? node.keyword, 'duplicate-declaration', message, { otherFixes });
  }
}

/** Lines counted from 1; each file is cut into lines once, and only where a line is asked for. */
function lineCounter(sources: Sources): (declared: Declared) => number {
  const startsByUri = new Map<string, readonly number[]>();
  return ({ uri, node }) => {
    const starts = startsByUri.get(uri) ?? lineStarts(sources.files.get(uri)?.text ?? '');
    startsByUri.set(uri, starts);
    return prefixLength(starts, (start) => start <= node.start);
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}

/** A declaration is sound where no error lies within it. O(log errors) per question. */
function soundness(problems: ReadonlyMap<string, readonly Problem[]>): (declared: Declared) => boolean {
  const errors = new Map<string, readonly Problem[]>();
  for (const [uri, list] of problems) {
    errors.set(
      uri,
      list.filter(({ severity }) => severity === 'error').sort((a, b) => a.start - b.start),
    );
  }
  return ({ uri, node }) => {
    const list = errors.get(uri) ?? [];
    const next = list[prefixLength(list, ({ start }) => start < node.start)];
    return next === undefined || next.start >= node.end;
  };
}

/** How many items at the front of a list a condition holds for, where it holds for none behind them. O(log items). */
function prefixLength<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The program of what is sound: a declaration with an error is left out, and so is what needs
 * it. Placements are those of the root file, in order, and the imported ones whose allocation
 * they share. O(declarations).
 */
function buildProgram(
  root: string,
  symbols: SymbolTable,
  checked: CheckedDeclarations,
  isSound: (declared: Declared) => boolean,
): { readonly program: Program; readonly fileUris: readonly FileNeed[] } {
  const machines = new Map<string, MachineDescription>();
  for (const declared of symbols.all('machine').filter(isSound)) {
    const description = checked.machines.get(declared.node)?.description;
    if (description !== undefined) machines.set(declared.name, description);
  }
  const jobs = new Map<string, JobDescription>();
  for (const declared of symbols.all('job').filter(isSound)) {
    const description = checked.jobs.get(declared.node)?.description;
    if (description !== undefined && sourceIsSound(description, symbols, isSound)) jobs.set(declared.name, description);
  }
  const placements = soundPlacements(symbols, checked, isSound, machines, jobs);
  const wanted = wantedPlacements(root, symbols, placements);
  return {
    program: { machines, jobs, placements: wanted },
    fileUris: filesNeeded(machines.values(), jobs.values(), wanted),
  };
}

/**
 * Sound streams, the sound experiments of the root file whose stream, job, machine and network are sound, and how placements of
 * the program are simulated.
 */
function experimentsOf(
  root: string,
  symbols: SymbolTable,
  checked: CheckedDeclarations,
  isSound: (declared: Declared) => boolean,
  { machines, jobs, placements }: Program,
): ExperimentProgram {
  const streams = new Map<string, StreamDescription>();
  for (const declared of symbols.all('stream').filter(isSound)) {
    const description = checked.streams.get(declared.node);
    if (description !== undefined) streams.set(declared.name, description);
  }
  const hasSubject = ({ subject }: ExperimentDescription): boolean =>
    subject.kind === 'traffic' ||
    (subject.kind === 'stream' ? streams.has(subject.name) : subject.names.every((name) => jobs.has(name)));
  const hasNetwork = ({ network }: { readonly network?: NetworkModel }): boolean => {
    const declared = network?.name === undefined ? undefined : symbols.lookup('network', network.name);
    return declared === undefined || isSound(declared);
  };
  const simulations = new Map<string, SimulationDescription>();
  for (const { name } of placements) {
    const declared = symbols.lookup('placement', name);
    const simulation = declared && checked.placements.get(declared.node)?.simulation;
    if (simulation !== undefined && hasNetwork(simulation)) simulations.set(name, simulation);
  }
  const experiments = symbols
    .all('experiment')
    .filter((declared) => declared.uri === root && isSound(declared))
    .flatMap(({ node }) => checked.experiments.get(node) ?? [])
    .filter((one) => machines.has(one.machine) && hasSubject(one) && hasNetwork(one));
  return { streams, experiments, simulations };
}

/** Its declared stencil or table has no error. */
function sourceIsSound(
  { source }: JobDescription,
  symbols: SymbolTable,
  isSound: (declared: Declared) => boolean,
): boolean {
  if (source.kind !== 'stencil' && source.kind !== 'table' && source.kind !== 'table-file') return true;
  const declared =
    source.kind === 'stencil' ? symbols.lookup('stencil', source.stencil.name) : symbols.lookup('table', source.name);
  return declared === undefined || isSound(declared);
}

/** Placements that need nothing unsound, by name. */
function soundPlacements(
  symbols: SymbolTable,
  checked: CheckedDeclarations,
  isSound: (declared: Declared) => boolean,
  machines: ReadonlyMap<string, unknown>,
  jobs: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, PlacementDescription> {
  const placements = new Map<string, PlacementDescription>();
  for (const declared of symbols.all('placement').filter(isSound)) {
    const description = checked.placements.get(declared.node)?.description;
    if (description === undefined || !machines.has(description.machine)) continue;
    if (description.jobs.every((job) => jobs.has(job))) placements.set(declared.name, description);
  }
  return withoutBrokenChains(placements);
}

const sameAsName = ({ name, argument }: Choice): string | undefined =>
  name === 'same-as' && argument?.kind === 'name' ? argument.name : undefined;

/** A chain of `same-as` needs every link: what leads to a missing one, or round, is dropped. O(placements). */
function withoutBrokenChains(
  placements: ReadonlyMap<string, PlacementDescription>,
): ReadonlyMap<string, PlacementDescription> {
  const holds = new Map<string, boolean>();
  for (const start of placements.keys()) {
    const path = new Set<string>();
    let next: string | undefined = start;
    while (next !== undefined && !holds.has(next) && !path.has(next)) {
      path.add(next);
      const placement = placements.get(next);
      if (placement === undefined) holds.set(next, false);
      next = placement && sameAsName(placement.allocate);
    }
    const last = [...path].at(-1);
    const good = next === undefined ? placements.has(last ?? '') : (holds.get(next) ?? false);
    for (const name of path) holds.set(name, good);
  }
  return new Map([...placements].filter(([name]) => holds.get(name) === true));
}

/** Those of the root file, then the imported ones whose allocation they share. */
function wantedPlacements(
  root: string,
  symbols: SymbolTable,
  placements: ReadonlyMap<string, PlacementDescription>,
): readonly PlacementDescription[] {
  const wanted = new Map<string, PlacementDescription>();
  const add = (name: string): void => {
    const placement = placements.get(name);
    if (placement === undefined || wanted.has(name)) return;
    wanted.set(name, placement);
  };
  for (const { uri, name } of symbols.all('placement')) {
    if (uri === root) add(name);
  }
  // Imported placements that are only shared come after those of the file itself.
  for (const placement of wanted.values()) {
    const shared = sameAsName(placement.allocate);
    if (shared !== undefined) add(shared);
  }
  return [...wanted.values()];
}

/** In the order of the text, and those above the limit in one problem that counts them. */
function sortProblems(problems: Problem[]): readonly Problem[] {
  problems.sort((a, b) => a.start - b.start || a.end - b.end);
  const last = problems[problemLimit];
  if (last === undefined) return problems;
  const message = `${problems.length - problemLimit} further diagnostics of this file are hidden. Fix these first.`;
  return [...problems.slice(0, problemLimit), problemAt(last, 'too-many-problems', message)];
}

interface FaultyFile {
  readonly uri: string;
  readonly errors: readonly Problem[];
}

/**
 * A warning at each import of a file that has errors of its own, or imports one that has:
 * else a placement would be left out and nothing in the open file would say why.
 * O(files × imports + problems).
 */
function errorsInImports(
  sources: Sources,
  problems: ReadonlyMap<string, readonly Problem[]>,
): ReadonlyMap<string, readonly Problem[]> {
  const faulty = new Map<string, FaultyFile>();
  for (const [uri, list] of problems) {
    const errors = list.filter(({ severity, code }) => severity === 'error' && code !== 'import-cycle');
    if (errors.length > 0) faulty.set(uri, { uri, errors });
  }
  const warnings = new Map<string, Problem[]>();
  for (const file of faulty.size === 0 ? [] : sources.files.values()) {
    const list: Problem[] = [];
    for (const { node, uri } of file.imports) {
      const found = firstFaulty(uri, file.uri, sources, faulty);
      if (found === undefined || node.path === undefined) continue;
      list.push(
        problemAt(node.path, 'errors-in-import', importMessage(shortened(node.path.text), uri, found), {
          severity: 'warning',
        }),
      );
    }
    warnings.set(file.uri, list);
  }
  return warnings;
}

function importMessage(path: string, imported: string, { uri, errors }: FaultyFile): string {
  const where = uri === imported ? `\`${path}\`` : `\`${fileNameOf(uri)}\`, which \`${path}\` imports,`;
  return `${where} has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}: ${errors[0]?.message ?? ''}`;
}

/** The nearest file with errors, from an imported one on; not the importing file itself. */
function firstFaulty(
  start: string,
  importing: string,
  sources: Sources,
  faulty: ReadonlyMap<string, FaultyFile>,
): FaultyFile | undefined {
  const seen = new Set([importing, start]);
  const waiting = start === importing ? [] : [start];
  for (const uri of waiting) {
    const found = faulty.get(uri);
    if (found !== undefined) return found;
    for (const next of sources.files.get(uri)?.imports ?? []) {
      if (!seen.has(next.uri)) waiting.push(next.uri);
      seen.add(next.uri);
    }
  }
  return undefined;
}
