/** Tables of a paper that are of several experiments together, by the folder of the paper. */
import type { ExperimentJson } from '../../server/experiments/results.ts';
import type { PaperClaims } from '../paperFigures.ts';
import type { Form } from '../paperReport.ts';
import { ordunaTables } from './orduna.ts';
import { pascualTables } from './pascual.ts';
import { runningTimes } from './runningTimes.ts';
import { soryaniTables } from './soryani.ts';

/** Lines to print; none where nothing of the table was run. */
type PaperTable = (experiments: readonly ExperimentJson[], claims: PaperClaims, form: Form) => string[];

export const paperTables: Readonly<Record<string, PaperTable>> = {
  bunde: runningTimes,
  orduna: ordunaTables,
  pascual: pascualTables,
  soryani: soryaniTables,
};
