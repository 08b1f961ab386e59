/** One measured figure beside what it is measured against. */
export interface Figure {
  readonly what: string;
  readonly milliseconds: number;
  /** What it is held against: a budget of the house, or a peer that ran in the same call. */
  readonly against: string;
  readonly againstMilliseconds: number;
}

/** Times of `rounds` calls in milliseconds, ascending; one call before to warm up. */
export function timesOf(rounds: number, work: (round: number) => void): number[] {
  work(-1);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work(round);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

/** The value below which `share` of the ascending times lie. */
export const quantile = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

export const median = (times: readonly number[]): number => quantile(times, 0.5);

/** A table whose last column is the figure that counts: below 1 is within the budget, or quicker than the peer. */
export function printFigures(figures: readonly Figure[]): void {
  console.log('| what | measured | against | | ratio |');
  console.log('| --- | ---: | --- | ---: | ---: |');
  for (const { what, milliseconds, against, againstMilliseconds } of figures) {
    const ratio = milliseconds / againstMilliseconds;
    console.log(
      `| ${what} | ${format(milliseconds)} ms | ${against} | ${format(againstMilliseconds)} ms | ${ratio.toPrecision(2)} |`,
    );
  }
}

const format = (milliseconds: number): string =>
  milliseconds < 10 ? milliseconds.toFixed(2) : Math.round(milliseconds).toLocaleString('en-US');
