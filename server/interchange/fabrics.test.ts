import { describe, expect, it } from 'vitest';
import { fabricFormats } from '../model/fabric.ts';
import { machineFormats } from './catalogue.ts';
import { readFabric } from './fabrics.ts';
import { bytesOf, complaintOf, fabricOf } from './testing/fabrics.ts';

/** A small file of each format. */
const samples: Record<string, string> = {
  ibnetdiscover:
    'Switch\t8 "S-1"\t# "a" base\n[1]\t"H-2"[1](3)\t# "n1 HCA-1" lid 3 4xQDR\n[2]\t"S-3"[1]\t# "b" lid 3 4xQDR\n\nCa\t1 "H-2"\t# "n1 HCA-1"\n[1](3)\t"S-1"[1]\t# lid 3 lmc 0 "a" lid 3 4xQDR\n',
  'ibnetdiscover-p': "SW  1719  1 0x7cfe9003009ce5b0 4x EDR - SW  1516  1 0x7cfe900300b07320 ( 'a' - 'b' )\n",
  scontrol:
    'SwitchName=a Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=b[1-2]\nSwitchName=b1 Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=b2 Level=0 LinkSpeed=1\n',
  'slurm-tree': 'SwitchName=a Switches=b[1-2]\nSwitchName=b1 Nodes=n[1-2]\nSwitchName=b2\n',
  'slurm-block': 'BlockName=a Nodes=n[1-2]\nBlockSizes=2\n',
  'slurm-yaml': '- topology: t\n  tree:\n    switches:\n      - switch: a\n        nodes: n[1-2]\n',
  topograph: 'switches:\n  a:\n    switches:\n    - b\nblocks:\n- switch: b\n  nodes: [n1]\n',
  anynet: 'router 0 node 0 router 1 5\nrouter 1 node 1\n',
  'matrix-market': '%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 1\n3 2 2\n',
  csv: '0,1\n1,0\n',
};

describe('formats of networks', () => {
  it('are those that the model names', () => {
    expect(machineFormats.map(({ name, summary }) => ({ name, summary }))).toEqual(fabricFormats);
    expect(Object.keys(samples)).toEqual(machineFormats.map(({ name }) => name));
  });

  it.each(Object.entries(samples))('%s is found by content, and by name', (name, text) => {
    expect(fabricOf(text).format).toBe(name);
    expect(fabricOf(text, name)).toEqual(fabricOf(text));
    expect(fabricOf(`\u{feff}${text}`)).toEqual(fabricOf(text));
    expect(machineFormats.filter((entry) => entry.recognizes(text)).map((entry) => entry.name)).toEqual([name]);
  });

  it('reads in the format named, whatever the content', () => {
    expect(complaintOf('0,1\n1,0\n', 'slurm-tree')).toMatch(/^file:1: '0,1' is no `Key=value`/);
    expect(complaintOf('0,1\n', 'lattice')).toMatch(/^file: There is no format 'lattice' .*ibnetdiscover, .*csv\.$/);
  });

  const others: [string, string | Uint8Array, RegExp][] = [
    ['prose', 'Once upon a time\n', /no format of networks that is read here \(ibnetdiscover, .*`as FORMAT`/],
    ['nothing', '', /^file: The file is empty/],
    ['blanks', ' \n\n', /^file: The file is empty/],
    ['binary', new Uint8Array([1, 2, 0, 3]), /not text but binary/],
    ['xz', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /compressed with xz: unpack it first/],
    ['hwloc', '<?xml version="1.0"?>\n<topology version="2.0"></topology>', /write `node from "FILE"` instead/],
    ['SimGrid', '<platform version="4.1"></platform>', /SimGrid/],
    ['Graphviz', '// drawn\ngraph fabric {\n a -- b;\n}', /Graphviz/],
    ['JSON', '{ "nodes": [] }', /JSON is not read/],
  ];
  it.each(others)('refuses %s', (_, content, expected) => {
    expect(complaintOf(content)).toMatch(expected);
  });

  it.each(Object.entries(samples))(
    '%s cut off anywhere, or with any character damaged, is read or refused, never thrown at',
    (name, text) => {
      for (let at = 0; at < text.length; at++) {
        for (const damaged of [
          text.slice(0, at),
          `${text.slice(0, at)}[${text.slice(at + 1)}`,
          `${text.slice(0, at)}\n${text.slice(at)}`,
        ]) {
          const result = readFabric(bytesOf(damaged), 'file', name);
          if (!result.ok)
            expect(result.failure).toMatchObject({
              code: 'bad-fabric',
              message: expect.stringMatching(/^file:/) as string,
            });
          else expect(result.value.nodes.every(({ router }) => router < result.value.routers.length)).toBe(true);
        }
      }
    },
  );
});
