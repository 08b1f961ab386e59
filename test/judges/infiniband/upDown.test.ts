import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../../corpus/shared.ts';
import { binary } from '../../cli/binary.ts';
import { randomNetwork, readIbsim, type IrregularNetwork } from './networks.ts';
import { requireOpenSm, routeWithOpenSm } from './subnet.ts';

const cli = binary();
beforeAll(requireOpenSm);

/** Our hops between switches, for a machine declared as text. */
function ourHops(name: string, topology: string): readonly (readonly number[])[] {
  const file = join(cli.scratch(), `${name}.place`);
  writeFileSync(file, `machine fabric { ${topology} }\n`);
  const { code, out, err } = cli.run(['distances', file, 'fabric', '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return (JSON.parse(out) as { table: number[][] }).table;
}

const declared = ({ switches, hosts, cables }: IrregularNetwork, root: number): string =>
  `topology switches ${switches} ${cables.map(([a, b]) => `link ${a} -- ${b}`).join(' ')} ` +
  `hosts ${hosts} routing up-down(root ${root})`;

/** Pairs of switches whose routes have as many links in our table as in OpenSM's. */
const agreeing = (ours: readonly (readonly number[])[], theirs: Int32Array): number =>
  ours.flat().filter((hops, pair) => hops === theirs[pair]).length;

describe("OpenSM's up/down routes are as long as ours", () => {
  it('on all pairs of the sixteen irregular switches', async () => {
    const network = readIbsim(join(sharedFolder(), 'recipes/clients/ib/irr16.net'));
    const { hops, ibnetdiscover } = await routeWithOpenSm(network, 0);
    expect(agreeing(ourHops('irr16', declared(network, 0)), hops)).toBe(256);
    // The same fabric as users have it: read from what ibnetdiscover printed.
    writeFileSync(join(cli.scratch(), 'irr16.ibnetdiscover'), ibnetdiscover);
    const fromFile = ourHops('irr16-file', 'topology from "irr16.ibnetdiscover" routing up-down(root 0)');
    expect(agreeing(fromFile, hops)).toBe(256);
  });

  it('on at least 99 % of the pairs of ten random fabrics', async () => {
    let agreed = 0;
    let pairs = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const switches = 12 + 4 * seed;
      const network = randomNetwork(switches, 3 + (seed % 3), 1, seed);
      const root = seed % switches;
      const { hops } = await routeWithOpenSm(network, root);
      const same = agreeing(ourHops(`random-${seed}`, declared(network, root)), hops);
      console.log(`OpenSM, ${switches} switches, root ${root}: ${same} of ${hops.length} pairs agree`);
      agreed += same;
      pairs += hops.length;
    }
    expect(agreed / pairs).toBeGreaterThanOrEqual(0.99);
  });
});
