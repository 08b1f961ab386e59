import { describe, expect, it } from 'vitest';
import { type EngineRefusal, refuseNetwork } from './engineRefusals.ts';

const of = { network: 'torus-2010', machine: 'small' };

const refusals: readonly (readonly [refusal: EngineRefusal, code: string, message: string])[] = [
  [
    { kind: 'no-fixed-routes', routing: 'valiant', machine: 'small' },
    'bad-network',
    'Routing `valiant` of machine `small` is not simulated: it uses intermediate nodes. Write `routing minimal`; placements show its link loads.',
  ],
  [
    { kind: 'several-rails', ...of },
    'bad-network',
    'Network `torus-2010`: nodes of machine `small` have several rails, but its servers model one NIC. Use another `switching`.',
  ],
  [
    { kind: 'slow-interface', ...of },
    'bad-network',
    'Network `torus-2010`: nodes of machine `small` share the router and send at link bandwidth. Use `switching flow`, or remove `interface`.',
  ],
  [
    { kind: 'delay-without-bandwidth', ...of, word: 'link' },
    'bad-network',
    'Network `torus-2010`: `link` in seconds needs a `bandwidth` of machine `small`. Add it, or use cycles.',
  ],
  [
    { kind: 'long-delay', ...of, word: 'router', count: 2 ** 21, most: 2 ** 20 },
    'bad-network',
    'Network `torus-2010`: `router` takes 2,097,152 cycles; the maximum is 1,048,576.',
  ],
  [{ kind: 'no-delay', ...of }, 'bad-network', 'Network `torus-2010`: `router` plus `link` must be at least 1 cycle.'],
  [
    { kind: 'too-much-memory', ...of, links: 4_000_000, channels: 1 },
    'bad-network',
    'Network `torus-2010`: its 4,000,000 links with 1 channel each need more than 1 GiB of memory. Use a smaller machine, fewer channels or `switching flow`.',
  ],
  [
    { kind: 'many-queues', ...of, count: 5_000_000, most: 2 ** 22 },
    'bad-network',
    'Network `torus-2010`: it has 5,000,000 queues; the maximum is 4,194,304.',
  ],
  [
    { kind: 'many-queues-of-router', ...of, count: 70_000 },
    'bad-network',
    'Network `torus-2010`: 70,000 of its queues are at one router, which is too many. Use `switching flow`, or fewer channels.',
  ],
  [
    { kind: 'long-routes', ...of, routing: 'static', steps: 2 ** 28 },
    'bad-network',
    'Network `torus-2010`: routing `static` of machine `small` has routes of 268,435,456 steps, too long to save. Use `switching wormhole`, `switching flow` or routing `minimal`.',
  ],
  [
    { kind: 'many-channels', ...of, count: 99, most: 30 },
    'bad-network',
    'Network `torus-2010`: `channels 99` is too large; the maximum is 30.',
  ],
  [
    { kind: 'long-packet', ...of, count: 5000, most: 4096 },
    'bad-network',
    'Network `torus-2010`: `packet 5000` is too long; the maximum is 4,096 flits.',
  ],
  [
    { kind: 'slow-link', ...of, count: 5000, most: 4096 },
    'bad-network',
    'Network `torus-2010`: a packet takes 5,000 cycles on the slowest link of machine `small`; the maximum is 4,096.',
  ],
  [
    { kind: 'bubble-without-rings', ...of },
    'bad-network',
    'Network `torus-2010`: `bubble` needs torus rings and `dimension-order`, which machine `small` does not have. Remove it.',
  ],
  [
    { kind: 'large-bubble', ...of, packets: 8, queue: 4 },
    'bad-network',
    'Network `torus-2010`: `bubble` of 8 packets exceeds a queue of 4.',
  ],
  [
    { kind: 'flit-option', word: 'channels', value: 99, least: 1, most: 30 },
    'bad-network',
    'Wormhole switching needs 1 to 30 channels, found 99. Change `channels` of the network.',
  ],
  [
    { kind: 'flit-option', word: 'buffer', value: 0, least: 1, most: 2 ** 20 },
    'bad-network',
    'Wormhole switching needs buffers of 1 to 1,048,576 flits on this machine, found 0. Change `buffer` of the network.',
  ],
  [
    { kind: 'flit-option', word: 'router', value: -1, least: 0, most: 2 ** 20 },
    'bad-network',
    'Wormhole switching needs routers of 0 to 1,048,576 cycles, found -1. Change `router` of the network.',
  ],
  [
    { kind: 'flit-option', word: 'link', value: 0, least: 1, most: 2 ** 20 },
    'bad-network',
    'Wormhole switching needs links of 1 to 1,048,576 cycles, found 0. Change `link` of the network.',
  ],
  [
    { kind: 'slow-flit', cycles: 2 ** 21, machine: 'small' },
    'bad-network',
    'A flit may take at most 1,048,576 cycles on the slowest link, not 2,097,152. Change the bandwidths of machine `small`.',
  ],
  [
    { kind: 'header-delay', value: -1, most: 2 ** 20 },
    'invalid-count',
    'The header delay must be 0 to 1048576 whole cycles, not -1.',
  ],
  [
    { kind: 'channel-buffer', value: 0.5, most: 2 ** 20 },
    'invalid-count',
    'The channel buffer must hold 1 to 1048576 whole flits, not 0.5.',
  ],
  [
    { kind: 'several-switches', machine: 'small', routers: 16 },
    'bad-network',
    'The queueing model needs one switch; `small` has 16 routers. Use `topology cluster(N)`, or another `switching`.',
  ],
  [
    { kind: 'service-variation', value: -1 },
    'bad-network',
    'The variation of service times is -1; it must be 0 to 100.',
  ],
  [{ kind: 'cache-bandwidth', value: 0 }, 'bad-network', 'The cache bandwidth is 0 B/s; it must be above 0.'],
];

describe('a refusal of an engine', () => {
  it.each(refusals)('%j', (refusal, code, message) => {
    expect(refuseNetwork(refusal).failure).toEqual({ code, message });
  });
});
