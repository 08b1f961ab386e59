import { fail, succeed } from '../../model/result.ts';
import { coreOfSlot } from '../../model/slots.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { commented, namedLaunchOf, ranksOfNodes, type Launch } from './launch.ts';

/** The ranks on their nodes with what they send, as Graphviz draws it. */
export const graphviz: ExportFormatEntry = {
  name: 'dot',
  summary: 'Graphviz: ranks in a box for each node, and an arrow with the bytes for each communicating pair',
  source: 'Graphviz, The DOT Language',
  details:
    'Ranks have the attributes `job`, `task`, `node`, `slot` and `core`, arrows have `bytes`. The width of an arrow grows with its bytes.',
  options: [],
  extension: '.dot',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { hosts, remarks } = launch.value;
    const excess = faultOfPairCount(launch.value);
    if (excess !== undefined) return fail('export-too-large', excess);
    const ranks = rankTexts(launch.value);
    const lines = [
      `digraph ${quoted(report.name)} {`,
      '  compound=true; node [shape=circle, fixedsize=true, width=0.5]; edge [arrowsize=0.4];',
    ];
    for (const [node, own] of ranksOfNodes(launch.value)) {
      lines.push(`  subgraph ${quoted(`cluster_${node}`)} {`, `    label=${quoted(hosts[node] ?? '')};`);
      for (const rank of own) lines.push(`    ${ranks[rank] ?? ''};`);
      lines.push('  }');
    }
    const heaviest = heaviestPair(launch.value);
    visitPairs(launch.value, (from, to, bytes) => {
      lines.push(
        `  ${from} -> ${to} [bytes=${bytes}, penwidth=${(0.5 + 3.5 * Math.sqrt(bytes / heaviest)).toFixed(2)}];`,
      );
    });
    lines.push('}');
    const commands = [{ of: 'Graphviz', line: 'fdp -Tsvg -O {file}' }];
    // Of names nothing is started here, so that placeholders are no harm.
    return succeed(commented(report, options, { lines, commands, warnings: [], remarks }));
  },
};

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function rankTexts({ report, machine, nodeOfRank, gpuOfRank }: Launch): readonly string[] {
  const texts: string[] = [];
  for (const { job, mapping } of report.jobs) {
    for (const [task, slot] of mapping.entries()) {
      const rank = texts.length;
      // `node` alone is a word of the language.
      const place = `"node"=${nodeOfRank[rank] ?? 0}, slot=${slot}, ${gpuOfRank ? 'gpu' : 'core'}=${coreOfSlot(machine, slot)}`;
      texts.push(`${rank} [job=${quoted(job.name)}, task=${task}, ${place}]`);
    }
  }
  return texts;
}

/** Pairs of ranks that a text may have: some 40 bytes each. */
const pairLimit = 2 ** 21;

/** Why a graph is not written, as a sentence; undefined where it is. */
export function faultOfPairCount({ report }: Launch): string | undefined {
  const pairs = report.jobs.reduce((sum, { job }) => sum + job.traffic.partner.length, 0);
  return pairs <= pairLimit
    ? undefined
    : `${pairs} pairs of ranks communicate; the limit of a graph is ${pairLimit}. Use \`csv\` for the ranks alone.`;
}

/** Calls `visit` for every pair of ranks with traffic. */
export function visitPairs({ report }: Launch, visit: (from: number, to: number, bytes: number) => void): void {
  let first = 0;
  for (const { job } of report.jobs) {
    const { taskCount, rowStart, partner, bytes } = job.traffic;
    for (let task = 0; task < taskCount; task++) {
      for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++)
        visit(first + task, first + partner[pair]!, bytes[pair]!);
    }
    first += job.taskCount;
  }
}

const heaviestPair = ({ report }: Launch): number =>
  report.jobs.reduce((most, { job }) => job.traffic.bytes.reduce((a, b) => Math.max(a, b), most), 0);
