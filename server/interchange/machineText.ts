import type { Fabric, PreviewRow } from '../model/fabric.ts';
import type { LinkSpeed } from '../model/machine.ts';
import { countOf, formatNumber, formatRate } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';
import { chosenPart, listOfParts, partsOfFabric, type FabricPart } from '../network/fabricParts.ts';

/** Where another tool's file stands, as seen from the `.place` file that will refer to it. */
export interface FileReference {
  /** Relative, with forward slashes; or absolute where there is no relative way. */
  readonly path: string;
  /** Named after `as`, where the user named it. */
  readonly format: string | undefined;
}

/**
 * A `.place` text that declares the machine of a fabric and refers to its file. The comment says
 * what the file holds, so that a reader sees whether it is the right one. Fails with `bad-name`
 * where the language cannot write the path. O(name), the fabric itself is not written.
 */
export function machineText(whole: Fabric, { path, format }: FileReference): Result<string> {
  const fault = faultOfPath(path);
  if (fault !== undefined) return fault;
  const as = format === undefined ? '' : ` as ${format}`;
  const { parts = [] } = partsOfFabric(whole) ?? {};
  const part = parts.length > 1 ? handleOf(whole, parts) : undefined;
  const chosen = chosenPart(whole, part);
  const fabric = chosen.ok ? chosen.value : whole;
  const others = parts.slice(1);
  const lines = [
    `/// Read from \`${path}\` (${fabric.format}): ${fabricCountsText(fabric)}.`,
    ...(others.length === 0
      ? []
      : [
          `/// Not connected to the other ${countOf(others.length, 'part')} of the file: ${listOfParts(whole, others)}.`,
        ]),
    ...warningsLine(fabric),
    `machine ${nameAfterFile(path, 'fabric')} {`,
    `  topology from "${path}"${as}${part === undefined ? '' : `(part "${part}")`}`,
    ...(fabric.nodes.length === 0 ? [hostsLine(fabric)] : []),
    `  routing  ${routingOf(fabric)}`,
    '}',
    '',
  ];
  return succeed(lines.join('\n'));
}

/** The routing of the machine, and why. */
function routingOf({ routes, routing, format }: Fabric): string {
  if (routing !== undefined) return `${routing}  // as ${format} routes`;
  if (routes !== undefined) return 'minimal  // the routes in the file';
  return 'minimal  // all minimal routes; `up-down` avoids deadlock without virtual lanes';
}

/** The first switch of the largest part, where the language can write its name. */
function handleOf({ routers }: Fabric, [largest]: readonly FabricPart[]): string | undefined {
  const name = routers[largest?.first ?? 0];
  return name === undefined || /["\r\n]/.test(name) ? undefined : name;
}

/** Spines have no hosts where the file says which switches are spines. */
const hostsLine = ({ tiers, routers }: Fabric): string =>
  tiers === undefined
    ? `  hosts    1  // on each switch: the file has no hosts; add \`on ${quote(routers[0] ?? '')}\` to select switches`
    : '  hosts    1 on leaves  // the file has no hosts';

/** What the machine of a file is made of, with what is left out as a warning. */
export function importedPart(fabric: Fabric): Fabric {
  const part = chosenPart(fabric, undefined);
  return part.ok ? part.value : fabric;
}

/** `40 switches, 582 hosts, 1,114 cables between switches`. */
export function fabricCountsText({ routers, nodes, cables }: Fabric): string {
  const parts = [
    countOf(routers.length, 'switch', 'switches'),
    withAdapters(countOf(nodes.length, 'host', 'hosts'), nodes),
    `${countOf(cables.length, 'cable', 'cables')} between switches`,
  ];
  return parts.join(', ');
}

/** `18 hosts with 4 adapters each`, `18 hosts with 2 to 8 adapters`; the hosts alone where they have one. */
function withAdapters(hosts: string, nodes: Fabric['nodes']): string {
  let [least, most] = [Infinity, 1];
  for (const { further = [] } of nodes) {
    least = Math.min(least, 1 + further.length);
    most = Math.max(most, 1 + further.length);
  }
  if (most === 1) return hosts;
  return least === most ? `${hosts} with ${most} NICs each` : `${hosts} with ${least} to ${most} NICs`;
}

/**
 * What was understood of a file, for a reader who decides whether it is the right one: switches by tier, hosts, cables by
 * bandwidth, and the routing that the machine would have: of the largest part, where there are several. Without warnings, which have
 * places. O(fabric).
 */
export function previewRows(whole: Fabric): PreviewRow[] {
  const { parts = [] } = partsOfFabric(whole) ?? {};
  const { routers, nodes, cables, tiers, routes, routing, format } = importedPart(whole);
  const adapters = nodes.flatMap((node) => [node, ...(node.further ?? [])]);
  const declaredHosts =
    tiers === undefined ? 'none in the file: `hosts 1` on each switch' : 'none in the file: `hosts 1 on leaves`';
  return [
    ...(parts.length > 1
      ? [['parts', `${formatNumber(parts.length)}, not connected to each other: ${listOfParts(whole, parts)}`] as const]
      : []),
    ['switches', [formatNumber(routers.length), ...tierCountsText(tiers)].join(', ')],
    [
      'hosts',
      nodes.length === 0 ? declaredHosts : withAdapters(formatNumber(nodes.length), nodes) + speedsText(adapters),
    ],
    ['cables', formatNumber(cables.length) + speedsText(cables)],
    [
      'routing',
      routing !== undefined
        ? `${routing}: as ${format} routes`
        : routes === undefined
          ? 'minimal'
          : 'minimal: the routes in the file',
    ],
  ];
}

/** `from the leaves up 32, 8`; nothing where the file is no tree. */
function tierCountsText(tiers: readonly number[] | undefined): string[] {
  if (tiers === undefined) return [];
  const counts: number[] = [];
  for (const tier of tiers) counts[tier] = (counts[tier] ?? 0) + 1;
  return [`from the leaves up ${counts.map((count) => formatNumber(count)).join(', ')}`];
}

/** `: 800 of 50 GB/s, 12 of no speed that is known`, most first. */
function speedsText(links: readonly LinkSpeed[]): string {
  const counts = new Map<number | undefined, number>();
  for (const { bandwidth } of links) counts.set(bandwidth, (counts.get(bandwidth) ?? 0) + 1);
  const sorted = Array.from(counts).sort(([, one], [, other]) => other - one);
  if (links.length === 0) return '';
  const shown = sorted.map(
    ([rate, count]) => `${formatNumber(count)} of ${rate === undefined ? 'unknown speed' : formatRate(rate)}`,
  );
  return `: ${shown.join(', ')}`;
}

/** A line of the comment; none where there is nothing to say. */
export function warningsLine({ warnings }: { readonly warnings: readonly unknown[] }): string[] {
  const count = countOf(warnings.length, 'warning', 'warnings');
  return warnings.length === 0 ? [] : [`/// ${count}: see the diagnostics of this file.`];
}

/** What the language cannot write between quotes. */
export function faultOfPath(path: string): Result<never> | undefined {
  if (!/["\r\n]/.test(path)) return undefined;
  return fail(
    'bad-name',
    `Invalid file name ${quote(path)} for a .place file. Rename it without quotes and line breaks.`,
  );
}

/** A word of the language from the name of a file: `psmn-X5.map` is `psmn-X5`; `kind` stands where there is none, or a digit is first. */
export function nameAfterFile(path: string, kind: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/^\.+/, '');
  const stem = base.includes('.') ? base.slice(0, base.indexOf('.')) : base;
  const word = stem.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-+|-+$/g, '');
  if (word === '') return kind;
  return /^[A-Za-z_]/.test(word) ? word : `${kind}-${word}`;
}
