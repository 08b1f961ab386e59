/** What was understood of another tool's file of a network: what the editor asks the server, and how it and the command line say it. */
import type { FabricWarning, PreviewRow } from '../model/fabric.ts';

export interface ImportPreview {
  /** Name in the catalogue of machine formats. */
  readonly format: string;
  readonly rows: readonly PreviewRow[];
  /** All of them, in the order of the file. */
  readonly warnings: readonly FabricWarning[];
}

/**
 * client → server request: what another tool's file of a network holds, and the text of a `.place` file at the
 * `target` that refers to it. The client writes it.
 */
export const describeFabricRequest = 'placewright/describeFabric';
export interface DescribeFabricParameters {
  readonly uri: string;
  /** Of the `.place` file to be written; where it is absent, that which is suggested. */
  readonly target?: string;
}
export type DescribeFabricAnswer =
  | ({
      readonly ok: true;
      readonly switches: number;
      readonly hosts: number;
      /** Between switches. */
      readonly cables: number;
      /** URI of a `.place` file beside the fabric. */
      readonly suggestedTarget: string;
      readonly text: string;
    } & ImportPreview)
  | { readonly ok: false; readonly message: string };

/** The lines of a preview: the file, the rows below each other, then what was read with a doubt as `FILE:LINE: warning: …`; each text in the words of `said`. */
export function previewLines(
  file: string,
  { format, rows, warnings }: ImportPreview,
  said: (text: string) => string = (text) => text,
): string[] {
  const spoken = rows.map(([word, text]) => [said(word), said(text)] as const);
  const width = Math.max(...spoken.map(([word]) => word.length));
  return [
    `${file} (${format})`,
    ...spoken.map(([word, text]) => `${word.padEnd(width)}  ${text}`),
    ...warnings.map((warning) => warningLine(file, warning, said)),
  ];
}

/** `FILE:LINE: warning: A port is down.` */
export const warningLine = (file: string, { line, message }: FabricWarning, said = (text: string) => text): string =>
  `${line === undefined ? file : `${file}:${line}`}: ${said('warning')}: ${message}`;
