import { describe, expect, it } from 'vitest';
import type { Fabric } from '../model/fabric.ts';
import { machineText } from './machineText.ts';

const loop: Fabric = {
  format: 'ibnetdiscover',
  routers: ['a', 'b', 'c'],
  nodes: [{ name: 'host', router: 0 }],
  cables: [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
    { from: 2, to: 0 },
  ],
  warnings: [{ line: 3, message: 'A port is down.' }],
};

const textOf = (fabric: Fabric, path: string, format?: string): string => {
  const text = machineText(fabric, { path, format });
  if (!text.ok) throw new Error(text.failure.message);
  return text.value;
};

describe('the text of an imported machine', () => {
  it('refers to the file, and says what it holds', () => {
    expect(textOf(loop, '../net/fabric.1.out'))
      .toBe(`/// Read from \`../net/fabric.1.out\` (ibnetdiscover): 3 switches, 1 host, 3 cables between switches.
/// 1 warning: see the problems of this file.
machine fabric {
  topology from "../net/fabric.1.out"
  routing  minimal  // all shortest ways; \`up-down\` for switches that must not deadlock without virtual lanes
}
`);
  });

  it.each<[string, Fabric, string]>([
    ['a tree', { ...loop, cables: loop.cables.slice(1) }, '  routing  minimal  //'],
    ['tiers', { ...loop, tiers: [0, 0, 1] }, '  routing  minimal  //'],
    ['another format', { ...loop, format: 'anynet' }, '  routing  minimal  //'],
    ['a Clos of InfiniBand', { ...loop, routers: ['a', 'b', 'c', 'd'] }, '  routing  minimal  //'],
    ['no hosts', { ...loop, nodes: [] }, '  hosts    1  // on each switch'],
  ])('depends on what the file is: %s', (_, fabric, line) => {
    expect(textOf(fabric, 'f')).toContain(line);
  });

  it('names the format where the user did', () => {
    expect(textOf(loop, 'f.txt', 'csv')).toContain('  topology from "f.txt" as csv\n');
  });

  it.each([
    ['psmn-X5.topofile', 'psmn-X5'],
    ['net/2024 fabric (new).txt', 'fabric-2024-fabric-new'],
    ['.hidden', 'hidden'],
    ['ödland', 'dland'],
    ['...', 'fabric'],
    ['a--b', 'a-b'],
  ])('calls the machine of %s %s', (path, name) => {
    expect(textOf(loop, path)).toContain(`\nmachine ${name} {\n`);
  });

  it.each(['a"b', 'a\nb'])('refuses a name that the language cannot write: %j', (path) => {
    expect(machineText(loop, { path, format: undefined })).toMatchObject({ failure: { code: 'bad-name' } });
  });
});
