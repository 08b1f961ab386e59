import { takesOverFrom } from './allocations.ts';
import type { Program } from './program.ts';

/** The program with one placement and those that it takes its nodes from. O(placements). */
export function onlyPlacement(program: Program, name: string): Program {
  const wanted = new Set<string>();
  for (let next: string | undefined = name; next !== undefined && !wanted.has(next);) {
    wanted.add(next);
    const placement = program.placements.find((candidate) => candidate.name === next);
    next = placement && takesOverFrom(placement);
  }
  return { ...program, placements: program.placements.filter((placement) => wanted.has(placement.name)) };
}
