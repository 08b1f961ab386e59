/** `placewright experiment`: what it says before a run, and of bad input. */
import { describe, expect, it } from 'vitest';
import { experimentFolders, machine, stream, network, experiment } from './experimentFolder.ts';

const { cli, folder } = experimentFolders();

describe('what placewright experiment says', () => {
  it('is planned by check, which says what a run would say first, and repeats what check says of its files', async () => {
    const place = `machine t { topology mesh 4 x 4 }
machine ring { topology torus 4 x 4 }
machine wide { topology mesh 16 x 16 }
job big { tasks 64 skeleton cg(class S, iterations 1) }
job cg { tasks 16 skeleton cg(class S, iterations 1) }
job cut { tasks 4 trace "cut.goal" }
job few { tasks 2 trace "cut.goal" }
experiment crowded { job big machine t map consecutive network cut-through report makespan replications 2 }
experiment timeless { job cg machine t map consecutive network cut-through replay open report makespan replications 2 }
experiment circle { job cg machine ring map consecutive network wormhole(channels 1, buffer 1) report makespan replications 2 }
experiment curve { machine wide network cut-through traffic uniform vary rate [0.1, 0.3, 0.6, 0.8] report latency replications 2 }
experiment once { job cut machine t map consecutive network cut-through report makespan replications 2 }
experiment twice { job cut machine t map consecutive network cut-through report makespan replications 2 }
experiment wrong { job few machine t map consecutive network cut-through report makespan replications 2 }
`;
    const goal = `num_ranks 3
rank 0 {
a: send 100b to 1
b: send 200b to 2
}
rank 1 {
a: recv 100b from 0
}
rank 2 {
}
`;
    const directory = folder({ 'a.place': place, 'cut.goal': goal });
    const checked = await cli.run(['check', 'a.place'], directory);
    const told = checked.err
      .trimEnd()
      .split('\n')
      .map((line) => /^a\.place:(\d+):\d+: (\w+): .*\[(.+)\]$/.exec(line)?.slice(1).join(' '));
    expect(told).toEqual([
      ...['6 warning trace-warning', '6 warning trace-warning', '7 error trace-exceeds-tasks'],
      ...['8 error does-not-fit', '9 error no-times', '10 warning possible-deadlock'],
      '11 information beyond-saturation',
    ]);
    expect(checked.code).toBe(1);
    // 256 nodes, 960 links; a message takes 10.67 of them on average.
    expect(checked.err).toMatch(
      /1 message is never received\. First: 200 bytes with tag 0 from task 0 to task 2, sent and not received\./,
    );
    const lineOf = (code: string): string => checked.err.split('\n').find((line) => line.includes(`[${code}]`)) ?? '–';
    for (const [name, code] of [
      ['crowded', 'does-not-fit'],
      ['timeless', 'no-times'],
    ] as const) {
      expect(await cli.run(['experiment', 'a.place', name], directory)).toMatchObject({
        code: 1,
        out: '',
        err: `${lineOf(code)}\n`,
      });
    }
    expect(await cli.run(['experiment', 'a.place', 'once'], directory)).toMatchObject({
      code: 0,
      err: `${checked.err.split('\n').slice(0, 2).join('\n')}\n`,
    });
    expect((await cli.run(['experiment', 'a.place', 'wrong'], directory)).err).toMatch(
      /^a\.place:14:12: error: .*\[trace-exceeds-tasks\]\n$/,
    );
    // Several that read one file say it once.
    const both = await cli.run(
      ['experiment', 'a.place'],
      folder({
        'a.place': place
          .split('\n')
          .filter((line) => /^(machine t |job cut|experiment (once|twice))/.test(line))
          .join('\n'),
        'cut.goal': goal,
      }),
    );
    expect([both.code, both.err.match(/trace-warning/g)]).toEqual([0, ['trace-warning', 'trace-warning']]);
  });

  it('says which rows failed, and runs the others', async () => {
    const torus = 'machine mesh { topology torus 6 x 6 }\n';
    const whole =
      'stream s { arrivals constant(100) width uniform(1, 6) height uniform(1, 6) traffic all-to-all(order ring) jobs 30 completed }\n';
    const directory = folder({ 'a.place': torus + whole + experiment('network wormhole allocate rbs replications 3') });
    const { code, err, out } = await cli.run(['experiment', 'a.place'], directory);
    expect(err).toMatch(
      /placewright: e, fcfs, rbs: error: with seed \d+: The network is deadlocked since cycle \d+.* packet \d+ waits for link \d+ → \d+.*\[deadlock\]\n$/,
    );
    expect(out).toMatch(/ deadlock\n/);
    expect(code).toBe(1);
  });

  const place = (line: number): string => `a.place:${line}:12: error: `;
  it.each([
    [
      'no network',
      network + experiment('allocate rbs'),
      [],
      1,
      `${place(3)}Experiment 'e': Messages of jobs need a network.`,
    ],
    [
      'an engine that is not there',
      network + experiment('network cut-through allocate rbs'),
      [],
      1,
      'Streams need wormhole switching with one virtual channel, but this network has `switching cut-through`',
    ],
    [
      'links that are not all as fast',
      network +
        'machine uneven { topology mesh 6 x 6  bandwidth 1 GB/s, 2 GB/s }\n' +
        experiment('network wormhole allocate rbs').replace('machine mesh', 'machine uneven'),
      [],
      1,
      `${place(4)}Experiment 'e': Machine 'uneven' has different link bandwidths; streams need one \`bandwidth\`.`,
    ],
    [
      'a machine without coordinates',
      stream.replace('s {', 's {') +
        'machine tree { topology fat-tree(k 4, n 2) }\nexperiment e { stream s machine tree allocate first-fit }\n',
      [],
      1,
      `${place(4)}Experiment 'e': \`allocate first-fit\` needs coordinates`,
    ],
    [
      'traffic without a rate',
      experiment('network wormhole traffic uniform').replace('stream s ', ''),
      [],
      1,
      `${place(2)}\`e\` needs \`vary rate\``,
    ],
    [
      'a log that is not there',
      `stream s { log "none.swf" }\n${experiment('allocate rbs')}`,
      [],
      1,
      'none.swf not found',
    ],
    ['an experiment with an error', stream + experiment('allocate none'), [], 1, 'There is no allocator `none`'],
    ['an unknown experiment', stream + experiment('allocate rbs'), ['f'], 2, "No experiment 'f': expected one of e."],
    ['no threads', stream + experiment('allocate rbs'), ['--threads', '0'], 2, 'whole number from 1 to 1024'],
    [
      'one table of two',
      stream + experiment('allocate rbs') + experiment('allocate rbs').replace(' e ', ' f '),
      ['--csv', 'x'],
      2,
      'need one experiment. Name one of e, f',
    ],
  ])('says what is wrong: %s', async (_, text, words, expected, message) => {
    const { code, err, out } = await cli.run(
      ['experiment', 'a.place', ...words],
      folder({ 'a.place': machine + text }),
    );
    expect(err).toContain(message);
    expect(err).not.toContain('Internal error in Placewright');
    expect([code, out]).toEqual([expected, '']);
  });

  const torus = 'machine t { topology torus 4 x 4 }\njob j { tasks 16 skeleton cg(class S, iterations 1) }\n';
  it('tells before a run what a network may come to, and of a row without a name why it failed', async () => {
    const text = `${torus}network one { switching wormhole packet 16 channels 1 buffer 1 arbiter round-robin }
experiment e { job j machine t network one seeds 1 }\n`;
    const { code, err } = await cli.run(['experiment', 'a.place'], folder({ 'a.place': text }));
    expect(err).toMatch(
      /^placewright: Possible deadlock with 1 channel: routers 0, 1, 2, 3 form a cyclic channel dependency\./,
    );
    expect(err).toMatch(/placewright: e: error: with seed 1: Deadlock at cycle \d+/);
    expect(code).toBe(1);
  });

  it('tells a deadlock of traffic at a rate with its circle, and what ends it', async () => {
    const text = `${torus}network one { switching cut-through packet 8 flit 4 B queue 1 packets }
experiment e { traffic uniform machine t network one vary rate [0.6] warm-up 500 sample 300 samples 10 report latency seeds 1 }\n`;
    const { code, err } = await cli.run(['experiment', 'a.place'], folder({ 'a.place': text }));
    expect(err).toMatch(/Possible deadlock with 1 channel: routers 0, 1, 2, 3 form a cyclic channel dependency\./);
    expect(code).toBe(1);
  });

  it('tells before a run that times in seconds are no cycles, and writes large numbers of papers as its own', async () => {
    const open = `${torus}experiment e { job j machine t network cut-through(packet 8) replay open }\n`;
    const refused = await cli.run(['experiment', 'a.place'], folder({ 'a.place': open }));
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(
      /Experiment 'e': Send times in seconds need a link bandwidth\. Add `bandwidth` to machine `t`\./,
    );
    const quoted = open.replace('replay open', 'seeds 1 quoted { makespan : 346500 }');
    const { out } = await cli.run(['experiment', 'a.place'], folder({ 'a.place': quoted }));
    expect(out).toMatch(/makespan +346,500 +\d{3},\d{3} +-\d{3},000\n/);
  });

  it('says that a file has no experiment', async () => {
    const { code, err, out } = await cli.run(['experiment', 'a.place'], folder({ 'a.place': machine }));
    expect(err).toBe('placewright: a.place declares no experiment. Nothing to run.\n');
    expect([code, out]).toEqual([0, '']);
  });
});
