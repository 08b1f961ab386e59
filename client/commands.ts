/** The commands of package.json, one handler each. What they write to files is in `saving.ts` and `exportMapping.ts`. */
import {
  commands,
  env,
  l10n,
  Uri,
  ViewColumn,
  window,
  workspace,
  type Disposable,
  type ExtensionContext,
} from 'vscode';
import { readMenuContext } from '../server/protocol/panel.ts';
import {
  chooseExperiment,
  chooseMachine,
  choosePlacement,
  chooseTraffic,
  requestedDocument,
  type Focused,
} from './choosePlacement.ts';
import { chooseCompared, type ComparePanels } from './panels/comparePanels.ts';
import { collectDiagnostics } from './diagnosticsReport.ts';
import type { ExperimentPanels, SimulationPanels } from './panels/figurePanels.ts';
import { importMachine, importTable } from './importFile.ts';
import type { MachinePanels } from './panels/machinePanels.ts';
import type { LossView } from './views/lossView.ts';
import type { MapperView } from './views/mapperView.ts';
import { isEntry, revealDeclaration, type OverviewTree } from './overviewTree.ts';
import type { PlacementPanels } from './panels/placementPanels.ts';
import { openReference } from './openReference.ts';
import { exportMappingVector } from './exportMapping.ts';
import { savePictureSvg } from './saving.ts';
import type { Server } from './server.ts';
import type { TrafficPanels } from './panels/trafficPanels.ts';

/** The study of a file, or of one placement of it. */
function studyOf(
  uri: unknown,
  placement: unknown,
  shown: Focused | undefined,
): { readonly uri: string; readonly placement?: string } | undefined {
  const document = requestedDocument(uri, shown);
  if (document === undefined) return undefined;
  return typeof placement === 'string' ? { uri: document, placement } : { uri: document };
}

/** The panels that commands open, and the view that they have refreshed. */
interface OpenPanels {
  readonly overview: OverviewTree;
  readonly panels: PlacementPanels;
  readonly comparisons: ComparePanels;
  readonly experiments: ExperimentPanels;
  readonly simulations: SimulationPanels;
  readonly machines: MachinePanels;
  readonly mappers: MapperView;
  readonly losses: LossView;
  readonly traffic: TrafficPanels;
}

/**
 * Registers every command of package.json. Those about a placement take its document's URI and
 * its name (a code lens passes them), or a row of the view; without them they ask.
 */
export function registerCommands(
  context: ExtensionContext,
  server: Server,
  { panels, comparisons, experiments, simulations, machines, mappers, losses, traffic, overview }: OpenPanels,
): readonly Disposable[] {
  /** Of a placement or a machine: the one that has the focus or, where the text has it, had it last. */
  const pictureInFront = () =>
    machines.active === undefined ? (panels.inFront ?? machines.inFront) : machines.inFront;
  /** What the panel with the focus shows. */
  const focused = (): Focused | undefined => {
    const simulated = simulations.active;
    const map = traffic.active;
    const experiment = experiments.active;
    return (
      panels.active ??
      machines.active ??
      comparisons.active?.[0] ??
      (simulated && { uri: simulated.uri, placement: simulated.name }) ??
      (experiment && { uri: experiment.uri, experiment: experiment.name }) ??
      (map && { uri: map.uri, ...(map.of === 'placement' && { placement: map.name }) })
    );
  };
  const actOnThing = (action: 'explain' | 'keep' | 'improve' | 'reveal', menu: unknown): void => {
    const { placewrightThing: thing } = readMenuContext(menu);
    if (thing !== undefined) pictureInFront()?.act({ action, thing });
  };
  const handlers: Readonly<Record<string, (...given: never[]) => unknown>> = {
    'placewright.showPlacement': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, focused());
      if (chosen !== undefined) panels.show(chosen);
    },
    'placewright.showMachine': async (uri?: unknown, machine?: unknown) => {
      const chosen = await chooseMachine(server, { uri, machine }, focused());
      if (chosen !== undefined) machines.show(chosen);
    },
    'placewright.showTraffic': async (uri?: unknown, name?: unknown, of?: unknown) => {
      const given = isOfTitleBar(uri) ? {} : { uri, name, of };
      const chosen = await chooseTraffic(server, given, focused());
      if (chosen !== undefined) traffic.show(chosen);
    },
    'placewright.comparePlacements': async (uri?: unknown, placement?: unknown) => {
      const given = isOfTitleBar(uri) ? (panels.inFront?.shown ?? {}) : { uri, placement };
      const chosen = await chooseCompared(server, given, focused());
      if (chosen !== undefined) comparisons.show(chosen);
    },
    'placewright.showExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment }, focused());
      if (chosen !== undefined) experiments.show({ uri: chosen.uri, name: chosen.experiment });
    },
    'placewright.simulatePlacement': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, focused());
      if (chosen === undefined) return;
      simulations.show({ uri: chosen.uri, name: chosen.placement });
      server.tell('simulate', chosen);
    },
    'placewright.cancelSimulation': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, focused());
      if (chosen !== undefined) server.tell('cancelSimulation', chosen);
    },
    'placewright.showSimulation': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, focused());
      if (chosen !== undefined) simulations.show({ uri: chosen.uri, name: chosen.placement });
    },
    'placewright.tryMappers': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, focused());
      if (chosen !== undefined) await mappers.show(chosen);
    },
    'placewright.loseCables': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, panels.active);
      if (chosen !== undefined) await losses.show(chosen);
    },
    'placewright.exportMappingVector': (uri?: unknown, placement?: unknown, format?: unknown, target?: unknown) =>
      exportMappingVector(server, focused(), { uri, placement, format, target }),
    'placewright.savePicture': async (uri?: unknown, placement?: unknown) => {
      // What has the focus is what is meant; a button or a menu of a picture passes no file.
      const isOfPanel = typeof uri !== 'string' && !(uri instanceof Uri && !isOfTitleBar(uri));
      const other = [comparisons, traffic, experiments, simulations].flatMap((kind) => kind.activePanel ?? [])[0];
      const picture = isOfPanel ? (panels.activePanel ?? machines.activePanel) : undefined;
      if (picture !== undefined) picture.act({ action: 'save' });
      else if (isOfPanel && other !== undefined) other.openSaveForm();
      // Else the picture in sight; where there is none, that of the placement that the cursor stands in.
      else if (isOfPanel && pictureInFront() !== undefined) pictureInFront()?.act({ action: 'save' });
      else {
        const chosen = await choosePlacement(server, { uri, placement }, focused());
        if (chosen !== undefined) panels.show(chosen).act({ action: 'save' });
      }
    },
    'placewright.savePictureSvg': async (uri?: unknown, placement?: unknown, target?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, focused());
      if (chosen !== undefined) await savePictureSvg(server, chosen, target);
    },
    'placewright.savePicturePng': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, focused());
      // Only the panel can paint one.
      if (chosen !== undefined) panels.show(chosen).act({ action: 'save-png' });
    },
    'placewright.savePictureCsv': () => pictureInFront()?.act({ action: 'save-csv' }),
    'placewright.fitPicture': () => pictureInFront()?.act({ action: 'fit' }),
    'placewright.toggleTable': () => {
      const figure = [traffic, experiments, simulations].flatMap((kind) => kind.activePanel ?? [])[0];
      if (figure === undefined) pictureInFront()?.act({ action: 'toggle-table' });
      else figure.toggleTable();
    },
    'placewright.clearPicture': () => pictureInFront()?.act({ action: 'clear' }),
    'placewright.goToShownText': () => pictureInFront()?.act({ action: 'go-to-text' }),
    'placewright.lockPicture': () => {
      panels.inFront?.toggleLock();
    },
    'placewright.explainThing': (menu?: unknown) => {
      actOnThing('explain', menu);
    },
    'placewright.keepFlows': (menu?: unknown) => {
      actOnThing('keep', menu);
    },
    'placewright.previewRelief': (menu?: unknown) => {
      actOnThing('improve', menu);
    },
    'placewright.revealThing': (menu?: unknown) => {
      actOnThing('reveal', menu);
    },
    'placewright.copyThingName': (menu?: unknown) =>
      env.clipboard.writeText(readMenuContext(menu).placewrightName ?? ''),
    'placewright.copyThingCoordinates': (menu?: unknown) =>
      env.clipboard.writeText(readMenuContext(menu).placewrightCoordinates ?? ''),
    'placewright.importMachine': (fabric?: unknown, target?: unknown) =>
      importMachine(server, machines, fabric, target),
    'placewright.importTable': (table?: unknown, target?: unknown) => importTable(server, traffic, table, target),
    'placewright.finish': (uri?: unknown, placement?: unknown) => {
      const study = studyOf(uri, placement, focused());
      if (study !== undefined) server.tell('finish', study);
    },
    'placewright.run': (uri?: unknown, placement?: unknown) => {
      const study = studyOf(uri, placement, focused());
      if (study !== undefined) server.tell('run', study);
    },
    'placewright.runExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment }, focused());
      if (chosen !== undefined) server.tell('runExperiment', chosen);
    },
    'placewright.runShortExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment }, focused());
      if (chosen !== undefined) server.tell('runExperiment', { ...chosen, form: 'short' });
    },
    'placewright.runMiddleExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment }, focused());
      if (chosen !== undefined) server.tell('runExperiment', { ...chosen, form: 'middle' });
    },
    'placewright.runExperimentOnSlurm': async (uri?: unknown, experiment?: unknown, given?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment }, focused());
      if (chosen === undefined) return;
      const form = forms.find((one) => one === given) ?? (await chooseForm());
      if (form === undefined) return;
      // The nodes read the file.
      await workspace.save(Uri.parse(chosen.uri));
      server.tell('runExperiment', { ...chosen, ...(form !== 'whole' && { form }), slurm: true });
    },
    'placewright.cancelExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment }, focused());
      if (chosen !== undefined) server.tell('cancelExperiment', chosen);
    },
    'placewright.openWelcome': () =>
      commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#welcome`, false),
    'placewright.openReference': (page?: unknown, anchor?: unknown) => openReference(context, server, page, anchor),
    'placewright.openQuickstart': () => openQuickstart(context, panels),
    'placewright.revealDeclaration': (entry?: unknown) => (isEntry(entry) ? revealDeclaration(entry) : undefined),
    'placewright.refreshOverview': () => {
      overview.refresh();
    },
    'placewright.collectDiagnostics': () => collectDiagnostics(context, server),
    'placewright.restartServer': () => server.restart(),
    'placewright.showOutput': () => {
      server.output.show();
    },
  };
  return Object.entries(handlers).map(([name, handler]) =>
    commands.registerCommand(name, async (...given: never[]) => {
      try {
        await handler(...(await resolveGiven(name, given)));
      } catch (error) {
        void window.showErrorMessage(`Placewright: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
}

/** Buttons in the title of a picture pass the address of its panel, which is no file. */
const isOfTitleBar = (uri: unknown): boolean => uri instanceof Uri && uri.scheme === 'webview-panel';

/** A row of the view stands for its file, which the editor then has read, and its name. */
async function resolveGiven(command: string, given: never[]): Promise<never[]> {
  const [entry] = given as unknown[];
  if (!isEntry(entry) || command === 'placewright.revealDeclaration') return given;
  await workspace.openTextDocument(Uri.parse(entry.uri));
  // Jobs and placements have names of their own.
  const kind = command === 'placewright.showTraffic' ? [entry.kind] : [];
  return [entry.uri, entry.name, ...kind] as never[];
}

/** For `when` clauses: the user has changed the quickstart. */
const changedContext = 'placewright.hasChanged';

/** A copy of the sample that lies in no folder, and its picture beside it. Nothing is written. */
async function openQuickstart(
  { extensionUri, subscriptions }: ExtensionContext,
  panels: PlacementPanels,
): Promise<void> {
  const sample = Uri.joinPath(extensionUri, 'samples', 'quickstart.place');
  const content = new TextDecoder().decode(await workspace.fs.readFile(sample));
  const document = await workspace.openTextDocument({ language: 'place', content });
  await window.showTextDocument(document, { viewColumn: ViewColumn.One, preview: false });
  const placement = /^placement\s+([\w-]+)/m.exec(content)?.[1];
  if (placement !== undefined) panels.show({ uri: document.uri.toString(), placement });
  const listening = workspace.onDidChangeTextDocument((change) => {
    if (change.document !== document || change.contentChanges.length === 0) return;
    void commands.executeCommand('setContext', changedContext, true);
    listening.dispose();
  });
  subscriptions.push(listening);
}

/** How much of an experiment is run. */
const forms = ['whole', 'middle', 'short'] as const;
type Form = (typeof forms)[number];

/** Undefined where the user thinks better of it. */
async function chooseForm(): Promise<Form | undefined> {
  const choices: readonly { readonly label: string; readonly detail: string; readonly form: Form }[] = [
    {
      label: l10n.t('Whole experiment'),
      detail: l10n.t('All replications, as job arrays; finished ones are kept'),
      form: 'whole',
    },
    {
      label: l10n.t('Middle run'),
      detail: l10n.t('The `middle` variant, with separate results'),
      form: 'middle',
    },
    { label: l10n.t('Short run'), detail: l10n.t('About one minute, with separate results'), form: 'short' },
  ];
  const placeHolder = l10n.t('Which variant should Slurm run?');
  const picked = await window.showQuickPick(choices, { title: 'Placewright', placeHolder });
  return picked?.form;
}
