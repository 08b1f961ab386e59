/** The commands of package.json, one handler each. What they write to files is in `saving.ts`. */
import { commands, ProgressLocation, window, type Disposable, Uri, ViewColumn, workspace } from 'vscode';
import type { DescribeFabricAnswer } from '../server/protocol/messages.ts';
import { chooseExperiment, choosePlacement, documentOf } from './choosePlacement.ts';
import type { ExperimentPanels, SimulationPanels } from './figurePanels.ts';
import type { PlacementPanels } from './placementPanels.ts';
import { exportMappingVector, asUri, mayWrite, shownPath, writeAtomically, savePicture } from './saving.ts';
import type { Server } from './server.ts';

/** The panels that commands open. */
interface OpenPanels {
  readonly panels: PlacementPanels;
  readonly experiments: ExperimentPanels;
  readonly simulations: SimulationPanels;
}

/**
 * Registers every command of package.json. Those about a placement take its document's URI and
 * its name (a code lens passes them); without them they ask.
 */
export function registerCommands(
  server: Server,
  { panels, experiments, simulations }: OpenPanels,
): readonly Disposable[] {
  const handlers: Readonly<Record<string, (...given: never[]) => unknown>> = {
    'placewright.showPlacement': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement });
      if (chosen !== undefined) panels.show(chosen);
    },
    'placewright.showExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment });
      if (chosen !== undefined) experiments.show({ uri: chosen.uri, name: chosen.experiment });
    },
    'placewright.simulatePlacement': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, panels.active);
      if (chosen === undefined) return;
      simulations.show({ uri: chosen.uri, name: chosen.placement });
      server.simulate(chosen);
    },
    'placewright.cancelSimulation': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, panels.active);
      if (chosen !== undefined) server.cancelSimulation(chosen);
    },
    'placewright.showSimulation': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, panels.active);
      if (chosen !== undefined) simulations.show({ uri: chosen.uri, name: chosen.placement });
    },
    'placewright.exportMappingVector': (uri?: unknown, placement?: unknown, format?: unknown, target?: unknown) =>
      exportMappingVector(server, panels.active, { uri, placement, format, target }),
    'placewright.savePictureSvg': async (uri?: unknown, placement?: unknown, target?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, panels.active);
      if (chosen !== undefined) await savePicture.svg(server, chosen, target);
    },
    'placewright.savePicturePng': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement }, panels.active);
      if (chosen !== undefined) panels.capture(chosen);
    },
    'placewright.importMachine': (fabric?: unknown, target?: unknown) => importMachine(server, fabric, target),
    'placewright.finish': (uri?: unknown, placement?: unknown) => {
      const document = documentOf(uri, panels.active);
      if (document === undefined) return;
      server.finish(typeof placement === 'string' ? { uri: document, placement } : { uri: document });
    },
    'placewright.run': (uri?: unknown) => {
      const document = documentOf(uri, panels.active);
      if (document !== undefined) server.run({ uri: document });
    },
    'placewright.runExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment });
      if (chosen !== undefined) server.runExperiment(chosen);
    },
    'placewright.runShortExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment });
      if (chosen !== undefined) server.runExperiment({ ...chosen, form: 'short' });
    },
    'placewright.runMiddleExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment });
      if (chosen !== undefined) server.runExperiment({ ...chosen, form: 'middle' });
    },
    'placewright.runExperimentOnSlurm': async (uri?: unknown, experiment?: unknown, given?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment });
      if (chosen === undefined) return;
      const form = lengths.find((length) => length.form === given)?.form ?? (await chooseLength());
      if (form === undefined) return;
      // The nodes read the file.
      await workspace.save(Uri.parse(chosen.uri));
      server.runExperiment({ ...chosen, ...(form !== 'whole' && { form }), slurm: true });
    },
    'placewright.cancelExperiment': async (uri?: unknown, experiment?: unknown) => {
      const chosen = await chooseExperiment(server, { uri, experiment });
      if (chosen !== undefined) server.cancelExperiment(chosen);
    },
    'placewright.restartServer': () => server.restart(),
    'placewright.showOutput': () => {
      server.output.show();
    },
  };
  return Object.entries(handlers).map(([name, handler]) =>
    commands.registerCommand(name, async (...given: never[]) => {
      try {
        await handler(...given);
      } catch (error) {
        void window.showErrorMessage(`Placewright: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
}

/** How much of an experiment is run. */
const lengths = [
  { label: 'Whole experiment', detail: 'All replications, as job arrays; what was done before is kept', form: 'whole' },
  { label: 'Middle run', detail: 'What the experiment says after `middle`, with results of its own', form: 'middle' },
  { label: 'Short run', detail: 'A minute’s worth, with results of its own', form: 'short' },
] as const;

/** Undefined where the user thinks better of it. */
async function chooseLength(): Promise<(typeof lengths)[number]['form'] | undefined> {
  const picked = await window.showQuickPick(lengths, { title: 'Placewright', placeHolder: 'What is Slurm to run?' });
  return picked?.form;
}

type Described = Extract<DescribeFabricAnswer, { ok: true }>;

/**
 * `Placewright: Import Machine…`: picks the file of a network, asks where to save, writes a `.place`
 * file there that refers to it, and opens that. `fabric` and `target` may be given by a caller.
 */
export async function importMachine(server: Server, fabric?: unknown, target?: unknown): Promise<void> {
  const source = asUri(fabric) ?? (await chooseFabric());
  if (source === undefined) return;
  const found = await describeFabric(server, source);
  if (found === undefined) return;
  const given = asUri(target);
  if (given !== undefined && !(await mayWrite(given))) return;
  const place = given ?? (await chooseTarget(found));
  if (place === undefined) return;
  const described = await describeFabric(server, source, place);
  if (described?.text === undefined) return;
  await writeAtomically(place, described.text);
  // Among the texts: a picture that is in front stays to be seen.
  const viewColumn = window.activeTextEditor?.viewColumn ?? ViewColumn.One;
  await window.showTextDocument(await workspace.openTextDocument(place), { viewColumn });
  void window.showInformationMessage(`Imported ${describe(found)} from ${shownPath(source)}.`);
}

/**
 * What the file of a network holds; with a target, also the text of a `.place` file there. A large file takes a while:
 * a notification offers to cancel, and the answer is then undefined.
 */
function describeFabric(server: Server, source: Uri, target?: Uri): Thenable<Described | undefined> {
  const parameters = { uri: source.toString(), ...(target === undefined ? {} : { target: target.toString() }) };
  const title = `Placewright: reading ${shownPath(source)}`;
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      try {
        const answer = await server.describeFabric(parameters, token);
        if (token.isCancellationRequested) return undefined;
        if (!answer.ok) throw new Error(answer.message);
        return answer;
      } catch (error) {
        if (token.isCancellationRequested) return undefined;
        throw error;
      }
    },
  );
}

async function chooseFabric(): Promise<Uri | undefined> {
  const [picked] = (await window.showOpenDialog({ title: 'Placewright: the file of a network' })) ?? [];
  return picked;
}

/** A place beside the fabric is suggested, so that both can be moved together. */
const chooseTarget = (found: Described): Thenable<Uri | undefined> =>
  window.showSaveDialog({
    defaultUri: Uri.parse(found.suggestedTarget),
    title: `Placewright: ${describe(found)}`,
    filters: { Placewright: ['place'] },
  });

function describe({ format, switches, hosts, warnings }: Described): string {
  const doubts = warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning', 'warnings')}`;
  return `${counted(switches, 'switch', 'switches')} and ${counted(hosts, 'host', 'hosts')} (${format}${doubts})`;
}

const counted = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;
