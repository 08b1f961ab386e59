import type { Stencil } from '../traffic/contract.ts';
import { checkJob, type CheckedJob } from './check/job.ts';
import { checkMachine, type CheckedMachine } from './check/machine.ts';
import { checkPlacement, type CheckedPlacement, checkSameAs, type SameAsPlacement } from './check/placement.ts';
import type { Scope } from './check/scope.ts';
import { checkStencil } from './check/stencil.ts';
import { checkTable, type CheckedTable } from './check/table.ts';
import type { Sources } from './sources.ts';
import type { SymbolTable } from './symbols.ts';
import type { DeclarationKind, DeclarationNode } from './tree.ts';

/** What was made of each declaration of all files. */
export interface CheckedDeclarations {
  readonly machines: ReadonlyMap<DeclarationNode, CheckedMachine>;
  readonly jobs: ReadonlyMap<DeclarationNode, CheckedJob>;
  readonly placements: ReadonlyMap<DeclarationNode, CheckedPlacement>;
}

/** Runs every check on every declaration, those first that others need. */
export function checkDeclarations(
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
    stencils: byName<Stencil | undefined>(symbols, 'stencil', stencils),
    tables: byName<CheckedTable | undefined>(symbols, 'table', tables),
  };
  const machines = each('machine', checkMachine);
  const jobs = each('job', (scope, node) => checkJob(scope, node, traffic));
  const placements = each('placement', (scope, node) => checkPlacement(scope, node, { machines, jobs }));
  checkSameAs(placementsByName(symbols, placements, scopeFor), symbols.names('placement'));
  return { machines, jobs, placements };
}

function byName<Checked>(
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
