/** The threads of mappers that are tried: one runs them all, another one draws what one of them came to meanwhile. */
import { pictureOf } from '../../drawing/drawScene.ts';
import { neverCancelled, ignoreProgress } from '../../model/cancellation.ts';
import { encodeScene } from '../../protocol/encoding.ts';
import { reportPlaced, seedIsOfMappersAlone, type ShownRun } from '../../study/comparedRun.ts';
import { compareMappers, type Comparison, type MapperResult } from '../../study/compare.ts';
import type { PlacementDescription, StudyFiles } from '../../study/program.ts';
import type { PlacedBefore, StudyContext } from '../../study/run.ts';
import { createStudyCache } from '../../study/study.ts';
import { readStudyFiles, type FileMemory } from '../evaluation.ts';
import { platform } from '../platform.ts';
import type { CompareMappersNews, Order, SceneOutcome } from '../workerMessages.ts';
import { ReportReceiver } from './reportChannel.ts';

/** The least time between two texts of the progress, milliseconds. */
const tellEvery = 100;

/** Tries the mappers of an order. Whoever wants no more of it ends the thread: all that is there was told before. */
export async function compareInThread(
  { uri, request, checked: { program, fileUris }, policy, port }: Order<'compare-mappers'>,
  tell: (news: CompareMappersNews) => void,
): Promise<Comparison> {
  const written = port && reportThrough(port, uri, request.placement);
  const files = await readStudyFiles(fileUris, policy);
  const jobs = program.placements.find(({ name }) => name === request.placement)?.jobs ?? [];
  let toldAt = -Infinity;
  let whole = 0;
  const context: StudyContext = {
    ...platform().studyEnvironment(),
    cancellation: neverCancelled,
    progress: (share) => {
      whole = share;
    },
    cache: createStudyCache(),
  };
  const comparison = compareMappers(program, files, { ...request, ...(written && { written }) }, context, {
    begun: (mapper) => {
      toldAt = performance.now();
      tell({ kind: 'progress', mapper, whole, progress: { share: 0, message: '' } });
    },
    progressed: (mapper, share, message, search) => {
      const now = performance.now();
      if (now - toldAt < tellEvery) return;
      toldAt = now;
      tell({ kind: 'progress', mapper, whole, progress: { share, message, ...(search && { search }) } });
    },
    ended: (mapper, best, soFar) => {
      tell({
        kind: 'ended',
        mapper,
        comparison: withoutMappings(soFar()),
        ...(best && { placed: placedIn(best, jobs) }),
      });
    },
  });
  return withoutMappings(comparison);
}

function reportThrough(port: NonNullable<Order<'compare-mappers'>['port']>, uri: string, placement: string) {
  const receiver = new ReportReceiver();
  receiver.connect(port);
  const report = receiver.find(uri, placement);
  port.close();
  return report;
}

const placedIn = ({ nodes, mappings }: ShownRun, jobs: PlacementDescription['jobs']): readonly PlacedBefore[] =>
  jobs.map((name, position) => ({ name, nodes: nodes[position] ?? [], mapping: mappings[position] ?? [] }));

const withoutMappings = (comparison: Comparison): Comparison => ({
  ...comparison,
  placed: comparison.placed.map((result): MapperResult => ({
    ...result,
    shown: { ...result.shown, nodes: [], mappings: [] },
  })),
});

/** Draws what mappers came to; machines and traffic are kept, so that the second picture comes at once. */
export class Previews {
  readonly #memory: FileMemory;
  readonly #cache = createStudyCache();

  constructor(memory: FileMemory) {
    this.#memory = memory;
  }

  async preview(order: Order<'preview'>): Promise<SceneOutcome> {
    const report = reportPlaced(order.checked.program, await this.#filesOf(order), order, this.#context());
    if (report === undefined)
      return { kind: 'nothing', reason: `Placement "${order.placement}" cannot use it any more.` };
    const picture = pictureOf(report);
    return picture.ok
      ? { kind: 'scene', scene: encodeScene(picture.value) }
      : { kind: 'nothing', reason: picture.failure.message };
  }

  async checkSeed(order: Order<'check-seed'>): Promise<boolean> {
    return seedIsOfMappersAlone(order.checked.program, await this.#filesOf(order), order, this.#context());
  }

  #context(): StudyContext {
    return {
      ...platform().studyEnvironment(),
      cancellation: neverCancelled,
      progress: ignoreProgress,
      cache: this.#cache,
    };
  }

  #filesOf({ checked, policy }: Order<'preview' | 'check-seed'>): Promise<StudyFiles> {
    this.#memory.need('previews', checked.fileUris);
    return readStudyFiles(checked.fileUris, policy, this.#memory);
  }
}
