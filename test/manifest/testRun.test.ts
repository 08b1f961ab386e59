/** One suite that fails hides nothing of the others: neither in `npm test` nor in `.ci/run`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { runStages, type Stage, StageFailed } from '../../tools/stages.ts';

describe('the stages of a test run', () => {
  const good = (name: string, needs: string[] = []): Stage => ({
    name,
    needs,
    run: () => Promise.resolve({ passed: 2, failed: 0 }),
  });
  const bad = (name: string, error: Error, needs: string[] = []): Stage => ({
    name,
    needs,
    run: () => Promise.reject(error),
  });

  it.each([
    { what: 'all good', stages: [good('a'), good('b', ['a'])], sound: true, end: '4 passed, 0 failed' },
    {
      what: 'one that fails before others',
      stages: [bad('lint', new Error('untidy')), good('unit')],
      sound: false,
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
      end: '2 passed, 1 failed',
    },
    {
      what: 'tests of which some fail',
      stages: [bad('unit', new StageFailed('3 failed', { passed: 7, failed: 3 }))],
      sound: false,
      end: '7 passed, 3 failed',
    },
  ])('$what', async ({ stages, sound, end }) => {
    const printed: string[] = [];
    const record = (text: unknown): void => {
      printed.push(String(text));
    };
    expect(await runStages(stages, { log: record, error: record })).toBe(sound);
    expect(printed.join('\n').split('\n').at(-1)).toBe(end);
    for (const { name } of stages) expect(printed).toContain(`\n── ${name} ──`);
  });
});

describe('.ci/run', () => {
  it('runs every suite and fails at the end where one fails', () => {
    const programs = mkdtempSync(join(tmpdir(), 'placewright-ci-'));
    // Stands for npm: its unit tests fail, and `apt-get` has nothing to do.
    const npm = `#!/bin/sh\ncase "$*" in test) echo '5 passed, 2 failed'; exit 1;; ci) ;; *) echo '3 passed, 0 failed';; esac\n`;
    writeFileSync(join(programs, 'npm'), npm, { mode: 0o755 });
    writeFileSync(join(programs, 'apt-get'), '#!/bin/sh\n', { mode: 0o755 });
    const { status, stdout } = spawnSync(join(root, '.ci/run'), {
      env: { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` },
      encoding: 'utf8',
    });
    rmSync(programs, { recursive: true });
    expect(stdout.match(/^== .*$/gm)).toEqual(
      ['ci', 'test', 'run test:corpus', 'run test:judges'].map((words) => `== npm ${words}`),
    );
    expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, '11 passed, 2 failed']);
  });
});
