import type { CodeLens } from 'vscode-languageserver-types';
import { roughTime } from '../../model/quantities.ts';
import type { PlacementOutline, PlacementStatus } from '../../study/report.ts';
import type { DeclarationNode } from '../tree.ts';
import { treeOf, type ExperimentStanding, type ServiceInput, rangeOf } from './input.ts';
import { figureWords, progressWords } from './words.ts';

/** Commands of the extension; all take the document's URI and the placement's name. */
export const showPlacementCommand = 'placewright.showPlacement';
export const exportMappingVectorCommand = 'placewright.exportMappingVector';
const finishCommand = 'placewright.finish';
const runCommand = 'placewright.run';
/** These take the document's URI and the experiment's name. */
const runExperimentCommand = 'placewright.runExperiment';
const cancelExperimentCommand = 'placewright.cancelExperiment';
const showExperimentCommand = 'placewright.showExperiment';

/** What a lens says and does. */
interface Action {
  readonly title: string;
  readonly command: string;
  readonly tooltip: string;
}

const showPicture: Action = {
  title: 'Show picture',
  command: showPlacementCommand,
  tooltip: 'Draw the placement beside the text',
};
const exportMapping: Action = {
  title: 'Export mapping',
  command: exportMappingVectorCommand,
  tooltip: 'Write the mapping as a file for a launcher',
};
const stopAndKeep: Action = {
  title: 'Stop and keep the best',
  command: finishCommand,
  tooltip: 'End the search and take the best mapping that it has found by now',
};
const workOut: Action = {
  title: 'Work out again',
  command: runCommand,
  tooltip: 'Evaluate the placements of this file',
};

/**
 * Above each placement and experiment: what it costs or gave, or how far it is, and what can be done with it.
 * O(declarations).
 */
export function codeLens(input: ServiceInput): CodeLens[] {
  const { uri, document, summary, stale, status, experiments } = input;
  const outlines = new Map(summary?.placements.map((outline) => [outline.name, outline]));
  return treeOf(input).declarations.flatMap((declaration: DeclarationNode) => {
    const name = declaration.name?.text;
    if (name === undefined) return [];
    const range = rangeOf(document, declaration.keyword);
    const actions =
      declaration.kind === 'placement'
        ? actionsOf(outlines.get(name), stale?.has(name) === true, status?.get(name))
        : declaration.kind === 'experiment'
          ? actionsOfExperiment(experiments?.get(name))
          : [];
    return actions.map((action) => ({
      range,
      command: { ...action, arguments: [uri, name] },
    }));
  });
}

function actionsOf(
  outline: PlacementOutline | undefined,
  isStale: boolean,
  status: PlacementStatus | undefined,
): readonly Action[] {
  const known: readonly Action[] = outline === undefined ? [] : [figures(outline, isStale), showPicture, exportMapping];
  const note = (title: string, tooltip: string): Action => ({ title, command: showPlacementCommand, tooltip });
  switch (status?.kind) {
    case 'working': {
      const { progress } = status;
      const words = progressWords(progress);
      const now = note(progress.search === undefined ? `placing: ${words}` : `placing … ${words}`, progress.message);
      // Before a first answer there is nothing to keep.
      return [now, ...(progress.search === undefined ? [] : [stopAndKeep]), ...known.slice(1, 2)];
    }
    case 'waiting':
      return [note('waiting to be placed', 'Placements are worked out one after the other'), ...known];
    case 'cancelled':
      return [...known, { ...workOut, title: 'Cancelled: work out again' }];
    case 'failed':
      return [note('Not worked out', status.message), ...known, workOut];
    default:
      return outline === undefined ? [showPicture] : known;
  }
}

const figures = (outline: PlacementOutline, isStale: boolean): Action => ({
  title: isStale ? `${figureWords(outline)} · before the last edits` : figureWords(outline),
  command: showPlacementCommand,
  tooltip: 'Show the picture of this placement',
});

const showExperiment: Action = {
  title: 'Show',
  command: showExperimentCommand,
  tooltip: 'Draw the results of the experiment, and single replications',
};
const cancelRun: Action = {
  title: 'Cancel',
  command: cancelExperimentCommand,
  tooltip: 'End the run; what is done stays, and the next run goes on with it',
};

/** Of an experiment that has errors nothing is known, and nothing can be done with it. */
function actionsOfExperiment(standing: ExperimentStanding | undefined): readonly Action[] {
  if (standing === undefined) return [];
  const { result, isStale, isComplete, running, seconds, problem, fault } = standing;
  const note = (title: string, tooltip: string): Action => ({ title, command: showExperimentCommand, tooltip });
  const known =
    result === undefined
      ? []
      : [note(isStale ? `${result} · before the last changes` : result, 'Draw the results of the experiment')];
  if (running !== undefined) return [note(`running: ${running}`, 'Replications are run on all cores'), cancelRun, showExperiment]; // prettier-ignore
  if (problem !== undefined) return [note('Cannot be run', problem.message), ...known];
  const time = seconds === undefined ? '' : `It takes about ${roughTime(seconds)} on one core. `;
  const isPartial = result !== undefined && !isComplete && !isStale;
  const run: Action = {
    title: isPartial ? 'Go on' : result === undefined || isStale ? 'Run' : 'Run again',
    command: runExperimentCommand,
    tooltip: `${time}Results are kept beside the file; a run that was ended goes on`,
  };
  const failed = fault === undefined ? [] : [note('The run failed', fault)];
  return [...failed, ...known, run, showExperiment];
}
