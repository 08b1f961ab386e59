/**
 * `npm start`: builds, and opens the quickstart of `samples/` in VS Code with the extension: the VS Code on the PATH, with the
 * settings of its user. Without one it starts the embedded one in the browser, with the picture beside the text, until Ctrl-C.
 * `--embedded` asks for that one. It takes a free port; `--port` chooses one, so that it can be forwarded beforehand.
 */
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEditor } from './editor.ts';
import { buildBundles } from './build.ts';
import { findProgram, setUpEmbeddedEditor } from './realEditor.ts';
import { packagePath, packExtension } from './package.ts';
import { root, run } from './run.ts';

const samples = resolve(root, 'samples');
const first = 'quickstart.place';

async function openDesktop(code: string): Promise<void> {
  console.log(`Opening samples/ with ${code} …`);
  await run(code, ['--new-window', `--extensionDevelopmentPath=${root}`, samples, resolve(samples, first)]);
}

async function openEmbedded(port: number): Promise<void> {
  await setUpEmbeddedEditor();
  await packExtension({ quiet: true });
  const editor = await startEditor({ vsix: packagePath, port, settings: { 'placewright.picture.show': 'withFile' } });
  const stopped = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void editor.stop().then(done));
  });
  console.log(
    `\nPlacewright runs in the browser at\n\n  ${editor.addressOf(samples, first)}\n\nPassword: ${editor.password}\n\nPress Ctrl-C to stop it.`,
  );
  await stopped;
}

/** A port of the loopback address that nobody listens on; 0 lets the system choose one. */
function freePort(asked: string): Promise<number> {
  const port = Number(asked);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`"${asked}" is no port: --port takes a number from 0 to 65535.`);
  }
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', () => {
      fail(
        new Error(`Port ${port} cannot be used; another program may have it. Choose one: npm start -- --port NUMBER`),
      );
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        done(port);
      });
    });
  });
}

const { values } = parseArgs({
  options: { embedded: { type: 'boolean', default: false }, port: { type: 'string', default: '0' } },
});
const code = values.embedded ? undefined : await findProgram(['code']);
try {
  const port = code === undefined ? await freePort(values.port) : 0;
  await buildBundles();
  await (code === undefined ? openEmbedded(port) : openDesktop(code));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
