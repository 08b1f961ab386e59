import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReportsChanged, SceneAnswer } from '../../server/protocol/messages.ts';
import { builtBundles } from '../builtOnce.ts';
import { clientOfFile } from './testing/languageClient.ts';

const textOf = (...names: readonly string[]): string => `machine small { topology torus 4 x 4 }
job talk { tasks 16  pattern ring }
${names.map((name) => `placement ${name} { job talk  machine small  map rcb }`).join('\n')}
`;

/**
 * The worker of the product, but that it ends in the middle of a study with a placement of a certain name, and at the
 * picture of one.
 */
const brittleWorker = `import { parentPort } from 'node:worker_threads';
import './wholeWorker.js';
parentPort.on('message', ({ order }) => {
  const studies = (name) => order.kind === 'study' && order.program.placements.some((one) => one.name === name);
  if (studies('exit') || (order.kind === 'scene' && order.placement === 'kills')) process.exit(7);
  if (studies('throw')) throw new Error('out of paper');
});
`;

const directory = mkdtempSync(join(tmpdir(), 'placewright-brittle-'));
// One server survives all losses.
const client = clientOfFile({}, async () => {
  cpSync(await builtBundles(), directory, { recursive: true });
  renameSync(join(directory, 'worker.js'), join(directory, 'wholeWorker.js'));
  writeFileSync(join(directory, 'worker.js'), brittleWorker);
  return directory;
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const sceneOf = (uri: string, placement: string): Promise<SceneAnswer> =>
  client.request('placewright/scene', { uri, placement });
const revisionOf = ({ placements }: ReportsChanged) => placements[0]?.revision;

describe('when the computing thread is lost', () => {
  it.each([
    ['exit', 'it ended with code 7'],
    ['throw', 'out of paper'],
  ])('by %s, the file says why, the others have lost nothing, and a save tries again', async (how, says) => {
    const other = await client.open('other.place', textOf('one'));
    await client.settled(other);
    const uri = await client.open('a.place', textOf('two', how));
    const problem = await client.problem(uri, 'study-failed');
    expect(problem.message).toContain(says);
    expect(await sceneOf(uri, 'two')).toMatchObject({ kind: 'nothing', status: { kind: 'failed' } });
    expect(await sceneOf(other, 'one')).toMatchObject({ kind: 'scene', stale: false });

    await client.save(other);
    await client.settled(other, 2);
    await client.edit(uri, `placement ${how}`, 'placement mended');
    await client.save(uri);
    await client.settled(uri);
    expect(await sceneOf(uri, 'two')).toMatchObject({ kind: 'scene', stale: false });
    await client.diagnostics(uri, ({ diagnostics }) => !diagnostics.some(({ code }) => code === 'study-failed'));
  });
});

describe('when the reading thread is lost', () => {
  it('every file is studied again, and nothing is asked for a second time', async () => {
    const other = await client.open('other.place', textOf('one'));
    const uri = await client.open('a.place', textOf('two', 'kills'));
    await client.settled(other);
    await client.settled(uri);
    expect(await sceneOf(uri, 'kills')).toMatchObject({
      kind: 'nothing',
      reason: expect.stringContaining('code 7') as string,
    });
    expect(revisionOf(await client.settled(other, 2))).toBe(1);
    expect(revisionOf(await client.settled(uri, 2))).toBe(1);
    expect(await sceneOf(other, 'one')).toMatchObject({ kind: 'scene', stale: false });
    expect(await sceneOf(uri, 'two')).toMatchObject({ kind: 'scene', stale: false });
  });
});
