/**
 * Simulations of placements for the editor: the files of a program are read, the placement is made or taken as it was made before,
 * and its messages travel. Nothing is kept on the disk.
 */
import type { CheckedProgram } from '../language/check.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { PlacementReport } from '../model/report.ts';
import { cancelled, fail, quote, succeed, type Result } from '../model/result.ts';
import type { SimulationDescription } from '../model/simulation.ts';
import { onlyPlacement, type Program, type StudyFiles } from '../study/program.ts';
import { defaultStudySettings } from '../study/report.ts';
import type { PlacedBefore } from '../study/run.ts';
import {
  prepareSimulation,
  simulatePlacement as simulateReport,
  type ReportCycle,
  type SimulatedPlacement,
} from '../study/simulate.ts';
import { createStudyCache, runStudy, type StudyCache } from '../study/study.ts';
import { momentOf, type WaitingMessage } from '../simulation/replay.ts';
import { clockAndThreads, readStudyFiles } from './evaluation.ts';
import type { ReadPolicy } from './files.ts';

export interface SimulationSurroundings {
  readonly cancellation: Cancellation;
  readonly progress?: ReportCycle;
  /** Where the tasks of the placement lie, as its report says; it is placed anew where this is left out. */
  readonly placedBefore?: readonly PlacedBefore[];
}

/** A placement that was simulated, with what can be asked of it further. */
export interface SimulatedReport extends SimulatedPlacement {
  readonly report: PlacementReport;
  readonly simulation: SimulationDescription;
  /** Who waits for whom at the end of a cycle: simulates to there once more. Fails with `cancelled`. */
  readonly momentAt: (cycle: number, cancellation: Cancellation) => Result<readonly WaitingMessage[]>;
}

/**
 * Reads what a placement needs, places it and simulates it. Fails as the files, the placement and the simulation do; with
 * `bad-placement` where it does not say how it is simulated, and with `cancelled`.
 */
export async function simulatePlacement(
  { program, fileUris, experiments }: Pick<CheckedProgram, 'program' | 'fileUris' | 'experiments'>,
  name: string,
  policy: ReadPolicy,
  surroundings: SimulationSurroundings,
): Promise<Result<SimulatedReport>> {
  const { cancellation, progress, placedBefore } = surroundings;
  const simulation = experiments.simulations.get(name);
  if (simulation === undefined) {
    return fail('bad-placement', `Placement ${quote(name)} has errors, or does not say how it is simulated: write \`simulate\` with a network in it.`); // prettier-ignore
  }
  const files = await readStudyFiles(fileUris, policy, undefined, cancellation);
  if (cancellation.isCancelled()) return cancelled();
  const cache = createStudyCache();
  const placed = placedReport(program, name, files, { cancellation, cache, ...(placedBefore && { placedBefore }) });
  if (!placed.ok) return placed;
  const context = { cancellation, now: clockAndThreads.now, cache, ...(progress && { progress }) };
  const simulated = simulateReport(program, files, placed.value, simulation, context);
  if (!simulated.ok) return simulated;
  return succeed({
    ...simulated.value,
    report: placed.value,
    simulation,
    momentAt: (cycle, stop) => {
      const prepared = prepareSimulation(program, files, placed.value, simulation, { ...context, cancellation: stop });
      return prepared.ok ? momentOf(prepared.value.simulation, cycle, stop) : prepared;
    },
  });
}

function placedReport(
  program: Program,
  name: string,
  files: StudyFiles,
  {
    cancellation,
    cache,
    placedBefore,
  }: {
    readonly cancellation: Cancellation;
    readonly cache: StudyCache;
    readonly placedBefore?: readonly PlacedBefore[];
  },
): Result<PlacementReport> {
  const study = runStudy(onlyPlacement(program, name), files, defaultStudySettings, {
    ...clockAndThreads,
    cancellation,
    cache,
    progress: () => undefined,
    placedBefore: (placement) => (placement === name ? placedBefore : undefined),
  });
  if (cancellation.isCancelled()) return cancelled();
  const report = study.placements.find((one) => one.name === name);
  if (report !== undefined) return succeed(report);
  const [problem] = study.problems.filter(({ severity }) => severity === 'error');
  return fail(problem?.code ?? 'bad-placement', problem?.message ?? `Placement ${quote(name)} could not be made.`);
}
