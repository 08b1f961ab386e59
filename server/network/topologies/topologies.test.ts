import { afterEach, describe, expect, it, vi } from 'vitest';
import { findEntry, type OptionValues } from '../../model/catalogue.ts';
import { tooLargeMachine } from '../../model/machine.ts';
import { topologies } from '../catalogue.ts';
import type { MachineDescription, TopologyEntry, TopologyRequest, TopologySize } from '../contract.ts';
import { buildMachine } from '../machine.ts';
import { exampleNetworks } from '../testing/exampleNetworks.ts';
import { gridDescription, requestOf } from '../testing/machines.ts';
import { testTopologyContract } from '../testing/topologyContract.ts';

for (const entry of topologies) testTopologyContract(entry);

/** Numbers of a typed array that a refused network may have. */
const mostNumbers = 2 ** 24;

/** Typed arrays of more numbers fail the test, and take no memory. */
function limitTypedArrays(): void {
  for (const name of ['Int32Array', 'Float64Array', 'Uint8Array', 'Uint16Array', 'Uint32Array'] as const) {
    const limited = new Proxy(globalThis[name], {
      construct(target, [first, ...others]: [unknown, ...unknown[]]) {
        if (typeof first === 'number' && first > mostNumbers) throw new Error(`${name} of ${first}`);
        return Reflect.construct(target, [first, ...others]) as object;
      },
    });
    vi.stubGlobal(name, limited);
  }
}

const machineOf = (name: string, { argument, options, cables, hosts }: TopologyRequest): MachineDescription => ({
  ...gridDescription('torus', [4, 4]),
  topology: { name, options, ...(argument && { argument }) },
  cables,
  ...(hosts !== undefined && { hosts }),
  routing: { name: 'minimal', options: {} },
});

/** What can be built is no case of this test; a size that is not known is one. */
const isTooLarge = (size: TopologySize | undefined): boolean =>
  size === undefined || tooLargeMachine('It', { ...size, slots: size.nodes }, 'cores') !== undefined;

/** Every number of an example as large as the language allows, and one less: one by one, and all together. */
function extremesOf(entry: TopologyEntry): readonly { readonly what: string; readonly build: () => unknown }[] {
  return [2 ** 31 - 1, 2 ** 31 - 2].flatMap((large) => {
    const options = Object.fromEntries(
      entry.options.flatMap((option) =>
        option.kind === 'integer' ? [[option.name, Math.min(large, option.maximum)]] : [],
      ),
    );
    const examples = exampleNetworks(entry.name).filter(({ request }) => request.fabric === undefined);
    return examples.slice(0, 6).flatMap(({ title, request }) => {
      const { argument } = request;
      const changed: OptionValues[] = [...Object.entries(options).map(([name, value]) => ({ [name]: value })), options];
      const shapes =
        argument?.kind === 'numbers'
          ? [
              Array.from(argument.numbers, () => large),
              Array.from(argument.numbers, (number, axis) => (axis === 0 ? large : number)),
            ]
          : [];
      return [
        ...changed.map((more) => ({ ...request, options: { ...request.options, ...more } })),
        ...shapes.map((numbers) => ({ ...request, ...requestOf(numbers) })),
        { ...request, hosts: large },
      ]
        .filter((asked) => isTooLarge(entry.measure(asked)))
        .map((asked) => ({
          what: `${title}, ${JSON.stringify({ argument: asked.argument, options: asked.options, hosts: asked.hosts })}`,
          build: () => buildMachine(machineOf(entry.name, asked)),
        }));
    });
  });
}

describe('sizes are known before anything is built', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each(topologies.filter(({ name }) => name !== 'from'))('of $name', (entry) => {
    const extremes = extremesOf(entry);
    expect(extremes.length).toBeGreaterThan(0);
    limitTypedArrays();
    for (const { what, build } of extremes) expect(build, what).not.toThrow();
  });

  it.each([
    ['nodes of a router', { hosts: 2 ** 31 - 1 }],
    ['sockets', { socketsPerNode: 2 ** 31 - 1 }],
    ['cores', { coresPerSocket: 2 ** 31 - 1 }],
    ['rails', { rails: { count: 2 ** 31 - 1 } }],
  ])('of a machine with many %s', (_, more) => {
    const description = { ...gridDescription('torus', [4, 4]), ...more };
    limitTypedArrays();
    expect(buildMachine(description)).toMatchObject({ ok: false });
  });

  it('as a refusal of the network, or of its numbers', () => {
    const irregular = findEntry(topologies, 'irregular')!;
    expect(irregular.build(requestOf([2 ** 31 - 1]))).toMatchObject({ failure: { code: 'invalid-count' } });
    expect(irregular.build(requestOf([2 ** 31 - 2]))).toMatchObject({ failure: { code: 'machine-too-large' } });
  });
});
