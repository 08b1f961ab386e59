/**
 * Makes a Matrix Market table of an Open MPI monitoring profile: the way samples/cg/cg.W.64.mtx
 * was made. A profile comes from a run with
 *
 *   mpirun --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
 *          --mca pml_monitoring_filename cg.W.64 …
 *
 * which leaves one file per rank; concatenate them in any order:
 *
 *   cat cg.W.64.*.prof | node tools/profileToMatrix.ts 'NPB 3.3-MPI cg.W.64' > cg.W.64.mtx
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Bytes that each ordered pair of ranks sent; a missing pair sent none. */
export type PairBytes = ReadonlyMap<number, ReadonlyMap<number, number>>;

export interface Profile {
  readonly ranks: number;
  readonly bytes: PairBytes;
}

/**
 * `E` lines are the messages of the program, `I` lines those that collective operations were
 * made of: together, everything that crossed the network point to point. `C` lines state the
 * same collectives once more, as if each had been one message per pair: they must not be added.
 */
const pointToPoint = /^[EI]\t(\d+)\t(\d+)\t(\d+) bytes\t/;

/** Reads the text of a profile, all ranks together. Throws where it holds no message. */
export function readProfile(text: string): Profile {
  const bytes = new Map<number, Map<number, number>>();
  let ranks = 0;
  for (const line of text.split('\n')) {
    const [, from, to, amount] = (pointToPoint.exec(line) ?? []).map(Number);
    if (from === undefined || to === undefined || amount === undefined) continue;
    const row = bytes.get(from) ?? new Map<number, number>();
    bytes.set(from, row.set(to, (row.get(to) ?? 0) + amount));
    ranks = Math.max(ranks, from + 1, to + 1);
  }
  if (ranks === 0) throw new Error('The profile has no E or I lines: was pml_monitoring_enable set to 2?');
  return { ranks, bytes };
}

/** Matrix Market text, rows ascending; pairs that sent messages without content are left out. */
export function formatMatrix({ ranks, bytes }: Profile, comments: readonly string[]): string {
  const entries: string[] = [];
  for (const [from, row] of [...bytes].sort(([a], [b]) => a - b)) {
    for (const [to, amount] of [...row].sort(([a], [b]) => a - b)) {
      if (amount > 0) entries.push(`${from + 1} ${to + 1} ${amount}`);
    }
  }
  const header = [
    '%%MatrixMarket matrix coordinate integer general',
    ...comments.map((comment) => `% ${comment}`.trimEnd()),
  ];
  return `${[...header, `${ranks} ${ranks} ${entries.length}`, ...entries].join('\n')}\n`;
}

/** What the header of every table made here says. */
export const commentsFor = (title: string): string[] => [
  `${title}: bytes that rank (row - 1) sent to rank (column - 1)`,
  'Measured by Open MPI 4.1.4 (pml_monitoring_enable=2): the sum of the E lines (messages of',
  'the program) and the I lines (messages that its collective operations were made of). The',
  "C lines repeat the latter and are not added. A rank's messages to itself are kept here;",
  'Placewright counts them nowhere. Made by tools/profileToMatrix.ts.',
];

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(formatMatrix(readProfile(readFileSync(0, 'utf8')), commentsFor(process.argv[2] ?? 'profile')));
}
