import { neverCancelled } from '../server/model/cancellation.ts';
import { asRouterId } from '../server/model/identifiers.ts';
import type { Machine, RouterFlows } from '../server/model/machine.ts';
import { buildMachine } from '../server/network/machine.ts';
import { median, timesOf, type Figure } from './measure.ts';

function torus(sides: readonly number[]): Machine {
  const machine = buildMachine({
    name: 'torus',
    topology: { name: 'torus', argument: { kind: 'numbers', numbers: sides }, options: {} },
    cables: [],
    socketsPerNode: 1,
    coresPerSocket: 1,
    figures: {},
  });
  if (!machine.ok) throw new Error(machine.failure.message);
  return machine.value;
}

/** Every router to every other. */
function denseFlows(routers: number): RouterFlows {
  const count = routers * (routers - 1);
  const flows = { from: new Int32Array(count), to: new Int32Array(count), amount: new Float64Array(count).fill(8) };
  let at = 0;
  for (let from = 0; from < routers; from++) {
    for (let to = 0; to < routers; to++) {
      if (from === to) continue;
      flows.from[at] = from;
      flows.to[at++] = to;
    }
  }
  return flows;
}

/** The peer: walk every route and add to every link of it. */
function walkRoutes({ routing }: Machine, flows: RouterFlows, loads: Float64Array): void {
  for (let flow = 0; flow < flows.from.length; flow++) {
    const amount = flows.amount[flow]!;
    routing.visitShares(asRouterId(flows.from[flow]!), asRouterId(flows.to[flow]!), (link, share) => {
      loads[link]! += amount * share;
    });
  }
}

/** Difference arrays against the budget at full size, and against walking routes in one run. */
export function linkLoads(): Figure[] {
  const large = torus([16, 16, 16]);
  const flows = denseFlows(large.topology.routerCount);
  const loads = new Float64Array(large.topology.links.linkCount);
  const byDifference = median(
    timesOf(3, () => {
      large.routing.addLoads(flows, loads.fill(0), neverCancelled);
    }),
  );
  const byWalking = median(
    timesOf(1, () => {
      walkRoutes(large, flows, loads.fill(0));
    }),
  );
  return [
    {
      what: 'link loads of 4,096 x 4,096 on 16 x 16 x 16',
      milliseconds: byDifference,
      against: 'budget',
      againstMilliseconds: 1000,
    },
    { what: 'the same', milliseconds: byDifference, against: 'walking every route', againstMilliseconds: byWalking },
  ];
}
