import type { PlacementReport } from '../model/report.ts';
import { jobColor, loadColors, loadColorsOnDark } from './colors.ts';
import { layoutOf } from './layout/choose.ts';
import { drawLinks } from './links.ts';
import { drawNodes } from './nodes.ts';
import { formatBytes } from './quantities.ts';
import type { LoadLegend, Scene, SceneLinks, SceneNodes, SceneRouters } from './scene.ts';
import { describe, figuresOf } from './words.ts';

/**
 * The picture of a placement. The same report gives the same scene, byte for byte; two
 * placements on one machine have the same layout. O(nodes + links + tasks).
 */
export function drawScene(report: PlacementReport): Scene {
  const layout = layoutOf(report.machine.topology);
  const nodes = drawNodes(report, layout);
  const links = drawLinks(report, layout);
  return {
    placement: report.name,
    machine: report.machine.name,
    description: describe(report),
    bounds: boundsOf(nodes, links),
    nodes,
    routers: noRouters(),
    links,
    jobs: report.jobs.map(({ job }, position) => ({
      name: job.name,
      taskCount: job.taskCount,
      color: jobColor(position),
    })),
    loadLegend: loadLegendOf(report),
    figures: figuresOf(report),
  };
}

/** A node drawn in the place of its router needs no router beside it. */
const noRouters = (): SceneRouters => ({
  x: new Float32Array(0),
  y: new Float32Array(0),
  size: new Float32Array(0),
  id: new Int32Array(0),
  names: [],
});

function loadLegendOf({ metrics }: PlacementReport): LoadLegend {
  const maximum = metrics.maximumLinkLoad;
  const marks = maximum > 0 ? [0, maximum / 2, maximum] : [0];
  return {
    maximum,
    mean: metrics.meanLinkLoad,
    colors: loadColors,
    colorsOnDark: loadColorsOnDark,
    labels: marks.map(formatBytes),
  };
}

/** The smallest rectangle round everything drawn. */
function boundsOf(nodes: SceneNodes, links: SceneLinks): Scene['bounds'] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = (x: number, y: number, margin: number): void => {
    left = Math.min(left, x - margin);
    top = Math.min(top, y - margin);
    right = Math.max(right, x + margin);
    bottom = Math.max(bottom, y + margin);
  };
  nodes.x.forEach((x, entry) => {
    include(x, nodes.y[entry]!, nodes.size[entry]!);
  });
  links.x1.forEach((x1, link) => {
    include(x1, links.y1[link]!, 0);
    include(links.x2[link]!, links.y2[link]!, 0);
  });
  return left > right ? { left: 0, top: 0, right: 0, bottom: 0 } : { left, top, right, bottom };
}
