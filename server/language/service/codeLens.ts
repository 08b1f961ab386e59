import type { CodeLens } from 'vscode-languageserver-types';
import { formNames, type FormName } from '../../model/experiment.ts';
import { routingWords } from '../../model/machine.ts';
import { roughTime } from '../../model/quantities.ts';
import { stoppedText } from '../../output/comparisonCsv.ts';
import type { PlacementOutline, PlacementStatus } from '../../study/report.ts';
import type { DeclarationNode } from '../tree.ts';
import { comparableCounts } from './comparable.ts';
import { treeOf, type ExperimentStanding, type ServiceInput, type SimulationStanding, rangeOf } from './input.ts';
import { figureWords, placementProgress } from './words.ts';

/** Commands of the extension; all take the document's URI and the placement's name. */
export const showPlacementCommand = 'placewright.showPlacement';
export const exportMappingVectorCommand = 'placewright.exportMappingVector';
export const tryMappersCommand = 'placewright.tryMappers';
const comparePlacementsCommand = 'placewright.comparePlacements';
const finishCommand = 'placewright.finish';
const runCommand = 'placewright.run';
/** These take the document's URI and the experiment's name. */
const runExperimentCommand = 'placewright.runExperiment';
const runFormCommands: Readonly<Record<FormName, string>> = {
  short: 'placewright.runShortExperiment',
  middle: 'placewright.runMiddleExperiment',
};
const cancelExperimentCommand = 'placewright.cancelExperiment';
const showExperimentCommand = 'placewright.showExperiment';

/** What a lens says and does. */
interface Action {
  readonly title: string;
  readonly command: string;
  readonly tooltip: string;
  /** Of a declaration that is no placement, for commands that take several kinds. */
  readonly of?: 'job' | 'table';
}

const showPicture: Action = {
  title: 'Show picture',
  command: showPlacementCommand,
  tooltip: 'Draw the placement beside the text',
};
const showMachine: Action = {
  title: 'Show machine',
  command: 'placewright.showMachine',
  tooltip: 'Draw the machine by itself, with its figures',
};
const comparison: Action = {
  title: 'Compare',
  command: comparePlacementsCommand,
  tooltip: 'Show this placement and others of its jobs side by side, and what changes from one to the other',
};
const showTraffic: Action = {
  title: 'Show traffic',
  command: 'placewright.showTraffic',
  tooltip: 'Draw who sends how much to whom as a heat map',
};
const loseCables: Action = {
  title: 'Link failures',
  command: 'placewright.loseCables',
  tooltip: 'Take out each cable in turn, and see which one this placement can spare least',
};
const exportMapping: Action = {
  title: 'Export mapping',
  command: exportMappingVectorCommand,
  tooltip: 'Write the mapping as a file for a launcher',
};
const tryMappers: Action = {
  title: 'Try mappers',
  command: tryMappersCommand,
  tooltip: 'Place it with every mapper, and see what each comes to beside this one',
};
const stopAndKeep: Action = {
  title: 'Stop and keep the best',
  command: finishCommand,
  tooltip: 'End the search and take the best mapping that it has found by now',
};
const workOn: Action = {
  title: 'Re-evaluate',
  command: runCommand,
  tooltip: 'Search anew, for as long as the text says; what was found is kept until then',
};
const workOut: Action = {
  title: 'Re-evaluate',
  command: runCommand,
  tooltip: 'Evaluate the placements of this file',
};

/**
 * Above each machine a way to its picture, and above each placement and experiment: what it costs or gave, or how far it is, and what can be done with it.
 * O(declarations).
 */
export function codeLens(input: ServiceInput): CodeLens[] {
  const { uri, document, checked, summary, stale, status, experiments, simulations } = input;
  const outlines = new Map(summary?.placements.map((outline) => [outline.name, outline]));
  const others = comparableCounts(input);
  const { program } = checked;
  const placed = {
    jobs: new Set(program.placements.flatMap(({ jobs }) => jobs)),
    tables: new Set([...program.jobs.values()].flatMap(({ source }) => ('name' in source ? source.name : []))),
  };
  // What was worked out comes first, whatever a client does with the order.
  const inOrder = treeOf(input).declarations.toSorted(
    (one, other) => Number(one.kind === 'machine') - Number(other.kind === 'machine'),
  );
  return inOrder.flatMap((declaration: DeclarationNode) => {
    const name = declaration.name?.text;
    if (name === undefined) return [];
    const range = rangeOf(document, declaration.keyword);
    const actions =
      declaration.kind === 'placement'
        ? [
            ...actionsOf(outlines.get(name), stale?.has(name) === true, status?.get(name)),
            ...(outlines.has(name) && (others.get(name) ?? 0) > 0 ? [comparison] : []),
            ...(outlines.has(name) ? [showTraffic, loseCables] : []),
            ...(checked.experiments.simulations.has(name) ? actionsOfSimulation(simulations?.get(name)) : []),
            ...routingNote(outlines.get(name)),
          ]
        : declaration.kind === 'experiment'
          ? actionsOfExperiment(experiments?.get(name))
          : declaration.kind === 'machine'
            ? [showMachine]
            : trafficActions(declaration.kind, name, placed);
    return actions.map(({ of, ...action }) => ({
      range,
      command: { ...action, arguments: of === undefined ? [uri, name] : [uri, name, of] },
    }));
  });
}

/** What is placed has its traffic above the placement. */
function trafficActions(
  kind: DeclarationNode['kind'],
  name: string,
  { jobs, tables }: { readonly jobs: ReadonlySet<string>; readonly tables: ReadonlySet<string> },
): readonly Action[] {
  if (kind === 'job' && !jobs.has(name)) return [{ ...showTraffic, of: 'job' }];
  return kind === 'table' && !tables.has(name) ? [{ ...showTraffic, of: 'table' }] : [];
}

/** What is said beside the figures, and leads to the picture. */
const note = (title: string, tooltip: string): Action => ({ title, command: showPlacementCommand, tooltip });

/** Last, so that a narrow editor shows what can be done. */
const routingNote = (outline: PlacementOutline | undefined): readonly Action[] =>
  outline === undefined
    ? []
    : [note(`routing ${routingWords(outline.routing)}`, 'The routing that the figures are of')];

function actionsOf(
  outline: PlacementOutline | undefined,
  isStale: boolean,
  status: PlacementStatus | undefined,
): readonly Action[] {
  const known: readonly Action[] =
    outline === undefined ? [] : [placementFigures(outline, isStale, status), showPicture, tryMappers, exportMapping];
  // The way on comes before all that can be done with what is known, where a narrow editor shows it.
  switch (status?.kind) {
    case 'working': {
      const { progress } = status;
      const words = placementProgress(progress);
      const now = note(progress.search === undefined ? `placing: ${words}` : `placing … ${words}`, progress.message);
      // Before a first answer there is nothing to keep.
      return [now, ...(progress.search === undefined ? [] : [stopAndKeep]), ...known.slice(1, 2)];
    }
    case 'waiting':
      return [note('waiting to be placed', 'Placements are worked out one after the other'), ...known];
    case 'stopped':
      return outline === undefined ? [showPicture] : [...known.slice(0, 1), workOn, ...known.slice(1)];
    case 'cancelled':
      return [...known.slice(0, 1), { ...workOut, title: 'Cancelled: work out again' }, ...known.slice(1)];
    case 'failed':
      return [note('Not worked out', status.message), workOut, ...known];
    default:
      return outline === undefined ? [showPicture] : known;
  }
}

function placementFigures(outline: PlacementOutline, isStale: boolean, status: PlacementStatus | undefined): Action {
  const words = [figureWords(outline)];
  if (isStale) words.push('before the last edits');
  else if (status?.kind === 'stopped') words.push(stoppedText(status.milliseconds));
  return {
    title: words.join(' · '),
    command: showPlacementCommand,
    tooltip: 'Show the picture of this placement',
  };
}

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

/** A smaller run is offered beside one that takes longer than this on one thread, and at least so many times as long as itself. */
const smallerWorth = { seconds: 60, times: 2 };

const noteOf = (title: string, tooltip: string): Action => ({ title, command: showExperimentCommand, tooltip });

/** Of an experiment that has errors nothing is known, and nothing can be done with it. */
function actionsOfExperiment(standing: ExperimentStanding | undefined): readonly Action[] {
  if (standing === undefined) return [];
  const { running, problem, fault } = standing;
  if (running !== undefined)
    return [noteOf(`running: ${running}`, 'Replications are run on all cores'), cancelRun, showExperiment];
  const known = resultOf(standing);
  if (problem !== undefined) return [noteOf('Cannot be run', problem.message), ...known];
  const failed = fault === undefined ? [] : [noteOf('The run failed', fault)];
  return [...failed, ...known, ...runActions(standing), showExperiment];
}

function resultOf({ result, isStale, isDamaged }: ExperimentStanding): readonly Action[] {
  if (result !== undefined) {
    return [noteOf(isStale ? `${result} · before the last changes` : result, 'Draw the results of the experiment')];
  }
  if (isDamaged !== true) return [];
  return [noteOf('Results unreadable', 'What lies in their place is not as it was written: run the experiment again')];
}

function runActions({
  result,
  isStale,
  isComplete,
  form,
  seconds,
  formSeconds = {},
}: ExperimentStanding): readonly Action[] {
  const holds = result !== undefined && !isStale;
  const time = seconds === undefined ? '' : `It takes about ${roughTime(seconds)} on one core. `;
  const run: Action = {
    title: holds && form === undefined ? (isComplete ? 'Run again' : 'Go on') : 'Run',
    command: runExperimentCommand,
    tooltip: `${time}Results are kept beside the file; a run that was ended goes on`,
  };
  if (seconds === undefined) return [run];
  // What is there is not offered again, nor what is smaller.
  const done = holds && isComplete ? (form === undefined ? formNames.length : formNames.indexOf(form) + 1) : 0;
  const smaller = formNames.slice(done).flatMap((one): Action[] => {
    const takes = formSeconds[one];
    if (takes === undefined || seconds < Math.max(smallerWorth.seconds, smallerWorth.times * takes)) return [];
    return [
      {
        title: `Run ${one}`,
        command: runFormCommands[one],
        tooltip: `It takes about ${roughTime(takes)} on one core: ${formHints[one]}. Its results are kept apart`,
      },
    ];
  });
  return [run, ...smaller];
}

const formHints: Readonly<Record<FormName, string>> = {
  short: 'fewer replications, and shorter ones where it takes long',
  middle: 'what the experiment says after `middle`',
};

/** These take the document's URI and the placement's name. */
const simulateCommand = 'placewright.simulatePlacement';
const cancelSimulationCommand = 'placewright.cancelSimulation';
const showSimulationCommand = 'placewright.showSimulation';

/** Of a placement whose text says how it is simulated. */
function actionsOfSimulation(
  { result, isStale, notices, running, fault, isDamaged }: SimulationStanding = { isStale: false },
): readonly Action[] {
  const note = (title: string, tooltip: string): Action => ({ title, command: showSimulationCommand, tooltip });
  if (running !== undefined) {
    const cancel = {
      title: 'Cancel',
      command: cancelSimulationCommand,
      tooltip: 'End the simulation; there is no result then',
    };
    return [note(`simulating: ${running}`, 'Message by message through the network'), cancel];
  }
  const simulate: Action = {
    title: result === undefined || isStale ? 'Simulate' : 'Simulate again',
    command: simulateCommand,
    tooltip: 'Send the messages of its jobs through the network, one by one, and see what waits where',
  };
  const failed = fault === undefined ? [] : [note('Not simulated', fault)];
  const damaged =
    isDamaged !== true
      ? []
      : [note('Simulation unreadable', 'What was kept of it is not as it was written: simulate it again')];
  const told = ['Show what came of the simulation', ...(notices ?? [])].join('. ');
  const known = result === undefined ? [] : [note(isStale ? `${result} · before the last changes` : result, told)];
  return [...failed, ...damaged, ...known, simulate];
}
