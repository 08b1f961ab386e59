import type { Topology } from '../../model/machine.ts';
import { type Layout, ascending } from './contract.ts';
import { discSize, frameRouters, nodesOfRouters, placeHosts } from './frames.ts';
import { circleRadius } from './groups.ts';

/** More nodes than this stand in the frame of the switch. */
const ringLimit = 40;
/** Half the side of a node on the ring: room for sockets and cores. */
const nodeSize = 0.5;
/** From node to node, middle to middle. */
const apart = 1.5;
/** Nodes leave the switch room for its host links. */
const leastRadius = 1.9;

/** One switch: its nodes on a ring round it, the first at the top, clockwise; many nodes in a frame. O(nodes). */
export function layoutCluster(topology: Topology): Layout {
  const first = nodesOfRouters(topology);
  const nodeCount = first[1]!;
  const places = frameRouters(first);
  if (nodeCount > ringLimit) {
    return fabricOf(places, placeHosts(first, places));
  }
  const radius = Math.max(leastRadius, circleRadius(nodeCount, apart));
  const angle = (node: number): number => (2 * Math.PI * node) / nodeCount - Math.PI / 2;
  places.framed[0] = 0;
  places.size[0] = Math.min(radius * 0.3, 2 * discSize);
  return fabricOf(places, {
    nodeX: Float32Array.from({ length: nodeCount }, (_, node) => radius * Math.cos(angle(node))),
    nodeY: Float32Array.from({ length: nodeCount }, (_, node) => radius * Math.sin(angle(node))),
    nodeSize: new Float32Array(nodeCount).fill(nodeSize),
  });
}

function fabricOf(places: ReturnType<typeof frameRouters>, nodes: ReturnType<typeof placeHosts>): Layout {
  return {
    ...places,
    order: ascending(1),
    stub: () => undefined,
    fabric: { ...nodes, framed: places.framed, bend: () => 0, areas: [], rank: new Int32Array(0), rankWord: '' },
  };
}
