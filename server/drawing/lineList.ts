import type { SceneLinks } from './scene.ts';

/** Where a cable or stub is drawn; `bend` as in the scene. */
export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly bend: number;
}

/** What a cable is and carries; names and flags as in the scene. */
export interface Cable {
  readonly from: number;
  readonly to: number;
  readonly forwardLink: number;
  readonly backwardLink: number;
  readonly forward: number;
  readonly backward: number;
  readonly flags: number;
}

/** Collects the structure of arrays, at most `most` entries. */
export class LineList {
  private readonly lines: SceneLinks;
  private count = 0;

  constructor(most: number) {
    this.lines = {
      x1: new Float32Array(most),
      y1: new Float32Array(most),
      x2: new Float32Array(most),
      y2: new Float32Array(most),
      bend: new Float32Array(most),
      from: new Int32Array(most),
      to: new Int32Array(most),
      forwardLink: new Int32Array(most),
      backwardLink: new Int32Array(most),
      forward: new Float64Array(most),
      backward: new Float64Array(most),
      flags: new Uint8Array(most),
    };
  }

  add(segment: Segment, cable: Cable): void {
    const { lines, count } = this;
    lines.x1[count] = segment.x1;
    lines.y1[count] = segment.y1;
    lines.x2[count] = segment.x2;
    lines.y2[count] = segment.y2;
    lines.bend[count] = segment.bend;
    lines.from[count] = cable.from;
    lines.to[count] = cable.to;
    lines.forwardLink[count] = cable.forwardLink;
    lines.backwardLink[count] = cable.backwardLink;
    lines.forward[count] = cable.forward;
    lines.backward[count] = cable.backward;
    lines.flags[count] = cable.flags;
    this.count++;
  }

  finish(): SceneLinks {
    const { lines, count } = this;
    return {
      x1: lines.x1.slice(0, count),
      y1: lines.y1.slice(0, count),
      x2: lines.x2.slice(0, count),
      y2: lines.y2.slice(0, count),
      bend: lines.bend.slice(0, count),
      from: lines.from.slice(0, count),
      to: lines.to.slice(0, count),
      forwardLink: lines.forwardLink.slice(0, count),
      backwardLink: lines.backwardLink.slice(0, count),
      forward: lines.forward.slice(0, count),
      backward: lines.backward.slice(0, count),
      flags: lines.flags.slice(0, count),
    };
  }
}
