/** Allocators of any free nodes: `all` of them, or some drawn at `random`. */
import type { AllocationRequest, AllocatorEntry } from '../contract.ts';
import { freeNodesOf, holdingAllocation, countOf } from '../capacity.ts';
import { fail, type Result } from '../../model/result.ts';
import type { Allocation } from '../../model/placement.ts';
import { intAt } from '../../numeric/elements.ts';

export const all: AllocatorEntry = {
  name: 'all',
  summary: 'every node of the machine that has a free core',
  source: 'Placewright',
  details: 'Jobs of one placement are placed in order: a later one gets what the earlier ones left.',
  options: [],
  allocate: (request) => holdingAllocation(request, freeNodesOf(request), 'The machine'),
};

export const random: AllocatorEntry = {
  name: 'random',
  summary: 'nodes drawn at random from the seed of the placement',
  source: 'Pascual et al. 2010, section 5.2 (random partition); Alsardia 2017, section 2.1.2',
  details:
    'Draws among the nodes with a free core, each equally likely, until `count` nodes are drawn or, without `count`, ' +
    'until the nodes drawn hold the job. The nodes are given in ascending order.',
  options: [
    {
      name: 'count',
      summary: 'nodes to draw; where left out, as few as hold the job',
      kind: 'integer',
      minimum: 1,
      maximum: 2 ** 22,
    },
  ],
  allocate: allocateRandom,
};

function allocateRandom(request: AllocationRequest): Result<Allocation> {
  const candidates = freeNodesOf(request);
  const count = request.options['count'];
  if (typeof count === 'number' && count > candidates.length) {
    return fail(
      'does-not-fit',
      `\`count ${count}\` asks for more nodes than the ${countOf(candidates.length, 'node')} that have a free core.`,
    );
  }
  const drawn = draw(request, candidates, typeof count === 'number' ? count : undefined);
  return holdingAllocation(request, drawn.sort(), typeof count === 'number' ? 'The draw' : 'The machine');
}

/** The start of a Fisher–Yates shuffle, as far as needed: each set of nodes is equally likely. */
function draw(request: AllocationRequest, candidates: Int32Array, count: number | undefined): Int32Array {
  let cores = 0;
  let drawn = 0;
  const enough = () => (count === undefined ? cores >= request.taskCount : drawn === count);
  while (drawn < candidates.length && !enough()) {
    const other = drawn + request.random.integer(candidates.length - drawn);
    const node = intAt(candidates, other);
    candidates[other] = intAt(candidates, drawn);
    candidates[drawn++] = node;
    cores += intAt(request.freeCores, node);
  }
  return candidates.slice(0, drawn);
}
