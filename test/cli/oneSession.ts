import { spawn } from 'node:child_process';

/** What an editor sends a language server that it starts and ends at once. */
const messages = [
  { id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } },
  { method: 'initialized', params: {} },
  { id: 2, method: 'shutdown' },
  { method: 'exit' },
];

const asSent = messages
  .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
  .map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  .join('');

/** Starts a language server over standard input and output, and ends it as an editor does: what it answered. */
export function oneSession(command: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const server = spawn(command[0]!, command.slice(1), { env: environment });
  let out = '';
  let err = '';
  server.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  server.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  // Its end is the server's to say: an editor does not close the pipe.
  server.stdin.write(asSent);
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((done, fail) => {
    server.once('error', fail);
    server.once('close', (code) => {
      done({ code, out, err });
    });
  });
}
