/**
 * What links take where they are unequal. A cycle is the time of a flit on the fastest link of the machine; on another one a flit takes a multiple
 * of it, which need not be whole: what that is in cycles loses nothing over many flits.
 */
import type { Machine } from '../../model/machine.ts';
import { relativeTimes } from '../../network/linkClasses.ts';

/**
 * Cycles that a flit takes on each link between routers and, where they are links of their own, on those of nodes. Undefined where it is
 * 1 on all of them. O(links).
 */
export function flitTimes(machine: Machine): Float64Array | undefined {
  const { hasHostLinks, links } = machine.topology;
  const times = relativeTimes(machine)
    ?.subarray(0, hasHostLinks ? links.linkCount : links.routerLinkCount)
    .map((time) => time || 1);
  return times?.every((time) => time === 1) === true ? undefined : times;
}

/** Whether nodes of a grid hang on ports that are slower than its fastest link: they are no links there, and no engine of packets knows them. */
export function hasSlowPorts(machine: Machine): boolean {
  const { hasPorts, links } = machine.topology;
  return (
    hasPorts === true &&
    relativeTimes(machine)?.some((time, link) => link >= links.routerLinkCount && time > 1) === true
  );
}

/** Quotients of bandwidths are rounded. */
const tolerance = 1e-9;

/** Whole cycles of a flit that takes so long. */
export const flitCycles = (time: number): number => Math.ceil(time - tolerance);

/** Whole cycles in which so many flits have crossed a link, one after the other. */
export const packetCycles = (flits: number, time: number): number => flitCycles(flits * time);

/** Whether a link that is free from a time on can take a flit in a cycle. */
export const isFreeAt = (free: number, now: number): boolean => free <= now + tolerance;

/**
 * From when on a link can take another flit, that was free from `free` on and takes one in the cycle `now`. What was left of a cycle is not lost
 * while flits follow one another.
 */
export const nextFree = (free: number, now: number, time: number): number => (free > now - 1 ? free : now) + time;
