import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { gridDescription } from '../network/testing/machines.ts';
import { networkMachine, unequalFabric } from '../network/testing/networkMachines.ts';
import { tableTraffic } from '../traffic/build.ts';
import { evaluate } from '../study/evaluate/evaluate.ts';
import { placementToJson, searchToJson } from './json.ts';
import { improvementText, gapWords } from '../study/explain/words.ts';
import { outlineOf } from '../study/outline.ts';
import { outlinedHotLinks } from '../study/report.ts';
import { exampleSearch } from '../study/testing/searches.ts';
import { comparedCluster } from '../study/testing/comparisons.ts';
import { choiceOf, numbers, placementOf, programOf, run, tableJob, tableOf } from '../study/testing/programs.ts';

const line = gridDescription('mesh', [3], { name: 'line', figures: { bandwidth: 4 } });
const pair = tableJob('pair', 2, [
  [0, 1, 8],
  [1, 0, 2],
]);
const program = programOf([line], [pair], [placementOf({ name: 'p', machine: 'line', jobs: ['pair'], seed: 7 })]);

describe('a placement as JSON', () => {
  it('names the node of a host link as its host, there and back', () => {
    const topology = { name: 'cluster', argument: numbers(2), options: {} };
    const round = { ...line, name: 'round', topology, routing: { name: 'minimal', options: {} } };
    const placed = placementOf({ name: 'p', machine: 'round', jobs: ['pair'], map: choiceOf('baseline') });
    const report = run(programOf([round], [pair], [placed])).placements[0]!;
    expect(placementToJson(report).metrics.linkLoads).toEqual([
      { host: 0, to: 0, load: 8 },
      { from: 0, host: 0, load: 2 },
      { host: 1, to: 0, load: 2 },
      { from: 0, host: 1, load: 8 },
    ]);
  });

  it('has the split that UGAL settled on, which a note tells as well', () => {
    const topology = { name: 'dragonfly', options: { p: 2, a: 2, h: 2 } };
    const adaptive = { ...line, name: 'adaptive', topology, routing: { name: 'ugal', options: {} } };
    const onTwoRails = { ...adaptive, name: 'two', rails: { count: 2 } };
    // Every node to the same one of the next of five groups.
    const rows = Array.from({ length: 20 }, (_, node) => [node, (node + 4) % 20, 1024] as const);
    const worst = tableJob('worst', 20, rows);
    const placed = (machine: string) =>
      placementOf({ name: machine, machine, jobs: ['worst'], map: choiceOf('baseline') });
    const two = programOf([adaptive, onTwoRails], [worst], [placed('adaptive'), placed('two')]);
    const reports = run(two).placements;
    expect(reports).toHaveLength(2);
    for (const report of reports) {
      const { split } = placementToJson(report);
      expect(split?.minimal).toBeGreaterThan(0);
      expect(split?.minimal).toBeLessThan(1 / 2);
      expect(split?.gap).toBeLessThan(0.01);
      const share = `${Number((100 * split!.minimal).toFixed(1))} % of the bytes between switches use minimal routes`;
      expect(report.notes).toEqual([
        expect.stringContaining(`\`ugal\` settled in ${split!.steps} steps: ${share}. The maximum link load `),
      ]);
      // Minimal ways put all that a group sends on one cable; no routing can have less than 2 / (1 + 1/4) / 4 of that.
      const [busiest, all] = [Math.max(...report.linkLoads), 4 * 1024];
      expect(busiest).toBeLessThan(0.7 * all);
      expect(busiest).toBeGreaterThanOrEqual((all * 2) / (1 + 1 / 4) / 4 - 1e-6);
    }
    const minimally = { ...adaptive, routing: { name: 'minimal', options: {} } };
    const [plain] = run(programOf([minimally], [worst], [placed('adaptive')])).placements;
    expect(placementToJson(plain!)).not.toHaveProperty('split');
    expect(Math.max(...plain!.linkLoads)).toBe(4 * 1024);
  });

  it('has the keys and units of the language', () => {
    const report = run(program, { settings: { hotLinkFactor: 1.5 } }).placements[0]!;
    expect(placementToJson(report)).toEqual({
      name: 'p',
      machine: 'line',
      seed: 7,
      jobs: [
        {
          name: 'pair',
          tasks: 2,
          allocator: 'all',
          mapper: 'row-major',
          nodes: [0, 1, 2],
          hosts: ['node0000', 'node0001', 'node0002'],
          mapping: [0, 1],
        },
      ],
      metrics: {
        averageHops: 1,
        hopVariance: 0,
        maximumHops: 1,
        hopBytes: 10,
        weightedHops: 1,
        mappingCoefficient: 10,
        maximumLinkLoad: 8,
        meanLinkLoad: 2.5,
        interNodeBytes: 10,
        congestionTime: 2,
        linkTime: 2.5,
        hotLinks: [
          {
            from: 0,
            to: 1,
            load: 8,
            timesMean: 1.6,
            flows: [{ job: 'pair', from: 0, to: 1, bytes: 8, share: 1 }],
            flowCount: 1,
            reliefs: [],
          },
        ],
        linkLoads: expect.arrayContaining([
          { from: 0, to: 1, load: 8 },
          { from: 1, to: 0, load: 2 },
          { from: 1, to: 2, load: 0 },
          { from: 2, to: 1, load: 0 },
        ]) as unknown,
      },
      notes: [],
      milliseconds: { allocate: 1, map: 1, evaluate: 1 },
    });
  });

  it('leaves out the loads of all links where nobody asks for them', () => {
    const report = run(program).placements[0]!;
    const { linkLoads, ...rest } = placementToJson(report).metrics;
    expect(linkLoads).toHaveLength(4);
    expect(placementToJson(report, { loads: false }).metrics).toEqual(rest);
  });

  it('says of each job how its mapper searched, and what follows from that', () => {
    const report = run(program).placements[0]!;
    const [placed] = report.jobs;
    const searched = { ...report, notes: ['well'], jobs: [{ ...placed!, search: exampleSearch }, placed!] };
    const { jobs, notes } = placementToJson(searched);
    expect(notes).toEqual(['well']);
    expect(jobs[0]?.search).toEqual({ ...exampleSearch, gap: 0.2, evaluationsPerSecond: 2_469_134 });
    expect(Object.keys(jobs[0]?.search ?? {}).join(' ')).toBe(
      'criterion value bound gap evaluations evaluationsPerSecond convergence tried chosen end milliseconds',
    );
    expect(jobs[1]).not.toHaveProperty('search');
    const outline = outlineOf({ placements: [searched], machines: [], jobs: [], problems: [] }).placements[0]!;
    expect(outline.jobs.map(({ search }) => search)).toEqual([exampleSearch, undefined]);
  });

  it.each([
    ['12 % above', { value: 112, least: 100 }, 0.12, 'optimality gap ≤ 12 %'],
    ['a little above', { value: 1001, least: 1000 }, 0.001, 'optimality gap ≤ 0.1 %'],
    ['next to nothing above', { value: 10_001, least: 10_000 }, 0.0001, 'optimality gap < 0.1 %'],
    ['at the bound', { value: 100, least: 100 }, 0, 'optimal'],
    ['at a bound of nothing', { value: 0, least: 0 }, 0, 'optimal'],
    ['far above, which says nothing', { value: 137_561, least: 100 }, undefined, undefined],
    ['above a bound of nothing, which says nothing', { value: 5, least: 0 }, undefined, undefined],
  ])('says how much a search leaves: %s', (_, { value, least }, gap, words) => {
    const search = { ...exampleSearch, value, bound: { value: least, name: 'edge', source: 'Placewright' } };
    expect(searchToJson(search).gap?.toFixed(4)).toBe(gap?.toFixed(4));
    expect(gapWords(search)).toBe(words);
  });

  it('says what would relieve a hot link, and gives the further ones their load alone', () => {
    // On a line of 9, task 0 sends far; every link on the way but the last also has a neighbour's bytes.
    const near = [1, 2, 3, 4, 5, 6].map((task) => [task, task + 1, 10] as const);
    const far = tableJob('far', 8, [[0, 7, 100], ...near]);
    const long = gridDescription('mesh', [9], { name: 'line' });
    const placement = placementOf({ name: 'p', machine: 'line', jobs: ['far'] });
    const report = run(programOf([long], [far], [placement]), { settings: { hotLinkFactor: 1 } }).placements[0]!;
    const { hotLinks } = placementToJson(report).metrics;
    expect(hotLinks).toHaveLength(6);
    expect(hotLinks[0]).toMatchObject({ from: 1, to: 2, flowCount: 2, flows: [{ share: 100 / 110 }, { bytes: 10 }] });
    expect(hotLinks[0]?.reliefs?.[0]).toEqual({
      swap: [
        { job: 'far', task: 7 },
        { job: 'far', task: 1 },
      ],
      load: 0,
      maximumLinkLoad: 100,
      hopBytesChange: -520,
    });
    const move = { move: { job: 'far', task: 0, slot: 8 }, load: 10, maximumLinkLoad: 100, hopBytesChange: -600 };
    expect(hotLinks.flatMap(({ reliefs = [] }) => reliefs)).toContainEqual(move);
    expect(hotLinks[outlinedHotLinks]).toEqual({ from: 6, to: 7, load: 110, timesMean: expect.any(Number) as number });
    const outlined = outlineOf({ placements: [report], machines: [], jobs: [], problems: [] }).placements[0]
      ?.hotLinks[0];
    expect({ ...outlined, improvements: [] }).toEqual({
      from: 1,
      to: 2,
      fromName: '1',
      toName: '2',
      load: 110,
      timesMean: expect.any(Number) as number,
      flows: [
        { job: 'far', from: 0, to: 7, bytes: 100, share: 100 / 110 },
        { job: 'far', from: 1, to: 2, bytes: 10, share: 10 / 110 },
      ],
      flowCount: 2,
      jobs: [{ job: 'far', bytes: 110, share: 1 }],
      improvements: [],
    });
    expect(outlined?.improvements.map(improvementText)).toContain(
      'move task 0 to node 8: this link −91 %, maximum link load −9 %, hop-bytes −79 %',
    );
  });

  it('names the ends of links as the file of the fabric does', () => {
    const machine = networkMachine('from', { fabric: unequalFabric });
    // The last host of leaf-a and the first of leaf-b: the fabric's nodes follow their switches.
    const traffic = tableTraffic(tableOf([[0, 1, 8]], 2), 2, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const job = { name: 'two', taskCount: 2, periodic: false, traffic: traffic.value };
    const nodes = Int32Array.of(2, 3);
    const placed = [{ job, allocation: nodes, mapping: nodes, allocator: 'all', mapper: 'given' }];
    const evaluation = evaluate(machine, placed, 1, neverCancelled)!;
    const milliseconds = { allocate: 0, map: 0, evaluate: 0 };
    const report = { name: 'p', machine, seed: 1, jobs: placed, ...evaluation, notes: [], milliseconds };
    const names = [
      ['leaf-a', 'spine'],
      ['spine', 'leaf-b'],
      ['a3', 'leaf-a'],
      ['leaf-b', 'b1'],
    ];
    const namesOf = (links: readonly { readonly fromName?: string; readonly toName?: string }[]) =>
      links.map(({ fromName, toName }) => [fromName, toName]);
    const outline = outlineOf({ placements: [report], machines: [], jobs: [], problems: [] }).placements[0]!;
    expect(namesOf(outline.hotLinks).sort()).toEqual([...names].sort());
    const { hotLinks, linkLoads = [] } = placementToJson(report).metrics;
    expect(namesOf(hotLinks).sort()).toEqual([...names].sort());
    expect(linkLoads).toHaveLength(machine.topology.links.linkCount);
    expect(namesOf(linkLoads.filter(({ load }) => load > 0)).sort()).toEqual([...names].sort());
    expect(namesOf(linkLoads).flat()).not.toContain(undefined);
  });

  it('says nothing of a time where no bandwidth is given', () => {
    const report = run({ ...program, machines: new Map([['line', { ...line, figures: {} }]]) }).placements[0]!;
    expect(JSON.parse(JSON.stringify(placementToJson(report)))).not.toHaveProperty('metrics.congestionTime');
  });

  it('has `null` for waiting without end, and lists the busiest servers beside the metrics', () => {
    const report = run(comparedCluster()).placements[0]!;
    const { metrics } = placementToJson(report);
    expect(report.metrics.queueing?.waiting).toBe(Infinity);
    expect(metrics.queueing).toMatchObject({ waiting: null });
    expect(metrics.queueing).not.toHaveProperty('busiest');
    expect(metrics.busiestServers).toEqual(report.metrics.queueing?.busiest);
  });
});
