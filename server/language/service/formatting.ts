import { TextEdit, type FormattingOptions, type Position, type Range } from 'vscode-languageserver-types';
import { formatEdits, formatText, usualIndentation, type FormatEdit } from '../format.ts';
import { rangeOf, type ServiceInput } from './input.ts';

/** Characters after which an editor should have the text laid out: the end of a declaration, the end of a line. */
export const formattingTriggers: readonly [string, ...string[]] = ['}', '\n'];

/** What an editor says of the indentation that its user wants. */
type Indentation = Partial<Pick<FormattingOptions, 'tabSize' | 'insertSpaces'>>;

function indentationUnit({ tabSize = usualIndentation.length, insertSpaces = true }: Indentation): string {
  if (!insertSpaces) return '\t';
  return Number.isInteger(tabSize) && tabSize > 0 && tabSize <= 16 ? ' '.repeat(tabSize) : usualIndentation;
}

/** One edit of the whole text, or none where it is well laid out already. */
export function formatting({ document }: ServiceInput, indentation: Indentation = {}): TextEdit[] {
  const text = document.getText();
  const formatted = formatText(text, indentationUnit(indentation));
  if (formatted === text) return [];
  return [TextEdit.replace(rangeOf(document, { start: 0, end: text.length }), formatted)];
}

/** The lines of the range that belong to declarations without a syntax error. */
export function rangeFormatting(input: ServiceInput, range: Range, indentation: Indentation = {}): TextEdit[] {
  const { document } = input;
  const [first, last] = [range.start.line, range.end.line];
  // A selection of whole lines ends at the beginning of the next.
  const end = range.end.character === 0 && last > first ? last - 1 : last;
  return editsWhere(input, indentation, (edit) => {
    const lines = rangeOf(document, edit);
    return lines.end.line >= first && lines.end.line <= end;
  });
}

/** Behind `}` the declaration that it ends; behind a new line the line that was left. */
export function typedFormatting(
  input: ServiceInput,
  position: Position,
  typed: string,
  indentation: Indentation = {},
): TextEdit[] {
  const { document } = input;
  const offset = document.offsetAt(position);
  if (typed === '}')
    return editsWhere(
      input,
      indentation,
      () => true,
      ({ end }) => end === offset,
    );
  // Nothing at the cursor: its own line is what the editor has just indented.
  return editsWhere(input, indentation, (edit) => document.positionAt(edit.end).line === position.line - 1);
}

function editsWhere(
  { document }: ServiceInput,
  indentation: Indentation,
  isWanted: (edit: FormatEdit) => boolean,
  isWantedPart?: (declaration: { readonly start: number; readonly end: number }) => boolean,
): TextEdit[] {
  return formatEdits(document.getText(), indentationUnit(indentation), isWantedPart)
    .filter(isWanted)
    .map((edit) => TextEdit.replace(rangeOf(document, edit), edit.text));
}
