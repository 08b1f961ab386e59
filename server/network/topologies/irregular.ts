/** Networks of switches with the same number of links each, otherwise drawn at random. */
import { shuffle, seededRandom, type RandomSource } from '../../model/random.ts';
import { fail, type Result } from '../../model/result.ts';
import type { Topology } from '../../model/machine.ts';
import { intAt } from '../../numeric/elements.ts';
import type { TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { attachedNodes, countAttached, integerOfArgument, integerOption } from './argument.ts';
import { buildCableGraph, measureCableGraph, cableSizeRefusal, type CableList } from './cableGraph.ts';

export const irregular: TopologyEntry = {
  name: 'irregular',
  summary: 'random network in which all switches have the same number of links',
  source: 'Orduña et al. 2004, section 5.1; drawn as by Steger and Wormald 1999',
  details:
    'Free ports are connected in random pairs. No switch is connected to itself, and no pair of switches twice. ' +
    'A disconnected network is drawn again. Each node is connected to its switch by its own host link: node id = ' +
    'switch · hosts + host. The same `seed` gives the same network everywhere.',
  argument: { kind: 'integer', summary: 'the number of switches', required: true, minimum: 1 },
  options: [
    {
      name: 'links',
      summary: 'links of each switch to other switches',
      kind: 'integer',
      minimum: 3,
      maximum: 64,
      default: 3,
    },
    {
      name: 'seed',
      summary: 'seed of the random network',
      kind: 'integer',
      minimum: 0,
      maximum: 2 ** 31 - 1,
      default: 1,
    },
  ],
  skeleton: 'irregular ${1:16}(links ${2:3}, seed ${3:1})',
  defaultRouting: 'up-down',
  takesCables: false,
  takesHosts: true,
  takesHostsOn: true,
  measure: measureIrregular,
  build: buildIrregular,
};

interface Form {
  readonly switches: number;
  readonly links: number;
}

const irregularForm = ({ argument, options }: TopologyRequest): Form => ({
  switches: integerOfArgument(argument),
  links: integerOption(options, 'links') ?? 3,
});

function measureIrregular(request: TopologyRequest): TopologySize | undefined {
  const { switches, links } = irregularForm(request);
  if (links >= switches || (switches * links) % 2 !== 0) return undefined;
  const nodes = countAttached(request, { count: switches });
  return nodes === undefined ? undefined : measureCableGraph(switches, nodes, (switches * links) / 2);
}

/** Networks that are drawn before it is given up: of 16 switches with 3 links nearly every one is connected. */
const mostDraws = 1000;

/** Fails with `invalid-count` where switches and links do not go together, with `machine-too-large`, and as `buildCableGraph` does. */
function buildIrregular(request: TopologyRequest): Result<Topology> {
  const { switches, links } = irregularForm(request);
  // Sizes first: a list of all switches may be larger than any memory.
  if (links >= switches || (switches * links) % 2 !== 0) {
    const why =
      links >= switches
        ? `${links} links of a switch go to ${links} others: there must be at least ${links + 1} switches`
        : `${switches} switches with ${links} links each have ${switches * links} ends of cables, which is odd: take an even number of switches or of links`;
    return fail('invalid-count', `${why}.`);
  }
  const size = measureIrregular(request);
  if (size === undefined) return attachedNodes({ ...request, hosts: 1 }, { count: switches }) as Result<never>;
  const refusal = cableSizeRefusal('This network', size);
  if (refusal) return refusal;
  const random = seededRandom(integerOption(request.options, 'seed') ?? 1);
  const hanging = attachedNodes(request, { count: switches });
  if (!hanging.ok) return hanging;
  const routerOfNode = hanging.value;
  let made: Result<Topology> = fail('disconnected', 'Found no such network.');
  for (let draw = 0; draw < mostDraws; draw++) {
    const cables = drawCables(switches, links, random);
    if (cables === undefined) continue;
    made = buildCableGraph({ kind: 'irregular', routerCount: switches, routerOfNode, cables });
    if (made.ok || made.failure.code !== 'disconnected') return made;
  }
  return made;
}

/** All ends joined; undefined where the last ends can only be joined wrongly. O(switches · links²). */
function drawCables(switches: number, links: number, random: RandomSource): CableList | undefined {
  const count = (switches * links) / 2;
  const [from, to] = [new Int32Array(count), new Int32Array(count)];
  const neighbours = new Int32Array(switches * links);
  const degree = new Int32Array(switches);
  const isJoined = (one: number, other: number): boolean => {
    for (let at = one * links; at < one * links + intAt(degree, one); at++) if (neighbours[at] === other) return true;
    return false;
  };
  const join = (one: number, other: number): void => {
    const known = intAt(degree, one);
    neighbours[one * links + known] = other;
    degree[one] = known + 1;
  };
  let ends = Int32Array.from({ length: 2 * count }, (_, end) => Math.floor(end / links));
  let next = 0;
  while (ends.length > 0) {
    shuffle(ends, random);
    const left: number[] = [];
    for (let end = 0; end < ends.length; end += 2) {
      const [one, other] = [intAt(ends, end), intAt(ends, end + 1)];
      if (one === other || isJoined(one, other)) {
        left.push(one, other);
        continue;
      }
      from[next] = one;
      to[next++] = other;
      join(one, other);
      join(other, one);
    }
    if (left.length === ends.length && !canBeJoined(left, isJoined)) return undefined;
    ends = Int32Array.from(left);
  }
  return { from, to };
}

/** Whether two of the ends are of different switches that are not joined yet. */
function canBeJoined(ends: readonly number[], isJoined: (one: number, other: number) => boolean): boolean {
  const switches = [...new Set(ends)];
  return switches.some((one, index) => switches.slice(index + 1).some((other) => !isJoined(one, other)));
}
