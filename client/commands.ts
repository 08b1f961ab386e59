import { commands, window, type Disposable } from 'vscode';
import { exportMappingVector } from './exportCommand.ts';
import { choosePlacement, documentOf } from './choosePlacement.ts';
import { importMachine } from './importMachine.ts';
import { savePicture } from './pictureSave.ts';
import type { PlacementPanels } from './placementPanels.ts';
import type { Server } from './server.ts';

/**
 * Registers every command of package.json. Those about a placement take its document's URI and
 * its name (a code lens passes them); without them they ask.
 */
export function registerCommands(server: Server, panels: PlacementPanels): readonly Disposable[] {
  const handlers: Readonly<Record<string, (...given: never[]) => unknown>> = {
    'placewright.showPlacement': async (uri?: unknown, placement?: unknown) => {
      const chosen = await choosePlacement(server, { uri, placement });
      if (chosen !== undefined) panels.show(chosen);
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
