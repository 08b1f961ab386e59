import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { commandLine } from '../cli/commandLine.ts';

/** The pages of JSON and CSV in docs/reference against what the commands print: no key is missing there, and none of its examples is invented. */
const read = (name: string): string => readFileSync(resolve(root, `docs/reference/${name}.md`), 'utf8');
const page = ['json', 'json-runs', 'json-machines'].map(read).join('');
const tables = read('csv');
/** Words that the page names: `gap` and `"interrupted": true` in its text, and all keys of its examples. */
const named = new Set(
  [...page.matchAll(/`([^`\n]+)`|("\w+"):/g)].flatMap(([text]) => [...text.matchAll(/\w+/g)].map(([word]) => word)),
);

function exampleOf(heading: string): unknown {
  const section = page.slice(page.indexOf(`## \`${heading}\`\n`));
  const text = /^```json\n([\s\S]*?)^```$/m.exec(section)?.[1];
  if (text === undefined) throw new Error(`docs/reference has no example under ${heading}`);
  return JSON.parse(text);
}

/** `placements[].jobs[].name` and so on, of all objects within. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, within]) => [`${path}.${key}`, ...pathsOf(within, `${path}.${key}`)]);
}

/** What examples show: a search that tries others, links that are hot and not all as fast, the servers of a cluster. */
const searched = `
machine line { topology mesh 16 }
job gather { tasks 12  pattern all-to-one  bytes 1 KiB }
job heat { grid 4 x 4  stencil five-point }
placement in-order { job gather machine line map baseline }
placement rushed { job heat machine line map auto(budget 1 ms) }
placement starts { job gather machine line map random-search(seeds 2) }
placement far { job heat machine line map auto(budget 300) }
machine duo { topology cluster 2  cores 2  memory 4 GB/s  interface 1 GB/s  switch 100 ns queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us, 512 KiB 343.8 us, 1 MiB 687.6 us }
job talk { tasks 2  pattern linear  bytes 64 KiB  rate 20/s }
machine ported { topology mesh 16  bandwidth 1 GB/s  interface 100 MB/s }
placement narrow { job gather machine ported map baseline }
placement between { job talk machine duo map cyclic }
`;

describe('docs/reference/json.md', () => {
  const placewright = commandLine();

  async function printed(words: readonly string[]): Promise<unknown> {
    const { code, out, err } = await placewright.run(words);
    // A simulation that ends in a deadlock says so on both ways.
    if (code !== 0)
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('[deadlock]') as string });
    return JSON.parse(out);
  }

  /** Four worms round a ring of four, each of which waits for the next one's channel. */
  function deadlock(): string {
    const path = join(placewright.scratch(), 'deadlock.place');
    writeFileSync(
      path,
      `machine ring { topology torus 4 } table turn { 0 -> 2 : 400  1 -> 3 : 400  2 -> 0 : 400  3 -> 1 : 400 }
job worms { tasks 4 table turn } network narrow { switching wormhole packet 100 flit 4 B buffer 2 }
placement stuck { job worms machine ring map row-major simulate narrow }`,
    );
    return path;
  }

  /** The servers of a cluster. */
  function cluster(): string {
    const path = join(placewright.scratch(), 'cluster.place');
    writeFileSync(
      path,
      `machine duo { topology cluster 2 cores 2 memory 4 GB/s interface 1 GB/s switch 100 ns queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us, 512 KiB 343.8 us, 1 MiB 687.6 us }
job talk { tasks 4 pattern all-to-all bytes 64 KiB rate 20/s messages 5 }
placement rates { job talk machine duo map cyclic simulate queueing replay open }`,
    );
    return path;
  }

  function file(): string {
    const path = join(placewright.scratch(), 'searched.place');
    writeFileSync(path, searched);
    return path;
  }

  /** All that a result may have: a number of a paper, tests, notices, and rows that fail. */
  function experiment(): string {
    const path = join(placewright.scratch(), 'experiment.place');
    writeFileSync(
      path,
      `machine ring { topology mesh 6 x 6 }
stream full { arrivals exponential(rate 1) width uniform(1, 6) height uniform(1, 6) traffic random jobs 30 completed }
experiment compared { stream full machine ring network wormhole schedule fcfs, ssd allocate rbs, gabl replications 5
  compare paired-ratio(to rbs), wilcoxon quoted { turnaround fcfs rbs / fcfs gabl at arrivals.rate 1 : 1 } vary arrivals.rate 1 .. 2 step 1 }`,
    );
    return path;
  }

  /** Messages as fast as the network is too slow for, and what happens over time. */
  function saturated(): string {
    const path = join(placewright.scratch(), 'saturated.place');
    writeFileSync(
      path,
      `machine net { topology irregular 4 hosts 4 bandwidth 1 GB/s } job cg { tasks 16 skeleton cg(class S, iterations 1) }
experiment full { job cg machine net network wormhole(packet 16) map random replications 1 replay saturation(first 1000) over-time 500 messages }`,
    );
    return path;
  }

  const commands: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
    'run --json': () => [
      ['run', file(), '--json', '--loads'],
      ['run', 'samples/fabrics/cloud.place', '--json'],
      ['run', 'samples/soryani.place', '--json'],
      ['run', 'samples/cg/nas-cg.place', '--placement', 'by-chance', '--json'],
    ],
    'check --json': () => [['check', file(), '--json']],
    'compare --json': () => [
      ['compare', file(), 'far', '--mappers', 'grasp(iterations 10),auto(budget 100)', '--json'],
      ['compare', 'samples/autonet.place', 'in-order', '--mappers', 'rcb,random', '--json'],
      ['compare', file(), 'far', '--mappers', 'random,rcb', '--seeds', '1..2', '--json'],
      ['compare', file(), 'far', '--mappers', 'auto(budget 100000000000)', '--limit', '100 ms', '--json'],
    ],
    'experiment --json': () => [
      ['experiment', experiment(), '--json'],
      ['experiment', saturated(), '--json'],
    ],
    'simulate --json': () => [
      ['simulate', 'samples/traces/halo.place', 'benchmark', '--json'],
      ['simulate', deadlock(), '--json'],
      ['simulate', cluster(), '--json'],
    ],
    'trace --json': () => [['trace', 'samples/traces/halo.workload', '--json']],
    'failures --json': () => [
      ['failures', 'samples/broken.place', 'before', '--json'],
      ['failures', 'samples/fabrics/cloud.place', 'packed', '--json'],
    ],
    'distances --json': () => [['distances', file(), 'line', '--json']],
  };

  it.each(Object.entries(commands))('tells of %s what is printed', async (heading, lines) => {
    const known = pathsOf(exampleOf(heading));
    const found = new Set<string>();
    for (const words of lines()) for (const path of pathsOf(await printed(words))) found.add(path);
    expect([...found].filter((path) => !known.includes(path) && !named.has(/\w+$/.exec(path)?.[0] ?? ''))).toEqual([]);
    expect(known.filter((path) => !found.has(path))).toEqual([]);
  });

  it('names every key of `describe --json`', async () => {
    const found = new Set<string>();
    const samples = ['fabrics/leaf-spine', 'fabrics/cloud', 'broken', 'speeds', 'autonet'];
    for (const sample of samples)
      for (const path of pathsOf(await printed(['describe', `samples/${sample}.place`, '--json']))) found.add(path);
    expect(found.size).toBeGreaterThan(30);
    expect([...found].filter((path) => !named.has(/\w+$/.exec(path)?.[0] ?? ''))).toEqual([]);
  });

  it('lists the columns of the CSV of `compare` in their order', async () => {
    const item = /^- `compare`:[\s\S]*?(?=^- )/m.exec(tables)?.[0] ?? '';
    const [columns = '', ofSeeds = ''] = item
      .replace(/^- `compare`:/, '')
      .split('`--seeds`')
      .map((text) => text);
    const listed = [...columns.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const head = async (...words: string[]) =>
      (await placewright.run(['compare', file(), 'in-order', '--mappers', 'random', '--csv', ...words])).out
        .split('\r\n')[0]
        ?.split(',');
    expect(await head()).toEqual(listed);
    const more = (await head('--seeds', '1..2'))?.slice(listed.length) ?? [];
    expect(more.slice(0, 2)).toEqual([...ofSeeds.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(more.slice(1)).toEqual(listed.map((name) => `${name}Deviation`).filter((name) => more.includes(name)));
  });

  it('lists the columns of the CSV of `simulate` in their order', async () => {
    const item = /^- `simulate`:[\s\S]*?(?=^\n)/m.exec(tables)?.[0] ?? '';
    const listed = [...item.matchAll(/`(\w+)`/g)].map(([, name]) => name).slice(1);
    const { out } = await placewright.run(['simulate', 'samples/traces/halo.place', 'benchmark', '--csv', '-']);
    expect(out.split(/\r?\n/)[0]?.split(',')).toEqual(listed);
  });

  it('lists the columns of the CSV of `failures` in their order', async () => {
    const item = /^- `failures`:[\s\S]*?(?=^- )/m.exec(tables)?.[0] ?? '';
    const listed = [...item.matchAll(/`(\w+)`/g)]
      .map(([, name]) => name)
      .filter((name) => !['failures', 'yes', 'no'].includes(name!));
    expect((await placewright.run(['failures', file(), 'in-order', '--csv'])).out.split('\r\n')[0]?.split(',')).toEqual(
      listed,
    );
  });
});
