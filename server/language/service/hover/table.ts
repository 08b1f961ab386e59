import type { DeclarationNode } from '../../tree.ts';
import { formatNumber } from '../../../model/quantities.ts';
import { code, facts, plain } from './markdown.ts';

/** Entries of a table and their sum, as its text says; of a table in a file, which file. */
export function tableMarkdown(declaration: DeclarationNode): string {
  const { entries, from } = declaration;
  const unit = unitOf(declaration);
  if (from !== undefined) return `From ${code(from.text)}, in ${plain(unit)}`;
  const sum = entries.reduce((total, entry) => total + entry.amount.value, 0);
  const tasks = entries.reduce((most, entry) => Math.max(most, entry.from.value + 1, entry.to.value + 1), 0);
  return (
    facts('Table', [
      ['Entries', formatNumber(entries.length, 0)],
      ['Sum', `${formatNumber(sum)} ${plain(unit)}`],
      ['Tasks', `at least ${formatNumber(tasks, 0)}`],
    ]) ?? ''
  );
}

function unitOf({ properties }: DeclarationNode): string {
  const content = properties.find(({ word }) => word.text === 'unit')?.content;
  if (content?.kind === 'choice') return content.choice.name.text;
  return content?.kind === 'value' && content.value?.kind === 'name' ? content.value.text : 'bytes';
}
