import type { LinkTable, Topology } from '../../model/machine.ts';
import type { Rails } from '../../model/rails.ts';
import type { Projection, SceneArea, SceneRouters } from '../scene.ts';

/** What layouts look at of a network of switches. */
export interface Network extends Pick<Topology, 'routerCount' | 'routerOfNode' | 'groupShape'> {
  readonly links: Pick<LinkTable, 'firstLink' | 'from' | 'to' | 'routerLinkCount'>;
  /** Where nodes have several adapters: node and router of each. */
  readonly rails?: Pick<Rails, 'nodeOfPort' | 'routerOfPort'>;
}

/** Width of the room for a picture over its height, as panels and pages have it: for which a layout is made unless told otherwise. */
export const usualProportion = 1.3;

/** Where routers are drawn. World units, y downwards; neighbours on the grid are one unit apart. */
export interface Layout {
  /** Centre of each router, indexed by RouterId. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Half the side of the square that a router's nodes share, indexed by RouterId. */
  readonly size: Float32Array;
  /** RouterIds in the order to paint, far ones first. */
  readonly order: Int32Array;
  /**
   * How a cable along `axis` is drawn: undefined for a line between its routers, else the vector
   * of the stub at its end with the lower coordinate; the stub at the other end is its opposite.
   * `wraps` tells the cables that close a ring. Axis −1: the topology has no coordinates.
   */
  stub(axis: number, wraps: boolean): StubVector | undefined;
  /** Planes and blocks of a grid of more than two dimensions. */
  readonly areas?: readonly SceneArea[];
  /** How three dimensions were laid into the plane. */
  readonly projection?: Projection;
  /** Present where routers are drawn apart from their nodes. */
  readonly fabric?: FabricLayout;
}

/** Where nodes stand that hang on their routers by links of their own. */
export interface FabricLayout {
  /** Centre and half side of each node, indexed by NodeId. */
  readonly nodeX: Float32Array;
  readonly nodeY: Float32Array;
  readonly nodeSize: Float32Array;
  /** 1: the router is a frame with its nodes inside; 0: a disc. Indexed by RouterId. */
  readonly framed: Uint8Array;
  /** 1: the node stands inside a frame. Indexed by NodeId. */
  readonly inFrame: Uint8Array;
  /** How far a cable bows out to the right of the straight line between two routers; 0: not at all. */
  bend(from: number, to: number): number;
  readonly areas: readonly SceneArea[];
  /** Level, tier or group of each router; empty where `rankWord` is ''. */
  readonly rank: Int32Array;
  readonly rankWord: SceneRouters['rankWord'];
}

interface StubVector {
  readonly dx: number;
  readonly dy: number;
}

/** RouterIds as they are: for layouts in which nothing hides anything. */
export const ascending = (count: number): Int32Array => Int32Array.from({ length: count }, (_, index) => index);
