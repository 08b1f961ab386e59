import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { CancelCell } from '../cancelCell.ts';
import { importAnswers } from './reader.ts';

it.each([
  ['is read', false, { ok: true, switches: 1, hosts: 2 }],
  ['is let go once it is cancelled', true, { ok: false, message: 'The computation was cancelled.' }],
])('the file of a network %s', async (_, isCancelled, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'fabric-'));
  try {
    const file = join(folder, 'topology.conf');
    await writeFile(file, 'SwitchName=s Nodes=n[1-2]\n');
    const cell = new CancelCell();
    if (isCancelled) cell.cancel();
    const order = { kind: 'describeFabric', uri: pathToFileURL(file).href, policy: { openTexts: new Map() } } as const;
    expect(await importAnswers.describeFabric({ ...order, cancelFlag: cell.buffer })).toMatchObject(expected);
  } finally {
    await rm(folder, { recursive: true });
  }
});
