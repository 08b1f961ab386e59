/** The stages of a test run: what they need of each other, how they are counted, and how the run closes. */

/** Tests that ran; stages that are no tests count none. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

export interface Stage {
  readonly name: string;
  /** Stages without which this one would only repeat their failure. */
  readonly needs?: readonly string[];
  readonly run: () => Promise<Count | undefined>;
}

/** A stage that failed, with the tests that it ran all the same. */
export class StageFailed extends Error {
  readonly count: Count;

  constructor(cause: unknown, count: Count) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.count = count;
  }
}

/**
 * Runs stages in their order. One that fails keeps back those that need it, and no others. Says at the end what
 * became of each, with `N passed, N failed` last; true where all is good.
 */
export async function runStages(
  stages: readonly Stage[],
  { log, error: complain }: Pick<Console, 'log' | 'error'>,
): Promise<boolean> {
  let passed = 0;
  let failed = 0;
  const lines: string[] = [];
  /** Failed, or kept back by one that did. */
  const unsound = new Set<string>();
  for (const { name, needs = [], run } of stages) {
    log(`\n── ${name} ──`);
    const started = performance.now();
    const missing = needs.filter((needed) => unsound.has(needed));
    let outcome = 'good';
    if (missing.length > 0) {
      unsound.add(name);
      outcome = `not run, for want of: ${missing.join(', ')}`;
      complain(outcome);
    } else {
      try {
        const count = await run();
        passed += count?.passed ?? 0;
        failed += count?.failed ?? 0;
        if (count !== undefined) outcome = `${count.passed} passed`;
      } catch (error) {
        const count = error instanceof StageFailed ? error.count : { passed: 0, failed: 1 };
        passed += count.passed;
        failed += Math.max(count.failed, 1);
        unsound.add(name);
        outcome = 'FAILED';
        complain(error instanceof Error ? error.message : error);
      }
    }
    lines.push(`${name.padEnd(18)} ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${outcome}`);
  }
  log(`\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed`);
  return unsound.size === 0;
}
