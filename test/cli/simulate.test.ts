/** `simulate` as users run it: text, JSON, exit codes, and what cannot be simulated. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExperimentJson } from '../../server/experiments/results.ts';
import type { SimulationJson } from '../../server/output/simulationJson.ts';
import { commandLine } from './commandLine.ts';

const cli = commandLine();

async function simulate(text: string, ...words: readonly string[]) {
  const path = join(cli.scratch(), 'simulate.place');
  writeFileSync(path, text);
  return await cli.run(['simulate', path, ...words]);
}

const machine = 'machine m { topology mesh 4 x 4  bandwidth 1 GB/s }';
const job = 'job j { grid 4 x 4  stencil five-point  bytes 512 }';
const network = 'network worms { switching wormhole  packet 8  flit 4 B  router 1 cycle  buffer 1 }';
const simulated = (more = '') =>
  `${machine} ${job} ${network} placement p { job j  machine m  map row-major  simulate worms  ${more} }`;

const jsonOf = async (text: string, ...words: readonly string[]) => {
  const { code, out, err } = await simulate(text, ...words, '--json');
  return { code, err, simulations: (JSON.parse(out) as { simulations: readonly SimulationJson[] }).simulations };
};

describe('placewright simulate', () => {
  it('says how long the messages take, and what was predicted', async () => {
    const { code, out, err } = await simulate(simulated());
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Simulation of p$/m);
    expect(out).toMatch(/Makespan +[\d,]+ cycles \([\d.]+ µs\)/);
    expect(out).toMatch(/Finish +task \d+ after [\d,]+ cycles, first; task \d+ after [\d,]+ cycles, last/);
    expect(out).toMatch(/Latency +[\d,.]+ on average, half within .* of 768 packets/);
    expect(out).toMatch(/Links by utilisation +[\w ]+ → [\w ]+ \d+ %/);
    expect(out).toMatch(/Predicted +static estimate of the makespan: 512 cycles, simulated/);
  });

  it('prints one JSON object, the same every time', async () => {
    const { code, simulations } = await jsonOf(simulated(), 'p');
    expect(code).toBe(0);
    const [found] = simulations;
    expect(found).toMatchObject({
      placement: 'p',
      machine: 'm',
      network: 'worms',
      end: 'complete',
      deadlock: null,
      waiting: [],
    });
    // 48 pairs of 512 bytes, in packets of 32.
    expect(found?.latency.count).toBe(768);
    expect(found?.finish).toHaveLength(16);
    expect(Math.max(...(found?.finish ?? []).map(Number))).toBe(found?.makespan?.cycles);
    expect(found?.makespan?.seconds).toBeCloseTo((found?.makespan?.cycles ?? 0) * 4e-9, 12);
    expect(found?.latency.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(768);
    expect((await jsonOf(simulated(), 'p')).simulations).toEqual(simulations);
  });

  it('says beside the use of each link what its load predicts', async () => {
    // Between two routers 512 bytes each way, four a cycle; a link cannot be busy for less than it has to carry.
    const { linkUtilisation: links, cycles } = (await jsonOf(simulated())).simulations[0]!;
    const between = links.filter(({ from, to }) => typeof from === 'number' && typeof to === 'number');
    expect(between.map(({ predicted }) => Math.round((predicted ?? 0) * cycles))).toEqual(
      Array.from({ length: 48 }, () => 128),
    );
    expect(between.filter(({ utilisation, predicted }) => utilisation < (predicted ?? Infinity) - 1e-9)).toEqual([]);
  });

  it('simulates the messages of a skeleton', async () => {
    const text = `machine m { topology mesh 4 x 4 } job j { tasks 16 skeleton cg(class S, iterations 1) } ${network}
      placement p { job j machine m map row-major simulate worms }`;
    const [found] = (await jsonOf(text)).simulations;
    expect(found?.end).toBe('complete');
    expect(found?.makespan?.seconds).toBeNull();
    expect(found?.latency.count).toBeGreaterThan(1000);
  });

  it('says that no node is left for a background', async () => {
    const noticesWith = async (nodes: string) =>
      (await jsonOf(simulated(`background uniform(rate 0.001${nodes})`))).simulations[0]?.notices;
    expect(await noticesWith('')).toMatchObject([
      expect.stringMatching(
        /^Background traffic needs two nodes without tasks\. Write `nodes all` to let every node send\./,
      ),
    ]);
    expect(await noticesWith(', nodes all')).toEqual([]);
  });

  it.each(['1e12', '1e300'])('ends where tasks compute %s seconds, which no cycle counts', async (seconds) => {
    writeFileSync(
      join(cli.scratch(), 'long.workload'),
      `workload 1 tasks 2 task 0 { compute ${seconds} send 1 8 } task 1 { receive 0 8 }`,
    );
    for (const replay of ['causal', 'open']) {
      const { code, err } = await simulate(
        `machine m { topology mesh 4 bandwidth 1 GB/s } job j { tasks 2 trace "long.workload" } placement p { job j machine m simulate cut-through replay ${replay} }`,
      );
      expect(err).toMatch(/p: error: Cycle limit reached after 4,503,599,627,370,496 cycles\./);
      expect(code).toBe(1);
    }
  });

  it('says that a network does not carry a background, and how much of it was sent', async () => {
    const run = async (rate: number) =>
      (
        await simulate(
          `machine m { topology torus 4 x 4 } job j { tasks 8 pattern ring bytes 64 KiB } network ct { switching cut-through packet 8 channels 2 routing adaptive bubble 2(here) }
        placement p { job j machine m map row-major simulate ct background uniform(rate ${rate}) }`,
        )
      ).err;
    expect(await run(0.01)).toBe('');
    // A node sends a packet of 8 flits in 8 cycles at most.
    expect(await run(0.25)).toMatch(
      /p: no time estimate, because the background is saturated\. Write `budget 60 s` to limit the time\./,
    );
  });

  it('simulates messages at a rate by the servers of a cluster, beside the queueing model', async () => {
    const text = `machine c { topology cluster 4  sockets 2  cores 2  memory 4 GB/s  interface 1 GB/s  switch 100 ns queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us, 512 KiB 343.8 us, 1 MiB 687.6 us }
      job j { tasks 16  pattern all-to-all  bytes 64 KiB  rate 20/s  messages 50 }
      placement p { job j  machine c  map blocked  simulate queueing  replay open }`;
    const [found] = (await jsonOf(text)).simulations;
    expect(found?.end).toBe('complete');
    expect(found?.waits?.map(({ server }) => server)).toContain('memory');
    expect(found?.predictions).toMatchObject([
      { key: 'waiting', unit: 'seconds' },
      { key: 'latency', unit: 'seconds' },
    ]);
    // A message is served for most of its time, which the model knows exactly.
    expect(Math.abs(found?.predictions[1]?.error ?? 1)).toBeLessThan(0.2);
  });

  it('tells of several jobs between servers in seconds, messages and bytes', async () => {
    const text = `machine c { topology cluster 4  sockets 2  cores 2  memory 4 GB/s  interface 1 GB/s  switch 100 ns queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us, 512 KiB 343.8 us, 1 MiB 687.6 us }
      job all { tasks 8  pattern all-to-all  bytes 64 KiB  rate 20/s  messages 50 }
      job row { tasks 8  pattern linear  bytes 1 MiB  rate 10/s  messages 20 }
      placement p { jobs all, row  machine c  map cyclic  simulate queueing  replay open }`;
    const { out, err } = await simulate(text);
    expect(err).toBe('');
    expect(out).toMatch(/Job +all \(8 tasks, cyclic\), makespan [\d.]+ s, its messages take [\d.]+ µs on average$/m);
    expect(out).toMatch(/Finish +task \d+ of row after [\d.]+ s, first/);
    expect(out).toMatch(/Latency +[\d.]+ [µm]s on average, .* of 2,940 messages/);
    expect(out).toMatch(/Throughput +[\d.]+ MB\/s per node/);
    expect(out).toMatch(/Waits, queue pairs +[\d.]+ [µm]?s in [\d,]+ visits, highest utilisation [^,]*\d %/);
    expect(out).toMatch(
      /Servers by utilisation +[a-z ]+(?: of (?:core|socket) \d)? of node \d utilisation [\d.]+ % \(predicted [\d.]+ %\), mean wait [\d.]+ [µmn]?s\n/,
    );
    expect(out).not.toMatch(/cycle|flit|packet/);
    const [found] = (await jsonOf(text)).simulations;
    expect(found?.jobs.map(({ job: name, packets }) => [name, packets])).toEqual([
      ['all', 2800],
      ['row', 140],
    ]);
    expect(Math.max(...(found?.jobs.map(({ finish }) => finish ?? Infinity) ?? []))).toBe(found?.makespan?.cycles);
    expect(found?.waits?.every(({ busiest }) => busiest > 0 && busiest < 1)).toBe(true);
    // Every server that messages came to, the busiest first; their waits are those of their kinds.
    const servers = found?.servers ?? [];
    expect(servers.map(({ utilisation }) => utilisation)).toEqual(
      servers.map(({ utilisation }) => utilisation).sort((one, other) => other - one),
    );
    expect(servers.filter(({ server }) => server === 'memory')).toHaveLength(8);
    const waited = (of: readonly { readonly seconds: number }[]): number =>
      of.reduce((sum, { seconds }) => sum + seconds, 0);
    expect(waited(servers)).toBeCloseTo(waited(found?.waits ?? []), 9);
  });

  it('lets the times of service vary, and copies small messages of a socket by its cache', async () => {
    const text = `machine c { topology cluster 4  sockets 2  cores 2  memory 4 GB/s  interface 1 GB/s  switch 100 ns queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us, 512 KiB 343.8 us, 1 MiB 687.6 us }
      job j { tasks 16  pattern all-to-all  bytes 64 KiB  rate 200/s  messages 20 }
      network servers { switching queueing WORDS }
      placement p { job j  machine c  map blocked  simulate servers  replay open }`;
    const waiting: number[] = [];
    for (const words of ['', 'variation 1', 'variation 3', 'cache 8 GB/s']) {
      const waits = (await jsonOf(text.replace('WORDS', words))).simulations[0]?.waits ?? [];
      const cached = waits.filter(({ server, visits }) => server === 'cache' && visits > 0);
      expect(cached).toHaveLength(words.startsWith('cache') ? 1 : 0);
      waiting.push(waits.reduce((sum, { seconds }) => sum + seconds, 0));
    }
    expect(waiting[1]).toBeGreaterThan(waiting[0]!);
    expect(waiting[2]).toBeGreaterThan(waiting[1]!);
  });

  it.each([
    ['flow', 'flit 4 B', 'link 125 cycles'],
    ['cut-through', 'flit 4 B packet 64 channels 2 bubble 2', 'link 125 cycles'],
    ['store-and-forward', 'flit 4 B packet 64 channels 2 bubble 2', 'link 125 cycles'],
  ])('takes the latency of the machine as the `link` of `switching %s`', async (switching, properties, link) => {
    const text = (latency: string, more: string) =>
      `machine m { topology torus 4 x 4 x 4  bandwidth 1 GB/s  ${latency} }
      job j { tasks 2  pattern ring  bytes 100000 }
      network n { switching ${switching}  ${properties}  ${more} }
      placement p { job j  machine m  map consecutive  simulate n }`;
    const makespanOf = async (program: string) => (await jsonOf(program)).simulations[0]?.makespan?.cycles;
    const [none, taken, written] = [
      await makespanOf(text('', '')),
      await makespanOf(text('latency 500 ns', '')),
      await makespanOf(text('', link)),
    ];
    expect(taken).toBe(written);
    // One hop, and at the ends of it no links of nodes; packets come back to back.
    expect(taken! - none!).toBe(124);
  });

  it('says that worms leave out the latency, and that one link cannot stand for all', async () => {
    const text = (machine: string, switching: string) =>
      `machine m { topology ${machine} } job j { grid 4 x 4  stencil five-point }
      network n { switching ${switching}  flit 4 B }
      placement p { job j  machine m  map row-major  simulate n }`;
    const told = async (machine: string, switching: string) => (await simulate(text(machine, switching))).err;
    expect(await told('mesh 4 x 4  bandwidth 1 GB/s  latency 500 ns', 'wormhole')).toMatch(
      /The simulation ignores the `latency` of machine `m`: short buffers stall on long links\./,
    );
    expect(await told('mesh 4 x 4  bandwidth 1 GB/s  latency 500 ns, 1 us', 'flow')).toMatch(
      /The simulation ignores the `latency` of machine `m`: it differs between links\./,
    );
    expect(await told('mesh 4 x 4  latency 500 ns', 'flow')).toMatch(/cycles need a `bandwidth`/);
  });

  it('sends a skeleton at the times of an ideal network, with its pauses, whatever was received', async () => {
    const text = `machine m { topology mesh 4 x 4  bandwidth 1 GB/s  latency 100 ns }
      job j { tasks 16  skeleton cg(class S, iterations 2, pause 10 ms) }
      network worms { switching wormhole  packet 32  flit 8 B  buffer 4 }
      placement p { job j  machine m  map row-major  simulate worms  replay open(speed SPEED) }`;
    const seconds: number[] = [];
    for (const speed of ['1', '2']) {
      const [found] = (await jsonOf(text.replace('SPEED', speed))).simulations;
      expect(found?.end).toBe('complete');
      seconds.push(found!.makespan!.seconds!);
    }
    // Three iterations, the first one untimed: two pauses lie before the last one.
    expect(seconds[0]).toBeGreaterThan(0.02);
    expect(seconds[0]).toBeLessThan(0.03);
    expect(seconds[1]! / seconds[0]!).toBeCloseTo(0.5, 1);
  });

  it('tells who waits for a message that nobody sends, in text and JSON alike', async () => {
    const trace = 'workload 1\ntasks 3\ntask 0 { send 1 32 tag 0 receive 2 8 tag 7 }\ntask 1 { receive 0 32 tag 0 }\n';
    writeFileSync(join(cli.scratch(), 'lost.workload'), trace);
    const text = `${machine} job lost { tasks 3 trace "lost.workload" } ${network} placement p { job lost  machine m  map row-major  simulate worms }`;
    const why =
      /^Simulation stalled at cycle 14: task 0 waits for 8 bytes with tag 7 from task 2, which has finished \(operation 2 of task 0\)\./;
    const { code, err, simulations } = await jsonOf(text);
    expect(code).toBe(1);
    expect(err).toMatch(/The trace is incomplete: 1 of 3 ranks have no events, the first is rank 2\./);
    expect(simulations[0]?.why).toMatch(why);
    expect(err).toContain(simulations[0]?.why);
    expect(simulations[0]?.waiting).toEqual([{ task: 0, for: 'receive', partner: 2, tag: 7, bytes: 8, operation: 2 }]);
  });

  it('tells a deadlock with its circle, and ends with 1', async () => {
    // Four worms of two hops round a ring of four: each waits for the next one's channel.
    const text = `machine m { topology torus 4 } job j { tasks 4 table t } table t { 0 -> 2 : 400  1 -> 3 : 400  2 -> 0 : 400  3 -> 1 : 400 }
      network worms { switching wormhole  packet 100  flit 4 B  router 1 cycle  buffer 1 }
      placement p { job j machine m map row-major simulate worms }`;
    const { code, simulations, err } = await jsonOf(text);
    expect(code).toBe(1);
    expect(err).toMatch(/Possible deadlock with 1 channel: routers 0, 1, 2, 3 form a cyclic channel dependency\./);
    expect(err).toContain('Possible deadlock with 1 channel: routers 0, 1, 2, 3 form a cyclic channel dependency.');
    expect(err).toMatch(/To fix it, write `channels 2` in the network\./);
    expect(simulations[0]).toMatchObject({ end: 'deadlock', makespan: null });
    expect(simulations[0]?.deadlock?.circle.map(({ task, partner }) => [task, partner])).toEqual([
      [0, 2],
      [1, 3],
      [2, 0],
      [3, 1],
    ]);
    // Before the run it is said that it may happen, once, and before anybody asks for a simulation.
    const risk = /simulate\.place:3:\d+: warning: Possible deadlock .* \[possible-deadlock\]/;
    expect(err).toMatch(risk);
    expect(err.match(/Possible deadlock/g)).toHaveLength(1);
    expect((await cli.run(['run', join(cli.scratch(), 'simulate.place')])).err).toMatch(risk);
    expect(simulations[0]?.notices).toMatchObject([
      expect.stringMatching(
        /^Possible deadlock with 1 channel: routers 0, 1, 2, 3 .*write `channels 2` in the network/,
      ),
    ]);
  });

  it.each([
    ['switching cut-through channels 31', '`channels` must be at most 30'],
    ['switching cut-through bubble 5', 'A `bubble` of 5 packets does not fit into a queue of 4\\.'],
    [
      'switching cut-through queue 1 packets bubble 2(here)',
      'A `bubble` of 2 packets does not fit into a queue of 1\\.',
    ],
    ['switching store-and-forward link 0 cycles', '`router` and `link` together need at least one cycle\\.'],
    [
      'switching wormhole router 3 cycles link 0 cycles',
      'With `switching wormhole` a link needs at least one cycle\\.',
    ],
  ])('says at the network what no engine simulates: %s', async (figures, message) => {
    const { code, err } = await simulate(
      `${machine} ${job} network n { ${figures} } placement p { job j machine m simulate n }`,
    );
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`simulate\\.place:1:\\d+: error: ${message}.* \\[`));
  });

  it('tells what ends a deadlock where more channels do not', async () => {
    const text = `machine m { topology torus 8 x 4 (twist 4) } job j { tasks 32 pattern all-to-all bytes 64 }
      network worms { switching wormhole  channels 2  packet 64  buffer 2 }
      placement p { job j machine m map row-major simulate worms }`;
    const { err, simulations } = await jsonOf(text);
    expect(simulations[0]?.end).toBe('deadlock');
    expect(err).toMatch(/To fix it, write `routing up-down` in the machine\./);
    expect(simulations[0]?.notices[0]).toMatch(
      /Possible deadlock with 2 channels: routers 0, 1, 2, 3, 4, 5, 6, 7 form a cyclic channel dependency\./,
    );
  });

  it('says before it begins what will take long, and so do experiments', async () => {
    // It would take half a minute, were it not for the deadlock.
    const text = (
      bytes: string,
    ) => `machine m { topology torus 4 } table t { 0 -> 2 : 1  1 -> 3 : 1  2 -> 0 : 1  3 -> 1 : 1  unit packets }
      job j { tasks 4 table t bytes ${bytes} }
      network worms { switching wormhole  flit 4 B  buffer 2  arbiter round-robin }
      placement p { job j machine m map row-major simulate worms }
      experiment e { job j machine m network worms map row-major replications 1 report makespan }`;
    expect((await simulate(text('100 MB'))).err).toMatch(/^placewright: p uses about \d\d s of processor time\.$/m);
    const path = join(cli.scratch(), 'long.place');
    writeFileSync(path, text('100 MB'));
    expect((await cli.run(['experiment', path])).err).toMatch(
      /^placewright: e uses about \d\d s of processor time\.$/m,
    );
    expect((await simulate(text('100 kB'))).err).not.toContain('uses about');
    const isCut = text('100 MB').replace('simulate worms', 'simulate worms budget 1 s');
    expect((await simulate(isCut)).err).not.toContain('uses about');
  });

  it.each([
    ['sends to another node', 'send 1 8', 'receive 0 8', '[0, 2]', 'uses about 87.5 h of processor time'],
    ['sends on one node', 'send 1 8', 'receive 0 8', '[0, 1]', 'uses about 33.3 h of processor time'],
    ['computes', 'compute 1', '', '[0, 2]', 'uses about 16.7 h of processor time'],
    [
      'sends for ages',
      'repeat 1000000000000 { send 1 8 }',
      'repeat 1000000000000 { receive 0 8 }',
      '[0, 2]',
      'uses more than 1,000 years of processor time',
    ],
  ])('says before it begins that a trace without an end %s', async (_, first, second, slots, message) => {
    const directory = mkdtempSync(join(cli.scratch(), 'endless-'));
    const forever = (body: string): string => (body === '' ? '' : `repeat 1000000000000 { ${body} }`);
    const trace = `workload 1\ntasks 2\ntask 0 { ${forever(first)} }\ntask 1 { ${forever(second)} }\n`;
    const place = `machine m { topology mesh 4 x 4  cores 2  bandwidth 1 GB/s }
      job j { tasks 2  trace "a.workload" as workload }
      network n { switching cut-through  packet 16  flit 4 B }
      placement p { job j  machine m  map given ${slots}  simulate n }`;
    writeFileSync(join(directory, 'a.workload'), trace);
    writeFileSync(join(directory, 'a.place'), place);
    // It is interrupted as soon as it has said so.
    const interrupted = {
      after: 200,
      act: (interrupt: () => void) => {
        interrupt();
      },
    };
    const { err } = await cli.runWith(interrupted, ['simulate', 'a.place'], directory);
    expect(err).toContain(`placewright: p ${message}.\n`);
  });

  it.each([
    [
      'background uniform(rate 0.9)',
      'p: no time estimate, because the background is saturated. Write `budget 60 s` to limit the time.',
    ],
    ['background uniform(rate 0.9)  budget 1 s', undefined],
    ['budget 1000 cycles', 'p, without its budget of cycles, uses about 2 min of processor time.'],
  ])('says before it begins that there is no estimate, or of what it is: %s', async (more, message) => {
    const path = join(cli.scratch(), 'long.place');
    const text = `${machine} job j { tasks 16  pattern ring  bytes 1 GB } network n { switching cut-through  packet 16  flit 4 B }`;
    writeFileSync(path, `${text} placement p { job j  machine m  map row-major  simulate n  ${more} }`);
    const interrupted = {
      after: 200,
      act: (interrupt: () => void) => {
        interrupt();
      },
    };
    const { err } = await cli.runWith(interrupted, ['simulate', path], cli.scratch());
    if (message === undefined) expect(err).not.toMatch(/takes|estimate/);
    else expect(err).toContain(`placewright: ${message}\n`);
  });

  it('calls flows an approximation, and what they carry messages', async () => {
    const text = simulated().replace(/switching wormhole[^}]*/, 'switching flow ');
    const [found] = (await jsonOf(text)).simulations;
    expect(found?.end).toBe('complete');
    expect(found?.notices).toMatchObject([expect.stringMatching(/^`switching flow` is an approximation/)]);
    expect((await simulate(text)).out).toMatch(/Latency .* of 48 messages$/m);
    expect((await simulate(text)).out).not.toMatch(/packet/);
    expect((await simulate(text, '--figure', 'latency', '-o', '-')).out).toMatch(
      /latency of 48 messages.*Zero-load latency/s,
    );
    for (const figure of ['playback', 'finish', 'latency', 'time', 'links'])
      expect((await simulate(text, '--figure', figure, '-o', '-')).out, figure).toContain(
        'network worms (flows: an approximation)',
      );
  });

  it.each([
    ['cut-through', '', /Write `routing adaptive` in the network, or `routing ecmp` in the machine\.$/],
    ['cut-through', 'routing adaptive', undefined],
    ['flow', '', /Write `routing ecmp` in the machine\.$/],
    ['wormhole', '', /Write `routing adaptive` in the network, or `routing ecmp` in the machine\.$/],
  ])('says that of several ways one is taken: %s %s', async (switching, choice, notice) => {
    const told = async (topology: string) =>
      (
        await jsonOf(`machine m { topology ${topology}  bandwidth 1 GB/s } job j { tasks 8  pattern all-to-all  bytes 512 }
        network n { switching ${switching}  ${choice} }
        placement p { job j  machine m  map random  simulate n }`)
      ).simulations[0]!.notices.filter((one) => one.startsWith('The simulation uses one route'));
    // From leaf to leaf over one of two spines; over the one switch there is one way.
    expect(await told('fat-tree(levels 4 x 2, parents 2)')).toEqual(
      notice === undefined ? [] : [expect.stringMatching(notice)],
    );
    expect(await told('fat-tree(levels 8)')).toEqual([]);
  });

  it('tells what takes how long of which job, where there are several or a background', async () => {
    const text = `machine m { topology mesh 4 x 4  bandwidth 1 GB/s }
      job near { tasks 4  pattern ring  bytes 512 } job far { tasks 4  pattern all-to-all  bytes 4096 }
      network packets { switching cut-through  packet 8  flit 4 B }
      placement p { jobs near, far  machine m  map row-major  simulate packets  background uniform(rate 0.01) }`;
    const { out } = await simulate(text);
    const [found] = (await jsonOf(text)).simulations;
    const [near, far] = found!.jobs.map(({ packets }) => packets);
    expect(out).toMatch(/Job +near \(4 tasks, row-major\), makespan .*, its packets take [\d.]+ cycles on average$/m);
    expect(out).toMatch(/Finish +task \d of near after .* first; task \d of far after/);
    const rest = found!.latency.count - near! - far!;
    expect(rest).toBeGreaterThan(0);
    expect(out).toMatch(new RegExp(`Latency .* packets, ${rest} of them background$`, 'm'));
  });

  it.each([
    ['cycles', 'budget 100 cycles', /after 101 cycles.*\[budget\]/],
    ['a time', 'budget 20 ms', /\[budget\]/],
  ])('ends where a budget is spent, and says so: %s', async (_, budget, message) => {
    const { code, err, simulations } = await jsonOf(simulated(budget).replace('bytes 512', 'bytes 16 MiB'));
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(simulations[0]).toMatchObject({ end: 'budget', makespan: null });
  });

  it('draws a run in which nothing is sent and nobody computes', async () => {
    writeFileSync(join(cli.scratch(), 'empty.workload'), 'workload 1\ntasks 2\n');
    const text = simulated().replace(/job j \{[^}]*\}/, 'job j { tasks 2  trace "empty.workload" as workload }');
    for (const figure of ['playback', 'links']) {
      const { code, out } = await simulate(text, '--figure', figure, '-o', '-');
      expect({ figure, code }).toEqual({ figure, code: 0 });
      expect(out).toMatch(/All links are idle\.|No link is used\./);
    }
  });

  it('compares nothing of a run that was cut short with what the whole of it was predicted to be', async () => {
    const text = simulated('budget 100 cycles').replace('bytes 512', 'bytes 16 MiB');
    const links = (await jsonOf(text)).simulations[0]!.linkUtilisation;
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter(({ utilisation, predicted }) => utilisation > 1 || predicted !== null)).toEqual([]);
    expect((await simulate(text, '-o', '-')).out).toMatch(/Budget exhausted after 101 cycles \(404 ns\)\./);
    for (const figure of ['playback', 'links', 'time']) {
      const { out } = await simulate(text, '--figure', figure, '-o', '-');
      expect(out).toContain('<desc id="description">');
      expect(out, figure).not.toMatch(/predict|load alone/);
      expect(out, figure).not.toMatch(/\b10[1-9] % of the time/);
      // Tasks that wait for one another all the while are not why.
      expect(out, figure).not.toMatch(/Not over|which waits itself/);
    }
  });

  it('tells of each placement by its name, of tasks that do anything, and what was predicted of links and packets', async () => {
    const text = `machine m { topology mesh 4 x 4  bandwidth 1 GB/s }
      network rings { switching cut-through  bubble 2 }
      network packets { switching cut-through  packet 8  flit 4 B }
      job j { tasks 4  trace "two.workload" }
      placement a { job j  machine m  map row-major  simulate rings }
      placement b { job j  machine m  map row-major  simulate packets }`;
    // Both packets of 8 flits go to the neighbour: 8 cycles each, and the second one behind the first.
    writeFileSync(
      join(cli.scratch(), 'two.workload'),
      'workload 1\ntasks 2\ntask 0 { send 1 64 tag 7 }\ntask 1 { receive 0 64 tag 7 }\n',
    );
    const { code, out, err } = await simulate(text);
    expect(code).toBe(1);
    expect(err).toMatch(/The trace has 2 ranks: the last 2 of the 4 tasks neither send nor receive\./m);
    expect(out).toMatch(/Finish +task 0 after \d+ cycles?, first; task 1 after \d+ cycles?, last/);
    expect(out).toMatch(/Links by utilisation +.*0 → 1 \d+ % \(predicted \d+ %\)/);
    expect(out).toMatch(
      /Predicted +zero-load latency of a packet: [\d.]+ cycles, simulated [\d.]+ cycles \([−+][\d.]+ %\)/,
    );
    expect(out).not.toMatch(/\b1 cycles|[−+]0 %/);
  });

  it('says that messages come faster than they go', async () => {
    const text = `machine c { topology cluster 4  sockets 2  cores 2  memory 4 GB/s  interface 1 GB/s  switch 100 ns queue-pair 1 KiB 2.95 us, 64 KiB 57.9 us, 512 KiB 343.8 us, 1 MiB 687.6 us }
      job j { tasks 16  pattern all-to-all  bytes 1 MiB  rate 5000/s  messages 5 }
      placement p { job j  machine c  map blocked  simulate queueing  replay open }`;
    expect((await simulate(text)).out).toMatch(/Predicted +the queueing model is overloaded/);
  });

  it('refuses placements that do not say how they are simulated, and names that there are none of', async () => {
    const plain = `${machine} ${job} placement p { job j machine m map row-major }`;
    expect(await simulate(plain, 'p')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Placement 'p' has no `simulate`\. Add `simulate NETWORK`\./) as string,
    });
    expect(await simulate(plain, 'q')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/No placement 'q': expected one of p\./) as string,
    });
    const none = await simulate(plain);
    expect({ code: none.code, out: none.out }).toEqual({ code: 0, out: '' });
    expect(none.err).toMatch(/no placement of .* has `simulate`/);
  });

  it.each([
    ['times that nobody gave', simulated('replay open'), /no send times.*\[no-times\]/],
    [
      'what the engine cannot do',
      simulated().replace('buffer 1', 'buffer 1 channels 2 routing adaptive'),
      /\[(bad-network|not-evaluated-yet)\]|Makespan/,
    ],
    [
      'a benchmark that does not run on so many tasks',
      `${machine} job j { tasks 15 skeleton cg(class S) } ${network} placement p { job j machine m simulate worms }`,
      /does not support 15 tasks.*\[illegal-ranks\]/,
    ],
  ])('says what cannot be simulated: %s', async (_, text, message) => {
    const { out, err } = await simulate(text);
    expect(`${out}${err}`).toMatch(message);
  });
});

describe('placewright experiment of a job and of traffic', () => {
  const experiment = async (text: string, ...words: readonly string[]) => {
    const path = join(cli.scratch(), 'experiment.place');
    writeFileSync(path, text);
    return await cli.run(['experiment', path, ...words]);
  };
  const torus = `machine t { topology torus 4 x 4 }
    network n { switching cut-through packet 8 flit 4 B channels 2 queue 4 packets bubble 2(here) routing adaptive arbiter round-robin ejection multiple }`;

  it('a quoted name that an allocator and a mapper have is that of which there are several', async () => {
    const { code, out, err } = await experiment(
      `${torus} job lu { tasks 8 skeleton cg(class S, iterations 1) }
      experiment e { job lu machine t allocate random(count 8) network n map consecutive, random seeds 1 .. 2 report makespan
        quoted { makespan random : 5 makespan random / consecutive : 1.5 } }`,
      '--json',
    );
    expect([code, err]).toEqual([0, '']);
    const { quoted, rows } = (JSON.parse(out) as { experiments: ExperimentJson[] }).experiments[0]!;
    expect(
      quoted.map(({ row, over }) => [rows[row]?.mapper, over === undefined ? undefined : rows[over]?.mapper]),
    ).toEqual([
      ['random', undefined],
      ['random', 'consecutive'],
    ]);
  });

  it('compares mappers by simulated time, and goes on where it was', async () => {
    const text = `${torus} job lu { tasks 16 skeleton cg(class S, iterations 1) }
      experiment e { job lu machine t network n map consecutive, random seeds 1 .. 4 report makespan, averageHops compare kruskal-wallis(level 5%) }`;
    const { code, out, err } = await experiment(text, '--threads', '2');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/consecutive +[\d,]+ +\d\.\d+/);
    // Consecutive is the same with every seed, and so is no sample: their ratio is told, and why it is not tested.
    expect(out).toMatch(
      /kruskal-wallis +makespan +random \/ consecutive +1\.\d+ ± 0\.\d+ +not tested: consecutive has one value for all seeds\n/,
    );
    expect(out).toMatch(/Correlated by rank \(Spearman\)\n +makespan, averageHops +\S+ +of 8 runs/);
    const again = await experiment(text, '--resume', '--threads', '1');
    expect(again.err).toMatch(/8 replications of 'e' were finished before/);
    expect(again.out).toBe(out);
  });

  it('draws latency over rate', async () => {
    const text = `${torus} experiment load { machine t network n traffic uniform, transpose vary rate 0.1 .. 0.3 step 0.1
      warm-up 200 sample 200 samples 3 replications 2 report latency, throughput }`;
    const csv = await experiment(text, 'load', '--csv', '-');
    expect(csv.code).toBe(0);
    expect(csv.out).toMatch(
      /^experiment,rate,job,machine,allocator,scheduler,mapper,pattern,metric,unit,mean,halfWidth,n,seeds$/m,
    );
    expect(csv.out).toMatch(/^load,0\.2,,t,,,,transpose,latency,cycles,\d+/m);
  });
});
