/** What the server tells an editor by itself: diagnostics, what is known of each placement, and how far a study is. */
import {
  CodeLensRefreshRequest,
  DiagnosticSeverity,
  InlayHintRefreshRequest,
  type ClientCapabilities,
  type Connection,
  type Diagnostic,
} from 'vscode-languageserver';
import * as service from '../../language/service/languageService.ts';
import { rangeOf, locationOf } from '../../language/service/input.ts';
import { spanOfSubject } from '../../language/subject.ts';
import type { Declared } from '../../language/symbols.ts';
import type { DeclarationNode, Problem } from '../../language/tree.ts';
import type { PlacementProblem, PlacementSummary, ReportsChanged } from '../../protocol/messages.ts';
import type { StudyProblem } from '../../study/program.ts';
import type { Analyses, Analysis } from './analyses.ts';
import { tellEditor } from './dispatcher.ts';
import type { ExperimentRuns } from './experimentRuns.ts';
import { importedInput, inputOf } from './features.ts';
import type { ProgressBar } from './jobs.ts';
import type { Studies } from './studies.ts';

/** Keystrokes that come in one burst are answered once, milliseconds. */
const publishDelay = 10;

type PlacementStanding = Pick<PlacementSummary, 'state' | 'revision' | 'status' | 'problem'>;

/** What is told of. */
interface Published {
  readonly analyses: Analyses;
  readonly studies: Studies;
  readonly runs: Pick<ExperimentRuns, 'standingsOf'>;
  readonly isOpen: (uri: string) => boolean;
  /** What other files name of a document's declarations; undefined while that is unknown. */
  readonly usedElsewhere: (uri: string) => ReadonlySet<string> | undefined;
}

/** Tells the editor what is wrong where, and which placements have a report. */
export class Publisher {
  readonly #connection: Connection;
  readonly #analyses: Analyses;
  readonly #studies: Studies;
  readonly #runs: Pick<ExperimentRuns, 'standingsOf'>;
  readonly #isOpen: (uri: string) => boolean;
  readonly #usedElsewhere: Published['usedElsewhere'];
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Files that are not open, whose problems were published because an open document imports them. */
  readonly #imported = new Map<string, ReadonlySet<string>>();

  /** What the editor was last told of each document's reports. */
  readonly #reported = new Map<string, string>();

  constructor(connection: Connection, sources: Published) {
    this.#connection = connection;
    this.#analyses = sources.analyses;
    this.#studies = sources.studies;
    this.#runs = sources.runs;
    this.#isOpen = sources.isOpen;
    this.#usedElsewhere = sources.usedElsewhere;
  }

  /** Publishes for `uri` shortly; further calls before that make one. */
  schedule(uri: string): void {
    if (this.#timers.has(uri)) return;
    const publish = (): void => {
      this.#timers.delete(uri);
      void this.publish(uri);
    };
    this.#timers.set(uri, setTimeout(publish, publishDelay));
  }

  async publish(uri: string): Promise<void> {
    const analysis = await this.#analyses.of(uri);
    if (analysis === undefined || !this.#isOpen(uri)) return;
    this.#publishDocument(analysis);
    this.#publishImports(analysis);
    this.#tellReports(analysis);
  }

  /** The document was closed: its problems go, unless another document imports it. */
  close(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
    this.#reported.delete(uri);
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    this.#replaceImports(uri, new Set());
  }

  /** Which placements a document has, and what is known of them. */
  placementsOf(analysis: Analysis): readonly PlacementSummary[] {
    const tree = analysis.sources.files.get(analysis.uri)?.tree;
    return (tree?.declarations ?? []).flatMap(({ kind, name }) => {
      if (kind !== 'placement' || name === undefined) return [];
      return [{ name: name.text, range: rangeOf(analysis.document, name), ...this.standingOf(analysis, name.text) }];
    });
  }

  /** Whether a placement has a report of the present text, what is being done about that, or what is in the way. */
  standingOf(analysis: Analysis, name: string): PlacementStanding {
    const report = this.#studies.reportOf(analysis, name);
    const status = this.#studies.statusOf(analysis, name);
    if (report.state === 'fresh') return { ...report, status };
    const isBlocked = status.kind === 'failed' || (status.kind === 'idle' && !this.#studies.isSound(analysis, name));
    const problem = isBlocked ? problemOfPlacement(analysis, this.#studies, name) : undefined;
    if (problem === undefined) return { ...report, status };
    return {
      ...report,
      status: status.kind === 'failed' ? status : { kind: 'failed', message: problem.message },
      problem,
    };
  }

  #publishDocument(analysis: Analysis): void {
    const { failure } = this.#studies.stateOf(analysis.uri);
    const usedElsewhere = this.#usedElsewhere(analysis.uri);
    const input = { ...inputOf(analysis, this.#studies, this.#runs), usedElsewhere };
    const diagnostics = [...service.diagnostics(input), ...service.unusedDiagnostics(input)];
    if (failure !== undefined) diagnostics.unshift(failureDiagnostic(failure));
    void this.#connection.sendDiagnostics({
      uri: analysis.uri,
      version: analysis.version,
      diagnostics,
    });
  }

  #publishImports(analysis: Analysis): void {
    const closed = [...analysis.sources.files.keys()].filter((uri) => uri !== analysis.uri && !this.#isOpen(uri));
    for (const uri of closed) {
      const diagnostics = service.diagnostics(importedInput(analysis, uri));
      void this.#connection.sendDiagnostics({ uri, diagnostics });
    }
    this.#replaceImports(analysis.uri, new Set(closed));
  }

  #replaceImports(uri: string, imported: ReadonlySet<string>): void {
    const before = this.#imported.get(uri) ?? new Set();
    if (imported.size === 0) this.#imported.delete(uri);
    else this.#imported.set(uri, imported);
    for (const gone of before) {
      const covered = this.#isOpen(gone) || [...this.#imported.values()].some((others) => others.has(gone));
      if (!covered) void this.#connection.sendDiagnostics({ uri: gone, diagnostics: [] });
    }
  }

  #tellReports(analysis: Analysis): void {
    const { running, revision } = this.#studies.stateOf(analysis.uri);
    const placements = this.placementsOf(analysis);
    const state = JSON.stringify([
      running,
      revision,
      placements.map(({ name, state, status, revision: report }) => [name, state, status.kind, report]),
    ]);
    if (this.#reported.get(analysis.uri) === state) return; // Keystrokes that only move the placements.
    this.#reported.set(analysis.uri, state);
    const message: ReportsChanged = { uri: analysis.uri, placements, running, revision };
    tellEditor(this.#connection, 'reportsChanged', message);
  }
}

function failureDiagnostic(message: string): Diagnostic {
  const start = { line: 0, character: 0 };
  return {
    severity: DiagnosticSeverity.Error,
    source: service.diagnosticSource,
    code: 'study-failed',
    range: { start, end: start },
    message,
  };
}

/** A study that takes longer than this shows a progress bar that can be cancelled. */
const quietMilliseconds = 300;

/**
 * A progress bar of the editor (`window/workDoneProgress`) for one study, once it has taken a while. `cancel` is
 * called when the user presses its button.
 */
export function showProgressBar(connection: Connection, title: string, cancel: () => void): ProgressBar {
  let finished = false;
  let last = { share: 0, message: '' };
  let reporter: Awaited<ReturnType<typeof connection.window.createWorkDoneProgress>> | undefined;

  const report = (message: string, share: number): void => {
    last = { share, message };
    reporter?.report(Math.round(share * 100), message);
  };
  const begin = async (): Promise<void> => {
    const created = await connection.window.createWorkDoneProgress();
    created.begin(title, 0, last.message, true);
    created.token.onCancellationRequested(cancel);
    if (finished) created.done();
    else reporter = created;
  };
  const timer = setTimeout(() => {
    begin().catch(() => undefined); // The editor refused the bar: the study goes on without one.
  }, quietMilliseconds);

  return {
    report,
    done: () => {
      finished = true;
      clearTimeout(timer);
      reporter?.done();
    },
  };
}

export const noProgress: ProgressBar = {
  report: () => undefined,
  done: () => undefined,
};

/**
 * The error that keeps a placement from being worked out: the first in its own text, then those of its study, then
 * those of what it names, and of what that names; else the first of the document, which may have swallowed it.
 * Undefined where there is none. O(problems + text of the declarations).
 */
function problemOfPlacement(analysis: Analysis, studies: Studies, name: string): PlacementProblem | undefined {
  const { failure, summary } = studies.stateOf(analysis.uri);
  const studied = summary?.problems ?? [];
  const needed = declarationsNeeded(analysis, name);
  for (const declared of needed) {
    const found = errorWithin(analysis, declared);
    if (found !== undefined) return locate(analysis, studies, found.message, { uri: declared.uri, span: found });
    const wrong = studied.find((problem) => isAbout(problem, declared.node, name));
    if (wrong !== undefined) {
      return locate(analysis, studies, wrong.message, spanOfSubject(analysis.checked, wrong.subject));
    }
  }
  const first = analysis.checked.problems.get(analysis.uri)?.find(({ severity }) => severity === 'error');
  if (first !== undefined && !studies.isSound(analysis, name)) {
    return locate(analysis, studies, first.message, { uri: analysis.uri, span: first });
  }
  return failure === undefined ? undefined : { message: failure };
}

/** What is wrong with a machine: the first error in its text, else what came of building it. */
export function problemOfMachine(
  analysis: Analysis,
  studies: Studies,
  name: string,
  fault: string | undefined,
): PlacementProblem | undefined {
  const declared = analysis.checked.symbols.lookup('machine', name);
  const found = declared && errorWithin(analysis, declared);
  if (found !== undefined) return locate(analysis, studies, found.message, { uri: declared!.uri, span: found });
  if (fault === undefined) return undefined;
  const subject = { kind: 'machine', name, property: 'topology' } as const;
  return locate(analysis, studies, fault, spanOfSubject(analysis.checked, subject));
}

/** The placement, what it names, what that names, and so on; nearest first. */
function declarationsNeeded({ checked, sources }: Analysis, name: string): readonly Declared[] {
  const placement = checked.symbols.lookup('placement', name);
  const needed = new Set<Declared>(placement === undefined ? [] : [placement]);
  for (const { uri, node } of needed) {
    const text = sources.files.get(uri)?.text.slice(node.start, node.end) ?? '';
    // A table is a list of numbers, perhaps a long one: what it holds names nothing.
    const words = node.kind === 'table' ? [] : (text.match(/[a-z][\w-]*/gi) ?? []);
    for (const word of new Set(words)) {
      for (const kind of ['machine', 'job', 'table', 'stencil', 'placement'] as const) {
        const found = checked.symbols.lookup(kind, word);
        if (found !== undefined) needed.add(found);
      }
    }
  }
  return [...needed];
}

const errorWithin = ({ checked }: Analysis, { uri, node }: Declared): Problem | undefined =>
  checked.problems
    .get(uri)
    ?.find(({ severity, start, end }) => severity === 'error' && node.start <= start && end <= node.end);

const isAbout = ({ placement, subject }: StudyProblem, { kind, name }: DeclarationNode, asked: string): boolean =>
  placement === undefined
    ? subject.kind === kind && subject.name === name?.text
    : placement === asked && kind === 'placement';

function locate(
  analysis: Analysis,
  studies: Studies,
  message: string,
  place: { readonly uri: string; readonly span: { readonly start: number; readonly end: number } } | undefined,
): PlacementProblem {
  const location = place && locationOf(inputOf(analysis, studies), place.uri, place.span);
  return location === undefined ? { message } : { message, location };
}

/** Has the editor ask for lenses and hints anew, if it can be told to; several reasons in a short time make one question. */
export class LensRefresh {
  readonly #connection: Connection;
  readonly #client: () => ClientCapabilities['workspace'];
  /** When the editor is told to. */
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;

  constructor(connection: Connection, client: () => ClientCapabilities['workspace']) {
    this.#connection = connection;
    this.#client = client;
  }

  /** After so many milliseconds, or before where there is another reason. */
  refresh(pause: number): void {
    const at = performance.now() + pause;
    if (this.#next !== undefined && this.#next.at <= at) return;
    clearTimeout(this.#next?.timer);
    const refresh = (): void => {
      this.#next = undefined;
      const { codeLens, inlayHint } = this.#client() ?? {};
      // An editor that is about to leave answers no more: that is no harm.
      if (codeLens?.refreshSupport === true)
        this.#connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
      if (inlayHint?.refreshSupport === true)
        this.#connection.sendRequest(InlayHintRefreshRequest.type).catch(() => undefined);
    };
    this.#next = { timer: setTimeout(refresh, pause), at };
  }
}
