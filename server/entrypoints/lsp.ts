/**
 * Starts the language server on Node: `server.js --node-ipc` under VS Code, `placewright lsp` (`server.js --stdio`) under other
 * editors. `--compiled=FOLDER`, which VS Code's client gives, keeps there what Node compiles of it, and the next start takes a fifth less
 * time of the processor. Node 20 keeps nothing.
 */
import './olderNode.ts';
import module from 'node:module';

/** Milliseconds after which all that a first document needs is compiled; an editor that is ended does not always let the server end by itself. */
const compiledAfter = 20_000;

const option = '--compiled=';
const folder = process.argv.find((argument) => argument.startsWith(option))?.slice(option.length);
const compiler = module as Partial<Pick<typeof module, 'enableCompileCache' | 'flushCompileCache'>>;
if (folder !== undefined) {
  compiler.enableCompileCache?.(folder);
  setTimeout(() => {
    compiler.flushCompileCache?.();
  }, compiledAfter).unref();
}
// What is imported before is compiled before.
await import('./nodeServer.ts');
