import { expect, it } from 'vitest';
import { parseText } from './parse.ts';
import { sweepDeclaration } from './sweptPlacement.ts';

const text = 'placement p { job j  machine m  map row-major }';

it.each([
  ['bandwidth', '10..40 step 10 GB/s', 'vary machine.bandwidth 10 GB/s .. 40 GB/s step 10 GB/s'],
  ['bandwidth', '10..12 GB/s', 'vary machine.bandwidth 10 GB/s .. 12 GB/s step 1 GB/s'],
  ['bandwidth', '10, 20,40 GB/s', 'vary machine.bandwidth [10 GB/s, 20 GB/s, 40 GB/s]'],
])('a unit behind the last value is that of all: %s=%s', (path, values, expected) => {
  const placement = parseText(text).tree.declarations[0]!;
  const lines = sweepDeclaration(text, placement, { name: 'sweep', axes: [{ path, values }] });
  expect(lines.ok && lines.value.map((line) => line.text.replaceAll(/ +/g, ' ').trim())).toContain(expected);
});
