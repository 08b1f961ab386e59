import type { PlacementReport } from '../../model/report.ts';
import { outlineOf } from '../../study/outline.ts';
import type { StudyReport, StudySummary } from '../../study/report.ts';

/** What is kept of one document between its studies. */
interface Kept {
  readonly reports: ReadonlyMap<string, PlacementReport>;
  readonly summary: StudySummary;
}

/**
 * The last report of every placement of every open document. A placement that is still declared
 * and could not be evaluated this time keeps its report, so that nothing a user saw is lost.
 */
export class KeptReports {
  readonly #byDocument = new Map<string, Kept>();

  /** `declared`: names of the placements the new text still has, evaluated or not. */
  receive(
    uri: string,
    study: StudyReport,
    declared: ReadonlySet<string>,
  ): { readonly summary: StudySummary; readonly kept: readonly string[] } {
    const before = this.#byDocument.get(uri);
    const reports = new Map(study.placements.map((report) => [report.name, report]));
    const outline = outlineOf(study);
    const keptOutlines = (before?.summary.placements ?? []).filter(
      ({ name }) => declared.has(name) && !reports.has(name),
    );
    for (const { name } of keptOutlines) {
      const report = before?.reports.get(name);
      if (report !== undefined) reports.set(name, report);
    }
    const summary = { ...outline, placements: [...outline.placements, ...keptOutlines] };
    this.#byDocument.set(uri, { reports, summary });
    return { summary, kept: keptOutlines.map(({ name }) => name) };
  }

  find(uri: string, placement: string): PlacementReport | undefined {
    return this.#byDocument.get(uri)?.reports.get(placement);
  }

  forget(uri: string): void {
    this.#byDocument.delete(uri);
  }
}
