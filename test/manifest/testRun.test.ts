/** One suite that fails hides nothing of the others: neither in `npm test` nor in `.ci/run`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CommandFailed, root, run, secondsIn } from '../../tools/run.ts';
import { runStages, type Stage, StageFailed } from '../../tools/stages.ts';

describe('the stages of a test run', () => {
  const good = (name: string, needs: string[] = []): Stage => ({
    name,
    needs,
    budget: 10,
    run: () => Promise.resolve({ count: { passed: 2, failed: 0, contracts: 1 }, cpuSeconds: 7 }),
  });
  const bad = (name: string, error: Error, needs: string[] = []): Stage => ({
    name,
    needs,
    run: () => Promise.reject(error),
  });

  it.each([
    { what: 'all good', stages: [good('a'), good('b', ['a'])], sound: true, told: [], end: '4 passed, 0 failed' },
    {
      what: 'one that fails before others',
      stages: [bad('lint', new Error('untidy')), good('unit')],
      sound: false,
      told: ['FAILED lint: untidy'],
      end: '2 passed, 1 failed',
    },
    {
      what: 'one that others need, directly or not',
      stages: [
        bad('build', new Error('broken')),
        good('package', ['build']),
        good('editor', ['package']),
        good('unit'),
      ],
      sound: false,
      told: [
        'FAILED build: broken',
        'FAILED package: not run, for want of: build',
        'FAILED editor: not run, for want of: package',
      ],
      end: '2 passed, 1 failed',
    },
    {
      what: 'tests of which some fail',
      stages: [
        bad(
          'unit',
          new StageFailed('2 failed', {
            count: { passed: 7, failed: 2, failures: ['a.test.ts > adds: 3', 'b'] },
            cpuSeconds: 4,
          }),
        ),
      ],
      sound: false,
      told: ['FAILED unit: a.test.ts > adds: 3', 'FAILED unit: b'],
      end: '7 passed, 2 failed',
    },
  ])('$what', async ({ stages, sound, told, end }) => {
    const printed: string[] = [];
    const record = (text: unknown): void => {
      printed.push(String(text));
    };
    expect(await runStages(stages, { log: record, error: record })).toBe(sound);
    const lines = printed.join('\n').split('\n');
    expect(lines.at(-1)).toBe(end);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual(told);
    for (const { name } of stages) expect(printed).toContain(`\n── ${name} ──`);
  });

  it('run side by side where they are one step: the first is heard, and none hides another', async () => {
    const printed: string[] = [];
    const record = (text: unknown): void => void printed.push(String(text));
    const quietOf = new Map<string, boolean>();
    let meet = (): void => undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    // Neither ends before the other has begun.
    const meeting = (name: string, error?: Error): Stage => ({
      name,
      run: async (quiet) => {
        quietOf.set(name, quiet);
        if (quietOf.size === 2) meet();
        await met;
        if (error !== undefined) throw error;
        return { count: { passed: 2, failed: 0 }, cpuSeconds: 1 };
      },
    });
    const steps = [[meeting('editor', new Error('lost')), meeting('lint')], good('unit'), good('page', ['editor'])];
    expect(await runStages(steps, { log: record, error: record })).toBe(false);
    expect([...quietOf]).toEqual([
      ['editor', false],
      ['lint', true],
    ]);
    expect(printed).toContain('\n── editor, lint ──');
    expect(printed.at(-1)).toMatch(/^page .* not run, for want of: editor$/m);
    expect(printed.at(-1)?.split('\n').at(-1)).toBe('4 passed, 1 failed');
  });

  it('print the processor time of each with its budget, and how many contracts ran', async () => {
    const printed: string[] = [];
    const record = (text: unknown): void => void printed.push(String(text));
    const costly = { ...good('costly'), budget: 5 };
    expect(await runStages([good('cheap'), costly], { log: record, error: record })).toBe(true);
    expect(printed.at(-1)).toMatch(/^cheap .* 7 of 10 CPU-seconds +2 passed, 1 contracts among them$/m);
    expect(printed.at(-1)).toMatch(/^costly .* 7 of 5 CPU-seconds, OVER BUDGET +2 passed/m);
    expect(printed.at(-1)).toMatch(/^Contracts: 2$/m);
  });
});

describe('a program of a stage', () => {
  const node = (text: string) => run(process.execPath, ['-e', text], { quiet: true });

  it('answers with what it printed, and with the processor time of all its processes', async () => {
    const twoProcesses = `console.log('there'); require('node:child_process').spawnSync(process.execPath, ['-e', '0'])`;
    const { printed, cpuSeconds } = await node(twoProcesses);
    expect(printed).toBe('there\n');
    expect(cpuSeconds).toBeGreaterThan(0);
    expect(secondsIn('0m0.01s 0m0.00s\n1m2.50s 0m3.25s\n')).toBeCloseTo(65.76, 9);
  });

  it('fails with its exit code, and with what it printed until then', async () => {
    const failed = await node(`console.log('so far'); process.exitCode = 3`).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(CommandFailed);
    expect(failed).toMatchObject({
      message: expect.stringMatching(/ended with 3$/) as string,
      finished: { printed: 'so far\n' },
    });
  });
});

describe('.ci/run', () => {
  it('runs every suite and fails at the end where one fails', () => {
    const programs = mkdtempSync(join(tmpdir(), 'placewright-ci-'));
    // Stands for npm: its unit tests fail, and `apt-get` has nothing to do.
    const npm = `#!/bin/sh\ncase "$*" in test) printf 'FAILED unit: add\\n5 passed, 2 failed\\n'; exit 1;; ci) ;; *) echo '3 passed, 0 failed';; esac\n`;
    writeFileSync(join(programs, 'npm'), npm, { mode: 0o755 });
    writeFileSync(join(programs, 'apt-get'), '#!/bin/sh\n', { mode: 0o755 });
    const { status, stdout } = spawnSync(join(root, '.ci/run'), {
      env: { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` },
      encoding: 'utf8',
    });
    rmSync(programs, { recursive: true });
    expect(stdout.match(/^== .*$/gm)).toEqual(
      ['ci', 'test', 'run test:workbench', 'run test:thorough'].map((words) => `== npm ${words}`),
    );
    // The failure stands at the end once more, below all that the other suites print.
    expect([status, ...stdout.trimEnd().split('\n').slice(-2)]).toEqual([1, 'FAILED unit: add', '11 passed, 2 failed']);
  });
});
