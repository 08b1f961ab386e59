/** Every figure that a machine or a network takes changes a number, or a diagnostic or note names it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const cli = commandLine();

/** A topology of each kind of links, and what else stands in the machine. */
const machines: readonly (readonly [topology: string, others: readonly string[]])[] = [
  ['torus 4 x 4', []],
  ['mesh 4 x 2 hosts 2', []],
  ['fat-tree(k 2, n 4)', []],
  ['dragonfly(p 2, a 4, h 2)', []],
  ['switches 4 hosts 4 link 0 -- 1 link 1 -- 2 link 2 -- 3', []],
  ['cluster 4 cores 4', ['memory 8 GB/s', 'interface 1 GB/s', 'switch 100 ns']],
];

const machineFigures = [
  'bandwidth 3 GB/s',
  'latency 1 us',
  'cables 3',
  'memory 4 GB/s',
  'interface 300 MB/s',
  'switch 700 ns',
  'queue-pair 30 us',
];

/** Properties with other values than the usual ones, by the switching that they go with. */
const networks: Readonly<Record<string, readonly string[]>> = {
  wormhole: [
    'packet 16',
    'flit 8 B',
    'buffer 6',
    'channels 3',
    'router 9 cycles',
    'link 4 cycles',
    'arbiter first-come',
  ],
  'cut-through': ['packet 16', 'flit 8 B', 'queue 1 packet', 'channels 3', 'router 9 cycles', 'link 4 cycles'],
  'store-and-forward': [
    'packet 16',
    'flit 8 B',
    'queue 1 packet',
    'router 9 cycles',
    'link 4 cycles',
    'ejection single',
  ],
  flow: ['flit 8 B', 'router 9 cycles', 'link 4 cycles'],
};

const wordOf = (property: string): string => property.split(' ')[0] ?? '';

/** The properties, each word once: the later one goes before. */
const together = (...properties: readonly string[]): string =>
  [...new Map(properties.map((property) => [wordOf(property), property])).values()].join('  ');

interface Answer {
  readonly numbers: string;
  readonly all: string;
}

/** Many cases have the same program without their figure. */
const answers = new Map<string, Promise<Answer>>();

function answerOf(command: string, text: string): Promise<Answer> {
  const key = `${command} ${text}`;
  const answer = answers.get(key) ?? newAnswer(command, text);
  answers.set(key, answer);
  return answer;
}

/** What a command computes, and all that it says. */
async function newAnswer(command: string, text: string): Promise<Answer> {
  const path = join(cli.scratch(), 'figures.place');
  writeFileSync(path, text);
  const { out, err } = await cli.run([command, path, '--json']);
  const { diagnostics, ...numbers } = JSON.parse(out) as { readonly diagnostics?: unknown };
  const isWords = (key: string): boolean => /^(?:milliseconds|notes|notices)$/.test(key);
  return {
    numbers: JSON.stringify(numbers, (key, value: unknown) => (isWords(key) ? undefined : value)),
    all: `${JSON.stringify(diagnostics)}\n${out}\n${err}`,
  };
}

const program = (topology: string, properties: string, more = '', simulated = ''): string =>
  `machine m { topology ${topology}  ${properties} }
job j { grid 4 x 4  stencil five-point  bytes 1000  ${topology.startsWith('cluster') ? 'rate 100/s' : ''} }
${more}
placement p { job j  machine m  map random  ${simulated} }`;

const network = (switching: string, ...properties: readonly string[]): string => {
  const usual = switching === 'flow' ? ['flit 4 B'] : ['flit 4 B', 'packet 8', 'channels 2'];
  return `network n { switching ${switching}  ${together(...usual, ...properties)} }`;
};

describe.each(machines)('of a machine with topology %s', (topology, others) => {
  it.each(machineFigures)('%s counts in `run`', async (figure) => {
    const usual = ['bandwidth 1 GB/s', ...others];
    const before = await answerOf('run', program(topology, together(...usual)));
    const after = await answerOf('run', program(topology, together(...usual, figure)));
    expect(before.numbers).toContain('"metrics"');
    if (after.numbers === before.numbers) expect(after.all).toContain(`\`${wordOf(figure)}`);
  });

  it.each(
    Object.keys(networks).flatMap((switching) =>
      ['bandwidth 3 GB/s', 'latency 1 us', 'interface 300 MB/s'].map((figure) => [switching, figure] as const),
    ),
  )('`simulate` with `switching %s` counts %s', async (switching, figure) => {
    const usual = ['bandwidth 1 GB/s', ...others.filter((other) => !other.startsWith('interface'))];
    const text = (...figures: readonly string[]) =>
      program(topology, together(...usual, ...figures), network(switching), 'simulate n');
    const [before, after] = [await answerOf('simulate', text()), await answerOf('simulate', text(figure))];
    expect(before.numbers).toContain('"makespan"');
    if (after.numbers === before.numbers) expect(after.all).toContain(`\`${wordOf(figure)}\``);
  });
});

describe.each(Object.keys(networks))('of a network with `switching %s`', (switching) => {
  it.each(networks[switching] ?? [])('%s counts', async (property) => {
    const text = (...properties: readonly string[]) =>
      program('mesh 4 x 2 hosts 2', 'bandwidth 1 GB/s', network(switching, ...properties), 'simulate n');
    const [before, after] = [await answerOf('simulate', text()), await answerOf('simulate', text(property))];
    expect(before.numbers).toContain('"makespan"');
    expect(after.numbers).not.toBe(before.numbers);
  });
});
