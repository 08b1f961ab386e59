/**
 * The table of contents of the editor features: one plain function each, of text and reports, that
 * returns values of vscode-languageserver-types. No connection, no files, no clock: the server, the
 * command line and other editors' adapters share them. None throws, however broken the text is.
 */
export type { PositionInput, ServiceInput } from './input.ts';

// What is wrong, and how to mend it.
export { diagnostics, diagnosticSource } from './diagnostics.ts';
export { codeActions, fixAllKind } from './codeActions.ts';
export { fileFixes, importFixes, missingFiles, missingImports } from './fileFixes.ts';

// At one place of the text.
export { hover } from './hover.ts';
export { fileAt } from './hover/values.ts';
export { completion, completionTriggers } from './completion.ts';
export { folderAt } from './completion/paths.ts';
export { signatureHelp, signatureRetriggers, signatureTriggers } from './signatureHelp.ts';
export { documentHighlights, selectionRanges } from './selection.ts';
export { definition } from './navigation.ts';
export { prepareRename } from './rename.ts';

// Over all files of a workspace.
export { gatherWorkspace, type Workspace } from './workspace.ts';
export { references } from './navigation.ts';
export { rename } from './rename.ts';
export { workspaceSymbols } from './symbols.ts';
export { prepareUses, usedBy, usesOf } from './uses.ts';
export { unusedDiagnostics, unusedFixes, unusedHere, usesElsewhere } from './unused.ts';
export { workspaceOverview } from './workspaceOverview.ts';
export { comparablePlacements } from './comparable.ts';
export { fileRenames, type FileRename } from './rename.ts';

// Over the whole text.
export { documentSymbols } from './symbols.ts';
export { semanticTokenEdits, semanticTokens, semanticTokensLegend } from './semanticTokens.ts';
export { codeLens, exportMappingVectorCommand, showPlacementCommand } from './codeLens.ts';
export { firstPlacements, inlayHints } from './inlayHints.ts';
export { folding } from './folding.ts';
export { formatting, formattingTriggers, rangeFormatting, typedFormatting } from './formatting.ts';
export { documentLinks } from './navigation.ts';

// From the picture back to the text.
export { origin, type OriginTarget } from './origin.ts';

// And from the text to the picture.
export { thingAt, type ThingOfText } from './thingAt.ts';

// Where the reference describes a word or a code.
export { referenceAt } from './reference.ts';

// What was looked at, into the text.
export { machineEdits, placementEdits, writtenMappersOf, type PlacementWords } from './placementEdits.ts';
