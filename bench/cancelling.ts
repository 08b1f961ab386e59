import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { buildSome } from '../tools/build.ts';
import { median, quantile, type Figure } from './measure.ts';

/** One placement of each engine, that would be simulated for hours; worms of one channel on a mesh, since round a ring they soon come to a deadlock. */
const text = `machine torus { topology torus 16 x 16  bandwidth 1 GB/s }
machine mesh { topology mesh 16 x 16  bandwidth 1 GB/s }
machine cluster { topology cluster 16  sockets 4  cores 4  memory 4 GB/s  interface 1 GB/s  switch 100 ns }
job transforms { tasks 256  skeleton ft(class C, iterations 2000) }
network packets { switching cut-through  packet 8  flit 4 B  channels 2  routing adaptive  bubble 2(here) }
network flits   { switching wormhole  packet 8  flit 4 B  channels 2  buffer 8  router 1 cycle  arbiter round-robin  ejection multiple }
network headers { switching wormhole  packet 8  flit 4 B }
network flows   { switching flow  flit 4 B }
network servers { switching queueing }
placement packets { job transforms  machine torus    map row-major  simulate packets }
placement flits   { job transforms  machine torus    map row-major  simulate flits }
placement headers { job transforms  machine mesh     map row-major  simulate headers }
placement flows   { job transforms  machine torus    map row-major  simulate flows }
placement servers { job transforms  machine cluster  map baseline  simulate servers }
`;

const rounds = 20;
/** Milliseconds from the start of the process to Ctrl-C: from when all is made ready to when the messages have long been on their way. */
const [soonest, latest] = [600, 3000];

/** What ends as soon as the system and Node allow: a process whose other thread computes. */
const idle = `const { Worker } = require('node:worker_threads');
const worker = new Worker('for (;;);', { eval: true });
process.on('SIGINT', () => worker.terminate().then(() => process.exit()));`;

/**
 * Ctrl-C to the end of the process, of `placewright simulate` as it is packed: the median of many against the budget, the 95th percentile
 * against that of a process which has nothing to end, since whatever else runs on the machine holds up both.
 */
export async function cancelling(only: string | undefined): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'placewright-'));
  try {
    writeFileSync(join(directory, 'long.place'), text);
    const cli = join(directory, 'dist', 'cli.cjs');
    await buildSome(['cli.cjs', 'server.js', 'worker.js', 'helper.js'], join(directory, 'dist'));
    if (only === 'mappers') return await stops(join(directory, 'dist', 'server.js'));
    writeFileSync(join(directory, 'idle.cjs'), idle);
    const peers = await timesOfEnds([join(directory, 'idle.cjs')]);
    const figures: Figure[] = [];
    for (const placement of ['packets', 'flits', 'headers', 'flows', 'servers']) {
      if (only !== undefined && placement !== only) continue;
      const times = await timesOfEnds([cli, 'simulate', join(directory, 'long.place'), placement]);
      const what = `Ctrl-C to the end of \`simulate\`, ${placement},`;
      figures.push(
        { what: `${what} median`, milliseconds: median(times), against: 'budget', againstMilliseconds: 50 },
        {
          what: `${what} 95th percentile`,
          milliseconds: quantile(times, 0.95),
          against: 'of an idle process',
          againstMilliseconds: quantile(peers, 0.95),
        },
      );
    }
    return only === undefined ? [...figures, ...(await stops(join(directory, 'dist', 'server.js')))] : figures;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A search of minutes on every mapper. */
const tried = `machine torus { topology torus 32 x 32 }
job heat { grid 32 x 32  stencil five-point  bytes 64 KiB }
placement plain { job heat  machine torus  map random }
`;

/** Columns of a table of mappers that this bench reads. */
interface Tried {
  readonly state: string;
  readonly rows: readonly { readonly state: string; readonly words: string }[];
}

/**
 * *Stop* of *Try mappers*, from the message of the editor to the first table that says so: the median against the budget. The table comes
 * with what the server gathers for an editor, at most every 60 ms; what it answers when asked is the end of the search.
 */
async function stops(server: string): Promise<Figure[]> {
  const child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  connection.onRequest('workspace/configuration', () => [{}]);
  connection.onRequest('window/workDoneProgress/create', () => null);
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  await connection.sendNotification('initialized', {});
  const [uri, placement] = ['file:///bench.place', 'plain'];
  const textDocument = { uri, languageId: 'place', version: 1, text: tried };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  const table = (): Promise<Tried | null> => connection.sendRequest('placewright/triedMappers', { uri, placement });
  const until = async (isWanted: (found: Tried) => boolean): Promise<void> => {
    for (;;) {
      const found = await table();
      if (found !== null && isWanted(found)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await connection.sendNotification('placewright/tryMappers', { uri, placement, budget: 'thorough', seeds: 1 });
    await until(({ rows }) => rows.some(({ state, words }) => state === 'running' && words !== ''));
    const start = performance.now();
    await connection.sendNotification('placewright/stopMappers', { uri, placement });
    await until(({ state }) => state === 'stopped');
    times.push(performance.now() - start);
  }
  connection.dispose();
  child.kill();
  times.sort((one, other) => one - other);
  const what = 'Stop of Try mappers to a table that is stopped, median';
  return [{ what, milliseconds: median(times), against: 'budget', againstMilliseconds: 50 }];
}

/** Of {@link rounds} runs, ascending. */
async function timesOfEnds(words: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await interrupted(words, soonest + ((latest - soonest) * round) / (rounds - 1)));
  }
  return times.sort((a, b) => a - b);
}

/** Milliseconds from Ctrl-C, pressed so long after its start, to the end of a command. */
async function interrupted(words: readonly string[], delay: number): Promise<number> {
  const child = spawn(process.execPath, words, { stdio: 'ignore' });
  const end = once(child, 'exit');
  await new Promise((resolve) => setTimeout(resolve, delay));
  if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended by itself.`);
  const start = performance.now();
  child.kill('SIGINT');
  await end;
  return performance.now() - start;
}
