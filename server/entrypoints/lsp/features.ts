/**
 * The requests of LSP about one document, each answered by a function of `language/service`, and what such a function
 * is given: the checked text of an open document and what is known of its placements.
 */
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  LSPErrorCodes,
  ResponseError,
  type CancellationToken,
  type CompletionParams,
  type Connection,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import type { PositionInput, ServiceInput } from '../../language/service/input.ts';
import * as service from '../../language/service/languageService.ts';
import type { PlacementStatus } from '../../study/report.ts';
import type { Analysis } from './analyses.ts';
import type { ExperimentRuns } from './experimentRuns.ts';
import type { SimulationRuns } from './simulationRuns.ts';
import type { Studies } from './studies.ts';

interface DocumentParameters {
  readonly textDocument: { readonly uri: string };
}

type InputOf = (uri: string) => Promise<ServiceInput | undefined>;
/** URIs of the `.place` files of the opened folders. */
type PlaceFiles = () => Promise<readonly string[]>;

/**
 * Answers the requests of LSP about one document: finds what the feature needs, calls it, and
 * answers with nothing for a document that is not open.
 */
export function answerFeatures(connection: Connection, inputOf: InputOf, placeFiles: PlaceFiles): void {
  const about =
    <Answer>(answer: (input: ServiceInput) => Answer) =>
    async ({ textDocument }: DocumentParameters, token: CancellationToken) => {
      const input = await inputOf(textDocument.uri);
      return input === undefined ? null : unlessCancelled(token, () => answer(input));
    };
  const at =
    <Parameters extends TextDocumentPositionParams, Answer>(
      answer: (input: PositionInput, parameters: Parameters) => Answer,
    ) =>
    async (parameters: Parameters, token: CancellationToken) => {
      const input = await inputOf(parameters.textDocument.uri);
      if (input === undefined) return null;
      const offset = input.document.offsetAt(parameters.position);
      return unlessCancelled(token, () => answer({ ...input, offset }, parameters));
    };

  connection.onHover(at(service.hover));
  connection.onCompletion(at((input, parameters: CompletionParams) => service.completion(input, parameters)));
  connection.onDefinition(at(service.definition));
  connection.onPrepareRename(at(service.prepareRename));
  connection.onDocumentSymbol(about(service.documentSymbols));
  connection.languages.semanticTokens.on(about(service.semanticTokens));
  connection.onCodeLens(about(service.codeLens));
  connection.onFoldingRanges(about(service.folding));
  connection.onDocumentLinks(about(service.documentLinks));
  connection.onDocumentFormatting(about(service.formatting));
  connection.languages.inlayHint.on(async ({ textDocument, range }, token) => {
    const input = await inputOf(textDocument.uri);
    return input === undefined ? null : unlessCancelled(token, () => service.inlayHints(input, range));
  });
  connection.onCodeAction(async ({ textDocument, range, context }, token) => {
    const input = await inputOf(textDocument.uri);
    if (input === undefined) return null;
    const missing =
      context.only === undefined || context.only.includes('quickfix') ? service.missingImports(input, range) : [];
    const found = missing.length === 0 ? [] : service.importFixes(input, missing, await placeFiles());
    return unlessCancelled(token, () => [...service.codeActions(input, range, context.only), ...found]);
  });
}

/** Nobody waits for the answer of a request that was cancelled while the text was read. */
const unlessCancelled = <Answer>(token: CancellationToken, answer: () => Answer): Answer | ResponseError =>
  token.isCancellationRequested ? new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.') : answer();

/**
 * What editor features are given for an open document: its analysis and what is known of its placements, stale or not.
 */
export function inputOf(
  analysis: Analysis,
  studies: Studies,
  runs?: Pick<ExperimentRuns, 'standingsOf'>,
  simulations?: Pick<SimulationRuns, 'standingsOf'>,
): ServiceInput {
  const { uri, document, sources, checked } = analysis;
  const { summary } = studies.stateOf(uri);
  const stale = new Set<string>();
  for (const { name } of summary?.placements ?? []) {
    if (studies.reportOf(analysis, name).state !== 'fresh') stale.add(name);
  }
  const status = new Map<string, PlacementStatus>();
  for (const { name } of checked.program.placements) {
    const found = studies.statusOf(analysis, name);
    if (found.kind !== 'idle') status.set(name, found);
  }
  return {
    uri,
    document,
    sources,
    checked,
    summary,
    stale,
    status,
    experiments: runs?.standingsOf(analysis),
    simulations: simulations?.standingsOf(analysis),
  };
}

/** The same for a file that an open document imports and that is not open itself. */
export function importedInput({ sources, checked }: Analysis, uri: string): ServiceInput {
  const text = sources.files.get(uri)?.text ?? '';
  return { uri, document: TextDocument.create(uri, 'place', 0, text), sources, checked };
}
