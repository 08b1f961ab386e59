/**
 * What the architecture test holds the code against: the rooms of the house and their floors, the
 * order of the folders inside a room, and what a room never knows. `docs/architecture.md` says what each is for.
 */

/**
 * From the ground up. A room imports only from floors below it, never from its own floor and never upwards. Tests
 * and testing helpers of a room may import from its own floor too.
 */
export const floors: readonly (readonly string[])[] = [
  ['server/model', 'server/numeric'],
  ['server/network', 'server/traffic'],
  ['server/optimisation', 'server/queueing'],
  ['server/allocation', 'server/mapping'],
  ['server/simulation'],
  ['server/scheduling'],
  ['server/study'],
  ['server/performance'],
  ['server/output'],
  ['server/experiments'],
  ['server/interchange'],
  ['server/language', 'server/drawing'],
  ['server/language/service', 'server/protocol'],
  ['server/entrypoints', 'client', 'webview'],
  ['tools'],
  ['e2e'],
  ['test'],
  ['bench'],
];

/**
 * The order of what is in a room, from the ground up: folders and files of the room, `.` for its other files. A
 * file imports only from its own folder and from what stands before it.
 */
export const insides: Readonly<Record<string, readonly string[]>> = {
  'server/network': [
    '.',
    'contract.ts',
    'fabricParts.ts',
    'nodeInside.ts',
    'topologies',
    'routings',
    'distances',
    'catalogue.ts',
    'bisection.ts',
    'facts.ts',
    'faults.ts',
    'machine.ts',
  ],
  'server/optimisation': [
    'problem',
    '.',
    'descent',
    'partitioning',
    'annealing',
    'dense',
    'embedding/grids',
    'embedding',
    'bounds',
    'workerPool.ts',
  ],
  'server/allocation': [
    'contract.ts',
    'capacity.ts',
    'mesh.ts',
    'freeRows.ts',
    'freeSums.ts',
    'strategy.ts',
    'allocators',
    'catalogue.ts',
  ],
  'server/mapping': ['.', 'criteria', 'stencils', 'contention', 'auto', 'mappers', 'catalogue.ts'],
  'server/simulation': [
    '.',
    'engines',
    'dependencies.ts',
    'engines.ts',
    'workloads',
    'runningPrograms.ts',
    'simulationResult.ts',
    'replay.ts',
  ],
  'server/scheduling': ['.', 'schedulers', 'catalogue.ts', 'replicate.ts'],
  'server/study': [
    'metrics',
    '.',
    'evaluate',
    'explain',
    'cableLosses.ts',
    'jobs.ts',
    'machines.ts',
    'machineFigures.ts',
    'outline.ts',
    'measurePlaced.ts',
    'placement.ts',
    'study.ts',
    'comparedRun.ts',
    'compare.ts',
  ],
  'server/drawing': [
    '.',
    'figures',
    'layout',
    'links.ts',
    'nodes.ts',
    'networkBlocks.ts',
    'blocks.ts',
    'drawScene.ts',
    'machine.ts',
    'projections.ts',
    'figures/playback.ts',
    'choices.ts',
    'svgPicture.ts',
    'renderSvg.ts',
    'comparedPage.ts',
    'paper',
  ],
  'server/interchange': [
    '.',
    'nodes',
    'fabrics',
    'forwarding.ts',
    'givenRows.ts',
    'givenHosts.ts',
    'mappingFormats.ts',
    'exports',
    'traces',
    'tables',
    'catalogue.ts',
    'readers.ts',
  ],
  'server/language': ['.', 'check', 'writtenMappers.ts', 'sweptPlacement.ts', 'check.ts', 'subject.ts'],
  'server/language/service': [
    '.',
    'hover',
    'completion',
    'hover.ts',
    'completion.ts',
    'signatureHelp.ts',
    'codeActions.ts',
    'fileFixes.ts',
    'languageService.ts',
  ],
  'server/entrypoints': [
    '.',
    'threads',
    'node.ts',
    'evaluation.ts',
    'machines.ts',
    'traffic.ts',
    'simulationFigures.ts',
    'experiments',
    'workerMessages.ts',
    'web',
    'lsp',
    'worker',
    'cli',
    'nodeServer.ts',
    'lsp.ts',
    'worker.ts',
    'helper.ts',
    'webServer.ts',
    'webWorker.ts',
    'commandLine.ts',
    'cli.ts',
  ],
  client: ['.', 'panels', 'views', 'commands.ts', 'start.ts', 'extension.ts', 'webExtension.ts', 'activate.ts'],
  // Pages stand beside the folders of what they are made of.
  webview: ['page', 'picture', 'table', 'figure', 'placement', 'compare', '.'],
  tools: ['.', 'paperTables', 'papers.ts'],
  bench: ['.', 'mappers', 'bench.ts'],
};

/** What a room never knows, beside the floors: the rest of the house but for what is named here. */
interface View {
  /** npm packages and modules of Node that it may import: see docs/decisions.md. */
  readonly packages: readonly string[];
  /** The rooms below that it may import from; all of them where this is left out. */
  readonly rooms?: readonly string[];
  /** The files of some rooms that it may import; all of them where a room is left out. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

const nothing: View = { packages: [] };
const catalogues = ['catalogue.ts', 'contract.ts'];

export const views: Readonly<Record<string, View>> = {
  // The engine: no packages, no modules of Node, so no files, clocks and consoles either.
  'server/model': { packages: ['pure-rand'] },
  'server/numeric': nothing,
  'server/network': nothing,
  'server/traffic': nothing,
  'server/optimisation': nothing,
  'server/queueing': nothing,
  'server/allocation': nothing,
  'server/mapping': nothing,
  'server/simulation': nothing,
  'server/scheduling': nothing,
  'server/study': nothing,
  'server/performance': nothing,
  'server/output': nothing,
  // Replications of everything below it; quantiles and tests of statistics are pure functions, kept by others.
  'server/experiments': {
    packages: ['simple-statistics', '@stdlib'],
    rooms: [
      'server/model',
      'server/numeric',
      'server/network',
      'server/traffic',
      'server/allocation',
      'server/mapping',
      'server/simulation',
      'server/scheduling',
      'server/study',
      'server/performance',
      'server/output',
    ],
  },
  // Text knows algorithms by their catalogues alone, and neither connections nor files.
  'server/language': {
    packages: ['chevrotain', 'vscode-uri'],
    files: {
      'server/network': catalogues,
      'server/traffic': catalogues,
      'server/allocation': catalogues,
      'server/mapping': catalogues,
      'server/scheduling': ['catalogue.ts', 'distributions.ts'],
      'server/simulation': ['workloads/catalogue.ts'],
      'server/interchange': ['catalogue.ts'],
    },
    rooms: [
      'server/model',
      'server/network',
      'server/traffic',
      'server/allocation',
      'server/mapping',
      'server/simulation',
      'server/scheduling',
      'server/study',
      'server/output',
      'server/interchange',
    ],
  },
  'server/language/service': {
    packages: ['chevrotain', 'vscode-uri', 'vscode-languageserver-textdocument', 'vscode-languageserver-types'],
    files: {
      'server/network': catalogues,
      'server/traffic': catalogues,
      'server/allocation': catalogues,
      'server/mapping': catalogues,
      'server/scheduling': ['catalogue.ts', 'distributions.ts'],
      'server/simulation': ['workloads/catalogue.ts'],
      'server/interchange': ['catalogue.ts'],
      // How pictures are told what a place in the text stands for.
      'server/drawing': ['lit.ts'],
    },
    rooms: [
      'server/model',
      'server/network',
      'server/traffic',
      'server/allocation',
      'server/mapping',
      'server/simulation',
      'server/scheduling',
      'server/study',
      'server/output',
      'server/interchange',
      'server/language',
      'server/drawing',
    ],
  },
  // Formats and pictures know what a network looks like, not how anything is mapped; no editors, no DOM.
  'server/interchange': {
    packages: ['fast-xml-parser', 'yaml'],
    rooms: ['server/model', 'server/network', 'server/simulation', 'server/study', 'server/output'],
    // Of simulation, how collective operations are sent and what a program sends in all: traces are programs.
    files: {
      'server/network': ['names.ts', 'switchLevels.ts', 'fabricParts.ts'],
      'server/simulation': ['workloads/collectives.ts', 'workloads/programs.ts'],
    },
  },
  'server/drawing': {
    packages: ['d3-scale'],
    rooms: [
      'server/model',
      'server/numeric',
      'server/network',
      'server/study',
      'server/performance',
      'server/experiments',
      'server/scheduling',
      'server/simulation',
    ],
    files: {
      'server/experiments': ['results.ts'],
      'server/scheduling': ['streamRun.ts', 'metrics.ts'],
      'server/simulation': ['simulationResult.ts'],
    },
  },
  'server/protocol': {
    packages: ['vscode-languageserver-types'],
    rooms: ['server/model', 'server/study', 'server/drawing'],
  },
  // Processes, sockets, files, clocks; of the algorithms only how they are listed and how their work is spread.
  'server/entrypoints': {
    packages: [
      'node:',
      'commander',
      'vscode-languageserver',
      'vscode-languageserver-textdocument',
      'vscode-languageserver-types',
      'vscode-uri',
      'xz-decompress',
    ],
    files: {
      'server/network': [
        ...[...catalogues, 'machine.ts', 'links.ts', 'names.ts', 'rails.ts', 'fabricParts.ts'],
        ...['distances/contract.ts', 'distances/distanceTable.ts', 'distances/equivalentSolver.ts'],
      ],
      'server/traffic': catalogues,
      'server/allocation': catalogues,
      'server/mapping': catalogues,
      'server/optimisation': ['workerPool.ts'],
      'server/queueing': [],
      'server/scheduling': ['jobs.ts'],
      'server/numeric': [],
    },
  },
  // They know how to show, not how it is computed.
  client: { packages: ['vscode', 'vscode-languageclient', 'node:path', 'node:crypto'], rooms: ['server/protocol'] },
  webview: {
    packages: ['@vscode/webview-ui-toolkit', 'd3-selection', 'd3-zoom'],
    rooms: ['server/protocol', 'server/drawing', 'server/numeric'],
  },
};

/** Files that list others, one line each: what stands in such a list may be as short as it likes. */
export const catalogueFiles: readonly string[] = [
  'server/allocation/catalogue.ts',
  'server/entrypoints/cli/commands.ts',
  'server/entrypoints/cli/ownThread.ts',
  'server/interchange/catalogue.ts',
  'server/language/service/languageService.ts',
  'server/mapping/catalogue.ts',
  'server/mapping/criteria/catalogue.ts',
  'server/network/catalogue.ts',
  'server/scheduling/catalogue.ts',
  'server/simulation/workloads/catalogue.ts',
  'server/study/metrics/catalogue.ts',
  'server/traffic/catalogue.ts',
];

/** Imported by none: where bundles begin (tools/build.ts), and interfaces that wait for their first user. */
export const entryFiles: readonly string[] = [
  'client/activate.ts',
  'server/entrypoints/cli.ts',
  'server/entrypoints/commandLine.ts',
  'server/entrypoints/helper.ts',
  'server/entrypoints/lsp.ts',
  'server/entrypoints/webServer.ts',
  'server/entrypoints/webWorker.ts',
  'server/entrypoints/worker.ts',
  'webview/cableLosses.ts',
  'webview/compare.ts',
  'webview/experiment.ts',
  'webview/panel.ts',
  'webview/simulation.ts',
  'webview/traffic.ts',
  'webview/tryMappers.ts',
];

/** A file that one other imports has so many lines, or it belongs into its importer. */
export const fewestLines = 80;

/** A file that several import has so many lines, or what it is about is small. */
export const fewestLinesOfShared = 32;

/** One algorithm fits into 500 lines; a file of more than these holds two ideas. */
export const mostLines = 600;

/** The exceptions, each with its reason. */
export const longFiles: Readonly<Record<string, string>> = {
  'server/language/grammar.ts': 'the rules of the parser, which call each other and belong to one class of its library',
};

/** The exceptions, each with its reason. A file that has grown or gone leaves the list. */
export const shortFiles: Readonly<Record<string, string>> = {
  'server/drawing/figures/freeSubmesh.ts': 'an algorithm with a test of its own',
  'client/extension.ts': 'runs on Node alone, `activate.ts` loads it',
  'client/webExtension.ts': 'runs in a browser alone, `activate.ts` loads it',
  'client/openReference.ts': 'a command with a test of its own',
  'client/webFiles.ts': 'has a test of its own, apart from how a browser starts the server',
  'server/protocol/savedFile.ts': 'a message of all panels, read in one way',
  'webview/page/words.ts': 'the words of all pages, looked up in one way',
  'server/entrypoints/nodeServer.ts': 'is loaded once it is known where compiled code is kept',
  'server/entrypoints/olderNode.ts': 'imported for its effect, before everything else, by each program that parses',
  'server/model/commandLine.ts': 'a noun of exports, the command line and the editor, which may import no other room',
  'server/model/identifiers.ts': 'a noun of the whole house',
  'server/model/traffic.ts': 'a noun of the whole house',
  'server/model/lists.ts': 'lists of any length, which every room may have',
  'server/numeric/permutation.ts': 'inverses, which have to do with nothing else here',
  'server/numeric/vectors.ts': 'the two loops of linear algebra',
  'server/optimisation/annealing/generator.ts':
    'a generator written out for the kernel: another one than that of the model',
};

/** Functions of one name in several files of the product, each with its reason. Methods, and members of a catalogue's contract, are none. */
export const functionsOfOneName: Readonly<Record<string, string>> = {
  activate: 'the editor calls it by this name, in the bundle for desktops and in that for browsers',
};

const rooms = floors.flat().sort((a, b) => b.length - a.length);

/** The room that a file is in. */
export const roomOf = (path: string): string | undefined => rooms.find((room) => path.startsWith(`${room}/`));

export const floorOf = (room: string): number => floors.findIndex((floor) => floor.includes(room));

/** The part of its room that a file belongs to: the longest entry of `insides` that it matches, or `.`. */
export function partOf(path: string, room: string): string {
  const inside = path.slice(room.length + 1);
  const matches = (insides[room] ?? []).filter((entry) => inside === entry || inside.startsWith(`${entry}/`));
  return matches.sort((a, b) => b.length - a.length)[0] ?? (inside.includes('/') ? inside : '.');
}

/** Tests and what helps them. */
export const isTest = (path: string): boolean =>
  path.endsWith('.test.ts') || path.includes('/testing/') || /^(test|e2e)\//.test(path);

/** Files and folders of the product, tests left out. Who needs more brings an idea of its own: an entry of a catalogue, a format, a page, a command, an engine. The last ones: ranks gathered in routers, pictures in blocks, servers of simulated clusters and their figure, when running jobs end, and the machines and metrics of simulated experiments, files gone through in pieces, what the system and what Slurm refuses, blocks of networks, files with hosts or results, routes that a file gives, SimGrid's routes over links, names that readers do not know, routings of rails with networks of their own, and the queue of background jobs. */
export const mostFiles = 814;
/** Of them 6 hold what pages are made of, 1 what runs experiments and 5 an engine of simulation each: files that were looked for by going through some forty others. The last 2 are what happens to placements over time, and what is written of them. */
export const mostFolders = 75;
/** Of `x!` in the rooms of the engine: assignments that read and write, and the inner loops where accessors were measured to be slower. May only become fewer. */
export const mostNonNullAssertions = 790;
