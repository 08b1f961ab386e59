import { fail, succeed, type Result } from '../../model/result.ts';
import type { Machine } from '../../model/machine.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { bare, namedLaunchOf } from './launch.ts';
import { groupNames, switchLevelsOf } from '../../network/switchLevels.ts';

/** Labels of topograph 1: tiers count from the leaf up, without end. */
const tierKey = (level: number): string => `fabric.topograph.run/tier-${level}`;

/** The labels by which schedulers of Kubernetes know where nodes are in the network. */
export const kubernetes: ExportFormatEntry = {
  name: 'kubernetes',
  summary: 'labels of Kubernetes nodes for their switches, as topograph sets them',
  source: 'NVIDIA/topograph 1.0, docs/reference/node-labels.md; Kubernetes, Labels and Selectors',
  details:
    'Sets `fabric.topograph.run/tier-0` (the leaf), `tier-1` and so on for every node with a host name. Switches of one level that reach each other below the next level count as one. It has the name of the first, or a number if that name is not a valid label. A machine does not define `accelerator.topograph.run/domain` (the NVLink domain). Labels describe the machine; for the hosts of ranks use `torchrun`, `pytorch` or the host files.',
  options: [],
  extension: '.json',
  lines: 'bare',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { machine, hosts } = launch.value;
    const items = nodeItems(machine, hosts);
    if (!items.ok) return items;
    const lines = ['{"apiVersion": "v1", "kind": "List", "items": [', items.value.join(',\n'), ']}'];
    const commands = [{ of: 'Kubernetes', line: 'kubectl apply --server-side --field-manager=placewright -f {file}' }];
    const warnings = [...launch.value.warnings, ...doubtOfLabels(machine)];
    return succeed(bare({ lines, commands, warnings }));
  },
};

/** RFC 1123, as Kubernetes wants the names of nodes. */
const nodeName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

function nodeItems(machine: Machine, hosts: readonly (string | undefined)[]): Result<readonly string[]> {
  const levels = switchLevelsOf(machine);
  const labelOf = groupNames(machine, (name) => labelValue.test(name));
  const items: string[] = [];
  for (const [node, name] of hosts.entries()) {
    if (name === undefined) continue;
    if (!nodeName.test(name)) {
      return fail('bad-hosts', `Invalid Kubernetes node name ${name}. Use small letters, digits, '-' and '.'.`);
    }
    const labels: Record<string, string> = {};
    for (const [level, groups] of levels.entries()) {
      const group = groups[node];
      if (group !== undefined) labels[tierKey(level)] = labelOf(group);
    }
    items.push(JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } }));
  }
  return succeed(items);
}

/** What Kubernetes takes for the value of a label. */
const labelValue = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** What the labels leave out. */
function doubtOfLabels({ topology: { tiers, groups, kind } }: Machine): readonly string[] {
  if (groups !== undefined || tiers !== undefined) return [];
  return [`\`${kind}\` is not a tree of switches, so nodes have the label \`tier-0\` only.`];
}
