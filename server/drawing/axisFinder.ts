import type { Topology } from '../model/machine.ts';
import { coordinatesOf } from '../model/shape.ts';

/** Tells along which axis a cable runs, and whether it closes a ring. */
export class AxisFinder {
  private readonly shape: readonly number[] | undefined;
  private readonly fromCoordinates: Int32Array;
  private readonly toCoordinates: Int32Array;

  constructor(topology: Topology) {
    this.shape = topology.shape;
    this.fromCoordinates = new Int32Array(topology.shape?.length ?? 0);
    this.toCoordinates = new Int32Array(topology.shape?.length ?? 0);
  }

  find(from: number, to: number): { readonly axis: number; readonly wraps: boolean } {
    if (this.shape === undefined) return { axis: -1, wraps: false };
    coordinatesOf(this.shape, from, this.fromCoordinates);
    coordinatesOf(this.shape, to, this.toCoordinates);
    const axis = this.fromCoordinates.findIndex((value, index) => value !== this.toCoordinates[index]);
    const apart = Math.abs(this.toCoordinates[axis]! - this.fromCoordinates[axis]!);
    return { axis, wraps: apart > 1 };
  }
}
