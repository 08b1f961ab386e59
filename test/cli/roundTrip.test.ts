import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportFormats } from '../../server/interchange/catalogue.ts';
import { commandLine } from './commandLine.ts';

/** What we export we read back: a mapping goes out in every format, and in again by `map given`. */
const cli = commandLine();

/** Pictures of a graph, scripts and labels of a machine: nothing reads a mapping of them. */
const unread = new Set(['dot', 'graphml', 'gpus', 'torchrun', 'pytorch', 'kubernetes', 'slurm-tree', 'slurm-block']);
/** Their files name hosts or processors: the ranks of a host take its cores in order. */
const withoutCores = new Set(['intel', 'slurm', 'flux', 'scotch']);

/** Their launchers take nodes in any order, with the ranks of each one after the other. */
const inBlocks = new Set(['deepspeed']);
const nodesInBlocks = [11, 3, 7, 0, 9, 1, 5, 2, 10, 4, 8, 6];

const formats = exportFormats.filter(({ name }) => !unread.has(name));

function program(format: string, cores: number): string {
  const slots = nodesInBlocks.flatMap((node) => Array.from({ length: cores }, (_, core) => node * cores + core));
  return `
  machine torus { topology torus 2 x 3 x 2  cores ${cores} }
  job heat { grid 4 x ${3 * cores}  stencil five-point }
  placement away { job heat  machine torus  map ${inBlocks.has(format) ? `given [${slots.join(', ')}]` : 'random'} }
`;
}

async function slotsThere(
  format: string,
  fileName: string,
  cores: number,
): Promise<{ readonly away: number[]; readonly back: number[] }> {
  const folder = cli.scratch();
  const file = join(folder, 'round-trip.place');
  writeFileSync(file, program(format, cores));
  const exported = await cli.run(['export', file, 'away', '--format', format, '-o', join(folder, fileName), '--force']);
  expect(exported.code, exported.err).toBe(0);
  writeFileSync(file, `${program(format, cores)} placement back { job heat  machine torus  map given "${fileName}" }`);
  const { out, err, code } = await cli.run(['run', file, '--json']);
  expect(code, err).toBe(0);
  const { placements } = JSON.parse(out) as { placements: { jobs: { mapping: number[] }[] }[] };
  const [away = [], back = []] = placements.map(({ jobs }) => jobs[0]!.mapping);
  return { away, back };
}

describe.each(formats.map((format) => [format.name, format] as const))('%s', (name, { extension, fileName }) => {
  it('gives every task its node back, of nodes with one core', async () => {
    const { away, back } = await slotsThere(name, fileName ?? `mapping${extension}`, 1);
    expect(back).toEqual(away);
    expect(new Set(away).size).toBe(12);
  });

  it(`gives every task its ${withoutCores.has(name) ? 'node' : 'core'} back, of nodes with two`, async () => {
    const { away, back } = await slotsThere(name, fileName ?? `mapping${extension}`, 2);
    const place = (slot: number): number => (withoutCores.has(name) ? Math.floor(slot / 2) : slot);
    expect(back.map(place)).toEqual(away.map(place));
    expect(new Set(away).size).toBe(24);
  });
});

describe('one job of several', () => {
  const several = `machine torus { topology torus 2 x 3 x 2  cores 2 }
    job heat { grid 4 x 3  stencil five-point }
    job ring { tasks 6  pattern ring }
    placement both { jobs heat, ring  machine torus  map random }`;
  const write = (): string => {
    const file = join(cli.scratch(), 'several.place');
    writeFileSync(file, several);
    return file;
  };

  it.each(formats.filter(({ name }) => name !== 'deepspeed' && name !== 'cray').map(({ name }) => name))(
    'is exported as %s with ranks from 0, on its own nodes',
    async (format) => {
      const { code, out, err } = await cli.run(['export', write(), 'both', 'ring', '--format', format]);
      expect(code, err).toBe(0);
      expect(err).not.toContain('ranks count through all jobs');
      expect(out + err).not.toMatch(/rank 1[0-7]\b/);
    },
  );

  it('has the mapping that it has beside the others', async () => {
    const file = write();
    const whole = JSON.parse((await cli.run(['export', file, 'both', '--format', 'json'])).out) as {
      jobs: readonly { name: string; mapping: number[] }[];
    };
    const { out } = await cli.run(['export', file, 'both', 'ring', '--format', 'vector']);
    expect(out.split('\n').filter((line) => /^\d+$/.test(line))).toEqual(whole.jobs[1]!.mapping.map(String));
  });

  it('must be one of the placement', async () => {
    const { code, err } = await cli.run(['export', write(), 'both', 'rng', '--format', 'vector']);
    expect([code, err]).toEqual([2, 'placewright: Placement "both" has no job "rng". Expected one of heat, ring.\n']);
  });
});
