/** The language server on Node, which `lsp.ts` starts. This thread only answers; what takes time runs in `worker.js` beside it. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { hasSlurm, resultFilesOf } from './experiments/keptFiles.ts';
import { Lifecycle, reportFault } from './lsp/lifecycle.ts';
import { startSession } from './lsp/session.ts';
import { nodePlatform } from './node.ts';
import { installPlatform } from './platform.ts';

installPlatform(nodePlatform);
const lifecycle = new Lifecycle();
const connection = createConnection(ProposedFeatures.all, lifecycle.options);
lifecycle.answerRefused(connection);
const report = (error: unknown): void => {
  reportFault(connection, error);
};
process.on('uncaughtException', report);
process.on('unhandledRejection', report);
const worker = new URL('worker.js', import.meta.url);
startSession(connection, worker, {
  slurm: {
    isThere: hasSlurm,
    program: { node: process.execPath, cli: fileURLToPath(new URL('cli.cjs', worker)) },
  },
  keptSimulation: (uri, placement) => (uri.startsWith('file:') ? resultFilesOf(uri, placement).simulation : undefined),
  isThere: existsSync,
});
