import type { Cancellation } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { componentsOf } from './components.ts';
import { normalised } from './coordinates.ts';
import { landmarkDistances } from './landmarks.ts';
import { packParts, type PackedPart } from './packing.ts';
import { principalComponents } from './principalComponents.ts';
import { smoothAxis } from './smoothing.ts';

const mostLandmarks = 24;
const fewestLandmarks = 6;
/** Looks at edges that the searches from all landmarks may take: about 100 ms. */
const searchLimit = 2 ** 25;
/** Rounds in which tasks move towards their partners: distances in edges are whole numbers, which tie. */
const smoothingRounds = 8;

/**
 * Coordinates for a graph that has none: breadth-first distances from landmarks, their principal
 * components, smoothed. Neighbours are near each other and what is far apart in the graph is far
 * apart in space, as far as `dimensions` axes allow. Undefined where it was cancelled.
 * O(landmarks · edges + n · landmarks²).
 */
export function graphCoordinates(
  graph: TaskGraph,
  dimensions: number,
  cancellation: Cancellation,
): Float64Array[] | undefined {
  const { tasks, start } = componentsOf(graph);
  const parts: PackedPart[] = [];
  const distance = new Int32Array(graph.taskCount);
  for (let component = 0; component + 1 < start.length; component++) {
    const members = tasks.subarray(start[component], start[component + 1]);
    const coordinates = componentCoordinates(graph, members, dimensions, distance, cancellation);
    if (coordinates === undefined) return undefined;
    parts.push({ tasks: members, coordinates });
  }
  const spare = new Float64Array(graph.taskCount);
  const packed = packParts(parts, graph.taskCount, dimensions);
  for (const axis of packed) {
    if (cancellation.isCancelled()) return undefined;
    smoothAxis(graph, axis, smoothingRounds, spare);
  }
  if (cancellation.isCancelled()) return undefined;
  return parts.length === 1 ? normalised(principalComponents(packed, dimensions)) : normalised(packed);
}

function componentCoordinates(
  graph: TaskGraph,
  members: Int32Array,
  dimensions: number,
  distance: Int32Array,
  cancellation: Cancellation,
): Float64Array[] | undefined {
  if (members.length === 1) return [];
  const affordable = Math.floor(searchLimit / graph.partner.length);
  const count = Math.min(mostLandmarks, Math.max(fewestLandmarks, affordable));
  const distances = landmarkDistances(graph, members, count, distance, cancellation);
  if (distances === undefined || cancellation.isCancelled()) return undefined;
  return principalComponents(distances, dimensions);
}
