import type { PlacementReport } from '../model/report.ts';
import type { FabricLayout, Layout } from './layout/contract.ts';
import type { SceneRouters } from './scene.ts';

/** The routers by number, where nodes hang on them; none where a node stands in the place of its router. */
export function drawRouters({ machine }: PlacementReport, layout: Layout): SceneRouters {
  if (layout.fabric === undefined) return noRouters();
  const { framed, rank, rankWord }: FabricLayout = layout.fabric;
  return {
    x: layout.x,
    y: layout.y,
    size: layout.size,
    id: Int32Array.from(layout.x.keys()),
    names: machine.topology.names?.routers ?? [],
    framed,
    rank,
    rankWord,
    root: machine.routing.hierarchy?.root ?? -1,
  };
}

const noRouters = (): SceneRouters => ({
  x: new Float32Array(0),
  y: new Float32Array(0),
  size: new Float32Array(0),
  id: new Int32Array(0),
  names: [],
  framed: new Uint8Array(0),
  rank: new Int32Array(0),
  rankWord: '',
  root: -1,
});
