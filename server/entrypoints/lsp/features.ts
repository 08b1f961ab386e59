/**
 * The requests of LSP about one document, each answered by a function of `language/service`, and what such a function
 * is given: the checked text of an open document and what is known of its placements.
 */
import { appendAll } from '../../model/lists.ts';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  type CancellationToken,
  type CompletionParams,
  type Connection,
  type SemanticTokens,
  type ServerCapabilities,
  type TextDocumentPositionParams,
} from 'vscode-languageserver';
import type { PositionInput, ServiceInput } from '../../language/service/input.ts';
import type { FolderListing } from '../../language/service/completion/paths.ts';
import * as service from '../../language/service/languageService.ts';
import type { PlacementStatus } from '../../study/report.ts';
import type { Analysis } from './analyses.ts';
import type { ExperimentRuns } from './experimentRuns.ts';
import type { SimulationRuns } from './simulationRuns.ts';
import type { Studies } from './studies.ts';

interface DocumentParameters {
  readonly textDocument: { readonly uri: string };
}

/** What this server answers. */
export const serverCapabilities: ServerCapabilities = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [...service.completionTriggers] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  semanticTokensProvider: { legend: service.semanticTokensLegend, full: { delta: true }, range: true },
  signatureHelpProvider: {
    triggerCharacters: [...service.signatureTriggers],
    retriggerCharacters: [...service.signatureRetriggers],
  },
  documentHighlightProvider: true,
  selectionRangeProvider: true,
  callHierarchyProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix', service.fixAllKind] },
  codeLensProvider: {},
  inlayHintProvider: true,
  foldingRangeProvider: true,
  documentLinkProvider: {},
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  documentOnTypeFormattingProvider: {
    firstTriggerCharacter: service.formattingTriggers[0],
    moreTriggerCharacter: service.formattingTriggers.slice(1),
  },
  workspaceSymbolProvider: true,
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
    // Any file or folder may be named by a path in a program.
    fileOperations: { willRename: { filters: [{ pattern: { glob: '**/*' } }] } },
  },
};

/** What the features need beside the documents. */
export interface FeatureEnvironment {
  readonly inputOf: (uri: string) => Promise<ServiceInput | undefined>;
  /** URIs of the `.place` files of the opened folders. */
  readonly placeFiles: () => Promise<readonly string[]>;
  /** What lies in a folder that a document names. */
  readonly entriesOf: (folder: string, document: string) => Promise<FolderListing['entries']>;
  /** Bytes of a file that a document names; undefined where it may not be read. */
  readonly sizeOf: (uri: string, document: string) => Promise<number | undefined>;
  /** Whether the editor has the commands of VS Code. */
  readonly hasCommands: () => boolean;
}

/**
 * Answers the requests of LSP about one document: finds what the feature needs, calls it, and
 * answers with nothing for a document that is not open.
 */
export function answerFeatures(connection: Connection, environment: FeatureEnvironment): void {
  const { inputOf, placeFiles } = environment;
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

  connection.onHover(async ({ textDocument, position }, token) => {
    const input = await inputOf(textDocument.uri);
    if (input === undefined) return null;
    const here = { ...input, offset: input.document.offsetAt(position) };
    const wanted = service.fileAt(here);
    const file = wanted === undefined ? undefined : { size: await environment.sizeOf(wanted, input.uri) };
    return unlessCancelled(token, () => service.hover(here, file));
  });
  connection.onCompletion((parameters, token) => complete(environment, parameters, token));
  connection.onDefinition(at(service.definition));
  connection.onPrepareRename(at(service.prepareRename));
  connection.onDocumentSymbol(about(service.documentSymbols));
  answerSemanticTokens(connection, environment);
  connection.onCodeLens(about(service.codeLens));
  connection.onFoldingRanges(about(service.folding));
  connection.onDocumentLinks(about(service.documentLinks));
  connection.onDocumentFormatting(async ({ textDocument, options }, token) => {
    const input = await inputOf(textDocument.uri);
    return input === undefined ? null : unlessCancelled(token, () => service.formatting(input, options));
  });
  connection.onDocumentRangeFormatting(async ({ textDocument, range, options }, token) => {
    const input = await inputOf(textDocument.uri);
    return input === undefined ? null : unlessCancelled(token, () => service.rangeFormatting(input, range, options));
  });
  connection.onDocumentOnTypeFormatting(async ({ textDocument, position, ch, options }, token) => {
    const input = await inputOf(textDocument.uri);
    if (input === undefined) return null;
    return unlessCancelled(token, () => service.typedFormatting(input, position, ch, options));
  });
  connection.onSignatureHelp(at(service.signatureHelp));
  connection.onDocumentHighlight(at(service.documentHighlights));
  connection.onSelectionRanges(async ({ textDocument, positions }, token) => {
    const input = await inputOf(textDocument.uri);
    return input === undefined ? null : unlessCancelled(token, () => service.selectionRanges(input, positions));
  });
  connection.languages.inlayHint.on(async ({ textDocument, range }, token) => {
    const input = await inputOf(textDocument.uri);
    return input === undefined ? null : unlessCancelled(token, () => service.inlayHints(input, range));
  });
  connection.onCodeAction(async ({ textDocument, range, context }, token) => {
    const input = await inputOf(textDocument.uri);
    if (input === undefined) return null;
    const isQuickFix = context.only === undefined || context.only.includes('quickfix');
    const missing = isQuickFix ? service.missingImports(input, range) : [];
    const found = missing.length === 0 ? [] : service.importFixes(input, missing, await placeFiles());
    for (const path of isQuickFix ? service.missingFiles(input, range, context.diagnostics) : []) {
      const entries = await environment.entriesOf(path.folder, input.uri);
      appendAll(found, service.fileFixes(input, path, entries, context.diagnostics));
    }
    return unlessCancelled(token, () => [
      ...service.codeActions(input, range, { only: context.only, hasCommands: environment.hasCommands() }),
      ...found,
      ...(isQuickFix ? service.unusedFixes(input, range) : []),
    ]);
  });
}

/** Documents whose last answer is kept: an editor shows a few at once. */
const keptTokens = 32;

/** Answers with the difference to the last answer, where the editor still has that. */
function answerSemanticTokens(connection: Connection, { inputOf }: FeatureEnvironment): void {
  const answers = new Map<string, { readonly resultId: string; readonly data: readonly number[] }>();
  let count = 0;
  const remember = (uri: string, { data }: SemanticTokens): SemanticTokens => {
    count++;
    const resultId = String(count);
    answers.delete(uri);
    answers.set(uri, { resultId, data });
    const [oldest] = answers.keys();
    if (answers.size > keptTokens && oldest !== undefined) answers.delete(oldest);
    return { resultId, data };
  };
  const { semanticTokens } = connection.languages;
  semanticTokens.on(async ({ textDocument: { uri } }, token) => {
    const input = await inputOf(uri);
    // No answer at all would leave the colours of an older text.
    if (input === undefined) return { data: [] };
    return unlessCancelled(token, () => remember(uri, service.semanticTokens(input)));
  });
  semanticTokens.onDelta(async ({ textDocument: { uri }, previousResultId }, token) => {
    const input = await inputOf(uri);
    if (input === undefined) return { data: [] };
    return unlessCancelled(token, () => {
      const before = answers.get(uri);
      const now = remember(uri, service.semanticTokens(input));
      if (before?.resultId !== previousResultId) return now;
      const { resultId = '', data } = now;
      return { resultId, edits: service.semanticTokenEdits(before.data, data) };
    });
  });
  semanticTokens.onRange(async ({ textDocument, range }, token) => {
    const input = await inputOf(textDocument.uri);
    return input === undefined ? { data: [] } : unlessCancelled(token, () => service.semanticTokens(input, range));
  });
}

async function complete(
  { inputOf, placeFiles, entriesOf, hasCommands }: FeatureEnvironment,
  parameters: CompletionParams,
  token: CancellationToken,
) {
  const input = await inputOf(parameters.textDocument.uri);
  if (input === undefined) return null;
  const position = { ...input, offset: input.document.offsetAt(parameters.position) };
  const wanted = service.folderAt(position);
  const listing = wanted && {
    entries: await entriesOf(wanted.folder, input.uri),
    ...(wanted.isImport ? { placeFiles: await placeFiles() } : {}),
  };
  const { context } = parameters;
  return unlessCancelled(token, () => service.completion(position, { context, listing, hasCommands: hasCommands() }));
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
