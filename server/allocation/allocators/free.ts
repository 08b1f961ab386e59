/** Allocators of any free nodes: `all` of them, or some drawn at `random`. */
import type { AllocationRequest, AllocatorEntry, FinderEntry, NodeFinder } from '../contract.ts';
import { countFree } from '../mesh.ts';
import type { RandomSource } from '../../model/random.ts';
import { freeNodesOf, holdingAllocation, plainCountOf } from '../capacity.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { slotNoun } from '../../model/nodeInside.ts';
import type { Allocation } from '../../model/placement.ts';
import { intAt } from '../../numeric/elements.ts';

export const all: AllocatorEntry = {
  name: 'all',
  summary: 'every node of the machine that has a free core',
  source: 'Placewright',
  details: 'Jobs of a placement are allocated in order, each from the free cores.',
  options: [],
  allocate: (request) => holdingAllocation(request, freeNodesOf(request), 'The machine'),
};

export const random: FinderEntry = {
  name: 'random',
  summary: 'nodes drawn at random from the seed of the placement',
  source: 'Pascual et al. 2010, section 5.2 (random partition); Alsardia 2017, section 2.1.2',
  details:
    'Draws nodes with a free core, each equally likely. It stops at `count` nodes or, without `count`, when the job fits. Nodes are listed in ascending order. A job of a stream gets as many nodes as it requests.',
  options: [
    {
      name: 'count',
      summary: 'nodes to draw; where left out, as few as hold the job',
      kind: 'integer',
      minimum: 1,
      maximum: 2 ** 22,
    },
  ],
  contiguous: false,
  finder: (_machine, _options, source) => succeed(drawing(source)),
  allocate: allocateRandom,
};

function allocateRandom(request: AllocationRequest): Result<Allocation> {
  const candidates = freeNodesOf(request);
  const count = request.options['count'];
  if (typeof count === 'number' && count > candidates.length) {
    return fail(
      'does-not-fit',
      `\`count ${count}\` exceeds the ${plainCountOf(candidates.length, 'node')} with a free ${slotNoun(request.machine.inside.slots)}.`,
    );
  }
  const drawn = drawRandomNodes(request, candidates, typeof count === 'number' ? count : undefined);
  return holdingAllocation(request, drawn.sort(), typeof count === 'number' ? 'The draw' : 'The machine');
}

/** Nodes until there are `count` or, without it, until they hold the job. */
function drawRandomNodes(
  { random: source, freeCores, taskCount }: AllocationRequest,
  candidates: Int32Array,
  count: number | undefined,
): Int32Array {
  let cores = 0;
  return drawUntil(candidates, source, (drawn) => {
    if (count !== undefined) return drawn === count;
    if (drawn > 0) cores += intAt(freeCores, intAt(candidates, drawn - 1));
    return cores >= taskCount;
  });
}

const drawing = (source: RandomSource): NodeFinder => ({
  find(busy, { nodeCount }) {
    const free = countFree(busy);
    if (free < nodeCount) return undefined;
    const candidates = new Int32Array(free);
    let count = 0;
    busy.forEach((held, node) => {
      if (held === 0) candidates[count++] = node;
    });
    return drawUntil(candidates, source, (drawn) => drawn === nodeCount).sort();
  },
});

/**
 * The start of a Fisher–Yates shuffle, until `isEnough` of those drawn, which is asked before each further one: each
 * set of nodes is equally likely. Writes to `candidates`.
 */
function drawUntil(candidates: Int32Array, source: RandomSource, isEnough: (drawn: number) => boolean): Int32Array {
  let drawn = 0;
  while (!isEnough(drawn) && drawn < candidates.length) {
    const other = drawn + source.integer(candidates.length - drawn);
    const node = intAt(candidates, other);
    candidates[other] = intAt(candidates, drawn);
    candidates[drawn++] = node;
  }
  return candidates.slice(0, drawn);
}
