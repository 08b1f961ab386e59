import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { asNodeId } from '../../model/identifiers.ts';
import { hopsBetweenNodes, type Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import type { PlacementReport } from '../../model/report.ts';
import { cancelledCode } from '../../model/result.ts';
import { visitNodeShares } from '../../network/links.ts';
import { cablesOf } from '../../network/testing/exampleNetworks.ts';
import { secondsPerByte } from '../../network/linkClasses.ts';
import { axisBandwidths, gridMachine } from '../../network/testing/machines.ts';
import { autonet, networkMachine } from '../../network/testing/networkMachines.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { flowsOver } from '../evaluate/causes.ts';
import { linkUseOf } from '../evaluate/linkUse.ts';
import { placeTasks } from '../evaluate/placedTasks.ts';
import { randomJobs } from '../testing/placements.ts';
import { explainedFlows, explainLink, explainNode, explainTasks } from './explain.ts';
import { flowsOfPairs, pairTest, type PairChoice } from './chosenPairs.ts';
import { improvementWords } from './words.ts';

const minimal = { name: 'minimal', options: {} };
const upDown = { name: 'up-down', options: {} };

/** Machines with one route and with several, with host links and without, with parallel cables. */
const machines: readonly (readonly [string, () => Machine])[] = [
  ['torus in dimension order', () => gridMachine('torus', [4, 3], { hosts: 2, cores: 2 })],
  ['Autonet, up-down', () => autonet(2)],
  ['parallel cables, up-down', () => parallel(upDown)],
  ['parallel cables, minimal', () => parallel(minimal)],
  ['fat tree, minimal', () => networkMachine('fat-tree', { options: { k: 2, n: 3 }, cores: 2 })],
  ['cluster', () => networkMachine('cluster', { count: 6, cores: 2 })],
];

const parallel = (routing: typeof minimal): Machine =>
  networkMachine('switches', { count: 5, cables: cablesOf('0-1 0-1 1-2 2-3 3-4 4-0 1-3'), hosts: 3, routing });

function reportOf(machine: Machine, seed: number): PlacementReport {
  const jobs = randomJobs(machine, seededRandom(seed)).map((job) => ({ ...job, allocator: 'all', mapper: 'given' }));
  const evaluation = evaluate(machine, jobs, 1.2, neverCancelled)!;
  const milliseconds = { allocate: 0, map: 0, evaluate: 0 };
  return { name: 'p', machine, seed, jobs, ...evaluation, notes: [], milliseconds };
}

const linkOf = (report: PlacementReport, link: number) => {
  const explained = explainLink(report, link, neverCancelled);
  if (!explained.ok) throw new Error(explained.failure.message);
  return explained.value;
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Bytes of every pair over a link, by following all routes of all pairs. */
function walked({ machine, jobs }: PlacementReport, link: number): number[] {
  return jobs.flatMap(({ job, mapping }) => {
    const { rowStart, partner, bytes } = job.traffic;
    const nodeOf = (task: number) => asNodeId(Math.floor(mapping[task]! / machine.coresPerNode));
    const found: number[] = [];
    for (let from = 0; from < job.taskCount; from++) {
      for (let pair = rowStart[from]!; pair < rowStart[from + 1]!; pair++) {
        let share = 0;
        visitNodeShares(machine, nodeOf(from), nodeOf(partner[pair]!), (visited, part) => {
          if (visited === link) share += part;
        });
        if (share > 0) found.push(bytes[pair]! * share);
      }
    }
    return found;
  });
}

describe.each(machines)('a link explained: %s', (_name, build) => {
  const machine = build();
  const reports = Array.from({ length: 4 }, (_, seed) => reportOf(machine, seed));

  it('counts every pair that crosses, and their bytes are its load', () => {
    let shared = 0;
    for (const report of reports) {
      for (const [link, load] of report.linkLoads.entries()) {
        const expected = walked(report, link);
        const uses = [linkUseOf(machine, link as never)];
        const [all] = flowsOver(uses, placeTasks(machine, report.jobs), Infinity, neverCancelled)!;
        expect(all!.flowCount).toBe(expected.length);
        expect(sum(all!.flows.map(({ bytes }) => bytes))).toBeCloseTo(load, 6);
        expect(sum(expected)).toBeCloseTo(load, 6);
        if (expected.some((bytes) => bytes % 1 > 0)) shared++;
      }
    }
    expect(shared > 0).toBe(!machine.routing.singlePath);
  });

  it('has the heaviest flows with their shares and whole routes, and what each job sends', () => {
    for (const report of reports.slice(0, 2)) {
      for (const [link, load] of report.linkLoads.entries()) {
        const { flows, flowCount, jobBytes, timesMean } = linkOf(report, link);
        const heaviest = walked(report, link).sort((one, other) => other - one);
        expect(flows).toHaveLength(Math.min(flowCount, explainedFlows));
        for (const [index, flow] of flows.entries()) {
          expect(flow.bytes).toBeCloseTo(heaviest[index]!, 9);
          expect(flow.share).toBe(flow.bytes / load);
          const pair = explainTasks(report, { job: flow.job, task: flow.from }, { job: flow.job, task: flow.to });
          expect(pair).toMatchObject({ ok: true, value: { route: flow.route } });
          const over = flow.route.find((share) => share.link === link)!;
          expect(pair.ok && pair.value.bytes * over.share).toBeCloseTo(flow.bytes, 9);
        }
        expect(sum(jobBytes)).toBeCloseTo(load, 6);
        expect(timesMean).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('keeps what its improvements promise', () => {
    let tried = 0;
    for (const report of reports) {
      for (const { link, improvements } of report.hotLinks.slice(0, 5)) {
        for (const improvement of improvements) {
          const jobs = report.jobs.map((placed) => ({ ...placed, mapping: placed.mapping.slice() }));
          const { job, task, slot, with: other } = improvement;
          if (other !== undefined) jobs[other.job]!.mapping[other.task] = jobs[job]!.mapping[task]!;
          jobs[job]!.mapping[task] = slot;
          const after = evaluate(machine, jobs, 1.2, neverCancelled)!;
          expect(after.linkLoads[link]).toBeCloseTo(improvement.load, 6);
          expect(after.metrics.maximumLinkLoad).toBeCloseTo(improvement.maximumLinkLoad, 6);
          expect(after.metrics.hopBytes).toBeCloseTo(report.metrics.hopBytes + improvement.hopBytesChange, 6);
          expect(improvementWords(report, report.linkLoads[link]!, improvement)).toMatch(
            /^(swap|move) task.*: this link −\d+ %/,
          );
          tried++;
        }
      }
    }
    expect(tried).toBeGreaterThan(3);
  });
});

describe('two tasks explained', () => {
  const report = reportOf(autonet(2), 3);
  const { machine, jobs } = report;

  it('have hops, bytes, and shares that leave and reach their nodes whole', () => {
    const { mapping, job } = jobs[0]!;
    const nodeOf = (task: number) => asNodeId(Math.floor(mapping[task]! / machine.coresPerNode));
    const { routerLinkCount } = machine.topology.links;
    for (let to = 1; to < job.taskCount; to++) {
      const explained = explainTasks(report, { job: 0, task: 0 }, { job: 0, task: to });
      if (!explained.ok) throw new Error(explained.failure.message);
      const { hops, route } = explained.value;
      expect(hops).toBe(hopsBetweenNodes(machine, nodeOf(0), nodeOf(to)));
      // Every byte takes as many links as it has hops.
      expect(sum(route.map(({ share }) => share))).toBeCloseTo(hops, 9);
      expect(route[0]).toEqual({ link: routerLinkCount + 2 * nodeOf(0), share: 1 });
      expect(route.at(-1)).toEqual({ link: routerLinkCount + 2 * nodeOf(to) + 1, share: 1 });
    }
  });

  it('have no route to themselves', () => {
    const self = { job: 0, task: 0 };
    expect(explainTasks(report, self, self)).toEqual({ ok: true, value: { hops: 0, bytes: 0, route: [] } });
  });
});

describe('a node explained', () => {
  it.each(machines)('exchanges with its partners what its tasks do, on %s', (_name, build) => {
    const report = reportOf(build(), 5);
    const placed = placeTasks(report.machine, report.jobs);
    for (let node = 0; node < report.machine.nodeCount; node++) {
      const explained = explainNode(report, node);
      if (!explained.ok) throw new Error(explained.failure.message);
      const { partners, partnerCount } = explained.value;
      expect(partners.length).toBe(Math.min(50, partnerCount));
      expect(partners.map((each) => each.node)).not.toContain(node);
      const between = (from: number, to: number): number =>
        sum(
          placed.flatMap(({ node: nodes, placed: { job } }) =>
            [...nodes].flatMap((own, task) =>
              own !== from
                ? []
                : [...job.traffic.partner.subarray(job.traffic.rowStart[task], job.traffic.rowStart[task + 1])].map(
                    (other, index) =>
                      nodes[other] === to ? job.traffic.bytes[job.traffic.rowStart[task]! + index]! : 0,
                  ),
            ),
          ),
        );
      for (const { node: other, sent, received, route } of partners) {
        expect(sent).toBeCloseTo(between(node, other), 3);
        expect(received).toBeCloseTo(between(other, node), 3);
        const directions = Number(sent > 0) + Number(received > 0);
        const hops = hopsBetweenNodes(report.machine, asNodeId(node), asNodeId(other));
        if (route.length > 0)
          expect(sum(route.map(({ share }) => share))).toBeGreaterThanOrEqual(directions * hops - 1e-9);
      }
    }
  });

  it('is none that the machine has not', () => {
    const machine = gridMachine('torus', [4]);
    expect(explainNode(reportOf(machine, 1), 9)).toMatchObject({
      ok: false,
      failure: { code: 'no-such-node', message: `Machine ${machine.name} has no node 9.` },
    });
  });
});

describe('what is not there', () => {
  const report = reportOf(gridMachine('torus', [4]), 1);

  it('is said in a sentence', () => {
    expect(explainLink(report, 8, neverCancelled)).toMatchObject({ ok: false, failure: { code: 'no-such-link' } });
    expect(explainLink(report, -1, neverCancelled)).toMatchObject({ ok: false });
    const task = { job: 0, task: 0 };
    expect(explainTasks(report, task, { job: 0, task: 99 })).toMatchObject({
      failure: { code: 'no-such-task', message: 'Task 99 does not exist in job job-0.' },
    });
    expect(explainTasks(report, { job: 7, task: 0 }, task)).toMatchObject({
      failure: { message: 'Task 0 does not exist in job 7 of placement p.' },
    });
  });

  it('is nothing where it was cancelled', () => {
    const cancelled = explainLink(report, 0, { isCancelled: () => true });
    expect(cancelled).toMatchObject({ ok: false, failure: { code: cancelledCode } });
  });
});

/** The flows of a choice. */
function flowsOf(report: PlacementReport, choice: PairChoice) {
  const found = flowsOfPairs(report, pairTest(report, choice), neverCancelled);
  if (!found.ok) throw new Error(found.failure.message);
  return found.value;
}

describe('flows of chosen pairs', () => {
  it.each(machines)('by hops on a %s are together the placement, and each part is what goes so far', (_, build) => {
    const report = reportOf(build(), 5);
    const counts = report.hops!;
    const loads = new Float64Array(report.linkLoads.length);
    for (let hops = 0; hops < counts.pairs.length; hops++) {
      const found = flowsOf(report, { kind: 'hops', least: hops, most: hops });
      expect(found).toMatchObject({ pairs: counts.pairs[hops], bytes: counts.bytes[hops] });
      // Every byte crosses as many links as it goes hops.
      expect(sum([...found.loads])).toBeCloseTo(hops * counts.bytes[hops]!, 3);
      found.loads.forEach((load, link) => (loads[link]! += load));
      expect(found.nodes.length > 0).toBe(counts.pairs[hops]! > 0);
    }
    loads.forEach((load, link) => {
      expect(load).toBeCloseTo(report.linkLoads[link]!, 3);
    });
  });

  it.each(machines)('over a link of a %s are those that explain it, and put all of its load on it', (_, build) => {
    const report = reportOf(build(), 6);
    for (const [link, load] of report.linkLoads.entries()) {
      const found = flowsOf(report, { kind: 'link', link });
      expect(found.pairs).toBe(linkOf(report, link).flowCount);
      expect(found.loads[link]).toBeCloseTo(load, 3);
    }
  });

  it('over links of some loads are all that cross one of them', () => {
    const report = reportOf(machines[0]![1](), 7);
    const used = [...report.linkLoads].filter((load) => load > 0).sort((one, other) => one - other);
    const [least, most] = [used[Math.floor(used.length / 2)]!, used.at(-1)!];
    const found = flowsOf(report, { kind: 'loads', least, most });
    report.linkLoads.forEach((load, link) => {
      if (load >= least) expect(found.loads[link]).toBeCloseTo(load, 3);
      else expect(found.loads[link]).toBeLessThanOrEqual(load + 1e-6);
    });
    expect(flowsOf(report, { kind: 'loads', least: most + 1, most: most + 2 })).toMatchObject({ pairs: 0, nodes: [] });
  });

  it('over links that are busy for some time are all that cross one of them, though others carry as many bytes', () => {
    const machine = gridMachine('torus', [6, 3], { cores: 2, figures: axisBandwidths(8e9, 5e8) });
    const report = reportOf(machine, 19);
    const seconds = secondsPerByte(machine)!;
    const busy = [...report.linkLoads].map((load, link) => load * seconds[link]!);
    const longest = Math.max(...busy);
    const heaviest = Math.max(...report.linkLoads);
    const found = flowsOf(report, { kind: 'loads', least: longest / 2, most: longest, isTime: true });
    expect(found.pairs).toBeGreaterThan(0);
    const isChosen = (link: number): boolean => busy[link]! >= longest / 2;
    report.linkLoads.forEach((load, link) => {
      if (isChosen(link)) expect(found.loads[link]).toBeCloseTo(load, 3);
      else expect(found.loads[link]).toBeLessThanOrEqual(load + 1e-6);
    });
    // The time tells other links than the bytes do: what carries most is not what is busy longest.
    expect(isChosen(report.linkLoads.indexOf(heaviest))).toBe(false);
    expect(flowsOf(report, { kind: 'loads', least: longest * 2, most: heaviest, isTime: true })).toMatchObject({
      pairs: 0,
      nodes: [],
    });
    // The same range in bytes is next to nothing, and no link carries so little.
    expect(flowsOf(report, { kind: 'loads', least: longest / 2, most: longest })).toMatchObject({
      pairs: 0,
      nodes: [],
    });
  });

  it('of a node go to its partners and come from them, those within it included', () => {
    const report = reportOf(machines[0]![1](), 8);
    const node = Math.floor(report.jobs[0]!.mapping[0]! / report.machine.coresPerNode);
    const explained = explainNode(report, node);
    const partners = explained.ok ? explained.value.partners.map((partner) => partner.node) : [];
    const found = flowsOf(report, { kind: 'node', node });
    expect(found.nodes.filter((one) => one !== node)).toEqual(partners.toSorted((one, other) => one - other));
  });

  it('of two tasks are those in both directions', () => {
    const report = reportOf(machines[0]![1](), 9);
    const { traffic } = report.jobs[0]!.job;
    const from = traffic.rowStart.findIndex((start) => start > 0) - 1;
    const to = traffic.partner[traffic.rowStart[from]!]!;
    const back = traffic.partner.subarray(traffic.rowStart[to], traffic.rowStart[to + 1]).includes(from);
    const choice = { kind: 'tasks', from: { job: 0, task: from }, to: { job: 0, task: to } } as const;
    expect(flowsOf(report, choice).pairs).toBe(back ? 2 : 1);
    expect(flowsOf(report, { ...choice, from: choice.to, to: choice.from }).pairs).toBe(back ? 2 : 1);
  });

  it('of blocks that make up the matrix are together the placement', () => {
    const report = reportOf(machines[2]![1](), 10);
    for (const by of ['task', 'node', 'switch', 'job'] as const) {
      const half = 2;
      const spans = [
        { first: 0, last: half - 1 },
        { first: half, last: 9999 },
      ];
      let [pairs, bytes] = [0, 0];
      for (const rows of spans) {
        for (const columns of by === 'job' ? spans.slice(0, 1) : spans) {
          if (by === 'job' && rows !== spans[0]) continue;
          const whole = { first: 0, last: 9999 };
          const block = by === 'job' ? { rows: whole, columns: whole } : { rows, columns };
          const found = flowsOf(report, { kind: 'traffic', by, order: 'job', block });
          pairs += found.pairs;
          bytes += found.bytes;
        }
      }
      expect(pairs).toBe(sum([...report.hops!.pairs]));
      expect(bytes).toBeCloseTo(sum([...report.hops!.bytes]), 3);
    }
  });

  it('are nothing once cancelled', () => {
    const report = reportOf(machines[0]![1](), 5);
    const isCancelled = { isCancelled: () => true };
    expect(flowsOfPairs(report, () => true, isCancelled)).toMatchObject({ failure: { code: cancelledCode } });
  });
});
