import { fabricFormats } from '../../model/fabric.ts';
import type { TopologyEntry } from '../contract.ts';

/**
 * Topologies that the language knows and this version cannot evaluate: no `build`, so a
 * placement on such a machine gets one `not-evaluated-yet` and never a number.
 */
const switches: TopologyEntry = {
  name: 'switches',
  summary: 'irregular network of switches, cabled by `link a -- b, c`',
  source: 'Orduña et al. 2004, section 2',
  details: 'Several cables between one pair are allowed. Every node hangs on its switch by a host link of its own.',
  argument: { kind: 'integer', summary: 'the number of switches', required: true, minimum: 1 },
  options: [],
  defaultRouting: 'up-down',
  takesCables: true,
  takesHosts: true,
  announced: true,
};

const fatTree: TopologyEntry = {
  name: 'fat-tree',
  summary: 'k-ary n-tree: n levels of switches with k links down and k up',
  source: 'Petrini and Vanneschi 1997, k-ary n-trees',
  details: '`fat-tree(k 4, n 3)` has 4^3 nodes under 3 levels of switches. `levels` gives the arity level by level.',
  options: [
    { name: 'k', summary: 'links down and up of each switch', kind: 'integer', minimum: 1, maximum: 1024 },
    { name: 'n', summary: 'levels of switches', kind: 'integer', minimum: 1, maximum: 16 },
    { name: 'levels', summary: 'links down of each level from the leaves up: `levels 4 x 4 x 2`', kind: 'shape' },
  ],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  announced: true,
};

const dragonfly: TopologyEntry = {
  name: 'dragonfly',
  summary: 'groups of fully cabled routers, the groups fully cabled in turn',
  source: 'Kim et al. 2008, Technology-driven, highly-scalable dragonfly topology',
  options: [
    { name: 'p', summary: 'nodes on each router', kind: 'integer', minimum: 1, maximum: 1024 },
    { name: 'a', summary: 'routers in each group', kind: 'integer', minimum: 1, maximum: 4096 },
    { name: 'h', summary: 'links of each router to other groups', kind: 'integer', minimum: 0, maximum: 4096 },
    {
      name: 'g',
      summary: 'groups; where left out a · h + 1, the most there can be',
      kind: 'integer',
      minimum: 1,
      maximum: 65536,
    },
  ],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  announced: true,
};

const cluster: TopologyEntry = {
  name: 'cluster',
  summary: 'compute nodes round one switch',
  source: 'Soryani et al. 2013, section 3',
  details: 'Each node hangs on the switch by a link of its own: two nodes are 2 hops apart.',
  argument: { kind: 'integer', summary: 'the number of compute nodes', required: true, minimum: 1 },
  options: [],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: false,
  announced: true,
};

const fromFile: TopologyEntry = {
  name: 'from',
  summary: 'a real fabric, read from the file of another tool',
  source: 'Placewright',
  argument: { kind: 'file', summary: 'the file that describes the fabric', required: true, formats: fabricFormats },
  options: [],
  defaultRouting: 'minimal',
  takesCables: false,
  takesHosts: true,
  announced: true,
};

export const announcedTopologies: readonly TopologyEntry[] = [switches, fatTree, dragonfly, cluster, fromFile];
