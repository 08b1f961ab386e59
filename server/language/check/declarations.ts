import type { Stencil } from '../../traffic/contract.ts';
import { checkJob, type CheckedJob } from './job.ts';
import { checkMachine, type CheckedMachine } from './machine.ts';
import { checkPlacement, type CheckedPlacement, checkSameAs, type SameAsPlacement } from './placement.ts';
import type { Scope } from './scope.ts';
import { checkStencil } from './stencil.ts';
import { checkTable, type CheckedTable } from './table.ts';
import type { Sources } from '../sources.ts';
import type { SymbolTable } from '../symbols.ts';
import type { DeclarationKind, DeclarationNode } from '../tree.ts';

/**
 * The folder `check`: what a declaration means, and what is wrong with it. It is entered here. Every check is given a
 * {@link Scope}, reports what it finds there, and gives a description for the study, or undefined where something that
 * the description needs is missing or wrong. No check throws, reads a file or looks at another declaration but through
 * the descriptions that were made before it.
 *
 * One file for each kind of declaration (`machine`, `job`, `stencil`, `table`, `placement` with `fit`), and for each kind
 * of value: `choices` with their `options` and `lists`, `numbers`, `quantities`, `properties`. `names` compares
 * declarations across files.
 */

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
