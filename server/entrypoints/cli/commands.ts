/**
 * Commands, arguments and options of the command line, and what every outcome means to the shell. This folder has a file
 * for each command, and `program.ts` for what they share: from the name of a file to its reports.
 */
import { Argument, Command, CommanderError, Option } from 'commander';
import { fabricFormats, tableFormats, traceFormats } from '../../interchange/catalogue.ts';
import { distanceModels } from '../../network/catalogue.ts';
import { simulationKinds } from '../../drawing/figures/catalogue.ts';
import { sortWords } from '../../study/metrics/catalogue.ts';
import { defaultStudySettings } from '../../study/report.ts';
import { pageNames } from '../../drawing/pageSizes.ts';
import { themeNames } from '../../drawing/themes.ts';
import { version } from '../programs.ts';
import { figureNames, labelNames, legendNames, measureNames, placementFigureNames } from './figureOptions.ts';
import { examples, helpExamples } from './examples.ts';
import { addList } from './list.ts';
import { anyNumber, parseCount, indexed, parsePositive, threads, parseTimeWindow } from './optionValues.ts';
import type { CommandName, CommandRunner, RequestOf } from './ownThread.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';
import type { ImportOptions } from './import.ts';
import type { TraceOptions } from './trace.ts';

/** Does a command that computes, and keeps its exit code. */
type Compute = <Name extends CommandName>(command: Name, request: RequestOf<Name>) => Promise<void>;

/**
 * Runs one command. Never throws: a wrong command line is 2, and what nobody expected is a fault
 * of the program, 3, with a message that asks to report it.
 */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  run: CommandRunner,
): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.good;
  const finish = (code: ExitCode): void => {
    exitCode = code;
  };
  try {
    await commands(terminal, run, finish).parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explainError(error, terminal);
  }
}

function explainError(error: unknown, terminal: Terminal): ExitCode {
  // Commander has printed its message; help and version that were asked for end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.good : exitCodes.wrongUsage;
  if (error instanceof UsageError) {
    terminal.err(`placewright: ${error.message}\n`);
    return exitCodes.wrongUsage;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(
    `placewright: Internal error in Placewright ${version}, not in your file.\nPlease report it with the command, the file and these lines:\n${details}\n`,
  );
  return exitCodes.fault;
}

const hotLinkFactor = (): Option =>
  new Option('--hot-link-factor <number>', 'hot-link threshold, times the mean of used links')
    .argParser(parsePositive)
    .default(defaultStudySettings.hotLinkFactor);

const footer = `
Exit codes: 0 success, 1 errors in the input, 2 usage error, 3 internal error.
Errors go to stderr as file:line:column: error: message [code].
${helpExamples([...(examples['run'] ?? []).slice(0, 1), ...(examples['export'] ?? []).slice(0, 1)])}`;

/** Each command loads its code when it is chosen, so that the others do not wait for it. */
export function commands(terminal: Terminal, run: CommandRunner, finish: (code: ExitCode) => void): Command {
  const compute: Compute = async (command, request) => {
    finish(await run(command, request, terminal));
  };
  const program = new Command('placewright')
    .description('Place the ranks of an MPI program on a machine, and see why.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', footer)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(placewright --help shows all commands)');
  addReports(program, compute);
  addCompare(program, compute);
  addLosses(program, compute);
  addExperiment(program, compute);
  addSweep(program, compute);
  addSimulate(program, compute);
  addPlacementOutputs(program, compute);
  addImport(program, terminal, finish);
  addTrace(program, terminal, finish);
  addMachines(program, terminal, finish);
  addList(program, terminal, finish);
  addServer(program);
  for (const command of program.commands) {
    command.showHelpAfterError(`(placewright ${command.name()} --help shows all options)`);
    command.addHelpText('after', helpExamples(examples[command.name()] ?? []));
  }
  return program;
}

/** Options of commands that place and measure. */
const from = (): Option => new Option('--from <result>', 'reuse mappings from `run --json` of this exact file');
const force = (): Option => new Option('--force', 'overwrite edited files and files of other programs');
const middle = (what: string): Option => new Option('--middle', what).conflicts('short');
const csv = (): Option => new Option('--csv', 'print the table as CSV').conflicts('json');
const fileArgument = (): Argument => new Argument('<file>', 'a .place file; - is standard input');

const interruptible = '\nCtrl-C stops a search and keeps the best mapping; a second Ctrl-C stops at once.';

function addReports(program: Command, compute: Compute): void {
  program
    .command('check')
    .summary('check files for errors')
    .description(
      'Check .place files and the files they refer to. Exits with 1 on errors. Runs no mapper and no simulation.',
    )
    .argument('<file...>', '.place files; - is standard input')
    .option('--run', 'also evaluate placements and report hot links')
    .option('--json', 'print one JSON object')
    .addOption(hotLinkFactor())
    .action(async (files: string[], options: Omit<RequestOf<'check'>, 'files'>) => {
      await compute('check', { files, ...options });
    });
  program
    .command('run')
    .summary('evaluate the placements of a file')
    .description('Evaluate the placements of a file and print their metrics.')
    .addArgument(fileArgument())
    .argument('[placement]', 'placement to evaluate (default: all)')
    .addOption(new Option('--placement <name>', 'placement to evaluate (same as the argument)'))
    .option('--json', 'print one JSON object instead of tables')
    .option('--loads', 'include the load of every link (with --json)')
    .addOption(from())
    .addOption(hotLinkFactor())
    .addHelpText('after', interruptible)
    .action(async (file: string, named: string | undefined, options: Omit<RequestOf<'run'>, 'file'>) => {
      if (named !== undefined && options.placement !== undefined && named !== options.placement)
        throw new UsageError(`Two placements given, '${named}' and '${options.placement}'. Name one, or none for all.`);
      const placement = named ?? options.placement;
      const request = { file, ...options, ...(placement === undefined ? {} : { placement }) };
      await compute('run', request);
    });
}

function addCompare(program: Command, compute: Compute): void {
  program
    .command('compare')
    .summary('compare mappers on one placement')
    .description(
      'Map the jobs of a placement with several mappers on the same nodes. Print the metrics of each, best first.',
    )
    .addArgument(fileArgument())
    .argument('<placement>', 'a placement of the file')
    .option('--mappers <list>', 'run these mappers: "rcb, grasp(iterations 10)" (default: all)')
    .option('--limit <time>', 'stop each mapper after this time: 10s, 500ms', '5s')
    .option('--seeds <list>', 'run each mapper with these seeds: 1..20, or 1,4,9')
    .addOption(new Option('--sort <figure>', 'sort rows by this metric').choices(sortWords).default('hop-bytes'))
    .option('--write <mapper>', 'write this mapper into the file (`best`: the first row)')
    .option('--json', 'print one JSON object instead of a table')
    .addOption(csv())
    .addHelpText('after', '\nCtrl-C stops, prints finished mappers and writes nothing.')
    .action(async (file: string, placement: string, options: Omit<RequestOf<'compare'>, 'file' | 'placement'>) => {
      await compute('compare', { file, placement, ...options });
    });
}

function addLosses(program: Command, compute: Compute): void {
  program
    .command('failures')
    .alias('losses')
    .summary('find the links whose failure hurts a placement most')
    .description(
      'Remove each link in turn, reroute, and keep the mapping. Print the failures that raise the maximum link load most.',
    )
    .addArgument(fileArgument())
    .argument('<placement>', 'a placement of the file')
    .addOption(new Option('--top <count>', 'print this number of links').argParser(parseCount).default(10))
    .addOption(from())
    .option('--json', 'print one JSON object with all links instead of a table')
    .addOption(csv())
    .addHelpText('after', '\nCtrl-C stops and prints nothing.')
    .action(async (file: string, placement: string, options: Omit<RequestOf<'losses'>, 'file' | 'placement'>) => {
      await compute('losses', { file, placement, ...options });
    });
}

function addPlacementOutputs(program: Command, compute: Compute): void {
  program
    .command('export')
    .summary('export a placement for a launcher or another tool')
    .description('Export a placement for a launcher or another tool. `placewright list formats` shows all formats.')
    .addArgument(fileArgument())
    .argument('<placement>', 'a placement of the file')
    .argument('[job]', 'one job of the placement, with ranks from 0 (default: all)')
    .requiredOption('--format <name>', 'output format: rankfile, slurm, hydra, csv, …')
    .option('-o, --output <file>', 'output file; - is standard output', '-')
    .option('--hosts <file>', 'read host names, one per line in node order; - is standard input')
    .option('--names <pattern>', 'host names: nid%05d, or a hostlist such as n[01-16]')
    .option('--dry-run', 'print the output and the launch command; write nothing')
    .addOption(from())
    .addOption(force())
    .addOption(hotLinkFactor())
    .addHelpText('after', interruptible)
    .action(
      async (file: string, placement: string, job: string | undefined, options: Omit<RequestOf<'export'>, 'file'>) => {
        await compute('export', { file, ...options, placement, ...(job === undefined ? {} : { job }) });
      },
    );
  program
    .command('draw')
    .summary('draw a placement, a machine or an experiment')
    .description(
      'Draw the diagram of a placement or machine, or a chart of an experiment. Writes PDF for .pdf, CSV for .csv (charts only), else SVG.',
    )
    .addArgument(fileArgument())
    .argument('<name>', 'placement, machine or experiment to draw')
    .option('--difference <placement>', 'draw the difference from this placement')
    .requiredOption('-o, --output <file>', 'output file; - is standard output')
    .addOption(
      new Option('--figure <name>', 'chart to draw (default: results of an experiment)').choices([
        ...figureNames,
        ...simulationKinds,
        ...placementFigureNames,
      ]),
    )
    .addOption(
      new Option('--by <unit>', 'group the traffic by this unit (default: task)').choices([
        'task',
        'node',
        'switch',
        'job',
      ]),
    )
    .addOption(
      new Option('--order <order>', 'order tasks by job, node or number (default: job)').choices([
        'job',
        'node',
        'task',
      ]),
    )
    .addOption(
      new Option('--scale <scale>', 'colour scale of links or traffic (default: linear)').choices([
        'linear',
        'logarithmic',
      ]),
    )
    .addOption(
      new Option('--measure <measure>', 'colour links by bytes or utilisation (default: by machine)').choices(
        measureNames,
      ),
    )
    .option('--maximum <load>', 'end of the link scale: 64KiB or 2ms (default: maximum)')
    .addOption(new Option('--theme <theme>', 'use a light or dark theme (default: light)').choices(themeNames))
    .addOption(new Option('--labels <kind>', 'label nodes with this kind (default: task)').choices(labelNames))
    .addOption(
      new Option('--layout <layout>', 'draw 3D machines as planes or axonometric').choices(['slices', 'axonometric']),
    )
    .addOption(new Option('--plane <number>', 'draw only this plane of a 3D machine, from 0').argParser(indexed))
    .option('--select <what>', 'highlight with flows: "node 5", "link 3 7", "tasks 0 9"')
    .addOption(new Option('--legend <parts>', 'show this part of the legend (default: full)').choices(legendNames))
    .option('--width <length>', 'page width: 84mm, 3.3in, 240pt (text is at least 7 pt)')
    .option('--height <length>', 'page height (default: as needed)')
    .addOption(new Option('--page <size>', 'set --width and --height to a standard page').choices(pageNames))
    .option('--machine', 'draw the machine of this name, not another declaration')
    .option('--metric <name>', 'draw this metric (default: first)')
    .option('--point <names>', 'row: "gabl, arrivals.rate 0.0009" (default: first)')
    .addOption(new Option('--replication <number>', 'draw this replication, from 1').argParser(parseCount))
    .addOption(new Option('--time <number>', 'draw this time, in cycles (logs: seconds)').argParser(anyNumber))
    .addOption(
      new Option('--between <from..to>', 'limit the jobs chart to this time window').argParser(parseTimeWindow),
    )
    .option('--short', 'use the short variant')
    .addOption(middle('use the middle variant'))
    .addOption(from())
    .addOption(force())
    .addOption(hotLinkFactor())
    .addHelpText('after', interruptible)
    .action(async (file: string, name: string, options: Omit<RequestOf<'draw'>, 'file' | 'name'>) => {
      await compute('draw', { file, name, ...options });
    });
}

/** How experiments and sweeps are run, and what is printed of them. */
const addRunOptions = (command: Command): Command =>
  command
    .option('--resume', 'resume an interrupted run')
    .option('--threads <count>', 'number of threads (default: all cores)', threads)
    .option('--slurm', 'run as Slurm job arrays (sbatch)')
    .addOption(new Option('--part <file>', 'one element of a job array').hideHelp())
    .option('--json', 'print one JSON object instead of tables')
    .option('--csv <file>', 'write one line per row and metric; - is standard output');
const curves = (): Option => new Option('-o, --output <file>', 'draw the first metric as SVG; - is standard output');

function addExperiment(program: Command, compute: Compute): void {
  const command = program
    .command('experiment')
    .summary('run experiments: replicate and compare streams of jobs')
    .description(
      'Run the experiments of a file on all cores. Print metrics with confidence intervals. Results are kept in FILE.results.',
    )
    .addArgument(fileArgument())
    .argument('[name]', 'experiment to run (default: all)')
    .option('--short', 'run the short variant (default: about one minute)')
    .addOption(middle('run the middle variant; skips experiments without one'));
  addRunOptions(command)
    .addOption(curves())
    .option('--jobs <file>', 'write one line per job; - is standard output')
    .addOption(force())
    .addHelpText('after', '\nCtrl-C stops and keeps finished replications; continue with --resume.')
    .action(async (file: string, name: string | undefined, options: Omit<RequestOf<'experiment'>, 'file' | 'name'>) => {
      const request = { file, ...(name === undefined ? {} : { name }), ...options };
      await compute('experiment', request);
    });
}

const oneMore = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function addSweep(program: Command, compute: Compute): void {
  const command = program
    .command('sweep')
    .summary('evaluate a placement with combinations of parameters')
    .description(
      'Evaluate a placement with every combination of parameter values, on all cores or with Slurm. Results are kept in FILE.results.',
    )
    .addArgument(fileArgument())
    .argument('[placement]', 'placement to sweep (default: the only one)')
    .addOption(
      new Option('--over <choice=values>', 'vary a parameter: map=rcb,grasp or seed=1..100; repeatable')
        .argParser(oneMore)
        .makeOptionMandatory(),
    )
    .option('--report <metrics>', 'metrics (default: hopBytes, averageHops, maximumLinkLoad)')
    .option('--name <name>', 'name of the results (default: PLACEMENT-sweep)')
    .option('--print', 'print the sweep as an `experiment`; run nothing');
  addRunOptions(command)
    .option('--cells <file>', 'write one line per row and seed; - is standard output')
    .addOption(curves())
    .addOption(force())
    .addHelpText('after', '\nCtrl-C stops and keeps finished replications; continue with --resume.')
    .action(async (file: string, placement: string | undefined, options: Omit<RequestOf<'sweep'>, 'file'>) => {
      const request = { file, ...(placement === undefined ? {} : { placement }), ...options };
      await compute('sweep', request);
    });
}

function addSimulate(program: Command, compute: Compute): void {
  program
    .command('simulate')
    .summary('simulate the messages of a placement')
    .description('Map the jobs of a placement, simulate their messages cycle by cycle, and print the makespan.')
    .addArgument(fileArgument())
    .argument('[placement]', 'placement to simulate (default: all with `simulate`)')
    .option('--json', 'print one JSON object instead of text')
    .option('--csv <file>', 'write one line per placement; - is standard output')
    .option('-o, --output <file>', 'draw a chart: .svg, .pdf or .csv; - is SVG on stdout')
    .addOption(new Option('--figure <name>', 'chart to draw (default: playback)').choices(simulationKinds))
    .addOption(
      new Option('--time <cycle>', 'time of the playback chart (default: highest utilisation)').argParser(anyNumber),
    )
    .addOption(force())
    .addOption(from())
    .addHelpText('after', '\nCtrl-C stops and prints finished placements.')
    .action(async (file: string, placement: string | undefined, options: Omit<RequestOf<'simulate'>, 'file'>) => {
      const request = { file, ...(placement === undefined ? {} : { placement }), ...options };
      await compute('simulate', request);
    });
}

function addImport(program: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  const format = new Option('--as <format>', 'input format (default: detected)').choices([
    ...new Set([...fabricFormats, ...tableFormats].map(({ name }) => name)),
  ]);
  program
    .command('import')
    .summary("create a machine or job from another tool's file")
    .description(
      'Create a .place file with a machine or a job from the file of another tool. The input must be a file, not standard input.',
    )
    .argument('<file...>', 'files of another tool; `placewright list formats` shows all')
    .option('-o, --output <file>', '.place file to write; - is standard output', '-')
    .addOption(format)
    .option('--table', 'read the file as a communication table, not as a network')
    .option('--preview', 'print the imported content; write nothing')
    .addOption(force())
    .action(async (files: [string, ...string[]], options: ImportOptions) => {
      const { importFiles } = await import('./import.ts');
      finish(await importFiles(files, options, terminal));
    });
}

function addTrace(program: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  const format = new Option('--as <format>', 'input format (default: detected)').choices(
    traceFormats.map(({ name }) => name),
  );
  program
    .command('trace')
    .summary('summarise a message trace, and convert it')
    .description('Read a trace and print its tasks, messages and bytes. Write it as a workload or as a table.')
    .argument('<file>', 'trace, or list of files, one per rank; - is standard input')
    .option('-o, --output <file>', 'write a table (.csv) or a workload; - is standard output')
    .addOption(format)
    .option('--no-computing', 'ignore computation time')
    .option('--json', 'print one JSON object instead of text')
    .addOption(force())
    .action(async (file: string, options: TraceOptions) => {
      const { trace } = await import('./trace.ts');
      finish(await trace(file, options, terminal));
    });
}

function addMachines(program: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  const model = new Option('--model <name>', 'distance metric')
    .choices(distanceModels.map(({ name }) => name))
    .default('hops');
  program
    .command('distances')
    .summary('print the distances between the routers of a machine')
    .description('Print the distances between the routers or switches of a machine.')
    .addArgument(fileArgument())
    .argument('<machine>', 'a machine of the file')
    .addOption(model)
    .option('--json', 'print one JSON object instead of a table')
    .addOption(csv())
    .action(async (file: string, machine: string, options: { model: string; json?: true; csv?: true }) => {
      const { distances } = await import('./distances.ts');
      finish(await distances(file, machine, options, terminal));
    });
  program
    .command('describe')
    .summary('print metrics of machines')
    .description(
      'Print metrics of the machines of a file: nodes, links, diameter, average distance, bisection, degrees, spare ports.',
    )
    .addArgument(fileArgument())
    .argument('[machine]', 'machine to describe (default: all)')
    .option('--json', 'print one JSON object instead of text')
    .action(async (file: string, machine: string | undefined, options: { json?: true }) => {
      const { describeMachines } = await import('./machine.ts');
      finish(await describeMachines(file, machine, options, terminal));
    });
}

/** The server of the extension, which lies beside the command line; it ends the process when its editor says so. */
function addServer(program: Command): void {
  program
    .command('lsp')
    .summary('start the language server, for editors other than VS Code')
    .description(
      'Start the language server on standard input and output. See docs/how-to/other-editors.md for Neovim, Emacs, Helix, Zed and Sublime Text.',
    )
    .addOption(new Option('--stdio', 'use standard input and output (always on)').default(true))
    .addOption(new Option('--clientProcessId <pid>', 'end with this process').hideHelp())
    .action(async () => {
      // The library of the server reads how it is to listen from the words that the process was started with.
      if (!process.argv.includes('--stdio')) process.argv.push('--stdio');
      await import(new URL('../server.js', import.meta.url).href);
      // This command is never over.
      await new Promise(() => undefined);
    });
}
