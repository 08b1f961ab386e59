import type { TableEntries, TableUnit } from '../../model/traffic.ts';
import { taskLimit } from '../../model/job.ts';
import { amountLimit } from '../propertyForms.ts';
import type { DeclarationNode, TableEntryNode } from '../tree.ts';
import { integerWithin, numberWithin } from './numbers.ts';
import { declarationHead, presentParts, Properties } from './properties.ts';
import { isFormat } from './choices.ts';
import { fileUri, type Scope } from './scope.ts';

/** A declared table: entries of its own, or a file that holds them. */
export interface CheckedTable {
  readonly unit: TableUnit;
  readonly source:
    | { readonly kind: 'entries'; readonly entries: TableEntries }
    /** `format` absent: the content tells. */
    | { readonly kind: 'file'; readonly uri: string; readonly format?: string };
}

/** Checks a table; undefined where it has neither good entries nor a file. O(entries). */
export function checkTable(scope: Scope, declaration: DeclarationNode): CheckedTable | undefined {
  const word = new Properties(scope, declaration).word<TableUnit>('unit') ?? 'bytes';
  const unit = word === 'wrong' ? 'bytes' : word;
  const { entries, from, as } = declaration;
  const [first] = entries;
  if (from !== undefined) {
    if (first !== undefined) {
      const message = 'A table has a file or entries, not both. Remove one of them.';
      scope.report(first, 'conflicting-properties', message);
    }
    const uri = fileUri(scope, from);
    if (as !== undefined && !isFormat(scope, as, 'table')) return undefined;
    const format = as?.text;
    return uri === undefined ? undefined : { unit, source: { kind: 'file', uri, ...presentParts({ format }) } };
  }
  if (first === undefined) {
    if (declaration.body !== undefined) reportEmpty(scope, declaration);
    return undefined;
  }
  return { unit, source: { kind: 'entries', entries: tableEntries(scope, entries) } };
}

function reportEmpty(scope: Scope, declaration: DeclarationNode): void {
  const message = 'The table has no entries. Write some, such as `0 -> 1 : 40`, or read it `from "FILE"`.';
  scope.report(declarationHead(declaration), 'missing-property', message);
}

/** The good entries; bad ones are reported and left out. */
function tableEntries(scope: Scope, nodes: readonly TableEntryNode[]): TableEntries {
  const from: number[] = [];
  const to: number[] = [];
  const amount: number[] = [];
  let size = 0;
  const tasks = { minimum: 0, maximum: taskLimit - 1 };
  const amounts = { minimum: 0, maximum: amountLimit };
  for (const node of nodes) {
    const sender = integerWithin(scope, node.from, 'The number of a task', tasks);
    const receiver = integerWithin(scope, node.to, 'The number of a task', tasks);
    const weight = numberWithin(scope, node.amount, 'An amount', amounts);
    if (sender === undefined || receiver === undefined || weight === undefined) continue;
    from.push(sender);
    to.push(receiver);
    amount.push(weight);
    size = Math.max(size, sender + 1, receiver + 1);
  }
  return { size, from: Int32Array.from(from), to: Int32Array.from(to), amount: Float64Array.from(amount) };
}
