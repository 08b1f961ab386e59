import type { OptionSpecification } from '../model/catalogue.ts';
import type { MapperEntry } from './contract.ts';
import { rotateOption } from './stencils/rotation.ts';

/**
 * Mappers that the language knows and this version cannot run yet: they parse, complete and
 * hover, and a placement that needs one gets a single information diagnostic.
 */

const bunde = 'Bunde et al. 2014, section 3';
const pascual = 'Pascual et al. 2010, section 3';
const orduna = 'Orduña et al. 2004, section 4';
const soryani = 'Soryani et al. 2013';

/** The cost matrices that any search may minimise. */
const criterionOption = (standard: string): OptionSpecification => ({
  name: 'criterion',
  summary: 'what the search minimises',
  kind: 'choice',
  choices: ['distance', 'traffic-distribution', 'equivalent', 'hop-bytes', 'maximum-load'],
  default: standard,
});

const announce = (
  name: string,
  summary: string,
  source: string,
  complexity: string,
  options: readonly OptionSpecification[] = [],
): MapperEntry => ({ name, summary, source, complexity, options, announced: true });

/** Stencil mappers of Bunde et al. for jobs with a grid. */
const stencilMappers: readonly MapperEntry[] = [
  announce('grouping', 'Blocks of the grid fill whole nodes, in allocation order', `${bunde} (GROUPING)`, 'O(n)', [
    {
      name: 'block',
      summary: 'sides of the blocks of tasks that share a node; by default the most cubic block that fills one',
      kind: 'shape',
    },
  ]),
  announce(
    'ordered',
    'Tries row- and column-major orders with every flip and keeps the fewest average hops',
    `${bunde} (ORDERED)`,
    'O(2^d n (log n + degree))',
    [rotateOption],
  ),
  announce('corner', 'Orders tasks and ranks by their distance from one corner', `${bunde} (CORNER)`, 'O(n log n)', [
    rotateOption,
  ]),
  announce('all-corners', 'Grows from all corners in turn', `${bunde} (ALLCORNERS)`, 'O(2^d n log n)', [rotateOption]),
  announce(
    'overlay',
    'Lays the grid over the ranks; each task takes the nearest free rank',
    `${bunde} (OVERLAY)`,
    'O(n²)',
    [rotateOption],
  ),
  announce(
    'two-way-overlay',
    'Like overlay, from the front and the back in turn',
    `${bunde} (TWOWAYOVERLAY)`,
    'O(n²)',
    [rotateOption],
  ),
  announce(
    'incremental',
    'Starts with rcb and swaps two tasks as long as the average hops fall',
    'Bunde et al. 2014, section 5.2 (INCIMPROVE)',
    'O(n² degree) per pass',
    [rotateOption],
  ),
];

/** Searches over arbitrary traffic. */
const searches: readonly MapperEntry[] = [
  announce('consecutive', 'Task i on the i-th allocated node in ascending order of ids', pascual, 'O(n log n)'),
  announce(
    'grasp',
    'Greedy randomised starts, each improved by best swaps; the best of all',
    `${pascual}.2 (GRASP)`,
    'O(n³) per iteration',
    [
      criterionOption('distance'),
      { name: 'iterations', summary: 'starts tried', kind: 'integer', minimum: 1, maximum: 1_000_000, default: 50 },
      {
        name: 'alpha',
        summary: 'share of the cheapest candidates among which the greedy step draws',
        kind: 'fraction',
        minimum: 0,
        maximum: 1,
        default: 0.2,
      },
    ],
  ),
  announce(
    'random-search',
    'Random starts, each improved by random swaps until none has helped for a while',
    orduna,
    'O(seeds · swaps · degree)',
    [
      { name: 'seeds', summary: 'random starts', kind: 'integer', minimum: 1, maximum: 1_000_000, default: 10 },
      {
        name: 'patience',
        summary: 'swaps in a row without improvement that end a start',
        kind: 'integer',
        minimum: 1,
        maximum: 1_000_000_000,
        default: 40,
      },
      criterionOption('equivalent'),
    ],
  ),
  announce(
    'random-local',
    'Neighbouring tasks kept together on a switch, in random order',
    'Orduña et al. 2004, section 5 (random with locality)',
    'O(n)',
  ),
  announce(
    'tabu',
    'Robust tabu search, for dense problems of up to a few hundred tasks',
    'Taillard 1991',
    'O(n²) per step',
    [
      criterionOption('hop-bytes'),
      {
        name: 'iterations',
        summary: 'steps of the search; by default as many as the size of the job asks for',
        kind: 'integer',
        minimum: 1,
        maximum: 1_000_000_000,
      },
    ],
  ),
];

/** Mappers for multi-core nodes. */
const multiCoreMappers: readonly MapperEntry[] = [
  announce('blocked', 'Fills the cores of one node before it goes to the next', soryani, 'O(n)'),
  announce('cyclic', 'Deals tasks to nodes in turn', soryani, 'O(n)'),
  announce(
    'drb',
    'Dual recursive bipartitioning: halves the task graph and the machine together',
    'Soryani et al. 2013; Pellegrini 1994',
    'O(pairs · log n)',
  ),
  announce(
    'k-way',
    'Splits the task graph into as many parts as nodes, with little traffic between them',
    'Soryani et al. 2013; Karypis and Kumar 1998',
    'O(pairs · log n)',
  ),
  announce(
    'contention-free',
    'Limits the tasks of a job per node so that no network interface saturates',
    `${soryani}, equations 13–23`,
    'O(n² nodes)',
  ),
];

export const announcedMappers: readonly MapperEntry[] = [...stencilMappers, ...searches, ...multiCoreMappers];
