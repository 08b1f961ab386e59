/**
 * The language server: `server.cjs --node-ipc` under VS Code, `server.cjs --stdio` under other
 * editors. This thread only answers; what takes time runs in `worker.cjs` beside it.
 */
import './olderNode.ts';
import { join } from 'node:path';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { startSession } from './lsp/session.ts';

startSession(createConnection(ProposedFeatures.all), join(__dirname, 'worker.cjs'));
