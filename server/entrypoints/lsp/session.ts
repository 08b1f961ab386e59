/**
 * One language server from `initialize` to `exit`. This folder is the thread that answers an editor: it reads and checks
 * texts, keeps what is known of placements, and gives all that takes time to other threads. It never computes.
 * Enter here: `Session` brings the others together.
 */
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  DidChangeConfigurationNotification,
  TextDocuments,
  type ClientCapabilities,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver';
import * as service from '../../language/service/languageService.ts';
import { placementProgress } from '../../language/service/words.ts';
import { isObject } from '../../model/result.ts';
import type { InitializationOptions } from '../../protocol/messages.ts';
import { defaultStudySettings, type StudySettings } from '../../study/report.ts';
import type { PlacementProgress } from '../../study/report.ts';
import { platform, readTextFile } from '../platform.ts';
import type { SlurmProgram } from '../experiments/slurm.ts';
import { Analyses, type Analysis } from './analyses.ts';
import { Dependencies } from './dependencies.ts';
import { tellEditor } from './dispatcher.ts';
import { ExperimentRuns } from './experimentRuns.ts';
import { answerFeatures, inputOf, serverCapabilities } from './features.ts';
import { checkedDocuments } from './lifecycle.ts';
import type { ShowProgress } from './jobs.ts';
import { MapperComparisons } from './mapperComparisons.ts';
import { LensRefresh, Publisher, noProgress, showProgressBar } from './publisher.ts';
import { ReadPolicies } from './readPolicies.ts';
import { answerRequests } from './requests.ts';
import { SimulationRuns } from './simulationRuns.ts';
import { Studies, type JobEnvironment } from './studies.ts';
import { ComputingThreads } from './workerHandle.ts';
import {
  answerWorkspaceRequests,
  overviewOf,
  UsesOfDocuments,
  WorkspaceIndex,
  type WorkspaceEnvironment,
} from './workspaceIndex.ts';

/** Of a folder that a path names, so many files are offered. */
const mostFolderEntries = 2000;
/** After the last keystroke, where placements are worked out while typing, milliseconds. */
const typingPause = 500;
/** Between two times that lenses and hints are asked for anew, milliseconds. */
const refreshPause = 100;
/** The same while only the progress of a search changes. */
const progressRefreshPause = 1000;

/** What lies beside files of the user, and what can be called there; none of it in a browser. */
export interface Environment {
  readonly slurm: { readonly isThere: () => boolean; readonly program: SlurmProgram };
  /** Where what comes of a simulation is kept; undefined for a document without a file. */
  readonly keptSimulation: (uri: string, placement: string) => string | undefined;
  readonly isThere: (path: string) => boolean;
}

/** Starts to listen: the life of one language server, from `initialize` to `exit`. */
export function startSession(connection: Connection, worker: URL, environment?: Environment): void {
  new Session(connection, worker, environment).listen();
}

/** Brings documents, analyses, studies and the connection together; each of them does its own work. */
class Session {
  readonly #connection: Connection;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #policies = new ReadPolicies(this.#documents);
  readonly #threads: ComputingThreads;
  readonly #analyses: Analyses;
  readonly #studies: Studies;
  readonly #runs: ExperimentRuns;
  readonly #simulations: SimulationRuns;
  readonly #comparisons: MapperComparisons;
  readonly #publisher: Publisher;
  readonly #dependencies: Dependencies;
  readonly #workspace: WorkspaceEnvironment;
  readonly #index: WorkspaceIndex;
  readonly #uses: UsesOfDocuments;
  readonly #typing = new Map<string, NodeJS.Timeout>();
  /** Open documents whose file has changed on the disk, and whose text has not been the same since. */
  readonly #changedOnDisk = new Set<string>();
  readonly #lenses: LensRefresh;
  #client: ClientCapabilities = {};
  #settings = defaultServerSettings;
  #hasCommands = false;
  #hasReference = false;

  constructor(connection: Connection, worker: URL, environment: Environment | undefined) {
    this.#connection = connection;
    this.#lenses = new LensRefresh(connection, () => this.#client.workspace);
    this.#threads = new ComputingThreads(worker, {
      report: (message) => {
        connection.console.error(message);
      },
      reportsLost: () => {
        this.#studies.sendAgain();
      },
    });
    this.#dependencies = new Dependencies(connection, (uri) => this.#policies.mayWatch(uri));
    this.#analyses = new Analyses(
      (uri) => this.#documents.get(uri),
      (uri, document) => readTextFile(uri, this.#policies.of(document)),
      (uri, files) => {
        this.#dependencies.set(uri, 'sources', files);
      },
    );
    const analysisOf = (uri: string): Promise<Analysis | undefined> => this.#analyses.of(uri);
    const showProgress: ShowProgress = (title, cancel) =>
      this.#client.window?.workDoneProgress === true ? showProgressBar(connection, title, cancel) : noProgress;
    this.#studies = new Studies(this.#threads, {
      analysisOf,
      settings: () => this.#settings.study,
      allowedRoots: (uri) => this.#policies.allowedRoots(uri),
      showProgress,
      progressed: (uri, placement, progress) => {
        this.#tellProgress(uri, placement, progress);
      },
      changed: (uri) => {
        this.#studyChanged(uri);
      },
    });
    const jobs: JobEnvironment = {
      ...{ analysisOf, showProgress, studies: this.#studies, reading: this.#threads.reading },
      problemOf: (analysis, placement) => this.#publisher.standingOf(analysis, placement).problem?.message,
      policy: (uri) => this.#policies.messageFor(uri),
      separateThread: () => this.#threads.separate(),
    };
    this.#runs = new ExperimentRuns({
      ...jobs,
      describing: this.#threads.figures.results,
      mayWrite: () => this.#policies.trusted,
      isSaved: (uri) => this.#policies.isOnDisk(uri),
      ...(environment && { slurm: environment.slurm }),
      changed: (uri) => {
        this.#publisher.schedule(uri);
        this.#lenses.refresh(refreshPause);
      },
      tell: (uri, experiment, progress) => {
        const soFar = progress === undefined ? {} : { progress };
        tellEditor(connection, 'experimentChanged', { uri, experiment, ...soFar });
      },
      refuse: (message) => {
        connection.window.showWarningMessage(message);
      },
    });
    this.#simulations = new SimulationRuns({
      ...jobs,
      keptAt: (uri, placement) => (this.#policies.trusted ? environment?.keptSimulation(uri, placement) : undefined),
      isThere: (path) => environment?.isThere(path) ?? false,
      changed: () => {
        this.#lenses.refresh(refreshPause);
      },
      tell: (change) => {
        tellEditor(connection, 'simulationChanged', change);
      },
    });
    this.#comparisons = new MapperComparisons({
      ...jobs,
      settings: () => this.#settings.study,
      tell: (table) => {
        tellEditor(connection, 'triedMappersChanged', table);
      },
    });
    this.#workspace = {
      folders: () => this.#policies.folders,
      documents: () => this.#documents.all(),
      documentOf: (uri) => this.#documents.get(uri),
      policyOf: (uri) => this.#policies.of(uri),
      inputOf: (uri) => this.#knownOf(uri),
    };
    this.#index = new WorkspaceIndex(this.#workspace);
    this.#uses = new UsesOfDocuments(
      this.#index,
      () => this.#withUnused(),
      (uri) => {
        this.#publisher.schedule(uri);
      },
    );
    this.#publisher = new Publisher(connection, {
      analyses: this.#analyses,
      studies: this.#studies,
      runs: this.#runs,
      isOpen: (uri) => this.#isOpen(uri),
      usedElsewhere: (uri) => this.#uses.of(uri),
    });
  }

  listen(): void {
    this.#connection.onInitialize((parameters) => this.#initialize(parameters));
    this.#connection.onInitialized(() => {
      void this.#initialized();
    });
    this.#connection.onShutdown(() => {
      for (const timer of this.#typing.values()) clearTimeout(timer);
      this.#uses.stop();
      this.#studies.stop();
      const jobs = [this.#runs.stop(), this.#simulations.stop(), this.#comparisons.stop()];
      return Promise.all(jobs).then(() => this.#threads.stop());
    });
    this.#listenToDocuments();
    this.#listenToEnvironment();
    answerFeatures(this.#connection, {
      inputOf: (uri) => this.#knownOf(uri),
      placeFiles: async () => (await platform().files.listPlaceFiles(this.#policies.folders)).uris,
      entriesOf: (folder, document) =>
        platform().files.listFolder(folder, this.#policies.of(document), mostFolderEntries),
      sizeOf: (uri, document) => platform().files.sizeOfFile(uri, this.#policies.of(document)),
      hasCommands: () => this.#hasCommands,
    });
    answerWorkspaceRequests(this.#connection, this.#workspace, this.#index);
    answerRequests({
      connection: this.#connection,
      analyses: this.#analyses,
      studies: this.#studies,
      runs: this.#runs,
      simulations: this.#simulations,
      comparisons: this.#comparisons,
      publisher: this.#publisher,
      reading: this.#threads.reading,
      figures: this.#threads.figures,
      machines: this.#threads.machines,
      separateThread: () => this.#threads.separate(),
      policy: (uri) => this.#policies.messageFor(uri),
      isOpen: (uri) => this.#isOpen(uri),
      documents: () => this.#documents.keys(),
      overview: () => overviewOf(this.#workspace, this.#index),
      grantTrust: () => {
        this.#policies.trusted = true;
        this.#startAnew();
      },
    });
    this.#documents.listen(checkedDocuments(this.#connection));
    this.#connection.listen();
  }

  /** What editor features are given of an open document. */
  async #knownOf(uri: string): Promise<service.ServiceInput | undefined> {
    const analysis = await this.#analyses.of(uri);
    return (
      analysis && {
        ...inputOf(analysis, this.#studies, this.#runs, this.#simulations),
        trusted: this.#policies.trusted,
        hasReference: this.#hasReference,
        usedElsewhere: this.#uses.of(uri),
      }
    );
  }

  #initialize(parameters: InitializeParams): InitializeResult {
    this.#client = parameters.capabilities;
    const options = (parameters.initializationOptions ?? {}) as InitializationOptions;
    this.#policies.begin({ trusted: options.trusted, folders: parameters.workspaceFolders?.map(({ uri }) => uri) });
    this.#hasCommands = options.editorCommands === true;
    this.#hasReference = options.reference === true;
    return { capabilities: serverCapabilities, serverInfo: { name: 'placewright' } };
  }

  async #initialized(): Promise<void> {
    if (this.#client.workspace?.didChangeConfiguration?.dynamicRegistration === true) {
      void this.#connection.client.register(DidChangeConfigurationNotification.type, { section: 'placewright' });
    }
    if (this.#client.workspace?.workspaceFolders === true) {
      this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const { uri } of added) this.#policies.folders.add(uri);
        for (const { uri } of removed) this.#policies.folders.delete(uri);
        this.#startAnew();
      });
    }
    await this.#readSettings(undefined);
  }

  #listenToDocuments(): void {
    this.#documents.onDidOpen(({ document }) => {
      this.#policies.opened(document);
      this.#textChanged(document.uri);
      this.#studies.order(document.uri);
      void this.#runs.look(document.uri, 'open');
    });
    this.#documents.onDidChangeContent(({ document }) => {
      this.#textChanged(document.uri);
      if (document.uri.startsWith('untitled:') || this.#settings.runStudy === 'afterTyping')
        this.#studyLater(document.uri);
      if (this.#changedOnDisk.has(document.uri)) void this.#compareWithDisk(document.uri);
    });
    this.#documents.onDidSave(({ document }) => {
      this.#changedOnDisk.delete(document.uri);
      for (const reader of this.#openReadersOf(document.uri)) {
        if (reader === document.uri) this.#simulations.saved(reader);
        this.#studies.order(reader);
        void this.#runs.look(reader, reader === document.uri ? 'save' : 'open');
      }
    });
    this.#documents.onDidClose(({ document: { uri } }) => {
      clearTimeout(this.#typing.get(uri));
      this.#typing.delete(uri);
      this.#policies.closed(uri);
      this.#changedOnDisk.delete(uri);
      const readers = this.#openReadersOf(uri);
      this.#analyses.forget(uri);
      this.#analyses.invalidate(readers);
      this.#studies.forget(uri);
      this.#runs.forget(uri);
      this.#simulations.forget(uri);
      this.#comparisons.forget(uri);
      this.#dependencies.forget(uri);
      this.#publisher.close(uri);
      this.#uses.forget(uri);
      for (const reader of readers) this.#publisher.schedule(reader);
    });
  }

  #listenToEnvironment(): void {
    this.#connection.onDidChangeConfiguration(({ settings }) => {
      void this.#readSettings(settings);
    });
    this.#connection.onDidChangeWatchedFiles(({ changes }) => {
      this.#filesChanged(changes.map(({ uri }) => uri));
    });
  }

  #textChanged(uri: string): void {
    const readers = this.#openReadersOf(uri);
    this.#analyses.invalidate(readers);
    for (const reader of readers) {
      this.#publisher.schedule(reader);
      void this.#studies.textChanged(reader);
      void this.#comparisons.changed(reader);
    }
    this.#uses.lookSoon();
  }

  /** Open documents with declarations that they do not use themselves. */
  async #withUnused(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const uri of this.#documents.keys()) {
      const analysis = await this.#analyses.of(uri);
      if (analysis !== undefined && service.unusedHere(analysis).length > 0) found.push(uri);
    }
    return found;
  }

  #studyLater(uri: string): void {
    clearTimeout(this.#typing.get(uri));
    const order = (): void => {
      this.#typing.delete(uri);
      this.#studies.order(uri);
    };
    this.#typing.set(uri, setTimeout(order, typingPause));
  }

  /** Sources, tables, mappings or fabrics changed on disk. */
  #filesChanged(uris: readonly string[]): void {
    const studied = new Set<string>();
    for (const uri of uris) {
      if (this.#isOpen(uri)) {
        this.#changedOnDisk.add(uri);
        void this.#compareWithDisk(uri);
        continue;
      }
      this.#studies.fileChanged(uri);
      for (const reader of this.#openReadersOf(uri)) studied.add(reader);
    }
    this.#analyses.invalidate([...studied]);
    for (const reader of studied) {
      this.#studies.order(reader);
      void this.#comparisons.changed(reader);
      void this.#runs.look(reader, 'open');
    }
  }

  /**
   * The file of an open document was written by something else, and the editor takes the text over where the user has
   * changed nothing; nothing says which of the two is told first. Once they are equal it counts as a save.
   */
  async #compareWithDisk(uri: string): Promise<void> {
    if (!(await this.#policies.isOnDisk(uri)) || !this.#changedOnDisk.delete(uri)) return;
    for (const reader of this.#openReadersOf(uri)) {
      const analysis = await this.#analyses.of(reader);
      if (analysis !== undefined && !this.#studies.isStudied(analysis)) this.#studies.order(reader);
    }
  }

  /** Settings, trust or folders changed: everything may look different. */
  #startAnew(): void {
    const uris = this.#documents.keys();
    this.#analyses.invalidate(uris);
    this.#studies.settingsChanged();
    for (const uri of uris) this.#studies.order(uri);
  }

  #openReadersOf(uri: string): readonly string[] {
    return this.#dependencies.readersOf(uri).filter((reader) => this.#isOpen(reader));
  }

  #studyChanged(uri: string): void {
    this.#publisher.schedule(uri);
    this.#lenses.refresh(refreshPause);
    const { running, files } = this.#studies.stateOf(uri);
    if (running) return;
    this.#dependencies.set(uri, 'study', files);
    void this.#studies.textChanged(uri);
    void this.#simulations.studied(uri);
    this.#comparisons.studied(uri);
  }

  #tellProgress(uri: string, placement: string, progress: PlacementProgress): void {
    tellEditor(this.#connection, 'progress', { uri, placement, progress, words: placementProgress(progress) });
    this.#lenses.refresh(progressRefreshPause);
  }

  /** `pushed`: what an editor sent along that cannot be asked. */
  async #readSettings(pushed: unknown): Promise<void> {
    const before = this.#settings;
    const canAsk = this.#client.workspace?.configuration === true;
    const section: unknown = canAsk
      ? await this.#connection.workspace.getConfiguration('placewright')
      : (pushed as { placewright?: unknown } | undefined)?.placewright;
    this.#settings = settingsFrom(section);
    if (before.study.hotLinkFactor !== this.#settings.study.hotLinkFactor) this.#startAnew();
  }

  #isOpen(uri: string): boolean {
    return this.#documents.get(uri) !== undefined;
  }
}

/** The settings of package.json that the server reads, checked. */
interface ServerSettings {
  readonly study: StudySettings;
  /** When placements are worked out anew. Documents without a file always go by typing. */
  readonly runStudy: 'onSave' | 'afterTyping';
}

export const defaultServerSettings: ServerSettings = { study: defaultStudySettings, runStudy: 'onSave' };

/** Reads the section `placewright` of an editor's settings; what is absent or unfit takes its default. */
export function settingsFrom(section: unknown): ServerSettings {
  if (!isObject(section)) return defaultServerSettings;
  const factor = section['hotLinkFactor'];
  const study = isObject(section['study']) ? section['study'] : {};
  const usable = typeof factor === 'number' && Number.isFinite(factor) && factor >= 1;
  return {
    study: { hotLinkFactor: usable ? factor : defaultStudySettings.hotLinkFactor },
    runStudy: study['run'] === 'afterTyping' ? 'afterTyping' : 'onSave',
  };
}
