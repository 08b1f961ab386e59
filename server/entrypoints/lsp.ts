/**
 * The language server: `server.js --node-ipc` under VS Code, `placewright lsp` (`server.js --stdio`)
 * under other editors. This thread only answers; what takes time runs in `worker.js` beside it.
 */
import './olderNode.ts';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { Lifecycle, surviveFaults } from './lsp/lifecycle.ts';
import { startSession } from './lsp/session.ts';

const lifecycle = new Lifecycle();
const connection = createConnection(ProposedFeatures.all, lifecycle.options);
lifecycle.answerRefused(connection);
surviveFaults(connection);
startSession(connection, new URL('worker.js', import.meta.url));
