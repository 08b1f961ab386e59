/** Tasks that run the command line: the problems of a file, what its placements cost, its experiments. */
import {
  l10n,
  ShellExecution,
  Task,
  TaskGroup,
  TaskScope,
  tasks,
  Uri,
  workspace,
  type Disposable,
  type TaskDefinition,
  type WorkspaceFolder,
} from 'vscode';
import type { OverviewEntry } from '../server/protocol/messages.ts';
import type { Server } from './server.ts';

/** Names the kind of task and the problem matcher in package.json. */
const taskType = 'placewright';

const taskCommands = ['check', 'run', 'experiment'] as const;

/** As it stands in `tasks.json`. */
export interface PlacewrightTask extends TaskDefinition {
  readonly command: (typeof taskCommands)[number];
  /** From the folder of the workspace, or whole. */
  readonly file: string;
  readonly arguments?: readonly string[];
}

/** Offers a task for every file that has something to check, to work out or to run; and fills in those of `tasks.json`. */
export function registerTasks(server: Server): Disposable {
  return tasks.registerTaskProvider(taskType, {
    async provideTasks() {
      await server.ready;
      const { entries } = await server.overview();
      return offered(entries).flatMap((definition) => {
        const folder = workspace.getWorkspaceFolder(Uri.parse(definition.uri));
        if (folder === undefined) return [];
        const file = workspace.asRelativePath(Uri.parse(definition.uri), false);
        return [taskOf({ type: taskType, command: definition.command, file }, folder)];
      });
    },
    resolveTask({ definition, scope }) {
      // The editor has held it against package.json.
      const isFolder = typeof scope === 'object';
      return taskOf(definition as PlacewrightTask, isFolder ? scope : workspace.workspaceFolders?.[0]);
    },
  });
}

/** One of each command for each file that has something for it. */
function offered(entries: readonly OverviewEntry[]) {
  const found = new Map<string, { readonly command: PlacewrightTask['command']; readonly uri: string }>();
  for (const { kind, uri } of entries) {
    const fitting = taskCommands.filter(
      (command) => command === 'check' || (command === 'run' ? kind === 'placement' : kind === 'experiment'),
    );
    for (const command of fitting) found.set(`${uri} ${command}`, { command, uri });
  }
  return [...found.values()];
}

function taskOf(definition: PlacewrightTask, folder: WorkspaceFolder | undefined): Task {
  const { command, file } = definition;
  const program = workspace.getConfiguration('placewright').get<string>('commandLine') ?? 'placewright';
  const words = [command, file, ...(definition.arguments ?? [])];
  const cwd = folder === undefined ? {} : { cwd: folder.uri.fsPath };
  // Words are quoted by the editor as the shell of its user wants it.
  const execution = new ShellExecution(program, words, cwd);
  const task = new Task(
    definition,
    folder ?? TaskScope.Workspace,
    `${command} ${file}`,
    taskType,
    execution,
    '$placewright',
  );
  task.detail = details()[command];
  if (command === 'check') task.group = TaskGroup.Build;
  return task;
}

const details = (): Readonly<Record<PlacewrightTask['command'], string>> => ({
  check: l10n.t('Print what is wrong with the file, and with the files that it names'),
  run: l10n.t('Place, and print what each placement costs'),
  experiment: l10n.t('Run the experiments of the file on all cores'),
});
