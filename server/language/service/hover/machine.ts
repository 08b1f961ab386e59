import type { MachineDescription } from '../../../network/contract.ts';
import type { MachineFacts } from '../../../study/report.ts';
import { countOf, formatNumber, formatRate, formatSeconds } from '../numbers.ts';
import { facts } from './markdown.ts';

/** What a user asks of a machine before placing anything on it. */
export function machineMarkdown(description: MachineDescription | undefined, found: MachineFacts | undefined): string {
  const rows = [...(found === undefined ? [] : rowsOfFacts(found)), ...rowsOfFigures(description)];
  return facts('Machine', rows) ?? '';
}

type Row = readonly [string, string | undefined];

function rowsOfFacts(found: MachineFacts): readonly Row[] {
  return [
    ['Topology', `${found.topology}, routing ${found.routing}`],
    ['Routers', formatNumber(found.routers, 0)],
    ['Nodes', `${formatNumber(found.nodes, 0)} with ${countOf(found.cores, 'core')} in all`],
    ['Cables', `${formatNumber(found.cables, 0)}, two links each`],
    ['Diameter', hops(found.diameter)],
    ['Mean distance', hops(found.meanDistance)],
    ['Bisection', found.bisection === undefined ? undefined : countOf(found.bisection, 'cable')],
  ];
}

const hops = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${formatNumber(value)} ${value === 1 ? 'hop' : 'hops'}`;

function rowsOfFigures(description: MachineDescription | undefined): readonly Row[] {
  if (description === undefined) return [];
  const { figures, hosts = 1, socketsPerNode, coresPerSocket } = description;
  return [
    ['Per router', hosts === 1 ? undefined : countOf(hosts, 'node')],
    [
      'Per node',
      socketsPerNode === 1 ? undefined : `${countOf(socketsPerNode, 'socket')} of ${countOf(coresPerSocket, 'core')}`,
    ],
    ['Bandwidth', rate(figures.bandwidth)],
    ['Latency', time(figures.latency)],
    ['Memory', rate(figures.memory)],
    ['Interface', rate(figures.interface)],
    ['Switch', time(figures.switchTime)],
  ];
}

const rate = (value: number | undefined): string | undefined => (value === undefined ? undefined : formatRate(value));

const time = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : formatSeconds(value);
