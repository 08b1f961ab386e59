/** The stages of a test run: what they need of each other, how they are counted, and how the run closes. */

/** Tests that ran. Stages that are no tests count none. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** Of those that passed: contracts, each of which holds one entry of a catalogue to all its properties. */
  readonly contracts?: number;
  /** What failed: file, test and the first line of its reason. */
  readonly failures?: readonly string[];
}

/** What a stage did. */
export interface StageResult {
  readonly count?: Count | undefined;
  /** Processor time of all its programs, in seconds. */
  readonly cpuSeconds: number;
}

export interface Stage {
  readonly name: string;
  /** Stages without which this one would only repeat their failure. */
  readonly needs?: readonly string[];
  /** Processor time that it may take on the machine of README, in seconds. A stage that takes more is reported, and does not fail. */
  readonly budget?: number;
  /** `quiet`: it runs beside others, and shows what it prints only where it fails. */
  readonly run: (quiet: boolean) => Promise<StageResult>;
}

/** One stage, or several that run at the same time, of which none needs another: each waits more than it computes. */
export type Step = Stage | readonly Stage[];

/** A stage that failed, with the tests that it ran all the same. */
export class StageFailed extends Error {
  readonly result: StageResult;

  constructor(cause: unknown, result: StageResult) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.result = result;
  }
}

/**
 * Runs steps in their order. A stage that fails holds back the stages that need it, and no others. Prints at
 * the end a line for each test that failed, which begins with `FAILED`, a line for each stage, and `N passed, N failed` last.
 * True if all is good.
 */
export async function runStages(
  steps: readonly Step[],
  { log, error: complain }: Pick<Console, 'log' | 'error'>,
): Promise<boolean> {
  const total = { passed: 0, failed: 0, contracts: 0 };
  const lines: string[] = [];
  const failures: string[] = [];
  /** Failed, or held back by one that did. */
  const unsound = new Set<string>();
  const begin = async (stage: Stage, quiet: boolean): Promise<void> => {
    const started = performance.now();
    const missing = (stage.needs ?? []).filter((needed) => unsound.has(needed));
    const { outcome, error, count, cpuSeconds } =
      missing.length > 0 ? heldBack(missing) : await outcomeOf(stage, quiet);
    if (error !== undefined) {
      unsound.add(stage.name);
      complain(error);
      const reasons = count?.failures?.length ? count.failures : [error];
      failures.push(...reasons.map((reason) => `FAILED ${stage.name}: ${reason}`));
    }
    total.passed += count?.passed ?? 0;
    total.failed += count?.failed ?? 0;
    total.contracts += count?.contracts ?? 0;
    const wall = ((performance.now() - started) / 1000).toFixed(1);
    const cpu = cpuWords(cpuSeconds, stage.budget);
    lines.push(`${stage.name.padEnd(18)} ${wall.padStart(6)} s  ${cpu.padEnd(24)}  ${outcome}`);
  };
  for (const step of steps) {
    const stages = 'name' in step ? [step] : step;
    log(`\n── ${stages.map(({ name }) => name).join(', ')} ──`);
    await Promise.all(stages.map((stage, at) => begin(stage, at > 0)));
  }
  const { passed, failed, contracts } = total;
  if (failures.length > 0) log(`\n${failures.join('\n')}`);
  log(`\n${lines.join('\n')}\n${contracts > 0 ? `\nContracts: ${contracts}` : ''}\n${passed} passed, ${failed} failed`);
  return unsound.size === 0;
}

interface Outcome extends StageResult {
  readonly outcome: string;
  readonly error?: string;
}

function heldBack(missing: readonly string[]): Outcome {
  const outcome = `not run, for want of: ${missing.join(', ')}`;
  return { outcome, error: outcome, cpuSeconds: 0 };
}

async function outcomeOf({ run }: Stage, quiet: boolean): Promise<Outcome> {
  try {
    const result = await run(quiet);
    return { outcome: result.count === undefined ? 'good' : countWords(result.count), ...result };
  } catch (error) {
    const { count, cpuSeconds } = error instanceof StageFailed ? error.result : { cpuSeconds: 0 };
    const failed = { passed: 0, ...count, failed: Math.max(count?.failed ?? 0, 1) };
    return {
      outcome: 'FAILED',
      error: error instanceof Error ? error.message : String(error),
      count: failed,
      cpuSeconds,
    };
  }
}

const countWords = ({ passed, contracts = 0 }: Count): string =>
  contracts > 0 ? `${passed} passed, ${contracts} contracts among them` : `${passed} passed`;

/** `245 of 300 CPU-seconds`. */
function cpuWords(spent: number, budget: number | undefined): string {
  const seconds = spent.toFixed(0).padStart(5);
  if (budget === undefined) return `${seconds} CPU-seconds`;
  return `${seconds} of ${budget} CPU-seconds${spent > budget ? ', OVER BUDGET' : ''}`;
}
