import type { Choice } from '../model/catalogue.ts';
import type { JobDescription, PlacementDescription, Program } from '../study/program.ts';
import type { MachineDescription } from '../network/contract.ts';
import type { CheckedDeclarations } from './check/declarations.ts';
import type { Declared, SymbolTable } from './symbols.ts';

/** A file besides the sources, by what the study wants of it. */
export type FileNeed =
  | { readonly uri: string; readonly kind: 'table' | 'given' | 'coordinates' | 'node' }
  /** A network, in the format that is named after `as`. */
  | { readonly uri: string; readonly kind: 'fabric'; readonly format: string | undefined };

/**
 * The program of what is sound: a declaration with an error is left out, and so is what needs
 * it. Placements are those of the root file, in order, and the imported ones whose allocation
 * they share. O(declarations).
 */
export function buildProgram(
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
    fileUris: filesOf(machines.values(), jobs.values(), wanted),
  };
}

/** Its declared stencil or table has no error. */
function sourceIsSound(
  { source }: JobDescription,
  symbols: SymbolTable,
  isSound: (declared: Declared) => boolean,
): boolean {
  if (source.kind === 'pattern' || source.kind === 'trace') return true;
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

const sameAsOf = ({ name, argument }: Choice): string | undefined =>
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
      next = placement && sameAsOf(placement.allocate);
    }
    const last = [...path].at(-1);
    const good = next === undefined ? placements.has(last ?? '') : (holds.get(next) ?? false);
    for (const name of path) holds.set(name, good);
  }
  return new Map([...placements].filter(([name]) => holds.get(name) === true));
}

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
    const shared = sameAsOf(placement.allocate);
    if (shared !== undefined) add(shared);
  }
  return [...wanted.values()];
}

function filesOf(
  machines: Iterable<MachineDescription>,
  jobs: Iterable<JobDescription>,
  placements: readonly PlacementDescription[],
): readonly FileNeed[] {
  const needs = new Map<string, FileNeed>();
  const add = (need: FileNeed): void => {
    needs.set(JSON.stringify(need), need);
  };
  for (const { topology, nodeFile } of machines) {
    const { argument, format } = topology;
    if (argument?.kind === 'file') add({ uri: argument.uri, kind: 'fabric', format });
    if (nodeFile !== undefined) add({ uri: nodeFile, kind: 'node' });
  }
  for (const { source, coordinates } of jobs) {
    if (source.kind === 'table-file') add({ uri: source.uri, kind: 'table' });
    if (coordinates !== undefined) add({ uri: coordinates, kind: 'coordinates' });
  }
  for (const { allocate, map, own = [] } of placements) {
    const others = own.flatMap((choices) => [choices.allocate ?? [], choices.map ?? []].flat());
    for (const { argument } of [allocate, map, ...others]) {
      if (argument?.kind === 'file') add({ uri: argument.uri, kind: 'given' });
    }
  }
  return [...needs.values()];
}
