import { describe, expect, it } from 'vitest';
import type { Fabric } from '../model/fabric.ts';
import { machineText, previewRows } from './machineText.ts';

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
    expect(textOf(loop, '../net/fabric.1.out')).toBe(
      '/// Read from `../net/fabric.1.out` (ibnetdiscover): 3 switches, 1 host, 3 cables between switches.\n/// 1 warning: see the diagnostics of this file.\nmachine fabric {\n  topology from "../net/fabric.1.out"\n  routing  minimal  // all minimal routes; `up-down` avoids deadlock without virtual lanes\n}\n',
    );
  });

  it.each<[string, Fabric, string]>([
    ['a tree', { ...loop, cables: loop.cables.slice(1) }, '  routing  minimal  //'],
    ['tiers', { ...loop, tiers: [0, 0, 1] }, '  routing  minimal  //'],
    ['another format', { ...loop, format: 'anynet' }, '  routing  minimal  //'],
    ['routes', { ...loop, routes: [[0, 1]] }, '  routing  minimal  // the routes in the file'],
    [
      'a routing',
      { ...loop, format: 'simgrid', tiers: [0, 0, 1], routing: 'fat-tree' },
      '  routing  fat-tree  // as simgrid routes',
    ],
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

describe('what is said of a fabric before it is imported', () => {
  const [first, ...others] = loop.cables;
  it.each<[string, Fabric, readonly string[]]>([
    ['as it is', loop, ['3', '1: 1 of unknown speed', '3: 3 of unknown speed', 'minimal']],
    ['tiers, from the leaves up', { ...loop, tiers: [0, 0, 1] }, ['3, from the leaves up 2, 1']],
    ['no hosts', { ...loop, nodes: [] }, ['3', 'none in the file: `hosts 1` on each switch']],
    [
      'no hosts of a tree',
      { ...loop, nodes: [], tiers: [0, 0, 1] },
      ['3, from the leaves up 2, 1', 'none in the file: `hosts 1 on leaves`'],
    ],
    [
      'hosts of several adapters',
      { ...loop, nodes: [{ name: 'host', router: 0, further: [{ router: 1, rail: 1, bandwidth: 5e9 }] }] },
      ['3', '1 with 2 NICs each: 1 of unknown speed, 1 of 5 GB/s'],
    ],
    [
      'speeds, most first',
      { ...loop, cables: [first!, ...others.map((cable) => ({ ...cable, bandwidth: 25e9 }))] },
      ['3', '1: 1 of unknown speed', '3: 2 of 25 GB/s, 1 of unknown speed'],
    ],
  ])('%s', (_, fabric, texts) => {
    const rows = previewRows(fabric);
    expect(rows.map(([word]) => word)).toEqual(['switches', 'hosts', 'cables', 'routing']);
    expect(rows.map(([, text]) => text).slice(0, texts.length)).toEqual(texts);
  });
});
