/** Experiments and sweeps in job arrays of a real Slurm: the same bytes as on threads, also where a node dies in the middle. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/run.ts';
import { binary } from '../../cli/binary.ts';
import { startSlurm, type Cluster } from './cluster.ts';

const cli = binary();
let cluster: Cluster | undefined;
beforeAll(async () => {
  cluster = await startSlurm(mkdtempSync(join(cli.scratch(), 'slurm-')), { nodes: 4, cores: 2, port: 26817 });
});
afterAll(() => cluster?.stop());

const sample = readFileSync(join(root, 'samples/jobs-over-time.place'), 'utf8');

function folder(text: string): string {
  const directory = mkdtempSync(join(cli.scratch(), 'arrays-'));
  writeFileSync(join(directory, 'a.place'), text);
  return directory;
}

const network = `network n {
  switching cut-through  packet 8  flit 4 B  channels 2  queue 4 packets  bubble 2(here)
  routing adaptive  arbiter round-robin  ejection multiple  router 0 cycles  link 1 cycle
}`;
const skeleton = 'job cg { tasks 16  skeleton cg(class S, iterations 1) }';

/** Experiments of each kind, by name, with how many lines each journal has: replications, and searches for a speed. */
const experiments: readonly (readonly [string, string, number])[] = [
  ['allocators', sample, 120],
  [
    'mappers',
    `machine t { topology torus 6 x 4 } ${skeleton} ${network}
    experiment mappers { job cg  machine t  network n  map consecutive, random, random-local  seeds 1 .. 6  background uniform(rate 0.01)
      report makespan, averageHops  compare kruskal-wallis(level 5%) }`,
    18,
  ],
  [
    'rates',
    `machine t { topology torus 4 x 4 } ${network}
    experiment rates { machine t  network n  traffic uniform, transpose  vary rate 0.1 .. 0.3 step 0.1
      warm-up 200  sample 200  samples 3  replications 2  report latency, throughput }`,
    12,
  ],
  // The speed of each network is a run of its own, before those that need it.
  [
    'saturated',
    `machine net { topology irregular 8  hosts 2  bandwidth 1 GB/s } ${skeleton}
    experiment saturated { job cg  machine net  network wormhole(packet 16)  map random, random-local  seeds 1 .. 2
      replay saturation(delivered 90%, first 4000)  vary machine.seed 1 .. 2 step 1  report throughput, latency }`,
    10,
  ],
];

const words = (...more: string[]): string[] => [cli.bundle(), 'experiment', 'a.place', '--json', ...more];

/** Lines of the journal: each replication has one, and each speed that was found. */
function replicationsIn(directory: string, name = 'allocators'): number {
  const lines = readFileSync(join(directory, `a.place.results/${name}.journal`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1);
  const tasks = lines.map((line) => /"point":\d+,"seed":\d+(,"finds":"speed")?/.exec(line)?.[0]);
  expect(new Set(tasks).size).toBe(tasks.length);
  return tasks.length;
}

describe('placewright experiment --slurm', () => {
  it.each(experiments)(
    'gives the same bytes as threads, and leaves no parts behind: %s',
    (name, text, replications) => {
      const directory = folder(text);
      const { stdout, stderr, status } = spawnSync(process.execPath, words('--slurm'), {
        cwd: directory,
        env: cluster!.environment,
        encoding: 'utf8',
      });
      const alone = cli.run(['experiment', 'a.place', '--json'], folder(text));
      expect({ code: status, out: stdout, err: stderr }).toEqual({ ...alone, code: 0 });
      expect(replicationsIn(directory, name)).toBe(replications);
      expect(readdirSync(join(directory, 'a.place.results')).sort()).toEqual([`${name}.journal`, `${name}.json`]);
    },
  );

  it('goes on where a daemon and what ran on its node are killed in the middle', async () => {
    const longer = sample.replace('until 10% at 95% (at most 20)', '80').replace('200 completed', '1000 completed');
    const directory = folder(longer);
    const child = spawn(process.execPath, words('--slurm'), { cwd: directory, env: cluster!.environment });
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    const ended = once(child, 'close');
    const journal = join(directory, 'a.place.results/allocators.journal');
    while (child.exitCode === null && (!existsSync(journal) || replicationsIn(directory) < 5)) await wait(50);
    expect(replicationsIn(directory)).toBeLessThan(480);
    cluster!.kill(1);
    expect(await ended).toEqual([0, null]);
    const alone = cli.run(['experiment', 'a.place', '--json'], folder(longer));
    expect({ out, err }).toEqual({ out: alone.out, err: alone.err });
    expect(replicationsIn(directory)).toBe(480);
  });

  const mapped = `machine t { topology torus 8 x 8 }
job heat { grid 8 x 8 stencil five-point bytes 64 KiB }
placement p { job heat machine t }
`;
  const swept = (seeds: number): string[] => [
    ...[cli.bundle(), 'sweep', 'a.place', '--over', `map=random, grasp(iterations 10)`],
    ...['--over', 'heat.bytes=1024,4096', '--over', `seed=1..${seeds}`, '--json', '--cells', 'cells.csv'],
  ];
  const crossed = (): readonly string[] => [
    ...[cli.bundle(), 'sweep', 'a.place', '--over', 'machine=t, u', '--over', 'routing=minimal, dimension-order'],
    ...[
      '--over',
      'job=heat,ring',
      '--over',
      'bandwidth=1,2 GB/s',
      '--over',
      'seed=1,4',
      '--over',
      'map=random',
      '--report',
      'congestionTime',
      '--json',
    ],
  ];

  it('runs a sweep over machines, routings, jobs, figures with units and listed seeds with the same bytes as threads', () => {
    const text = mapped.replace(
      'machine t {',
      'machine u { topology mesh 10 x 8  bandwidth 4 GB/s }\njob ring { tasks 16 pattern ring }\nmachine t {  bandwidth 1 GB/s ',
    );
    const directory = folder(text);
    const options = { cwd: directory, env: cluster!.environment, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, [...crossed(), '--slurm'], options);
    expect({ code: status, out: stdout, err: stderr }).toEqual({
      ...cli.run(crossed().slice(1), folder(text)),
      code: 0,
    });
    expect(replicationsIn(directory, 'p-sweep')).toBe(32);
  });

  it('runs a sweep with the same bytes as threads, its cells too', () => {
    const [directory, other] = [folder(mapped), folder(mapped)];
    const options = { cwd: directory, env: cluster!.environment, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, [...swept(6), '--slurm'], options);
    const alone = cli.run(swept(6).slice(1), other);
    expect({ code: status, out: stdout, err: stderr }).toEqual({ ...alone, code: 0 });
    const [cells, cellsAlone] = [directory, other].map((one) => readFileSync(join(one, 'cells.csv'), 'utf8'));
    expect(cells).toBe(cellsAlone);
    expect(replicationsIn(directory, 'p-sweep')).toBe(24);
    expect(readdirSync(join(directory, 'a.place.results')).sort()).toEqual(['p-sweep.journal', 'p-sweep.json']);
  });

  it('goes on with a sweep where a daemon is killed in the middle: nothing lost, nothing twice', async () => {
    const directory = folder(mapped);
    const child = spawn(process.execPath, [...swept(150), '--slurm'], { cwd: directory, env: cluster!.environment });
    let out = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    const ended = once(child, 'close');
    const journal = join(directory, 'a.place.results/p-sweep.journal');
    while (child.exitCode === null && (!existsSync(journal) || replicationsIn(directory, 'p-sweep') < 5))
      await wait(20);
    expect(replicationsIn(directory, 'p-sweep')).toBeLessThan(600);
    cluster!.kill(2);
    expect(await ended).toEqual([0, null]);
    expect(out).toBe(cli.run(swept(150).slice(1), folder(mapped)).out);
    expect(replicationsIn(directory, 'p-sweep')).toBe(600);
  });

  it('says why Slurm takes no job, what to do, and what sbatch said', () => {
    const environment = { ...cluster!.environment, SBATCH_PARTITION: 'nowhere' };
    const { stderr, status } = spawnSync(process.execPath, words('--slurm'), {
      cwd: folder(sample),
      env: environment,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(
      /^placewright: --slurm: No job was submitted: the partition does not exist or rejects your jobs\..* `export SBATCH_PARTITION=NAME`\. sbatch: “.*[Ii]nvalid partition.*”\.\n$/s,
    );
    expect(status).toBe(2);
  });

  it('says that Slurm is not there', () => {
    const { stderr, status } = spawnSync(process.execPath, words('--slurm'), {
      cwd: folder(sample),
      env: { PATH: '' },
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      'placewright: --slurm: sbatch not found. Run the experiment where Slurm commands are available.\n',
    );
    expect(status).toBe(2);
  });
});
