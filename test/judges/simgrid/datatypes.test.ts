/** Sizes of the datatypes that traces name by number, against the library that records such traces. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readTableFiles } from '../../../server/interchange/readers.ts';

const missing = 'SimGrid is needed to judge datatypes: apt-get install --no-install-recommends python3-simgrid';

/** Bytes of one element, as a trace of one message is read. */
function bytesOfOne(datatype: number): number {
  const text = `0 init\n1 init\n0 send 1 0 1 ${datatype}\n1 recv 0 0 1 ${datatype}\n`;
  const chunks = [new TextEncoder().encode(text)];
  const table = readTableFiles([{ name: 'a.trace', chunks: () => chunks }], 'simgrid');
  // A message of no bytes is no entry of a table.
  return table.ok ? (table.value.amount[0] ?? 0) : 0;
}

it('SMPI says the same of each of its datatypes', () => {
  const { stdout, stderr, status } = spawnSync('/usr/bin/python3', [join(import.meta.dirname, 'datatypes.py')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${missing}\n${stderr}`);
  const said = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  expect(said.length).toBe(60);
  expect(said.map(([name, number]) => [name, number, String(bytesOfOne(Number(number)))])).toEqual(said);
});
