/** What is known of the placements of one document, while studies of it come and go. */
import type { StreamFacts } from '../../model/stream.ts';
import type { StudyProblem } from '../../study/program.ts';
import type {
  JobFacts,
  MachineFacts,
  PlacementOutline,
  PlacementProgress,
  PlacementStatus,
  StudySummary,
} from '../../study/report.ts';
import { keptRuns } from '../../study/study.ts';
import type { StudyNews } from '../workerMessages.ts';

/** What is known of one document's placements. Texts that have moved on make reports stale, never lost. */
export interface StudyState {
  /** Everything that is known, of older texts where there is nothing newer; undefined before the first result. */
  readonly summary: StudySummary | undefined;
  /** Files besides the sources that it was made of: tables, mappings, fabrics, nodes. */
  readonly files: readonly string[];
  readonly running: boolean;
  /** How many studies of the document ended by themselves. */
  readonly revision: number;
  /** Why the last study did not end, as a sentence. */
  readonly failure: string | undefined;
}

/** What is known of one placement. */
interface PlacementState {
  /** The last report, and the fingerprint of what it was made of. */
  outline: PlacementOutline | undefined;
  fingerprint: string | undefined;
  /** Fingerprints of reports before it, each with the number of the study that replaced it. */
  readonly replaced: Map<string, number>;
  /** How many different reports there were. */
  revision: number;
  /** Present while it is worked out. */
  progress: PlacementProgress | undefined;
  /** What came of the last attempt, where that was no report, and the fingerprint of what was tried. */
  verdict: { readonly fingerprint: string | undefined; readonly status: PlacementStatus } | undefined;
  problems: readonly StudyProblem[];
  /** The user ended its search, and has asked for it to be worked out again since. */
  isWantedAgain: boolean;
}

/** All that is known of one document. */
export class DocumentStudies implements StudyState {
  readonly placements = new Map<string, PlacementState>();
  machines: readonly MachineFacts[] = [];
  jobs: readonly JobFacts[] = [];
  streams: readonly StreamFacts[] = [];
  /** Those of no placement. */
  problems: readonly StudyProblem[] = [];
  files: readonly string[] = [];
  running = false;
  revision = 0;
  failure: string | undefined;
  /** Texts of the study that began last, by URI. */
  texts: ReadonlyMap<string, string> = new Map();
  /** Of placements that are gone: one of the same name goes on counting. */
  readonly #revisions = new Map<string, number>();
  #summary: StudySummary | undefined;
  #isKnown = false;

  get summary(): StudySummary | undefined {
    if (!this.#isKnown) return undefined;
    const states = [...this.placements.values()];
    this.#summary ??= {
      placements: states.flatMap(({ outline }) => outline ?? []),
      machines: this.machines,
      jobs: this.jobs,
      streams: this.streams,
      problems: [...this.problems, ...states.flatMap(({ problems }) => problems)],
    };
    return this.#summary;
  }

  /** Something that the summary is made of has changed. */
  touch(): void {
    this.#isKnown = true;
    this.#summary = undefined;
  }

  /** In the order of the program from now on, the others behind. */
  sort(names: readonly string[]): void {
    const before = new Map(this.placements);
    this.placements.clear();
    for (const name of [...names, ...before.keys()]) {
      const known = before.get(name);
      if (known !== undefined) this.placements.set(name, known);
      else this.placement(name);
    }
    this.#summary = undefined;
  }

  /** What came of a placement becomes what is known of it. */
  receive({ placement: name, outline, problems }: StudyNews & { kind: 'placement' }, fingerprint?: string): void {
    const placement = this.placement(name);
    placement.progress = undefined;
    placement.isWantedAgain = false;
    placement.problems = problems;
    this.touch();
    if (outline === undefined) {
      const message = problems.find(({ severity }) => severity === 'error')?.message ?? problems[0]?.message;
      placement.verdict = message === undefined ? undefined : { fingerprint, status: { kind: 'failed', message } };
      // A report of the same text that a file has made impossible is an older one now.
      placement.fingerprint = placement.fingerprint === fingerprint ? undefined : placement.fingerprint;
      if (fingerprint !== undefined) placement.replaced.delete(fingerprint);
      return;
    }
    placement.verdict = undefined;
    if (placement.fingerprint !== undefined) placement.replaced.set(placement.fingerprint, this.revision);
    for (const [one, study] of placement.replaced) if (this.revision - study > keptRuns) placement.replaced.delete(one);
    placement.fingerprint = fingerprint;
    if (outline === 'same' || JSON.stringify(outline) === JSON.stringify(placement.outline)) return;
    placement.outline = outline;
    placement.revision++;
  }

  /** Whether the computing thread still has a report of a placement with this fingerprint. */
  isRemembered(name: string, fingerprint: string): boolean {
    const placement = this.placements.get(name);
    if (placement === undefined || placement.verdict?.fingerprint === fingerprint) return false;
    const replacedAt = placement.replaced.get(fingerprint) ?? -Infinity;
    return placement.fingerprint === fingerprint || this.revision - replacedAt <= keptRuns;
  }

  /** Placements of other names are gone. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const [name, { revision }] of [...this.placements]) {
      if (names.has(name)) continue;
      this.placements.delete(name);
      this.#revisions.set(name, revision);
    }
  }

  placement(name: string): PlacementState {
    const known = this.placements.get(name);
    if (known !== undefined) return known;
    const state: PlacementState = {
      outline: undefined,
      fingerprint: undefined,
      replaced: new Map(),
      revision: this.#revisions.get(name) ?? 0,
      progress: undefined,
      verdict: undefined,
      problems: [],
      isWantedAgain: false,
    };
    this.placements.set(name, state);
    return state;
  }
}

/** An estimate from the first half second is worth nothing. */
const shortestEstimate = 500;

/** How far a placement is, as it is told. */
export function progressOf(news: StudyNews & { kind: 'progress' }): PlacementProgress {
  const { share, message, search, milliseconds } = news;
  const canTell = share > 0.01 && milliseconds > shortestEstimate;
  return {
    share,
    message,
    ...(search === undefined ? {} : { search }),
    ...(canTell ? { secondsLeft: (milliseconds * (1 - share)) / share / 1000 } : {}),
  };
}
