import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nodePlatform } from '../../server/entrypoints/node.ts';
import { installPlatform, type Files, type ReadPolicy } from '../../server/entrypoints/platform.ts';
import { commandLine } from './commandLine.ts';

/** Names of files that were opened to be read, each time. */
const opened: string[] = [];

const real = nodePlatform.files;
const count = (uri: string, { heldBytes }: ReadPolicy): void => {
  if (heldBytes?.has(uri) !== true) opened.push(basename(uri));
};
const files: Files = {
  ...real,
  readBytes: (uri, policy, request) => {
    count(uri, policy);
    return real.readBytes(uri, policy, request);
  },
  pieces: (uri, policy, ...more) => {
    count(uri, policy);
    return real.pieces(uri, policy, ...more);
  },
};

beforeAll(() => {
  installPlatform({ ...nodePlatform, files });
});

afterAll(() => {
  installPlatform(nodePlatform);
});

const { run, scratch } = commandLine();

const program = `import "machines.place"
table flows from "flows.csv"
job pair { tasks 2  table flows }
job ring { tasks 4  trace "halo.workload" as workload }
network net { switching cut-through  packet 8  flit 4 B  channels 2  routing adaptive  bubble 2(here) }
placement first { job pair  machine fabric  map given "slots.txt" }
placement second { job ring  machine fabric  map random }
placement third { job ring  machine grid  map random  simulate net }
placement fourth { job ring  machine grid  map random  seed 2  simulate net }
stream arriving { log "jobs.swf" }
experiment repeated { job ring  machine fabric  allocate all  map random, baseline  replications 2  report hopBytes }
experiment other { job ring  machine fabric  allocate all  map random  replications 2  report hopBytes }
experiment logged { stream arriving  machine mesh  allocate gabl  replications 1 }
experiment again { stream arriving  machine mesh  allocate mbs  replications 1 }
`;
const machines = `machine fabric { topology from "topology.conf" }
machine twin { topology from "topology.conf" }
machine grid { topology torus 4 x 4  bandwidth 1 GB/s  latency 100 ns }
machine mesh { topology mesh 4 x 4 }
`;
/** Every file that the program is made of. */
const named = ['flows.csv', 'halo.workload', 'jobs.swf', 'machines.place', 'slots.txt', 'topology.conf', 'p.place'];

beforeAll(() => {
  const write = (name: string, text: string): void => {
    writeFileSync(join(scratch(), name), text);
  };
  write('p.place', program);
  write('machines.place', machines);
  write('flows.csv', '0,9\n9,0\n');
  write('slots.txt', '1\n0\n');
  write('halo.workload', readFileSync('samples/traces/halo.workload', 'utf8'));
  write('jobs.swf', `1 0 0 25 2${' -1'.repeat(13)}\n`);
  write('topology.conf', 'SwitchName=s0 Nodes=n[0-31]\n');
});

beforeEach(() => {
  opened.length = 0;
});

describe('a command opens each file once:', () => {
  it.each([
    ['check', 'p.place', 'p.place'],
    ['check', '--run', 'p.place'],
    ['run', 'p.place'],
    ['run', 'p.place', '--json'],
    ['run', 'p.place', 'first'],
    ['simulate', 'p.place'],
    ['simulate', 'p.place', 'third', '--json'],
    ['simulate', 'p.place', 'third', '-o', 'playback.svg'],
    ['compare', 'p.place', 'second', '--mappers', 'random, given "slots.txt"', '--seeds', '1..2'],
    ['experiment', 'p.place'],
    ['experiment', 'p.place', 'repeated', '--json'],
    ['sweep', 'p.place', 'second', '--over', 'map=random,baseline', '--threads', '1'],
    ['export', 'p.place', 'first', '--format', 'csv'],
    ['draw', 'p.place', 'first', '-o', 'first.svg'],
    ['draw', 'p.place', 'second', '--figure', 'traffic', '-o', 'traffic.svg'],
    ['draw', 'p.place', 'fabric', '-o', 'machine.svg'],
    ['draw', 'p.place', 'repeated', '-o', 'curves.svg'],
    ['losses', 'p.place', 'first'],
    ['describe', 'p.place'],
    ['distances', 'p.place', 'grid'],
  ])('%s %s %s %s', async (...words: string[]) => {
    const { err } = await run([...words, ...(words.includes('experiment') ? ['--threads', '1'] : [])], scratch());
    expect(err).not.toContain('error:');
    const often = named.flatMap((name) => {
      const times = opened.filter((one) => one === name).length;
      return times > 1 ? [`${name} ${times}`] : [];
    });
    expect(opened).toContain('p.place');
    // Both files of `check p.place p.place` are the same one.
    expect(often).toEqual(
      words.filter((word) => word === 'p.place').length > 1 ? ['machines.place 2', 'p.place 2'] : [],
    );
  });
});
