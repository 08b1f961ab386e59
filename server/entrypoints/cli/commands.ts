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
    `placewright: This is a fault of Placewright ${version}, not of your file.\n` +
      `Please report it with the command, the file and these lines:\n${details}\n`,
  );
  return exitCodes.fault;
}

const hotLinkFactor = (): Option =>
  new Option('--hot-link-factor <number>', 'a link is hot from this many times the mean of the used links')
    .argParser(parsePositive)
    .default(defaultStudySettings.hotLinkFactor);

const footer = `
Exit codes: 0 good, 1 the file has errors, 2 wrong usage, 3 a fault of the program.
Errors go to stderr as file:line:column: error: message [code].

  placewright run samples/quickstart.place
  placewright export samples/cg/nas-cg.place tuned --format rankfile --hosts hosts.txt -o cg.rankfile`;

/** Each command loads its code when it is chosen, so that the others do not wait for it. */
export function commands(terminal: Terminal, run: CommandRunner, finish: (code: ExitCode) => void): Command {
  const compute: Compute = async (command, request) => {
    finish(await run(command, request, terminal));
  };
  const program = new Command('placewright')
    .description('Where does every task of a parallel program land on the machine, and what does that cost?')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', footer)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(placewright --help tells more)');
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
  for (const command of program.commands)
    command.showHelpAfterError(`(placewright ${command.name()} --help tells more)`);
  return program;
}

/** Options of commands that place and measure. */
const from = (): Option =>
  new Option('--from <result>', 'take the mappings of a result of `run --json`, of this very file');
const force = (): Option =>
  new Option('--force', 'replace what would be lost: files that were edited, or are not ours');
const middle = (what: string): Option => new Option('--middle', what).conflicts('short');
const csv = (): Option => new Option('--csv', 'print the table as CSV, for spreadsheets').conflicts('json');
const fileArgument = (): Argument => new Argument('<file>', 'a .place file; - is standard input');

const interruptible = '\nCtrl-C ends a search with the best mapping that it found by then; a second one ends at once.';

function addReports(program: Command, compute: Compute): void {
  program
    .command('check')
    .summary('print the diagnostics of files')
    .description(
      'Print what is wrong with each file, and with the files that it names, and what keeps its experiments from being run; exit 1 if any of it is an error. No mapper is run, and nothing simulated.',
    )
    .argument('<file...>', '.place files; - is standard input')
    .option('--run', 'place and measure too, for the warnings of hot links')
    .option('--json', 'print one JSON object')
    .addOption(hotLinkFactor())
    .action(async (files: string[], options: Omit<RequestOf<'check'>, 'files'>) => {
      await compute('check', { files, ...options });
    });
  program
    .command('run')
    .summary('evaluate the placements of a file')
    .description('Evaluate the placements of a file and print what was measured.')
    .addArgument(fileArgument())
    .argument('[placement]', 'a placement of the file; all of them where it is left out')
    .addOption(new Option('--placement <name>', 'the same as an option'))
    .option('--json', 'print one JSON object instead of tables')
    .option('--loads', 'with --json: the load of every link')
    .addOption(from())
    .addOption(hotLinkFactor())
    .addHelpText('after', interruptible)
    .action(async (file: string, named: string | undefined, options: Omit<RequestOf<'run'>, 'file'>) => {
      if (named !== undefined && options.placement !== undefined && named !== options.placement)
        throw new UsageError(
          `Two placements are named, '${named}' and '${options.placement}': name one, or none for all.`,
        );
      const placement = named ?? options.placement;
      const request = { file, ...options, ...(placement === undefined ? {} : { placement }) };
      await compute('run', request);
    });
}

function addCompare(program: Command, compute: Compute): void {
  program
    .command('compare')
    .summary('place the jobs of a placement with several mappers')
    .description(
      'Place the jobs of a placement on the same nodes with several mappers and print what each costs, the best first, and what its own mapping costs.',
    )
    .addArgument(fileArgument())
    .argument('<placement>', 'a placement of the file')
    .option('--mappers <list>', 'mappers as in a file: "rcb, grasp(iterations 10)"; default: all that need no argument')
    .option('--limit <time>', 'stop a mapper after this time: 10s, 500ms', '5s')
    .option(
      '--seeds <list>',
      'run each mapper with these seeds, and print means and standard deviations: 1..20, or 1,4,9',
    )
    .addOption(new Option('--sort <figure>', 'what the rows are sorted by').choices(sortWords).default('hop-bytes'))
    .option(
      '--write <mapper>',
      'then write this mapper of the table into the placement of the file; best: the first one',
    )
    .option('--json', 'print one JSON object instead of a table')
    .addOption(csv())
    .addHelpText('after', '\nCtrl-C ends with what was done by then, and writes nothing.')
    .action(async (file: string, placement: string, options: Omit<RequestOf<'compare'>, 'file' | 'placement'>) => {
      await compute('compare', { file, placement, ...options });
    });
}

function addLosses(program: Command, compute: Compute): void {
  program
    .command('losses')
    .summary('try what a placement costs where a cable fails')
    .description(
      'Take out each cable between routers in turn, leave the tasks where they are, and print which loss makes the heaviest link heavier by most.',
    )
    .addArgument(fileArgument())
    .argument('<placement>', 'a placement of the file')
    .addOption(new Option('--top <count>', 'print so many cables').argParser(parseCount).default(10))
    .addOption(from())
    .option('--json', 'print one JSON object with all cables instead of a table')
    .addOption(csv())
    .addHelpText('after', '\nCtrl-C ends it, and prints nothing.')
    .action(async (file: string, placement: string, options: Omit<RequestOf<'losses'>, 'file' | 'placement'>) => {
      await compute('losses', { file, placement, ...options });
    });
}

function addPlacementOutputs(program: Command, compute: Compute): void {
  program
    .command('export')
    .summary('write a placement in the format of a launcher or tool')
    .description('Write a placement in the format of a launcher or tool; `placewright list formats` names them.')
    .addArgument(fileArgument())
    .argument('<placement>', 'a placement of the file')
    .requiredOption('--format <name>', 'the format: rankfile, slurm, hydra, csv, …')
    .option('-o, --output <file>', 'where to write; - is standard output', '-')
    .option(
      '--hosts <file>',
      'host names, one per line in the order of the node ids, for formats that name hosts; - is standard input',
    )
    .option(
      '--names <pattern>',
      'the same without a file: nid%05d with the number of the node, or a hostlist such as n[01-16]',
    )
    .option('--dry-run', 'print what would be written and the command line that uses it, and write nothing')
    .addOption(from())
    .addOption(force())
    .addOption(hotLinkFactor())
    .addHelpText('after', interruptible)
    .action(async (file: string, placement: string, options: Omit<RequestOf<'export'>, 'file' | 'placement'>) => {
      await compute('export', { file, placement, ...options });
    });
  program
    .command('draw')
    .summary('draw a placement, a machine or an experiment')
    .description(
      'Draw a placement, a machine by itself, or a figure of an experiment, as the panel of the editor shows it: as PDF if the file ends in .pdf, else as SVG. Of a figure, a file that ends in .csv gets its numbers.',
    )
    .addArgument(fileArgument())
    .argument('<name>', 'a placement, a machine or an experiment of the file')
    .option(
      '--difference <placement>',
      'what changes from this placement to the one named first: tasks that move, links that carry less or more',
    )
    .requiredOption('-o, --output <file>', 'where to write; - is standard output')
    .addOption(
      new Option(
        '--figure <name>',
        'of an experiment: its results (the usual), or of one replication the jobs on nodes, the machine at a moment, or the queue; of a placement that says `simulate`: its playback, the finish of its tasks, latency, traffic over time, or use of links, of a cluster of its servers; of any placement: how its search went, or its traffic as a heat map',
      ).choices([...figureNames, ...simulationKinds, ...placementFigureNames]),
    )
    .addOption(
      new Option('--by <unit>', 'traffic by task, node, switch or job; default: task').choices([
        'task',
        'node',
        'switch',
        'job',
      ]),
    )
    .addOption(
      new Option(
        '--order <order>',
        'tasks of the traffic job after job, by their nodes, or by their numbers; default: job',
      ).choices(['job', 'node', 'task']),
    )
    .addOption(
      new Option('--scale <scale>', 'of the colours of links, or of the traffic; default: linear').choices([
        'linear',
        'logarithmic',
      ]),
    )
    .addOption(
      new Option(
        '--measure <measure>',
        'links by their bytes or by share of capacity; default: capacity where links differ',
      ).choices(measureNames),
    )
    .option('--maximum <load>', 'where the scale of links ends, as 64KiB or 2ms; default: the heaviest link')
    .addOption(new Option('--theme <theme>', 'light or dark; default: light').choices(themeNames))
    .addOption(new Option('--labels <kind>', 'what stands in nodes; default: task').choices(labelNames))
    .addOption(
      new Option('--layout <layout>', 'of three dimensions: planes side by side, or axonometry').choices([
        'slices',
        'axonometric',
      ]),
    )
    .addOption(
      new Option('--plane <number>', 'the plane of three dimensions that comes out, from 0').argParser(indexed),
    )
    .option('--select <what>', 'what comes out, with its flows: "node 5", "link 3 7", "tasks 0 9"')
    .addOption(
      new Option(
        '--legend <parts>',
        'beside or below the picture: all of it, jobs and scale, or nothing; default: full',
      ).choices(legendNames),
    )
    .option('--width <length>', 'of the page in print, as 84mm, 3.3in or 240pt; letters have 7 points then')
    .option('--height <length>', 'of the page in print; default: what it needs')
    .addOption(new Option('--page <size>', 'the same as width and height').choices(pageNames))
    .option('--machine', 'draw the machine of this name, where something else has the same')
    .option('--metric <name>', 'results of this metric; default: the first one')
    .option('--point <names>', 'what is simulated: "gabl, arrivals.rate 0.0009"; default: the first one')
    .addOption(new Option('--replication <number>', 'which replication, from 1').argParser(parseCount))
    .addOption(new Option('--time <number>', 'the moment, in cycles or, for logs, in seconds').argParser(anyNumber))
    .addOption(new Option('--between <from..to>', 'jobs between these times').argParser(parseTimeWindow))
    .option('--short', 'of the short variant of the experiment')
    .addOption(middle('of the variant between the short one and the whole'))
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
    .option('--resume', 'go on with what an earlier run has kept')
    .option(
      '--threads <count>',
      'how many threads; as many as the machine runs at a time where it is left out',
      threads,
    )
    .option('--slurm', 'in job arrays of Slurm, by sbatch, in the place of threads')
    .addOption(new Option('--part <file>', 'one element of such an array').hideHelp())
    .option('--json', 'print one JSON object instead of tables')
    .option('--csv <file>', 'write a line for each row and metric; - is standard output');
const curves = (): Option =>
  new Option('-o, --output <file>', 'draw the first metric that is reported as SVG; - is standard output');

function addExperiment(program: Command, compute: Compute): void {
  const command = program
    .command('experiment')
    .summary('run the experiments of a file: jobs over time, repeated and compared')
    .description(
      'Run the experiments of a file on all cores, and print what was measured with its intervals. What is done is kept beside the file, in FILE.results.',
    )
    .addArgument(fileArgument())
    .argument('[name]', 'an experiment of the file; all of them where it is left out')
    .option(
      '--short',
      'what the experiment says of a `short` run; else about a minute of it: the quoted values, at most 20 replications, 5000 jobs of a log',
    )
    .addOption(middle('what the experiments say of a `middle` run; those that say nothing are left out'));
  addRunOptions(command)
    .addOption(curves())
    .option('--jobs <file>', 'write a line for each job of each replication; - is standard output')
    .addOption(force())
    .addHelpText('after', '\nCtrl-C ends with what was done by then; --resume goes on from there.')
    .action(async (file: string, name: string | undefined, options: Omit<RequestOf<'experiment'>, 'file' | 'name'>) => {
      const request = { file, ...(name === undefined ? {} : { name }), ...options };
      await compute('experiment', request);
    });
}

const oneMore = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function addSweep(program: Command, compute: Compute): void {
  const command = program
    .command('sweep')
    .summary('evaluate a placement with every combination of some of its choices')
    .description(
      'Evaluate a placement with every combination of mappers, allocators, machines, routings, jobs, seeds and numbers, on all cores or by Slurm. It is an experiment that is written with options: what is done is kept beside the file, in FILE.results.',
    )
    .addArgument(fileArgument())
    .argument('[placement]', 'a placement of the file; its only one where it is left out')
    .addOption(
      new Option(
        '--over <choice=values>',
        'what is varied, once for each: map=rcb,grasp  allocate=all,random  routing=…  machine=…  job=…  seed=1..100 or 1,5,9  "bandwidth=10,25 GB/s"  JOB.bytes=1024,4096  machine.OPTION=1..9',
      )
        .argParser(oneMore)
        .makeOptionMandatory(),
    )
    .option('--report <metrics>', 'what is measured; default: hopBytes, averageHops, maximumLinkLoad')
    .option('--name <name>', 'what it is kept as; default: PLACEMENT-sweep')
    .option('--print', 'print the `experiment` that it is, for the file, and run nothing');
  addRunOptions(command)
    .option('--cells <file>', 'write a line for each row and seed with all metrics; - is standard output')
    .addOption(curves())
    .addOption(force())
    .addHelpText('after', '\nCtrl-C ends with what was done by then; --resume goes on from there.')
    .action(async (file: string, placement: string | undefined, options: Omit<RequestOf<'sweep'>, 'file'>) => {
      const request = { file, ...(placement === undefined ? {} : { placement }), ...options };
      await compute('sweep', request);
    });
}

function addSimulate(program: Command, compute: Compute): void {
  program
    .command('simulate')
    .summary('simulate the messages of a placement')
    .description(
      'Place the jobs of a placement, send their messages through the network that it names, cycle by cycle, and print how long that takes.',
    )
    .addArgument(fileArgument())
    .argument('[placement]', 'a placement of the file; all that say `simulate` where it is left out')
    .option('--json', 'print one JSON object instead of text')
    .option('--csv <file>', 'write a line for each placement; - is standard output')
    .option(
      '-o, --output <file>',
      'draw a figure of it as SVG, PDF or CSV, by the ending; - is standard output, as SVG',
    )
    .addOption(new Option('--figure <name>', 'which figure; default: playback').choices(simulationKinds))
    .addOption(new Option('--time <cycle>', 'the moment of the playback; default: the busiest').argParser(anyNumber))
    .addOption(force())
    .addOption(from())
    .addHelpText('after', '\nCtrl-C ends it; placements that were simulated by then are printed.')
    .action(async (file: string, placement: string | undefined, options: Omit<RequestOf<'simulate'>, 'file'>) => {
      const request = { file, ...(placement === undefined ? {} : { placement }), ...options };
      await compute('simulate', request);
    });
}

function addImport(program: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  const format = new Option('--as <format>', 'the format, where the content does not tell').choices([
    ...new Set([...fabricFormats, ...tableFormats].map(({ name }) => name)),
  ]);
  program
    .command('import')
    .summary('write a machine or a job that rests on the file of another tool')
    .description(
      'Write a .place file whose machine refers to a network that another tool described, or whose job to a table of traffic. The content tells which. The .place file refers to the file by its name, so that standard input has to be written to a file first.',
    )
    .argument(
      '<file...>',
      'output of ibnetdiscover, Slurm topology.conf, a matrix, the profiles of all ranks, …; `placewright list formats` names them',
    )
    .option('-o, --output <file>', 'the .place file to write; - is standard output', '-')
    .addOption(format)
    .option('--table', 'a table of traffic, also where the file would do for a network')
    .option('--preview', 'print what was understood, and write nothing')
    .addOption(force())
    .action(async (files: [string, ...string[]], options: ImportOptions) => {
      const { importFiles } = await import('./import.ts');
      finish(await importFiles(files, options, terminal));
    });
}

function addTrace(program: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  const format = new Option('--as <format>', 'the format, where the content does not tell').choices(
    traceFormats.map(({ name }) => name),
  );
  program
    .command('trace')
    .summary('tell what a trace of messages holds, and write it in the compact form')
    .description('Read a recorded run and print its tasks, messages and bytes; write it as a workload or as a table.')
    .argument(
      '<file>',
      'a trace, or a list of files, one per rank; - is standard input; `placewright list formats` names the formats',
    )
    .option(
      '-o, --output <file>',
      'write NAME.csv as a table of traffic, any other name as a workload; - is standard output',
    )
    .addOption(format)
    .option('--no-computing', 'leave out the time that tasks compute')
    .option('--json', 'print one JSON object instead of text')
    .addOption(force())
    .action(async (file: string, options: TraceOptions) => {
      const { trace } = await import('./trace.ts');
      finish(await trace(file, options, terminal));
    });
}

function addMachines(program: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  const model = new Option('--model <name>', 'the measure')
    .choices(distanceModels.map(({ name }) => name))
    .default('hops');
  program
    .command('distances')
    .summary('print the distances between the routers of a machine')
    .description('Print the table of distances between the routers or switches of a machine.')
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
    .summary('print the figures of machines')
    .description(
      'Print what the machines of a file are by themselves: nodes and cables, diameter and average distance, bisection, degrees, kinds of cables, spare ports.',
    )
    .addArgument(fileArgument())
    .argument('[machine]', 'a machine of the file; all of them where it is left out')
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
    .summary('answer an editor: the language server, for editors other than VS Code')
    .description(
      'Start the language server. An editor starts this and talks to it over standard input and output; docs/how-to/other-editors.md says how for Neovim, Emacs, Helix, Zed and Sublime Text.',
    )
    .addOption(new Option('--stdio', 'over standard input and output; it is the only way').default(true))
    .addOption(new Option('--clientProcessId <pid>', 'end with this process').hideHelp())
    .action(async () => {
      // The library of the server reads how it is to listen from the words that the process was started with.
      if (!process.argv.includes('--stdio')) process.argv.push('--stdio');
      await import(new URL('../server.js', import.meta.url).href);
      // This command is never over.
      await new Promise(() => undefined);
    });
}
