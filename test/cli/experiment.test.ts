/** `placewright experiment`: how it runs: what it writes, that it goes on after any end, its short and middle forms. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binary } from './binary.ts';
import {
  experimentFolders,
  sample,
  experimentsOf,
  journalLines,
  killed,
  machine,
  stream,
  experiment,
} from './experimentFolder.ts';

const { cli, folder } = experimentFolders();
const built = binary();
/** The sample with fewer jobs and replications. */
const short = sample.replace('jobs     200', 'jobs     20').replace('at most 20', 'at most 8');

/** Each file below a folder with its beginning, and each link with where it leads. */
function contentsOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isSymbolicLink()
        ? `-> ${readlinkSync(path)}`
        : entry.isFile()
          ? readFileSync(path, 'utf8').slice(0, 80)
          : '';
      return `${path.slice(directory.length + 1)}: ${content}`;
    })
    .sort();
}

describe('placewright experiment', () => {
  it('prints rows with intervals, comparisons and why', async () => {
    // As many jobs as keep the mesh busy, so that rows are beyond saturation.
    const text = sample.replace('jobs     200', 'jobs     60').replace('at most 20', 'at most 10');
    const { code, out, err } = await cli.run(['experiment', 'a.place'], folder({ 'a.place': text }));
    await expect(out).toMatchFileSnapshot(join(import.meta.dirname, 'golden/jobs-over-time.experiment.txt'));
    expect(err).toBe(
      'placewright: allocators, 3 of 6 rows: Beyond saturation: many jobs are waiting at the end. Turnaround depends on the run length.\n',
    );
    expect(code).toBe(0);
  });

  it('gives the same bytes with 1 and 3 threads, and keeps them beside the file', async () => {
    const words = ['experiment', 'a.place', '--json', '--csv', 'a.csv', '-o', 'a.svg', '--threads'];
    const outputs: unknown[][] = [];
    for (const threads of [1, 3]) {
      const directory = folder({ 'a.place': short });
      // The process of the tests has one thread.
      const { out, err } =
        threads === 1 ? await cli.run([...words, '1'], directory) : built.run([...words, `${threads}`], directory);
      const done = journalLines(directory).map((line) => line.slice(line.indexOf(' ')));
      expect(new Set(done).size).toBe(done.length);
      const kept = readFileSync(join(directory, 'a.place.results/allocators.json'), 'utf8');
      const [table, figure] = ['a.csv', 'a.svg'].map((name) => readFileSync(join(directory, name), 'utf8'));
      outputs.push([out, err, table, done.sort(), kept, figure]);
    }
    expect(outputs[1]).toEqual(outputs[0]);
    const [[out, , csv, done, , figure] = []] = outputs;
    expect(String(figure)).toMatch(/<svg[\s\S]*Turnaround[\s\S]*first-fit/);
    const [result] = experimentsOf(String(out));
    expect(result).toMatchObject({ name: 'allocators', complete: true, replicationsDone: 8 });
    expect(result?.rows).toHaveLength(6);
    expect(result?.rows[0]?.metrics['turnaround']).toMatchObject({ unit: 'cycles' });
    expect(done).toHaveLength(result!.rows.reduce((sum, { replications }) => sum + replications, 0));
    expect(String(csv).split('\n')[0]).toBe(
      'experiment,arrivals.rate,job,machine,allocator,scheduler,mapper,metric,unit,mean,halfWidth,n,seeds',
    );
    expect(String(csv).trimEnd().split('\n')).toHaveLength(1 + 6 * 2);
  });

  it('goes on where it was killed: the same bytes, nothing done twice', async () => {
    const text = short.replace('until 10% at 95% (at most 8)', '8');
    const directory = folder({ 'a.place': text });
    expect(killed(built, ['experiment', 'a.place', '--threads', '2'], directory).code).toBe(null);
    const journal = join(directory, 'a.place.results/allocators.journal');
    const kept = journalLines(directory);
    expect(kept).toHaveLength(5);
    // A line that was cut off is done again.
    appendFileSync(journal, kept[0]!.slice(0, 40));
    const resumed = await cli.run(['experiment', 'a.place', '--json', '--resume'], directory);
    expect(resumed.err).toMatch(/^placewright: 5 replications of 'allocators' were finished before/);
    const lines = journalLines(directory);
    expect(lines.slice(0, 5)).toEqual(kept);
    expect(lines).toHaveLength(48);
    expect(new Set(lines.map((line) => line.slice(line.indexOf(' ')))).size).toBe(48);
    expect(resumed.out).toBe((await cli.run(['experiment', 'a.place', '--json'], folder({ 'a.place': text }))).out);
    // All is done: nothing is run once more.
    expect((await cli.run(['experiment', 'a.place', '--json', '--resume'], directory)).out).toBe(resumed.out);
    expect(journalLines(directory)).toEqual(lines);
  });

  it('ends at Ctrl-C with what was done, and says how to go on', async () => {
    const directory = folder();
    const event = {
      after: 10,
      act: (interrupt: () => void) => {
        interrupt();
      },
    };
    const { code, out, err } = await cli.runWith(event, ['experiment', 'a.place', '--json'], directory);
    expect(code).toBe(0);
    expect(err).toMatch(
      /interrupted; \d+ replications of 'allocators' are done\. Resume: placewright experiment a\.place allocators --resume\n$/,
    );
    expect(experimentsOf(out)[0]?.complete).toBe(false);
    expect(readFileSync(join(directory, 'a.place.results/allocators.json'), 'utf8')).toContain('"complete":false');
  });

  it('leaves the journal of another experiment, and other files, as they are', async () => {
    const text = machine + stream + experiment('allocate rbs replications 2');
    const directory = folder({ 'a.place': text });
    await cli.run(['experiment', 'a.place'], directory);
    const before = journalLines(directory, 'e');
    writeFileSync(join(directory, 'a.place'), text.replace('constant(50)', 'constant(51)'));
    const other = await cli.run(['experiment', 'a.place', '--resume'], directory);
    expect(other.code).toBe(1);
    expect(other.err).toMatch(/e\.journal: Saved results are from an earlier version of experiment 'e'\./);
    expect(journalLines(directory, 'e')).toEqual(before);
    const foreign = join(directory, 'a.place.results/e.journal');
    writeFileSync(foreign, 'my notes\n');
    for (const [words, why] of [
      [[], /did not write.*\[not-ours\]\n$/],
      [['--resume'], /Not an experiment journal.*\[not-a-journal\]\n$/],
    ] as const) {
      const refused = await cli.run(['experiment', 'a.place', ...words], directory);
      expect(refused.code).toBe(1);
      expect(refused.err).toMatch(why);
    }
    expect(readFileSync(foreign, 'utf8')).toBe('my notes\n');
  });

  const results = 'a.place.results';
  it.each<[string, (directory: string) => void]>([
    [
      'a link in the place of the results',
      (at) => {
        symlinkSync('../victim', join(at, results, 'e.json'));
      },
    ],
    [
      'a link in the place of the journal',
      (at) => {
        symlinkSync('../victim', join(at, results, 'e.journal'));
      },
    ],
    [
      'a link to nothing',
      (at) => {
        symlinkSync('../new', join(at, results, 'e.json'));
      },
    ],
    [
      'results of somebody else',
      (at) => {
        writeFileSync(join(at, results, 'e.json'), '{"mine": 1}\n');
      },
    ],
    [
      'a journal of somebody else',
      (at) => {
        writeFileSync(join(at, results, 'e.journal'), 'my notes\n');
      },
    ],
    [
      'a pipe in the place of the journal',
      (at) => {
        execFileSync('mkfifo', [join(at, results, 'e.journal')]);
      },
    ],
    [
      'a link in the place of the folder',
      (at) => {
        rmdirSync(join(at, results));
        symlinkSync('elsewhere', join(at, results));
      },
    ],
  ])('writes neither through %s nor over it, and says so before it runs', async (_, prepare) => {
    const text = machine + stream + experiment('allocate rbs replications 2');
    const directory = folder({ 'a.place': text, victim: 'mine\n' });
    for (const name of [results, 'elsewhere']) mkdirSync(join(directory, name));
    prepare(directory);
    const before = contentsOf(directory);
    for (const words of [[], ['--resume']]) {
      const { code, out, err } = await cli.run(['experiment', 'a.place', ...words], directory);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/\[not-(?:ours|a-journal)\]\n$/);
      expect(contentsOf(directory)).toEqual(before);
    }
  });

  it('runs without a journal where none can be written, and says so', async () => {
    const directory = folder({ 'a.place': machine + stream + experiment('allocate rbs replications 2') });
    writeFileSync(join(directory, 'a.place.results'), '');
    const { code, err, out } = await cli.run(['experiment', 'a.place'], directory);
    expect(err).toMatch(/^placewright: .*e\.journal cannot be read and written: .*a\.place\.results is not a folder\./);
    expect(out).toMatch('Experiment e (2 replications of each row)');
    expect(code).toBe(0);
  });

  it('runs standard input without a journal', async () => {
    const directory = folder({ 'b.place': machine + stream + experiment('allocate rbs replications 2') });
    const text = readFileSync(join(directory, 'b.place'), 'utf8');
    const { code, out } = await cli.run(['experiment', '-', '--json'], directory, text);
    expect([code, experimentsOf(out)[0]?.replicationsDone]).toEqual([0, 2]);
    expect(readdirSync(directory)).toEqual(['b.place']);
    expect(await cli.run(['experiment', '-', '--resume'], directory)).toMatchObject({ code: 2 });
  });

  it('runs a short variant at the quoted values, and keeps it apart', async () => {
    const quoted = short.replace(
      'compare ',
      'quoted { turnaround rbs / first-fit at arrivals.rate 0.001 : 0.9 }\n  compare ',
    );
    const directory = folder({ 'a.place': quoted.replace('(at most 8)', '(at most 500)') });
    const { out, err } = await cli.run(['experiment', 'a.place', 'allocators', '--short', '--json'], directory);
    expect(err).toBe('placewright: A short run: 20 replications of 3 points, 20 jobs each.\n');
    const [result] = experimentsOf(out);
    expect(result?.rows.map(({ point }) => point['arrivals.rate'])).toEqual([0.001, 0.001, 0.001]);
    const [number] = result?.quoted ?? [];
    expect(number?.paper).toBe(0.9);
    expect(number?.residual).toBeCloseTo(number!.ours! - 0.9, 12);
    expect(readdirSync(join(directory, 'a.place.results')).sort()).toEqual([
      'allocators.short.journal',
      'allocators.short.json',
    ]);
  });

  it('runs the forms that an experiment says, keeps them apart, and quotes the best and the deviation of rows by their names', async () => {
    const mapped = `machine torus { topology torus 4 x 4 }
network packets { switching cut-through packet 32 flit 4 B channels 2 bubble 2(here) routing adaptive }
job cg { tasks 16 skeleton cg(class S, iterations 2) }
experiment table {
  job cg machine torus network packets
  map consecutive, random, grasp(criterion distance, iterations 2), grasp(criterion traffic-distribution, iterations 2)
  seeds 1 .. 9 report makespan compare kruskal-wallis
  short replications 2, iterations 1   middle replications 3, iterations 2
  quoted {
    makespan random : 7000, best 6000, deviation 1000, differs
    makespan grasp(criterion distance) / grasp(criterion traffic-distribution) : 1
  }
}
`;
    const directory = folder({
      'a.place':
        mapped +
        mapped
          .slice(mapped.indexOf('experiment'))
          .replace('table', 'whole')
          .replace(/middle .*/, ''),
    });
    const { out, err, code } = await cli.run(['experiment', 'a.place', '--middle', '--json'], directory);
    // The one without a middle form is left out.
    expect([code, err]).toEqual([0, 'placewright: A middle run: 3 replications of 4 points, 2 iterations.\n']);
    const [result, second] = experimentsOf(out);
    expect([result?.name, second]).toEqual(['table', undefined]);
    expect(result?.rows.map(({ mapper, deterministic = false }) => [mapper, deterministic])).toEqual([
      ['consecutive', true],
      ['random', false],
      ['grasp(criterion distance)', false],
      ['grasp(criterion traffic-distribution)', false],
    ]);
    const { mean, deviation, values = [] } = result?.rows[1]?.metrics['makespan'] ?? {};
    expect(result?.quoted).toMatchObject([
      { row: 1, paper: 7000, differs: true, ours: mean },
      { row: 1, statistic: 'best', paper: 6000, ours: Math.min(...values.map((value) => value ?? Infinity)) },
      { row: 1, statistic: 'deviation', paper: 1000, ours: deviation },
      { row: 2, over: 3, paper: 1 },
    ]);
    const [tested, left] = [false, true].map((isLeft) =>
      (result?.comparisons ?? []).filter(({ deterministic }) => isLeft === (deterministic !== undefined)),
    );
    expect(new Set(tested?.flatMap(({ of, to }) => [of, to]))).toEqual(
      new Set(result?.rows.slice(1).map(({ mapper }) => mapper)),
    );
    expect(left).toMatchObject([
      {
        of: 'consecutive',
        deterministic: ['consecutive'],
        p: null,
        pHolm: null,
        differs: null,
        ratio: expect.any(Number) as number,
      },
    ]);
    const text = await cli.run(['experiment', 'a.place', 'table', '--short'], directory);
    expect(text.out).toMatch(
      /kruskal-wallis +makespan +consecutive .*not tested: consecutive has one value for all seeds\n/,
    );
    expect(text.out).toMatch(/Quoted[\s\S]*best makespan +random[\s\S]*deviation makespan +random/);
    const drawn = await cli.run(['draw', 'a.place', 'table', '--middle', '-o', '-'], directory);
    expect(drawn.out).toMatch(/middle run, [\s\S]*grasp\(criterion distance\)/);
    expect(readdirSync(join(directory, 'a.place.results')).filter((name) => name.endsWith('.json'))).toEqual([
      'table.middle.json',
      'table.short.json',
    ]);
    expect(await cli.run(['experiment', 'a.place', 'whole', '--middle'], directory)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /Experiment 'whole' has no `middle` variant\. Write `middle replications 20`, or run another variant\./,
      ) as string,
    });
    expect((await cli.run(['experiment', 'a.place', '--middle', '--short'], directory)).code).toBe(2);
  });
});
