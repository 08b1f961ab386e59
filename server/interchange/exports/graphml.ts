import { fail, succeed } from '../../model/result.ts';
import { coreOfSlot } from '../../model/slots.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { faultOfPairCount, visitPairs } from './graphviz.ts';
import { headerLines, namedLaunchOf } from './launch.ts';

/** The ranks with their places and what they send, for programs that work on graphs. */
export const graphml: ExportFormatEntry = {
  name: 'graphml',
  summary:
    'GraphML for networkx, igraph, Gephi and yEd: ranks with their slots, and the bytes between communicating ranks',
  source: 'GraphML 1.0, graphml.graphdrawing.org',
  details:
    'Graph nodes are ranks with `job`, `task`, `node`, `host`, `slot` and `core` (`gpu` for tasks on GPUs). Edges have `bytes`.',
  options: [],
  extension: '.graphml',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { machine, hosts, nodeOfRank, gpuOfRank } = launch.value;
    const excess = faultOfPairCount(launch.value);
    if (excess !== undefined) return fail('export-too-large', excess);
    const unit = gpuOfRank ? 'gpu' : 'core';
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      // Two hyphens end a comment.
      ...headerLines(report, options?.file).map((line) => `<!-- ${escaped(line).replaceAll('--', '- -')} -->`),
      '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
      ...attributeKeys(unit).map(
        ([name, domain, type]) => `  <key id="${name}" for="${domain}" attr.name="${name}" attr.type="${type}"/>`,
      ),
      `  <graph id="${escaped(report.name)}" edgedefault="directed">`,
    ];
    let rank = 0;
    for (const { job, mapping } of report.jobs) {
      for (const [task, slot] of mapping.entries()) {
        const node = nodeOfRank[rank] ?? 0;
        const data = { job: job.name, task, node, host: hosts[node] ?? '', slot, [unit]: coreOfSlot(machine, slot) };
        const values = Object.entries(data).map(
          ([key, value]) => `<data key="${key}">${escaped(String(value))}</data>`,
        );
        lines.push(`    <node id="${rank}">${values.join('')}</node>`);
        rank++;
      }
    }
    visitPairs(launch.value, (from, to, bytes) => {
      lines.push(`    <edge source="${from}" target="${to}"><data key="bytes">${bytes}</data></edge>`);
    });
    return succeed({ text: `${[...lines, '  </graph>', '</graphml>'].join('\n')}\n`, warnings: [] });
  },
};

const attributeKeys = (unit: string): readonly (readonly [name: string, domain: 'node' | 'edge', type: string])[] => [
  ['job', 'node', 'string'],
  ['task', 'node', 'int'],
  ['node', 'node', 'int'],
  ['host', 'node', 'string'],
  ['slot', 'node', 'int'],
  [unit, 'node', 'int'],
  ['bytes', 'edge', 'double'],
];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter);
