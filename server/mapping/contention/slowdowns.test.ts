import { describe, expect, it } from 'vitest';
import { type ClusterFigures, pathServers, type PathServer } from '../../queueing/servers.ts';
import { infiniHostHandling } from '../../queueing/testing/paperWorkloads.ts';
import {
  normalAccesses,
  ownUtilisations,
  pathTimes,
  sumUtilisations,
  type MessageClass,
  type Utilisations,
} from '../../queueing/testing/pathTimes.ts';
import { demandGrowth } from '../../queueing/messages.ts';

/**
 * The cluster as the paper's own figures come out: kB are 1,024 B, memory takes 4 · 2^30 B/s, and
 * the port a microsecond for a kB.
 */
const paper: ClusterFigures = {
  memory: 4 * 2 ** 30,
  interface: 1.024e9,
  switchTime: 100e-9,
  messageHandling: infiniHostHandling,
};

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** Seconds for a message of `sent`, alone or beside what another core of its socket makes of the servers. */
function timeOf(sent: MessageClass, variation = 1, other: Partial<Utilisations> = {}): number {
  const utilisations = sumUtilisations([ownUtilisations(sent, paper), normalAccesses, other]);
  return pathTimes(sent, utilisations, variation, paper).total;
}

const only = (all: Utilisations, servers: readonly PathServer[]): Partial<Utilisations> =>
  Object.fromEntries(servers.map((server) => [server, all[server]]));

/**
 * Two senders in a socket share its memory, the port out and the switch's in port; one that sends within the node,
 * the memory.
 */
const sharedBySenders: readonly PathServer[] = ['source memory', 'port out', 'switch in'];
const sharedWithinNode: readonly PathServer[] = ['source memory'];

/**
 * Table 1: per row the slowdown in % by another sender to another node, and by one within the node; columns as rows.
 */
const rows: readonly (readonly [kilobytes: number, rate: number, sender: string, within: string])[] = [
  [1, 10, '0.005 0.005 0.012 0.01 0.05 0.48 0.077 0.8 7.12', '0.004 0.004 0.005 0.005 0.007 0.031 0.009 0.047 0.23'],
  [1, 100, '0.028 0.029 0.035 0.033 0.073 0.503 0.1 0.82 7.15', '0.028 0.028 0.029 0.029 0.031 0.054 0.032 0.07 0.261'],
  [1, 1000, '0.058 0.058 0.065 0.062 0.103 0.532 0.13 0.85 7.18', '0.057 0.057 0.057 0.057 0.06 0.08 0.062 0.1 0.3'],
  [
    64,
    10,
    '0.001 0.002 0.017 0.012 0.112 1.18 0.18 1.97 17.76',
    '0.0009 0.0009 0.002 0.001 0.007 0.062 0.01 0.1 0.552',
  ],
  [
    64,
    100,
    '0.002 0.003 0.018 0.013 0.114 1.19 0.18 1.98 17.97',
    '0.002 0.002 0.003 0.002 0.008 0.063 0.011 0.1 0.552',
  ],
  [64, 1000, '0.002 0.004 0.02 0.014 0.122 1.27 0.19 2.12 20.47', '0.002 0.002 0.003 0.003 0.008 0.062 0.011 0.1 0.54'],
  [1024, 10, '0 0 0.019 0.019 0.131 1.4 0.2 2.36 21.43', '0 0 0 0 0 0.075 0.019 0.112 0.66'],
  [1024, 100, '0 0 0.017 0.017 0.14 1.6 0.24 2.66 27', '0 0 0 0 0 0.07 0.017 0.1 0.63'],
  [1024, 500, '0 0.011 0.056 0.033 0.32 3.6 0.51 6.32 #', '0 0 0 0 0.011 0.056 0.011 0.09 0.51'],
];
const classes = rows.map(([kilobytes, rate]): MessageClass => ({ bytes: kilobytes * kilobyte, rate }));

/**
 * What the paper has rounded off, in seconds of the time without the other sender: the constant
 * 0.004 … 0.057 % of the rows of 1 kB and the steps of 0.019 % in those of 1 MB show it.
 */
const roundedOff: Readonly<Record<number, number>> = { 1: 9e-9, 64: 1e-8, 1024: 1e-6 };
/** How far the rest may be off: the rows of 1 kB would want a port 3.5 % faster. */
const tolerance: Readonly<Record<number, number>> = { 1: 0.042, 64: 0.002, 1024: 0.002 };

describe('table 1 of Soryani et al. 2013', () => {
  const cells = rows.flatMap(([kilobytes, rate, sender, within], row) =>
    [sender, within].flatMap((line, kind) =>
      line.split(' ').map((printed, column) => ({
        name: `${kilobytes} kB at ${rate}/s beside ${rows[column]![0]} kB at ${rows[column]![1]}/s ${kind === 0 ? 'to another node' : 'within the node'}`,
        kilobytes,
        sent: classes[row]!,
        other: only(ownUtilisations(classes[column]!, paper), kind === 0 ? sharedBySenders : sharedWithinNode),
        printed,
      })),
    ),
  );

  it('has 162 cells', () => {
    expect(cells).toHaveLength(162);
  });

  const saturated = cells.filter(({ printed }) => printed === '#');

  it('has no steady state in the cell that says so', () => {
    expect(saturated).toHaveLength(1);
    for (const { sent, other } of saturated) expect(timeOf(sent, 1, other)).toBe(Infinity);
  });

  it.each(cells.filter((cell) => !saturated.includes(cell)))(
    '$name: $printed %',
    ({ kilobytes, sent, other, printed }) => {
      const alone = timeOf(sent);
      const slowdown = (timeOf(sent, 1, other) / alone - 1) * 100;
      const value = Number(printed);
      const lastDigit = 10 ** -Math.min(3, (printed.split('.')[1] ?? '').length);
      const slack = lastDigit / 2 + (100 * roundedOff[kilobytes]!) / alone + tolerance[kilobytes]! * value;
      expect(Math.abs(slowdown - value)).toBeLessThanOrEqual(slack);
    },
  );
});

describe('section 3 of Soryani et al. 2013', () => {
  it.each([
    { bytes: megabyte / 2, printed: 2655 },
    { bytes: megabyte, printed: 5333 },
  ])('a message of $bytes bytes at 10/s takes $printed µs (2655 is printed 2565)', ({ bytes, printed }) => {
    expect(Math.abs(timeOf({ bytes, rate: 10 }) * 1e6 - printed)).toBeLessThan(2);
  });

  it.each([
    { bytes: megabyte, least: 70, most: 75, text: 'up to 75 %' },
    { bytes: 64 * kilobyte, least: 5, most: 6, text: 'up to 5 %' },
    { bytes: kilobyte, least: 0.2, most: 0.5, text: '0.2 %' },
  ])('from a variation of 0.5 to one of 3, $bytes bytes at 100/s take $text more', ({ bytes, least, most }) => {
    const sent = { bytes, rate: 100 };
    const growth = (timeOf(sent, 3) / timeOf(sent, 0.5) - 1) * 100;
    expect(growth).toBeGreaterThan(least);
    expect(growth).toBeLessThan(most);
  });

  it.each([
    { sizeClass: 'large' as const, bytes: megabyte },
    { sizeClass: 'medium' as const, bytes: 64 * kilobyte },
  ])('the model grows with the variation as the function fitted for $sizeClass messages', ({ sizeClass, bytes }) => {
    const sent = { bytes, rate: 10 };
    for (const variation of [0.5, 1, 2, 3]) {
      const growth = timeOf(sent, variation) / timeOf(sent, 0) - 1;
      expect(demandGrowth(sizeClass, variation) / growth).toBeGreaterThan(0.97);
      expect(demandGrowth(sizeClass, variation) / growth).toBeLessThan(1.03);
    }
  });

  it.each([
    [0.5, 1],
    [2, 64],
    [100, 512],
    [600, 1024],
    [2048, 4096],
  ])('queue pairs work longer on %s kB than on less, and no longer than on %s kB', (smaller, larger) => {
    const [less, time, more] = [smaller / 2, smaller, larger].map((size) => infiniHostHandling(size * kilobyte));
    expect(time).toBeGreaterThan(less!);
    expect(time).toBeLessThan(more!);
  });

  it('a port out is busy for λS of the time', () => {
    expect(ownUtilisations({ bytes: megabyte, rate: 500 }, paper)['port out']).toBeCloseTo(0.512, 12);
  });

  it('every server of equations 2 to 4 has its times', () => {
    const { servers, total } = pathTimes(classes[7]!, sumUtilisations([ownUtilisations(classes[7]!, paper)]), 1, paper);
    expect(Object.keys(servers)).toEqual([...pathServers]);
    const residences = Object.values(servers).map(({ waiting, service, residence }) => {
      expect(residence).toBe(waiting + service);
      return residence;
    });
    expect(residences.reduce((sum, residence) => sum + residence, 0)).toBeCloseTo(total, 15);
  });
});
