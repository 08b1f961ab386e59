/** What the editor waits for when the first `.place` file opens: the client's program, and the server's until it answers `initialize`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSome } from '../tools/build.ts';
import { median, type Figure } from './measure.ts';

const rounds = 9;
/** Of either, in a process of its own. */
const budget = { against: 'budget of activation', againstMilliseconds: 150 };

/** Loads a program in a new process, and prints the CPU time of that, milliseconds. `vscode` is whatever is asked of it. */
const loading = `
const { Module } = require('node:module');
const nothing = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === 'then' ? undefined : name === 'prototype' ? {} : nothing),
  apply: () => nothing,
  construct: () => ({}),
});
const load = Module._load;
Module._load = (name, ...more) => (name === 'vscode' ? nothing : load(name, ...more));
const start = process.cpuUsage();
require(process.argv[1]);
const { user, system } = process.cpuUsage(start);
console.log((user + system) / 1000);
process.exit();`;

/** Starts the server, says \`initialize\`, and prints the CPU time of its process until its answer, milliseconds. It ends as an editor ends it. */
const initialising = `
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const child = spawn(process.execPath, [process.argv[1], '--stdio', ...process.argv.slice(2)], { stdio: ['pipe', 'pipe', 'inherit'] });
const say = (message) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  child.stdin.write('Content-Length: ' + body.length + '\\r\\n\\r\\n' + body);
};
say({ id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {} } });
child.stdout.once('data', () => {
  // Fields 14 and 15, in hundredths of a second, behind the name of the program in parentheses.
  const [, rest = ''] = readFileSync('/proc/' + child.pid + '/stat', 'utf8').split(') ');
  const fields = rest.split(' ');
  console.log(10 * (Number(fields[11]) + Number(fields[12])));
  child.stdout.resume();
  child.once('exit', () => process.exit());
  say({ id: 2, method: 'shutdown' });
  say({ method: 'exit' });
});`;

/** Answers, and ends where it is told to. */
const idleProgram = `process.stdin.on('data', (data) => (String(data).includes('"exit"') ? process.exit() : console.log('{}')));\n`;

/**
 * CPU time, since whatever else runs on the machine holds up the wall clock: of loading the client, which the editor does in its extension
 * host, and of the server until it answers, in a process of its own, of which a process of Node that does nothing is a part.
 */
export function activation(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'placewright-'));
  const measured = (script: string, file: string, ...words: readonly string[]): number => {
    const command = ['-e', script, join(directory, 'dist', file), ...words];
    const times = Array.from({ length: rounds }, () =>
      Number(spawnSync(process.execPath, command, { encoding: 'utf8' }).stdout),
    );
    return median(times.sort((one, other) => one - other));
  };
  return buildSome(['client.cjs', 'server.js'], join(directory, 'dist'))
    .then(() => {
      writeFileSync(join(directory, 'dist', 'idle.js'), idleProgram);
      const client = measured(loading, 'client.cjs');
      const server = measured(initialising, 'server.js');
      const again = measured(initialising, 'server.js', `--compiled=${join(directory, 'compiled')}`);
      const idle = measured(initialising, 'idle.js');
      return [
        { what: 'client loaded, CPU time', milliseconds: client, ...budget },
        { what: 'server to `initialize`, the first time, CPU time', milliseconds: server, ...budget },
        { what: 'the same, with what was compiled before', milliseconds: again, ...budget },
        { what: 'a process of Node that does nothing', milliseconds: idle, ...budget },
      ];
    })
    .finally(() => {
      rmSync(directory, { recursive: true, force: true });
    });
}
