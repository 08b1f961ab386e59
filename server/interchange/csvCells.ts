/** Tabs and semicolons first: where one stands, a comma can only be a decimal comma. */
const separators = ['\t', ';', ','];

/** The first line with content that is no comment, without blanks around it. */
export const firstContentLine = (text: string): string => /^(?![ \t]*(?:#.*)?$).+$/m.exec(text)?.[0].trim() ?? '';

/**
 * The separator of a file, by its first line with content; blanks where there is none. Papa
 * Parse's own guess needs several rows and takes blanks for data.
 */
export function findSeparator(text: string): string {
  const line = firstContentLine(text);
  return separators.find((separator) => line.includes(separator)) ?? ' ';
}

/** Cells without blanks around them. A separator at the end of a row, as many tools write, adds no cell. */
export function tidy(cells: readonly string[], separator: string): string[] {
  const trimmed = cells.map((cell) => cell.trim());
  if (separator === ' ') return trimmed.filter((cell) => cell !== '');
  if (trimmed.length > 1 && trimmed.at(-1) === '') trimmed.pop();
  return trimmed;
}
