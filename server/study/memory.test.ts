import { describe, expect, it } from 'vitest';
import { gridDescription, gridMachine } from '../network/testing/machines.ts';
import { memoryLimit, MemoryPlan, placementRefusal } from './memory.ts';
import { choiceOf, filesOf, jobOf, placementOf, programOf, run } from './testing/programs.ts';

const claim = (key: string, bytes: number) => ({ key, what: key, bytes });

describe('MemoryPlan', () => {
  it('counts what is claimed twice once, and lets go what only passes', () => {
    const plan = new MemoryPlan();
    for (let time = 0; time < 5; time++) {
      expect(plan.claim('it', [claim('same', 0.6 * memoryLimit)], claim('work', 0.3 * memoryLimit))).toBeUndefined();
    }
  });

  it('takes nothing of what does not fit, and names what takes most', () => {
    const plan = new MemoryPlan();
    expect(plan.claim('One', [claim('held', 0.5 * memoryLimit)])).toBeUndefined();
    const refusal = plan.claim(
      'Two',
      [claim('small', 1000), claim('large', 0.4 * memoryLimit)],
      claim('work', 0.2 * memoryLimit),
    );
    expect(refusal).toMatchObject({ code: 'too-much-memory' });
    expect(refusal?.message).toMatch(
      /^Two needs about 1\.65 GiB .* 1\.50 GiB: held 768 MiB, large 615 MiB, work 308 MiB\./,
    );
    expect(plan.claim('Three', [claim('other', 0.5 * memoryLimit)])).toBeUndefined();
  });
});

describe('a study', () => {
  const machine = gridDescription('torus', [96, 96], { name: 'm' });
  const dense = (name: string) => jobOf({ name, taskCount: 8000 });
  const at = (name: string, job: string, map: string) =>
    placementOf({ name, machine: 'm', jobs: [job], map: choiceOf(map) });

  it('says at the placement that its job does not fit, and works out none of it', () => {
    const program = programOf([machine], [dense('a')], [at('p', 'a', 'auto')]);
    expect(run(program)).toMatchObject({
      placements: [],
      problems: [
        { code: 'too-much-memory', severity: 'error', subject: { kind: 'placement', name: 'p', property: 'job' } },
      ],
    });
  });

  it('counts the mapper that a job has of its own', () => {
    const own = { ...at('p', 'a', 'blocked'), own: [{ map: choiceOf('auto') }] };
    expect(run(programOf([machine], [dense('a')], [own])).problems).toMatchObject([{ code: 'too-much-memory' }]);
  });

  it('neither builds nor describes a large job that no placement evaluates', () => {
    const { jobs, problems } = run(programOf([machine], [dense('a'), jobOf({ name: 'b' })], []));
    expect({ jobs: jobs.map(({ name }) => name), problems }).toEqual({ jobs: ['b'], problems: [] });
  });
});

describe('the placements of a large machine', () => {
  const small = gridMachine('torus', [4, 4], { name: 'm' });
  const { topology } = small;
  const machine = { ...small, topology: { ...topology, links: { ...topology.links, linkCount: 2 ** 24 } } };
  const placements = Array.from({ length: 20 }, (_, at) => placementOf({ name: `p${at}`, machine: 'm', jobs: ['j'] }));
  const program = programOf([gridDescription('torus', [4, 4], { name: 'm' })], [jobOf({ name: 'j' })], placements);
  const refusals = (context: { readonly keepsNoReports?: true }) => {
    const planned = { program, files: filesOf({}), memory: new MemoryPlan(), context };
    return placements.flatMap((placement) => placementRefusal(planned, placement, machine, 'm') ?? []);
  };

  it('are refused where all reports together are too much, and none where no report is kept', () => {
    expect(refusals({}).length).toBeGreaterThan(5);
    expect(refusals({})[0]?.message).toMatch(/the report of `p0` 129 MiB/);
    expect(refusals({ keepsNoReports: true })).toEqual([]);
  });
});
