/** What was understood of another tool's file of a network or of traffic: what the editor asks the server, and how it and the command line say it. */
import { largestOf } from '../model/lists.ts';
import type { FabricWarning, PreviewRow } from '../model/fabric.ts';

export interface ImportPreview {
  /** Name in the catalogue of machine formats, or of table formats. */
  readonly format: string;
  readonly rows: readonly PreviewRow[];
  /** All of them, in the order of the file. */
  readonly warnings: readonly FabricWarning[];
}

export interface DescribeFileParameters {
  readonly uri: string;
  /** Those of the other ranks, where each wrote a file of one table. */
  readonly others?: readonly string[];
  /** Of the `.place` file to be written; where it is absent, that which is suggested. */
  readonly target?: string;
}
type DescribeAnswer<Counts> =
  | ({
      readonly ok: true;
      /** URI of what the text refers to: the file, or a pattern that stands for all of them. */
      readonly source: string;
      /** URI of a `.place` file beside that which is imported. */
      readonly suggestedTarget: string;
      readonly text: string;
    } & Counts &
      ImportPreview)
  | { readonly ok: false; readonly message: string };
export type DescribeFabricAnswer = DescribeAnswer<{
  readonly switches: number;
  readonly hosts: number;
  /** Between switches. */
  readonly cables: number;
}>;
export type DescribeTableAnswer = DescribeAnswer<{
  readonly tasks: number;
  /** Of which the first sends to the second. */
  readonly pairs: number;
}>;

/** The lines of a preview: the file, the rows below each other, then what was read with a doubt as `FILE:LINE: warning: …`; each text in the words of `said`. */
export function previewLines(
  file: string,
  { format, rows, warnings }: ImportPreview,
  said: (text: string) => string = (text) => text,
): string[] {
  const spoken = rows.map(([word, text]) => [said(word), said(text)] as const);
  const width = largestOf(spoken.map(([word]) => word.length));
  return [
    `${file} (${format})`,
    ...spoken.map(([word, text]) => `${word.padEnd(width)}  ${text}`),
    ...warnings.map((warning) => warningLine(file, warning, said)),
  ];
}

/** `FILE:LINE: warning: A port is down.` */
export const warningLine = (file: string, { line, message }: FabricWarning, said = (text: string) => text): string =>
  `${line === undefined ? file : `${file}:${line}`}: ${said('warning')}: ${message}`;
