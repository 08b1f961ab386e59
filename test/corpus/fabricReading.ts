/**
 * Second, slow and simple readings of networks, written apart from server/interchange: lines are
 * counted, hostlists unrolled by hand, XML objects counted by their words.
 */
export interface PlainCounts {
  readonly switches: number;
  readonly hosts: number;
  readonly cables: number;
}

/** Full ibnetdiscover output and net files: ports of switches that lead to switches, and hosts' first cables. */
export function countInfiniband(text: string): PlainCounts {
  const switches = new Set<string>();
  const between = new Set<string>();
  const hosts = new Set<string>();
  for (const [, id = ''] of text.matchAll(/^Switch\s+\d+\s+"(.*?)"/gm)) switches.add(id);
  let own = '';
  for (const line of text.split('\n')) {
    own = /^(?:Switch|Ca|Hca)\s+\d+\s+"(.*?)"/.exec(line)?.[1] ?? own;
    const [, port = '', far = '', farPort = ''] = /^\[(\d+)\].*?"(.*?)"\[(\d+)\]/.exec(line) ?? [];
    if (port === '' || far === own) continue;
    if (!switches.has(own)) hosts.add(own);
    else if (!switches.has(far)) hosts.add(far);
    else between.add([`${own}:${port}`, `${far}:${farPort}`].sort().join(' '));
  }
  return { switches: switches.size, hosts: hosts.size, cables: between.size };
}

/** `a[1-3,5],b` unrolled; one bracket per name. */
function unroll(list: string): string[] {
  return Array.from(list.matchAll(/([^,[\]]*)(?:\[([^\]]*)\])?(?:,|$)/g)).flatMap(([all, stem = '', ranges]) => {
    if (all === '') return [];
    if (ranges === undefined) return [stem];
    return ranges.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map((text) => Number.parseInt(text, 10));
      return Array.from({ length: last - first + 1 }, (_, at) => `${stem}${first + at}`);
    });
  });
}

/** A Slurm tree: every switch but one hangs on another. */
export function countSlurmTree(text: string): PlainCounts {
  const lines = text.split('\n').filter((line) => line.startsWith('SwitchName='));
  const nodes = lines.flatMap((line) => unroll(/Nodes=(\S+)/.exec(line)?.[1] ?? ''));
  return { switches: lines.length, hosts: new Set(nodes).size, cables: lines.length - 1 };
}

/** Slurm blocks: a switch each, and one that joins them. */
export function countSlurmBlocks(text: string): PlainCounts {
  const lines = text.split('\n').filter((line) => line.startsWith('BlockName='));
  const nodes = lines.flatMap((line) => unroll(/Nodes=(\S+)/.exec(line)?.[1] ?? ''));
  return { switches: lines.length + 1, hosts: new Set(nodes).size, cables: lines.length };
}

/** Objects of an hwloc file by type. */
export const countObjects = (xml: string, type: string): number => xml.split(`<object type="${type}"`).length - 1;
