import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Location, Range } from 'vscode-languageserver-types';
import type { Sources } from '../sources.ts';
import type { Span } from '../tree.ts';
import type { ServiceInput } from './input.ts';

/** Offsets of a document as an editor's lines and characters. */
export function rangeOf(document: TextDocument, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

/** Whether an offset is in the span or just behind it, where a cursor that has typed it stands. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** A document of any file of the sources; undefined for a file that was not read. */
export function documentOf(sources: Sources, uri: string): TextDocument | undefined {
  const file = sources.files.get(uri);
  return file === undefined ? undefined : TextDocument.create(uri, 'place', 0, file.text);
}

/** A span of any file of the sources as a location; undefined for a file that was not read. */
export function locationOf(input: ServiceInput, uri: string, span: Span): Location | undefined {
  const document = uri === input.uri ? input.document : documentOf(input.sources, uri);
  return document === undefined ? undefined : { uri, range: rangeOf(document, span) };
}
