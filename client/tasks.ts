/** Tasks that run the command line: the problems of a file, what its placements cost, its experiments. */
import {
  commands,
  Disposable,
  l10n,
  ShellExecution,
  Task,
  TaskGroup,
  TaskScope,
  tasks,
  Uri,
  window,
  workspace,
  type TaskDefinition,
  type WorkspaceFolder,
} from 'vscode';
import type { OverviewEntry } from '../server/protocol/messages.ts';
import type { Server } from './server.ts';

/** Names the kind of task in package.json. */
const taskType = 'placewright';

const taskCommands = ['check', 'run', 'experiment'] as const;

/** As it stands in `tasks.json`. */
export interface PlacewrightTask extends TaskDefinition {
  readonly command: (typeof taskCommands)[number];
  /** From the folder of the workspace, or whole. */
  readonly file: string;
  readonly arguments?: readonly string[];
}

/**
 * Of lines that name a file from the folder, and of those that name it whole. One matcher of both kinds would look for the file
 * at every line, and the editor listens for only a tenth of a second once the program has ended.
 */
const problemMatchers = ['$placewright', '$placewright-absolute'];

/** What shells of Unix and of Windows end with where there is no such program. */
const notFound: ReadonlySet<number | undefined> = new Set([127, 9009]);

/**
 * Offers a task for every file that has something to check, to work out or to run; and fills in those of `tasks.json`. Where their
 * program is not there, which only running one tells, the user is told how to come by it.
 */
export function registerTasks(server: Server): Disposable {
  const ended = tasks.onDidEndTaskProcess(({ exitCode, execution }) => {
    if (execution.task.definition.type === taskType && notFound.has(exitCode)) void tellOfProgram();
  });
  const provider = tasks.registerTaskProvider(taskType, {
    async provideTasks() {
      await server.ready;
      const { entries } = await server.ask('overview', {});
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
  return Disposable.from(ended, provider);
}

const programOf = (): string => workspace.getConfiguration('placewright').get<string>('commandLine') ?? 'placewright';

async function tellOfProgram(): Promise<void> {
  const open = l10n.t('Open Settings');
  const message = l10n.t(
    'Program "{0}" not found where tasks run. Run "npm install --global" with its package, or set its path.',
    programOf(),
  );
  if ((await window.showErrorMessage(message, open)) !== open) return;
  await commands.executeCommand('workbench.action.openSettings', 'placewright.commandLine');
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
  const words = [command, file, ...(definition.arguments ?? [])];
  const cwd = folder === undefined ? {} : { cwd: folder.uri.fsPath };
  // Words are quoted by the editor as the shell of its user wants it.
  const execution = new ShellExecution(programOf(), words, cwd);
  const task = new Task(
    definition,
    folder ?? TaskScope.Workspace,
    `${command} ${file}`,
    taskType,
    execution,
    problemMatchers,
  );
  task.detail = details()[command];
  if (command === 'check') task.group = TaskGroup.Build;
  return task;
}

const details = (): Readonly<Record<PlacewrightTask['command'], string>> => ({
  check: l10n.t('Check the file and the files it refers to'),
  run: l10n.t('Evaluate the placements and print their metrics'),
  experiment: l10n.t('Run the experiments of the file on all cores'),
});
