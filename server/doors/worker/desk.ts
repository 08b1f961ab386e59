import { pictureOf } from '../../drawing/drawScene.ts';
import { renderSvg } from '../../drawing/svg/renderSvg.ts';
import { exportFormats } from '../../interchange/catalogue.ts';
import { findEntry } from '../../model/catalogue.ts';
import { encodeScene } from '../../protocol/encoding.ts';
import type { ExplainAnswer, ExportAnswer, PictureAnswer } from '../../protocol/messages.ts';
import { createStudyCache } from '../../study/study.ts';
import { cancellationOf } from '../cancelCell.ts';
import { createFileMemory, type FileMemory } from '../studyFiles.ts';
import type {
  AnswerOf,
  ExplainOrder,
  ExportOrder,
  PlacementOrder,
  SceneOutcome,
  StudyAnswer,
  StudyOrder,
  WorkerOrder,
} from '../workerMessages.ts';
import { describeFabric } from './describeFabric.ts';
import { explain } from './explain.ts';
import { KeptReports } from './keptReports.ts';
import { studyDocument } from './studyDocument.ts';

/** The least time between two messages about progress, milliseconds. */
const progressInterval = 100;

type TellProgress = (id: number, share: number, message: string) => void;

/** Does what orders ask for, and keeps the reports between them. */
export class Desk {
  readonly #cache = createStudyCache();
  readonly #reports = new KeptReports();
  /** What the files of each document held when they were last read, by its URI. */
  readonly #memories = new Map<string, FileMemory>();
  readonly #tellProgress: TellProgress;

  constructor(tellProgress: TellProgress) {
    this.#tellProgress = tellProgress;
  }

  async take(id: number, order: WorkerOrder): Promise<AnswerOf[WorkerOrder['kind']]> {
    switch (order.kind) {
      case 'study':
        return this.#study(id, order);
      case 'scene':
        return this.#scene(order);
      case 'picture':
        return this.#picture(order);
      case 'export':
        return this.#export(order);
      case 'explain':
        return this.#explain(order);
      case 'describe-fabric':
        return describeFabric(order);
      case 'forget':
        this.#reports.forget(order.uri);
        this.#memories.delete(order.uri);
        return null;
    }
  }

  async #study(id: number, order: StudyOrder): Promise<StudyAnswer> {
    const started = performance.now();
    let told = started;
    const memory = this.#memories.get(order.uri) ?? createFileMemory();
    this.#memories.set(order.uri, memory);
    const outcome = await studyDocument(order, this.#cache, {
      memory,
      cancellation: cancellationOf(order.cancelFlag),
      now: () => performance.now(),
      progress: (share, message) => {
        const now = performance.now();
        if (now - told < progressInterval) return;
        told = now;
        this.#tellProgress(id, share, message);
      },
    });
    if (outcome === undefined) return { kind: 'cancelled' };
    const { summary, kept } = this.#reports.receive(order.uri, outcome.report, outcome.declared);
    return { kind: 'studied', summary, kept, files: outcome.files, milliseconds: performance.now() - started };
  }

  #scene(order: PlacementOrder): SceneOutcome {
    const report = this.#reports.find(order.uri, order.placement);
    if (report === undefined) return { kind: 'nothing', reason: notEvaluated(order.placement) };
    const picture = pictureOf(report);
    if (!picture.ok) return { kind: 'nothing', reason: picture.failure.message };
    return { kind: 'scene', scene: encodeScene(picture.value) };
  }

  #picture(order: PlacementOrder): PictureAnswer {
    const report = this.#reports.find(order.uri, order.placement);
    if (report === undefined) return { ok: false, message: notEvaluated(order.placement) };
    const picture = pictureOf(report);
    return picture.ok ? { ok: true, svg: renderSvg(picture.value) } : { ok: false, message: picture.failure.message };
  }

  #export(order: ExportOrder): ExportAnswer {
    const report = this.#reports.find(order.uri, order.placement);
    if (report === undefined) return { ok: false, message: notEvaluated(order.placement) };
    const format = findEntry(exportFormats, order.format);
    if (format === undefined) {
      const known = exportFormats.map(({ name }) => name).join(', ');
      return { ok: false, message: `There is no export format "${order.format}"; choose one of ${known}.` };
    }
    const written = format.write(report);
    if (!written.ok) return { ok: false, message: written.failure.message };
    const { text, warnings } = written.value;
    return { ok: true, text, warnings, suggestedName: `${order.placement}${format.extension}` };
  }

  #explain(order: ExplainOrder): ExplainAnswer {
    const report = this.#reports.find(order.uri, order.placement);
    if (report === undefined) return { kind: 'nothing', reason: notEvaluated(order.placement) };
    return explain(report, order.target, cancellationOf(order.cancelFlag));
  }
}

const notEvaluated = (placement: string): string =>
  `Placement "${placement}" has not been worked out. Save the file, and see its problems for what keeps it from being so.`;
