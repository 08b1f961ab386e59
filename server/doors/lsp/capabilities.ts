import { TextDocumentSyncKind, type ServerCapabilities } from 'vscode-languageserver/node';
import * as service from '../../language/service/languageService.ts';

/** What this server answers. */
export const capabilities: ServerCapabilities = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [...service.completionTriggers] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  semanticTokensProvider: { legend: service.semanticTokensLegend, full: true },
  codeActionProvider: { codeActionKinds: ['quickfix', service.fixAllKind] },
  codeLensProvider: {},
  inlayHintProvider: true,
  foldingRangeProvider: true,
  documentLinkProvider: {},
  documentFormattingProvider: true,
  workspaceSymbolProvider: true,
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
    // Any file or folder may be named by a path in a program.
    fileOperations: { willRename: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] } },
  },
};
