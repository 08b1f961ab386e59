/** A record of RFC 4180: cells with commas, quotes or line ends are quoted, and quotes in them doubled. */
export const csvLine = (cells: readonly (string | number | undefined)[]): string =>
  `${cells.map((cell) => quoted(String(cell ?? ''))).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
