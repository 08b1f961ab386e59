/**
 * Cables between groups of routers, for dragonflies of either kind: how many there are (`globalFormOf`), and between
 * which ports (`forEachGlobalCable`). The ports of a group that have a cable are numbered 0 … used − 1.
 */
import type { OptionSpecification, OptionValues } from '../../model/catalogue.ts';
import { countOf } from '../../model/quantities.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { integerOption } from './argument.ts';

/** Options of topologies with groups: how many groups there are, and how they are joined. */
export const globalOptions: readonly OptionSpecification[] = [
  {
    name: 'g',
    summary: 'number of groups (default: as many as the ports reach)',
    kind: 'integer',
    minimum: 1,
    maximum: 65536,
  },
  {
    name: 'per-pair',
    summary: 'links between each pair of groups (default: as many as the ports allow)',
    kind: 'integer',
    minimum: 1,
    maximum: 2 ** 20,
  },
  {
    name: 'arrangement',
    summary: 'which port of a group leads to which other group',
    kind: 'choice',
    choices: ['absolute', 'relative', 'circulant'],
    default: 'absolute',
  },
];

/** What they mean, for the documentation of an entry. */
export const globalDetails =
  'Each pair of groups has `per-pair` links. They are spread evenly over the routers of a group, and further ' +
  'ports are unused. Link c of a group to another one has port c · (g − 1) + k, where k numbers the other ' +
  'groups. The `absolute` arrangement numbers them by group number, without the group itself. The `relative` ' +
  'one starts at the next group. The `circulant` one alternates: one group on, one back, two on, two back ' +
  '(Hastings et al. 2015, section II).';

/** How groups are joined. */
export interface GlobalForm {
  readonly groups: number;
  /** Cables between each two groups; 0 where there is one group. */
  readonly perPair: number;
  readonly arrangement: Arrangement;
  /** Ports of each group to others, and those of them that have a cable. */
  readonly ports: number;
  readonly used: number;
}

type Arrangement = 'absolute' | 'relative' | 'circulant';

/**
 * The form that options ask for of groups with so many ports; `why` says how the ports are counted, `a · h = 4 · 2 = 8`.
 * Fails with `invalid-groups`, saying what is possible.
 */
export function globalFormOf(options: OptionValues, ports: number, why: string): Result<GlobalForm> {
  const asked = integerOption(options, 'per-pair');
  const groups = integerOption(options, 'g') ?? Math.floor(ports / (asked ?? 1)) + 1;
  const chosen = options['arrangement'];
  const arrangement = chosen === 'relative' || chosen === 'circulant' ? chosen : 'absolute';
  if (groups === 1) return succeed({ groups, perPair: 0, arrangement, ports, used: 0 });
  const start = `Each group has ${why} ports to other groups`;
  const perPair = asked ?? Math.floor(ports / (groups - 1));
  const used = perPair * (groups - 1);
  if (perPair > 0 && used <= ports) return succeed({ groups, perPair, arrangement, ports, used });
  if (ports === 0) return fail('invalid-groups', `${start}: add \`h\`, or write \`g 1\`.`);
  if (groups - 1 > ports) {
    return fail('invalid-groups', `${start}; \`g\` may be at most ${ports + 1}, found ${groups}.`);
  }
  const most = Math.floor(ports / (groups - 1));
  const fewer = Math.floor(ports / perPair) + 1;
  return fail(
    'invalid-groups',
    `${start}, too few for ${countOf(perPair, 'link')} to each of ${groups - 1} others. \`per-pair\` may be at most ${most}` +
      `${fewer > 1 ? `, or \`g\` ${fewer}` : ''}.`,
  );
}

/** What a user may want to know of ports without cables; undefined where all have one. */
export function unusedPorts({ groups, ports, used, perPair }: GlobalForm): string | undefined {
  if (groups === 1 || used === ports) return undefined;
  return `${countOf(ports - used, 'port')} of ${ports} to other groups ${ports - used === 1 ? 'is' : 'are'} unused in each group: each pair of groups has ${countOf(perPair, 'link')}.`;
}

/** Calls `visit` for each cable between groups with the two groups and the ports in them. O(cables). */
export function forEachGlobalCable(
  { groups, perPair, arrangement }: GlobalForm,
  visit: (group: number, other: number, portHere: number, portThere: number) => void,
): void {
  const place = placeOf[arrangement];
  for (let group = 0; group < groups; group++) {
    for (let other = group + 1; other < groups; other++) {
      const [there, back] = [place(group, other, groups), place(other, group, groups)];
      for (let cable = 0; cable < perPair; cable++) {
        const first = cable * (groups - 1);
        visit(group, other, first + there, first + back);
      }
    }
  }
}

/** Which of the g − 1 others a group is to another, 0 … g − 2 (Hastings et al. 2015, section II). */
const placeOf: Readonly<Record<Arrangement, (group: number, other: number, groups: number) => number>> = {
  absolute: (group, other) => (other < group ? other : other - 1),
  relative: (group, other, groups) => ((other - group + groups) % groups) - 1,
  circulant: (group, other, groups) => {
    const on = (other - group + groups) % groups;
    return 2 * on <= groups ? 2 * (on - 1) : 2 * (groups - on) - 1;
  },
};

/** The router of a group, among `routers`, that has a port with a cable: they are spread evenly. */
export const routerOfPort = (port: number, routers: number, { used }: GlobalForm): number =>
  Math.floor((port * routers) / used);
