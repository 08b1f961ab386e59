/**
 * The language server: `server.cjs --node-ipc` under VS Code, `placewright lsp` (`server.cjs --stdio`)
 * under other editors. This thread only answers; what takes time runs in `worker.cjs` beside it.
 */
import './olderNode.ts';
import { join } from 'node:path';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { Lifecycle, surviveFaults } from './lsp/lifecycle.ts';
import { startSession } from './lsp/session.ts';

const lifecycle = new Lifecycle();
const connection = createConnection(ProposedFeatures.all, lifecycle.options);
lifecycle.answerRefused(connection);
surviveFaults(connection);
startSession(connection, join(__dirname, 'worker.cjs'));
