import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSome } from '../tools/build.ts';
import { quantile, type Figure } from './measure.ts';

/** One placement of each engine, that would be simulated for minutes. */
const text = `machine torus { topology torus 16 x 16  bandwidth 1 GB/s }
machine cluster { topology cluster 16  sockets 4  cores 4  memory 4 GB/s  interface 1 GB/s  switch 100 ns }
job transforms { tasks 256  skeleton ft(class C) }
network packets { switching cut-through  packet 8  flit 4 B  channels 2  routing adaptive  bubble 2(here) }
network flits   { switching wormhole  packet 8  flit 4 B  channels 2  buffer 8  router 1 cycle  arbiter round-robin  ejection multiple }
network headers { switching wormhole  packet 8  flit 4 B }
network flows   { switching flow  flit 4 B }
network servers { switching queueing }
placement packets { job transforms  machine torus    map row-major  simulate packets }
placement flits   { job transforms  machine torus    map row-major  simulate flits }
placement headers { job transforms  machine torus    map row-major  simulate headers }
placement flows   { job transforms  machine torus    map row-major  simulate flows }
placement servers { job transforms  machine cluster  map row-major  simulate servers }
`;

const rounds = 20;
/** Milliseconds from the start of the process to Ctrl-C: from when all is made ready to when the messages have long been on their way. */
const [soonest, latest] = [600, 3000];

/** Ctrl-C to the end of the process, of `placewright simulate` as it is packed: the median and the 95th percentile of many. */
export async function cancelling(only: string | undefined): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'placewright-'));
  try {
    writeFileSync(join(directory, 'long.place'), text);
    const cli = join(directory, 'dist', 'cli.cjs');
    await buildSome(['cli.cjs'], join(directory, 'dist'));
    const figures: Figure[] = [];
    for (const placement of ['packets', 'flits', 'headers', 'flows', 'servers']) {
      if (only !== undefined && placement !== only) continue;
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const delay = soonest + ((latest - soonest) * round) / (rounds - 1);
        times.push(await interrupted(cli, ['simulate', join(directory, 'long.place'), placement], delay));
      }
      times.sort((a, b) => a - b);
      for (const [name, share] of [
        ['median', 0.5],
        ['95th percentile', 0.95],
      ] as const) {
        // prettier-ignore
        const what = `Ctrl-C to the end of \`simulate\`, ${placement}, ${name} of ${rounds}`;
        figures.push({ what, milliseconds: quantile(times, share), against: 'budget', againstMilliseconds: 50 });
      }
    }
    return figures;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Milliseconds from Ctrl-C, pressed so long after its start, to the end of a command. */
async function interrupted(cli: string, words: readonly string[], delay: number): Promise<number> {
  const child = spawn(process.execPath, [cli, ...words], { stdio: 'ignore' });
  const end = once(child, 'exit');
  await new Promise((resolve) => setTimeout(resolve, delay));
  if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended by itself.`);
  const start = performance.now();
  child.kill('SIGINT');
  await end;
  return performance.now() - start;
}
