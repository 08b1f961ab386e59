import { TextDocumentSyncKind, type ServerCapabilities } from 'vscode-languageserver/node';
import { service } from '../../language/service/languageService.ts';

/** What this server answers. */
export const capabilities: ServerCapabilities = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [' ', '(', ','] },
  definitionProvider: true,
  referencesProvider: true,
  documentSymbolProvider: true,
  semanticTokensProvider: { legend: service.semanticTokensLegend, full: true },
  codeActionProvider: { codeActionKinds: ['quickfix'] },
  codeLensProvider: {},
  inlayHintProvider: true,
  foldingRangeProvider: true,
  documentLinkProvider: {},
  documentFormattingProvider: true,
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};
