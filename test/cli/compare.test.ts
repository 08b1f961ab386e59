import { once } from 'node:events';
import { chmodSync, lstatSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binary } from './binary.ts';
import { commandLine } from './commandLine.ts';

const cli = commandLine();
const { start } = binary();

/** A file of the test's own. */
function file(text: string): string {
  const path = join(cli.scratch(), 'compared.place');
  writeFileSync(path, text);
  return path;
}

const line = `machine line { topology mesh 8 }
table chain { 0 -> 1 : 100  1 -> 2 : 100  2 -> 3 : 100 }
job chain { tasks 4  table chain }
placement p { job chain machine line map baseline }
`;
const compareLine = (...words: readonly string[]) => cli.run(['compare', file(line), 'p', ...words]);

describe('compare', () => {
  it('prints a table, the best mapper first', async () => {
    const mappers = 'given [0, 2, 4, 6], baseline, given [7, 0, 6, 1]';
    const { code, out, err } = await compareLine('--mappers', mappers);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const masked = out.replace(/ *\d+\.\d$/gm, ' …');
    expect(masked).toBe(`Placement p: chain (4 tasks) on line, seed 1

Mapper                 Hop-bytes  Ratio  Average hops  Maximum hops  Maximum link load  Most loaded link  Mapping coefficient  Milliseconds
as written (baseline)      300 B  1.000             1             1              100 B  0 → 1                           300 B …
baseline                   300 B  1.000             1             1              100 B  0 → 1                           300 B …
given [0, 2, 4, 6]         600 B  2.000             2             2              100 B  0 → 1                           600 B …
given [7, 0, 6, 1]     1.758 KiB  6.000             6             7              200 B  2 → 1                       1.758 KiB …

Same mapping: as written (baseline), baseline.
`);
  });

  it('names the earlier row with the same mapping in JSON, and no other with the same figures', async () => {
    const mappers = 'baseline, given [1, 2, 3, 4], given [0, 1, 2, 3]';
    const { out } = await compareLine('--mappers', mappers, '--json');
    const rows = (
      JSON.parse(out) as { readonly mappers: readonly { readonly mapper: string; readonly sameAs?: string }[] }
    ).mappers;
    expect(rows.map(({ mapper, sameAs }) => [mapper, sameAs])).toEqual([
      ['as written (baseline)', undefined],
      ['baseline', 'as written (baseline)'],
      ['given [1, 2, 3, 4]', undefined],
      ['given [0, 1, 2, 3]', 'as written (baseline)'],
    ]);
  });

  it('says what `auto` had no time for, so that another row may be above it', async () => {
    const words = ['--mappers', 'auto(budget 1 ms), tabu(iterations 1)'];
    const { code, out } = await cli.run(['compare', 'samples/cg/nas-cg.place', 'by-chance', ...words]);
    expect(code).toBe(0);
    expect(out).toMatch(/^auto\(budget 1 ms\): time limit too short for .*\btabu\b.*\.$/m);
  });

  it('shows what the placement itself comes to, its mapping, and where it congests', async () => {
    const timed = line.replace('mesh 8', 'mesh 8  bandwidth 100 B/s').replace('map baseline', 'map given [7, 6, 5, 3]');
    const words = ['compare', file(timed), 'p', '--mappers', 'baseline'];
    const rows = (await cli.run(words)).out.split('\n');
    expect(rows[2]).toMatch(/Most loaded link +Congestion time/);
    expect(rows.find((row) => row.startsWith('as written (given [7, 6, 5, 3])'))).toMatch(/ 4 → 3 .* 1 s/);
    const { mappers } = JSON.parse((await cli.run([...words, '--json'])).out) as { mappers: unknown[] };
    expect(mappers[1]).toMatchObject({
      mapper: 'as written (given [7, 6, 5, 3])',
      asWritten: true,
      metrics: { congestionTime: 1 },
      heaviestLink: { from: 4, to: 3, load: 100 },
      jobs: [{ name: 'chain', mapping: [7, 6, 5, 3] }],
    });
    expect(mappers[0]).not.toHaveProperty('asWritten');
  });

  it('sorts by another figure', async () => {
    // Side by side the two messages share links; apart they travel further and share none.
    const text = `machine line { topology mesh 8 }  table t { 0 -> 1 : 100  2 -> 3 : 100 }
      job j { tasks 4  table t }  placement p { job j  machine line  map given [0, 3, 1, 2] }`;
    const [near, far] = ['as written (given [0, 3, 1, 2])', 'given [0, 2, 4, 7]'];
    const order = async (...words: readonly string[]) =>
      (await cli.run(['compare', file(text), 'p', '--mappers', 'given [0, 2, 4, 7]', ...words])).out
        .split('\n')
        .flatMap((row) => [near, far].filter((name) => row.startsWith(name)));
    expect(await order()).toEqual([near, far]);
    expect(await order('--sort', 'maximum-link-load')).toEqual([far, near]);
    expect(await order('--sort', 'average-hops')).toEqual([near, far]);
  });

  it('prints CSV, and not beside JSON', async () => {
    const { code, out } = await compareLine('--mappers', 'given [0, 2, 4, 6], given [0, 1]', '--csv');
    expect(code).toBe(0);
    const [head, own, given, refused, end] = out.split('\r\n');
    expect(head).toBe(
      'mapper,hopBytes,ratio,averageHops,maximumHops,maximumLinkLoad,heaviestLink,congestionTime,mappingCoefficient,waiting,highestUtilisation,milliseconds,failure',
    );
    expect(own).toMatch(/^as written \(baseline\),300,1,1,1,100,0 → 1,,300,,,[\d.e-]+,$/);
    expect(given).toMatch(/^"given \[0, 2, 4, 6\]",600,2,2,2,100,0 → 1,,600,,,[\d.e-]+,$/);
    expect(refused).toMatch(/^"given \[0, 1\]",{12}"?refused: \S/);
    expect(end).toBe('');
    expect(await compareLine('--csv', '--json')).toMatchObject({ code: 2, out: '' });
  });

  it('counts one task as one', async () => {
    const one = 'machine m { topology mesh 2 }  job j { tasks 1  pattern ring }  placement p { job j  machine m }';
    expect((await cli.run(['compare', file(one), 'p', '--mappers', 'rcb'])).out).toMatch(/j \(1 task\)/);
  });

  it('takes all mappers that need no argument, and lists those that refuse last', async () => {
    const { mappers } = JSON.parse((await compareLine('--json')).out) as { mappers: { mapper: string }[] };
    expect(mappers.map(({ mapper }) => mapper)).toEqual(expect.arrayContaining(['auto', 'rcb', 'baseline']));
    const { out, code } = await compareLine('--mappers', 'given [0, 1], baseline');
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^given \[0, 1\] {2}refused: \S/);
  });

  it('prints one JSON object', async () => {
    const { out } = await compareLine('--mappers', 'rcb, baseline', '--json');
    const found = JSON.parse(out) as { mappers: unknown[] };
    expect(found).toMatchObject({ placement: 'p', machine: 'line', seed: 1 });
    expect(found.mappers[1]).toMatchObject({
      mapper: 'rcb',
      ratio: 1,
      metrics: { averageHops: 1, maximumHops: 1, hopBytes: 300, maximumLinkLoad: 100, mappingCoefficient: 300 },
      jobs: [{ name: 'chain' }],
      milliseconds: { map: expect.any(Number) as number },
    });
  });

  it.each([
    ['a mapper that is none', ['--mappers', 'graps'], /^placewright: --mappers: There is no mapper `graps`.*`grasp`/],
    ['options of the wrong kind', ['--mappers', 'rcb(rotate maybe)'], /`rotate` takes `yes` or `no`/],
    ['a time without a unit', ['--limit', '5'], /`--limit` needs a unit/],
    [
      'a figure that is none',
      ['--sort', 'hops'],
      /hop-bytes, maximum-link-load, congestion-time, average-hops, waiting, busiest-server, mill/,
    ],
    ['no time at all', ['--limit', '0 s'], /`--limit` must be a time above 0/],
  ])('refuses %s as wrong usage', async (_, words, message) => {
    const { code, out, err } = await compareLine(...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  it('refuses a placement or a file that is not there as wrong usage', async () => {
    expect(await cli.run(['compare', file(line), 'q'])).toMatchObject({
      code: 2,
      err: /No placement 'q': expected one of p/,
    });
    expect(await cli.run(['compare', 'nowhere.place', 'p'])).toMatchObject({ code: 2, out: '' });
  });

  it.each([
    ['an error in the text', line.replace('mesh 8', 'mesh 3'), /:4:\d+: error: .*\[does-not-fit\]/],
    ['a file that cannot be read', line.replace(/table chain \{.*\}/, 'table chain from "none.csv"'), /file-not-found/],
  ])('ends with 1 and says so where there is %s', async (_, text, message) => {
    const { code, out, err } = await cli.run(['compare', file(text), 'p', '--mappers', 'rcb, baseline']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
    expect(err).toMatch(/placement 'p' could not be evaluated. Nothing is compared/);
  });

  it('stops a mapper at its limit, and goes on', async () => {
    const large =
      'machine m { topology torus 32 x 32 }  job j { tasks 800  pattern all-to-all }  placement p { job j  machine m  map baseline }';
    const { out, code } = await cli.run([
      'compare',
      file(large),
      'p',
      '--mappers',
      'auto, baseline',
      '--limit',
      '1 ms',
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/^baseline /m);
    expect(out).toMatch(/^auto {2}stopped after \d/m);
  });

  it('names the mapper of the placement with its options, as written', async () => {
    const names = async (text: string): Promise<string | undefined> =>
      /^as written .*?\)(?=  )/m.exec((await cli.run(['compare', file(text), 'p', '--mappers', 'baseline'])).out)?.[0];
    const written = 'grasp( iterations 10, // ten\n    alpha 20% )';
    expect(await names(line.replace('map baseline', `map ${written}`))).toBe(
      'as written (grasp(iterations 10, alpha 20%))',
    );
    expect(await names(line.replace(' map baseline', ''))).toBe('as written (auto)');
    const own = line.replace('job chain machine', 'jobs chain(map rcb(rotate no)) machine');
    expect(await names(own)).toBe('as written (rcb(rotate no))');
    const many = line.replace('mesh 8', 'mesh 99').replace('map baseline', `map given [0, 1, 2, ${'0'.repeat(99)}3]`);
    const { out } = await cli.run(['compare', file(many), 'p', '--mappers', 'baseline']);
    expect(out).toMatch(/^as written \(given \[0, 1, 2, 0+…  /m);
  });

  it('says what a congestion time needs, where the machine has none to sort by', async () => {
    const words = ['--mappers', 'given [7, 0, 6, 1], baseline', '--sort', 'congestion-time'];
    const { code, out, err } = await compareLine(...words);
    expect(code).toBe(0);
    expect(err).toBe(
      "placewright: machine 'line' has no bandwidth, so no congestion time. Add `bandwidth 10 GB/s`. Rows are sorted by maximum link load.\n",
    );
    expect(out).toMatch(/^as written[^]*^baseline[^]*^given/m);
    const timed = await cli.run(['compare', file(line.replace('mesh 8', 'mesh 8  bandwidth 1 GB/s')), 'p', ...words]);
    expect(timed.err).toBe('');
    const order = (text: string) => text.match(/^(as written|baseline|given)/gm);
    expect(order(timed.out)).toEqual(order(out));
  });

  it('ends at Ctrl-C with the mappers that were done, and says so', async () => {
    const grid = 'machine m { topology torus 32 x 32 }  job j { grid 32 x 32  stencil nine-point }';
    const directory = dirname(file(''));
    writeFileSync(join(directory, 'a.place'), `${grid}  placement p { job j  machine m  map baseline }`);
    const words = ['--limit', '600 s', '--mappers', 'baseline, grasp(iterations 1000000), rcb'];
    // The line of progress is shown to nobody here.
    writeFileSync(join(directory, 'watched.cjs'), 'process.stderr.isTTY = true;\n');
    const child = start(['compare', 'a.place', 'p', ...words], directory, ['--require', './watched.cjs']);
    let [out, printed] = ['', ''];
    child.stdout.on('data', (text: Buffer) => (out += text.toString()));
    child.stderr.on('data', (text: Buffer) => {
      if (!printed.includes('grasp') && text.includes('grasp')) child.kill('SIGINT');
      printed += text.toString();
    });
    const [code] = (await once(child, 'close')) as [number | null];
    const err = printed.slice(printed.lastIndexOf('\u001b[K') + 3);
    expect({ code, err }).toEqual({ code: 0, err: 'placewright: interrupted; 2 of 4 mappers were tried.\n' });
    expect(out).toMatch(/^baseline /m);
  });
});

describe('compare --seeds', () => {
  const seeded = (...words: readonly string[]) => compareLine('--mappers', 'random, baseline', ...words);

  it('prints means and standard deviations over the seeds, and one value for what draws nothing', async () => {
    const { code, out, err } = await seeded('--seeds', '1..3, 9');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const json = JSON.parse((await seeded('--seeds', '1..3, 9', '--json')).out) as {
      mappers: { figures: Record<string, { mean: number; deviation: number; values: number[] }> }[];
    };
    const { values, mean, deviation } = json.mappers[2]!.figures['hopBytes']!;
    expect(values).toHaveLength(4);
    expect(mean).toBeCloseTo(values.reduce((sum, value) => sum + value) / 4);
    expect(deviation).toBeCloseTo(Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3));
    expect(out.replace(/ *\d+\.\d( ± \d+\.\d)?$/gm, ' …')).toMatchInlineSnapshot(`
      "Placement p: chain (4 tasks) on line, seed 1; mappers with seeds 1 to 3, 9
      ± SD: mean and standard deviation over the seeds. Deterministic mappers have one value.

      Mapper                 Seeds   Hop-bytes ± SD  Ratio  Average hops ± SD  Maximum hops ± SD  Maximum link load ± SD  Mapping coefficient ± SD  Milliseconds ± SD
      as written (baseline)    any            300 B  1.000                  1                  1                   100 B                     300 B …
      baseline                 any            300 B  1.000                  1                  1                   100 B                     300 B …
      random                     4  800 B ± 81.65 B  2.667     2.667 ± 0.2722       4.25 ± 1.258            125 B ± 50 B           800 B ± 81.65 B …

      Same mapping: as written (baseline), baseline.
      "
    `);
  });

  it('with the seed of the placement gives what the placement itself is', async () => {
    const hopBytes = async (...words: readonly string[]): Promise<unknown> => {
      const { mappers } = JSON.parse((await seeded('--json', ...words)).out) as {
        mappers: { mapper: string; metrics: { hopBytes: number } }[];
      };
      return mappers.find(({ mapper }) => mapper === 'random')?.metrics.hopBytes;
    };
    expect(await hopBytes('--seeds', '1')).toBe(await hopBytes());
    const others = new Set<unknown>();
    for (const seed of ['1', '2', '3']) others.add(await hopBytes('--seeds', seed));
    expect(others.size).toBeGreaterThan(1);
    expect((await seeded('--seeds', '7')).out).toMatch(/seed 1; mappers with seed 7\n\nMapper {4}/);
  });

  it('has all values in JSON', async () => {
    const found = JSON.parse((await seeded('--seeds', '1,4,9', '--json')).out) as { mappers: object[] };
    expect(found).toMatchObject({ seed: 1, seeds: [1, 4, 9] });
    expect(found.mappers[1]).toMatchObject({ mapper: 'baseline', deterministic: true, seeds: [1], seed: 1 });
    expect(found.mappers[1]).toMatchObject({ figures: { hopBytes: { mean: 300, values: [300] } } });
    const random = found.mappers[2] as { figures: { hopBytes: Record<string, unknown> } };
    expect(random).toMatchObject({ mapper: 'random', seeds: [1, 4, 9], figures: { milliseconds: {} } });
    expect(Object.keys(random.figures.hopBytes)).toEqual(['mean', 'deviation', 'minimum', 'maximum', 'values']);
  });

  it('has columns of its own in CSV, behind the others', async () => {
    const [head, own, , random] = (await seeded('--seeds', '1..3', '--csv')).out.split('\r\n');
    expect(head).toMatch(
      /,failure,seeds,hopBytesDeviation,averageHopsDeviation,maximumHopsDeviation,maximumLinkLoadDeviation,congestionTimeDeviation,mappingCoefficientDeviation,waitingDeviation,highestUtilisationDeviation,millisecondsDeviation$/,
    );
    expect(own).toMatch(/^as written \(baseline\),300,1,1,1,100,0 → 1,,300,,,[\d.e-]+,,1,{9}$/);
    expect(random).toMatch(/^random,[\d.]+,[\d.]+,.*,,3,\d[\d.]*,/);
  });

  it.each([
    ['a word', 'many', /`--seeds` must be whole numbers or ranges\. Example: 1\.\.20, or 1,4,9\./],
    ['an empty list', '', /whole numbers or ranges/],
    ['a fraction', '1.5', /whole numbers or ranges/],
    ['a number that is none any more', '9007199254740993', /whole numbers or ranges/],
    ['a range that falls', '9..1', /range 9\.\.1 is reversed\. Write 1\.\.9/],
    ['a seed twice', '1..4, 3', /has the seed 3 twice/],
    ['too many', '1..1000000000', /maximum is 1000/],
  ])('refuses %s', async (_, seeds, message) => {
    const { code, out, err } = await seeded('--seeds', seeds);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  it('keeps at Ctrl-C the seeds that were done', async () => {
    const grid = 'machine m { topology torus 8 x 8 }  job j { grid 8 x 8  stencil nine-point }';
    const directory = dirname(file(''));
    writeFileSync(join(directory, 'a.place'), `${grid}  placement p { job j  machine m  map baseline }`);
    const words = ['--limit', '600 s', '--mappers', 'random-search, baseline', '--seeds', '1..1000'];
    const event = {
      after: 20_000,
      act: (interrupt: () => void) => {
        interrupt();
      },
    };
    const { code, out, err } = await cli.runWith(event, ['compare', 'a.place', 'p', ...words], directory);
    expect(err).toBe('placewright: interrupted; 3 of 3 mappers were tried, 2 of them with all 1000 seeds.\n');
    expect(code).toBe(0);
    expect(out).toMatch(/^random-search +\d+ .* ± /m);
    expect(out).toMatch(/^baseline +any /m);
  });
});

describe('compare --write', () => {
  /** Line ends, tabs, comments and a mark that must all stay. */
  const text =
    '\ufeff// mine\r\nmachine line { topology mesh 8 }\r\ntable chain { 0 -> 1 : 100  1 -> 2 : 100  2 -> 3 : 100 }\r\n' +
    'job chain { tasks 4  table chain }\r\nplacement p {\r\n\tjob chain\r\n\tmachine line // eight\r\n\tmap given [7, 0, 6, 1] // bad\r\n}\r\n';
  const folder = (content = text): string => {
    const directory = mkdtempSync(join(cli.scratch(), 'write-'));
    writeFileSync(join(directory, 'a.place'), content);
    return directory;
  };
  const write = (directory: string, ...words: readonly string[]) =>
    cli.run(
      ['compare', 'a.place', 'p', '--mappers', 'random, given [0, 2, 4, 6], baseline', '--write', ...words],
      directory,
    );
  const textIn = (directory: string, name = 'a.place'): string => readFileSync(join(directory, name), 'utf8');

  it.each([
    ['best', 'baseline'],
    ['given [0,2, 4,6]', 'given [0, 2, 4, 6]'],
  ])('writes %s and leaves the rest byte for byte', async (wanted, mapper) => {
    const directory = folder();
    chmodSync(join(directory, 'a.place'), 0o640);
    const { code, out, err } = await write(directory, wanted);
    expect({ code, err }).toEqual({ code: 0, err: `placewright: a.place: 'p' now has \`map ${mapper}\`.\n` });
    expect(out).toMatch(/^baseline /m);
    expect(textIn(directory)).toBe(text.replace('given [7, 0, 6, 1]', mapper));
    expect(statSync(join(directory, 'a.place')).mode & 0o777).toBe(0o640);
  });

  it('takes the best by what the table is sorted by, options included', async () => {
    const directory = folder();
    const words = [
      '--mappers',
      'baseline, grasp(iterations 3, alpha 10%)',
      '--write',
      'grasp(iterations 3, alpha 10%)',
    ];
    expect((await cli.run(['compare', 'a.place', 'p', '--seeds', '1..2', ...words], directory)).code).toBe(0);
    expect(textIn(directory)).toBe(text.replace('given [7, 0, 6, 1]', 'grasp(iterations 3, alpha 10%)'));
    expect(await cli.run(['check', 'a.place'], directory)).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    [
      'on a line of its own',
      text.replace('\tmap given [7, 0, 6, 1] // bad\r\n', ''),
      '// eight\r\n',
      '\tmap baseline\r\n',
    ],
    ['on the line of the others', line.replace(' map baseline', ''), 'machine line', '  map baseline'],
  ])('adds a mapper that was left out, %s', async (_, content, behind, added) => {
    const directory = folder(content);
    expect((await write(directory, 'baseline')).code).toBe(0);
    const at = content.lastIndexOf(behind) + behind.length;
    expect(textIn(directory)).toBe(content.slice(0, at) + added + content.slice(at));
  });

  it('writes the seed that came to the least, so that the placement is the one of the table', async () => {
    const directory = folder();
    const words = ['--mappers', 'random', '--seeds', '2..9', '--write', 'random', '--json'];
    const { code, out, err } = await cli.run(['compare', 'a.place', 'p', ...words], directory);
    expect({ code, err }).toMatchObject({ code: 0 });
    const { mappers } = JSON.parse(out) as {
      mappers: { mapper: string; seed: number; metrics: { hopBytes: number } }[];
    };
    const { seed, metrics } = mappers.find(({ mapper }) => mapper === 'random')!;
    expect(err).toBe(`placewright: a.place: 'p' now has \`map random\` and \`seed ${seed}\`.\n`);
    const written = text.replace('map given [7, 0, 6, 1] // bad\r\n', `map random // bad\r\n\tseed ${seed}\r\n`);
    expect(textIn(directory)).toBe(written);
    const ran = JSON.parse((await cli.run(['run', 'a.place', '--json'], directory)).out) as {
      placements: { metrics: object }[];
    };
    expect(ran.placements[0]!.metrics).toMatchObject(metrics);
  });

  it('leaves a placement whose nodes are drawn from the same seed, and says so', async () => {
    const content = text.replace('machine line // eight', 'machine line allocate random');
    const directory = folder(content);
    const words = ['--mappers', 'random', '--seeds', '2..3', '--write', 'random'];
    const { code, err } = await cli.run(['compare', 'a.place', 'p', ...words], directory);
    expect(code).toBe(1);
    expect(err).toMatch(/seed 3 has the best result but also changes nodes or traffic of 'p'\./);
    expect(textIn(directory)).toBe(content);
  });

  it('follows a link to the file, and the link stays', async () => {
    const directory = folder();
    symlinkSync('a.place', join(directory, 'b.place'));
    const words = ['compare', 'b.place', 'p', '--mappers', 'baseline', '--write', 'best'];
    expect((await cli.run(words, directory)).code).toBe(0);
    expect(lstatSync(join(directory, 'b.place')).isSymbolicLink()).toBe(true);
    expect(textIn(directory)).toBe(text.replace('given [7, 0, 6, 1]', 'baseline'));
  });

  it('writes nothing where the placement is the best already', async () => {
    const good = text.replace('given [7, 0, 6, 1]', 'baseline');
    const directory = folder(good);
    const { code, err } = await write(directory, 'best');
    expect({ code, err }).toEqual({
      code: 0,
      err: "placewright: no mapper is better than the current one of 'p'. a.place is unchanged.\n",
    });
    expect(textIn(directory)).toBe(good);
  });

  it('writes nothing where the mapper placed nothing', async () => {
    const directory = folder();
    const words = ['compare', 'a.place', 'p', '--mappers', 'given [0, 1], baseline', '--write', 'given [0, 1]'];
    const { code, err } = await cli.run(words, directory);
    expect(code).toBe(1);
    expect(err).toBe("placewright: `given [0, 1]` has not placed 'p'. a.place is unchanged.\n");
    expect(textIn(directory)).toBe(text);
  });

  const other = 'import "a.place"\nplacement q { job chain  machine line }\n';
  it.each([
    [
      'a mapper that is not compared',
      text,
      ['a.place', 'p', '--write', 'rcb'],
      /Unknown mapper 'rcb'. Expected one of best, baseline/,
    ],
    ['a placement of another file', text, ['b.place', 'p', '--write', 'best'], /Placement 'p' is in a\.place/],
    [
      'a job with a mapper of its own',
      text.replace('job chain\r', 'job chain(map rcb)\r'),
      ['a.place', 'p', '--write', 'best'],
      /--write: Job `chain` has its own mapper, which overrides that of the placement\./,
    ],
    [
      'a comment that would be lost',
      text.replace('[7, 0', '[7, /* why */ 0'),
      ['a.place', 'p', '--write', 'best'],
      /--write: Its mapper contains a comment, which would be deleted\. Move the comment first\./,
    ],
  ])('refuses %s before anything is run', async (_, content, words, message) => {
    const directory = folder(content);
    writeFileSync(join(directory, 'b.place'), other);
    const { code, out, err } = await cli.run(['compare', ...words, '--mappers', 'baseline'], directory);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(textIn(directory)).toBe(content);
  });

  it('refuses standard input', async () => {
    const words = ['compare', '-', 'p', '--mappers', 'baseline', '--write', 'best'];
    const { code, err } = await cli.run(words, folder(), text);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/--write: Standard input cannot be changed\. Name a file\./),
    ]);
  });

  const slow = `machine m { topology torus 12 x 12 }
job j { tasks 144  pattern random }
placement p { job j  machine m  map baseline }
`;

  it('leaves a file alone that was edited meanwhile', async () => {
    const directory = folder(slow);
    const search = 'auto(budget 3000)';
    const words = ['--mappers', search, '--write', search, '--limit', '600 s'];
    const edit = {
      after: 1,
      act: () => {
        writeFileSync(join(directory, 'a.place'), `${slow}// edited\n`);
      },
    };
    const { code, err } = await cli.runWith(edit, ['compare', 'a.place', 'p', ...words], directory);
    expect(err).toBe(
      'placewright: a.place has changed since it was read and was not overwritten. Run the command again.\n',
    );
    expect(code).toBe(2);
    expect(textIn(directory)).toBe(`${slow}// edited\n`);
  });

  it('writes nothing after Ctrl-C', async () => {
    const directory = folder(slow);
    const words = ['--mappers', 'row-major, auto(budget 600 s)', '--write', 'best', '--limit', '600 s'];
    const event = {
      after: 1000,
      act: (interrupt: () => void) => {
        interrupt();
      },
    };
    const { code, err } = await cli.runWith(event, ['compare', 'a.place', 'p', ...words], directory);
    expect(err).toBe('placewright: interrupted; 2 of 3 mappers were tried.\nplacewright: a.place is unchanged.\n');
    expect(code).toBe(1);
    expect(textIn(directory)).toBe(slow);
  });
});

describe('distances', () => {
  const small = 'machine ring { topology torus 4 }';

  it('stand under the numbers of the routers and behind them', async () => {
    expect((await cli.run(['distances', file(small), 'ring'])).out).toBe(
      ['   0  1  2  3', '0  0  1  2  1', '1  1  0  1  2', '2  2  1  0  1', '3  1  2  1  0', ''].join('\n'),
    );
  });

  it('are printed as CSV', async () => {
    expect((await cli.run(['distances', file(small), 'ring', '--csv'])).out).toBe(
      ['router,0,1,2,3', '0,0,1,2,1', '1,1,0,1,2', '2,2,1,0,1', '3,1,2,1,0', ''].join('\r\n'),
    );
  });
});
