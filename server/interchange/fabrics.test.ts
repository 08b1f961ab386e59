import { describe, expect, it } from 'vitest';
import { fabricFormats } from './catalogue.ts';
import { readFabric } from './readers.ts';
import { fabricSamples as samples } from './testing/samples.ts';
import { bytesOf, complaintOf, fabricOf } from './testing/fabrics.ts';

describe('formats of networks', () => {
  it('have a sample each', () => {
    expect(Object.keys(samples)).toEqual(fabricFormats.map(({ name }) => name));
  });

  it.each(Object.entries(samples))('%s is found by content, and by name', async (name, text) => {
    expect((await fabricOf(text)).format).toBe(name);
    expect(await fabricOf(text, name)).toEqual(await fabricOf(text));
    expect(await fabricOf(`\u{feff}${text}`)).toEqual(await fabricOf(text));
    expect(fabricFormats.filter((entry) => entry.recognizes(text)).map((entry) => entry.name)).toEqual([name]);
  });

  it('reads in the format named, whatever the content', async () => {
    expect(await complaintOf('0,1\n1,0\n', 'slurm-tree')).toMatch(/^file:1: Invalid word '0,1'. Expected `Key=value`/);
    expect(await complaintOf('0,1\n', 'lattice')).toMatch(
      /^file: Unknown network format 'lattice'\. Expected one of ibnetdiscover, ibnetdiscover-p, iblinkinfo,/,
    );
  });

  const others: [string, string | Uint8Array, RegExp][] = [
    ['prose', 'Once upon a time\n', /Unknown network format\./],
    ['nothing', '', /^file: The file is empty/],
    ['blanks', ' \n\n', /^file: The file is empty/],
    ['binary', new Uint8Array([1, 2, 0, 3]), /The file is binary, not text: byte 2 is zero\./],
    ['xz', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /The file is not plain text\./],
    [
      'hwloc',
      '<?xml version="1.0"?>\n<topology version="2.0"></topology>',
      /This is an hwloc file, which describes a node\./,
    ],
    ['NCCL', '<system version="1"></system>', /This is an NCCL topology, which describes a node\./],
    ['GraphML', '<graphml xmlns="x"></graphml>', /GraphML is not read/],
    ['BookSim', 'topology = torus;\nk = 8;', /This is a simulator configuration with network parameters\./],
    ['YAML of Kubernetes', 'apiVersion: v1\nkind: List\n', /kubectl get nodes -o json/],
    ['JSON of others', '{ "nodes": [] }', /Unknown kind of JSON\./],
    ['a zip in disguise', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 1]), /zip archive/],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x53, 0]), /The file is not plain text\./],
  ];
  it.each(others)('refuses %s', async (_, content, expected) => {
    expect(await complaintOf(content)).toMatch(expected);
  });

  it.each(Object.entries(samples))(
    '%s cut off anywhere, or with any character damaged, is read or refused, never thrown at',
    async (name, text) => {
      for (let at = 0; at < text.length; at++) {
        for (const damaged of [
          text.slice(0, at),
          `${text.slice(0, at)}[${text.slice(at + 1)}`,
          `${text.slice(0, at)}\n${text.slice(at)}`,
        ]) {
          const result = await readFabric(bytesOf(damaged), 'file', name);
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
