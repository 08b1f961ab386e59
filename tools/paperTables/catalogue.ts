/** What is one paper's alone, by its folder: tables of several experiments, what is kept of its runs, and the tables of its page. */
import type { ExperimentJson } from '../../server/experiments/results.ts';
import type { PaperClaims } from '../paperFigures.ts';
import type { Figures, PagePart } from '../paperMeasured.ts';
import type { Form } from '../paperReport.ts';
import { alsardiaParts } from './alsardia.ts';
import { bundeParts } from './bunde.ts';
import { ordunaFigures, ordunaParts, ordunaTables } from './orduna.ts';
import { pascualParts, pascualTables } from './pascual.ts';
import { keptRunningTimes, runningTimes } from './runningTimes.ts';
import { soryaniParts, soryaniTables } from './soryani.ts';

export interface PaperTables {
  /** Where its tables stand, in `samples/papers`. */
  readonly page: string;
  /** Lines to print of several experiments; none where nothing of the table was run. */
  readonly printed?: (experiments: readonly ExperimentJson[], claims: PaperClaims, form: Form) => string[];
  /** What is kept of an experiment, where that is not the numbers of its rows. */
  readonly kept?: (experiment: ExperimentJson) => Figures;
  /** What is kept of several experiments together, by what it is called. */
  readonly keptTogether?: (experiments: readonly ExperimentJson[]) => Readonly<Record<string, Figures>>;
  readonly parts: readonly PagePart[];
}

export const paperTables: Readonly<Record<string, PaperTables>> = {
  alsardia: { page: 'README.md', parts: alsardiaParts },
  bunde: { page: 'README.md', printed: runningTimes, keptTogether: keptRunningTimes, parts: bundeParts },
  orduna: { page: 'orduna/README.md', printed: ordunaTables, kept: ordunaFigures, parts: ordunaParts },
  pascual: { page: 'README.md', printed: pascualTables, parts: pascualParts },
  soryani: { page: 'soryani/README.md', printed: soryaniTables, parts: soryaniParts },
};
