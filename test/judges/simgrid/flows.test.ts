/** Flows against SimGrid, whose max-min shares of links are the reference of the field (Casanova et al. 2014): when each message has left. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { neverCancelled } from '../../../server/model/cancellation.ts';
import type { Machine } from '../../../server/model/machine.ts';
import { seededRandom } from '../../../server/model/random.ts';
import { everyMachine } from '../../../server/network/testing/everyMachine.ts';
import { gridMachine } from '../../../server/network/testing/machines.ts';
import { FlowNetwork } from '../../../server/simulation/engines/flows/flow.ts';
import { routesOf } from '../../../server/simulation/routes.ts';

const python = '/usr/bin/python3';
const missing = 'SimGrid is needed to judge flows: apt-get install --no-install-recommends python3-simgrid';

beforeAll(() => {
  if (spawnSync(python, ['-c', 'import simgrid']).status !== 0) throw new Error(missing);
});

interface Message {
  readonly from: number;
  readonly to: number;
  readonly flits: number;
}

/** One message of each node to any other, of 1,000 to 20,000 flits. */
function someMessages({ nodeCount }: Machine, seed: number): Message[] {
  const random = seededRandom(seed);
  return Array.from({ length: nodeCount }, (_, from) => {
    const to = (from + 1 + random.integer(nodeCount - 1)) % nodeCount;
    return { from, to, flits: 1000 + random.integer(19_001) };
  });
}

/** Cycles after which each message has left, by our engine. */
function leavings(machine: Machine, messages: readonly Message[]): number[] {
  const options = { packing: { flitBytes: 1, packetFlits: 1 }, router: 0, link: 1, secondsPerCycle: undefined };
  const network = new FlowNetwork(machine, options);
  const numbers = messages.map(({ from, to, flits }) => network.send(from, to, flits));
  const ends = messages.map(() => Number.NaN);
  while (network.messagesUnderWay > 0) {
    network.advance(1e12, neverCancelled);
    for (const message of network.sent) ends[numbers.indexOf(message)] = network.now + 1;
  }
  return ends;
}

function leavingsOfSimGrid(machine: Machine, messages: readonly Message[]): number[] {
  const routes = routesOf(machine);
  const into = new Int32Array(1024);
  const flows = messages.map(({ from, to, flits }) => [
    [...into.subarray(0, routes.write(from, to, into, 0, into.length))],
    flits,
  ]);
  const { status, stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'flows.py')], {
    input: JSON.stringify({ channels: routes.channelCount, flows }),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`SimGrid did not run it:\n${stderr}`);
  return JSON.parse(stdout) as number[];
}

describe('messages that share channels leave when SimGrid says', () => {
  it.each([...everyMachine(), ['a torus of 8 x 8', gridMachine('torus', [8, 8])] as const])('on %s', (_, machine) => {
    for (let seed = 1; seed <= 3; seed++) {
      const messages = someMessages(machine, seed);
      const ours = leavings(machine, messages);
      // A message is told at the end of a cycle, and SimGrid's times are of any fraction.
      const apart = leavingsOfSimGrid(machine, messages).map((end, index) => Math.abs((ours[index] ?? 0) - end));
      expect(Math.max(...apart)).toBeLessThanOrEqual(1);
    }
  });
});
