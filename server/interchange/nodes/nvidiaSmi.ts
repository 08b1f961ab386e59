import type { DevicePath, NodeShape } from '../../model/fabric.ts';
import { quote, type Result, fail, succeed } from '../../model/result.ts';
import type { NodeFormatEntry } from '../contract.ts';
import { textLines } from '../reading.ts';
import { badNode, type DeviceBeside, shapeOfUnits, shapeWithoutCores } from './nodeDevices.ts';

/** The matrix that `nvidia-smi topo -m` prints: how GPUs and NICs of a node reach each other, and their nearest cores. */

const devicePattern = /^(?:GPU\d+|NIC\d+|mlx\d+_\d+|(?:roce|ib|bnxt|efa|rdma)\w*)$/i;
const pathPattern = /^(?:X|SYS|NODE|PHB|PXB|PIX|NV(\d{1,3}))$/;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** What stands behind the paths: cores, NUMA nodes. */
  readonly tail: readonly string[];
}

/** The matrix while its lines are read. */
class Matrix {
  readonly rows = new Map<string, Row>();
  /** Devices behind `NIC0`, from the legend. */
  readonly aliases = new Map<string, string>();
  columns: readonly string[] | undefined;
  headLine = 1;
  hasAffinity = false;
  unknownColumns: readonly string[] = [];

  /** What is wrong with the line, if anything. */
  take(content: string, line: number): string | undefined {
    const [, nic, name] = /^\s*(NIC\d+):\s*(\S+)/.exec(content) ?? [];
    if (nic !== undefined && name !== undefined) this.aliases.set(nic, name);
    const words = content.trim().split(/\s+/);
    const [first = ''] = words;
    if (this.columns === undefined) {
      this.headLine = line;
      return this.head(words);
    }
    if (first === '' || this.rows.size === this.columns.length || /^Legend/i.test(first)) return undefined;
    if (!this.columns.includes(first))
      return `The first line does not name the device ${quote(first)}. The file may be truncated.`;
    if (this.rows.has(first)) return `${quote(first)} has two rows.`;
    const cells = words.slice(1, this.columns.length + 1);
    const wrong = cells.find((cell) => !pathPattern.test(cell));
    if (cells.length < this.columns.length) {
      return `The row has ${cells.length} values for ${this.columns.length} devices. The file may be truncated.`;
    }
    if (wrong !== undefined) return `Invalid path ${quote(wrong)}. Expected X, NV#, PIX, PXB, PHB, NODE or SYS.`;
    this.rows.set(first, { line, cells, tail: words.slice(this.columns.length + 1) });
    return undefined;
  }

  private head(words: readonly string[]): string | undefined {
    if (!/^GPU\d+$/.test(words[0] ?? '') || words.some((word) => pathPattern.test(word))) return undefined;
    const count = words.findIndex((word) => !devicePattern.test(word));
    this.columns = count < 0 ? words : words.slice(0, count);
    this.hasAffinity = words.includes('Affinity');
    const others = words.slice(this.columns.length).join(' ').replaceAll(knownColumns, '').trim();
    this.unknownColumns = others.split(/\s+/).filter((word) => word !== '');
    return this.columns.length > mostDevices
      ? `The node has more than ${mostDevices} devices, the maximum.`
      : undefined;
  }
}

const mostDevices = 256;

/** Behind the devices; `GPU NUMA ID` is passed over. */
const knownColumns = /CPU Affinity|NUMA Affinity|GPU NUMA ID/g;

/** O(text + devices²). */
function readTopologyMatrix(text: string, fileName: string): Result<NodeShape> {
  const matrix = new Matrix();
  let last = 1;
  for (const { line, content } of textLines(text)) {
    // Colours and underlines of a terminal.
    const fault = matrix.take(content.replace(/\u001b\[[0-9;]*m/g, ''), line);
    if (fault !== undefined) return badNode(fileName, line, fault);
    if (content.trim() !== '') last = line;
  }
  const { columns, rows } = matrix;
  if (columns === undefined) {
    return fail('bad-node', `${fileName}: The matrix has no header line. Expected a line with GPU0, GPU1, ….`);
  }
  const missing = columns.find((name) => !rows.has(name));
  if (missing !== undefined) {
    return badNode(fileName, last, `The row of ${quote(missing)} is missing. The file may be truncated.`);
  }
  for (const [at, name] of columns.entries()) {
    const { line } = rows.get(name)!;
    const fault = faultOfRow(columns, rows, at);
    if (fault !== undefined) return badNode(fileName, line, fault);
  }
  const shape = buildNodeShape(columns, matrix, fileName);
  if (!shape.ok || matrix.unknownColumns.length === 0) return shape;
  const message = `Skipped columns: ${matrix.unknownColumns.slice(0, 5).map(quote).join(', ')}.`;
  return succeed({ ...shape.value, warnings: [...shape.value.warnings, { line: matrix.headLine, message }] });
}

/** A row that disagrees with its column. */
function faultOfRow(columns: readonly string[], rows: ReadonlyMap<string, Row>, at: number): string | undefined {
  const name = columns[at]!;
  for (const [to, cell] of rows.get(name)!.cells.entries()) {
    const other = columns[to]!;
    if ((cell === 'X') !== (to === at))
      return `Unexpected X at ${quote(other)}. X is the path from a device to itself.`;
    const back = rows.get(other)!.cells[at]!;
    if (back !== cell)
      return `The matrix is not symmetric: ${quote(name)} to ${quote(other)} is ${cell}, and back ${back}.`;
  }
  return undefined;
}

/** Sets of processing units that GPUs are next to: one for each NUMA node that is named, and for each set without one. */
class NearUnits {
  readonly sets: (readonly number[])[] = [];
  /** The number is the system's own and no position: it only tells which GPUs are next to the same NUMA node. */
  readonly #positionOfNuma = new Map<string, number>();

  get numaNodes(): number {
    return Math.max(1, this.#positionOfNuma.size);
  }

  /** The position of a set, which may be empty, and of its NUMA node; undefined where there is neither. */
  positionOf(set: readonly number[], numa: string): number | undefined {
    const isNumbered = /^\d{1,4}$/.test(numa);
    const known = isNumbered ? this.#positionOfNuma.get(numa) : undefined;
    if (set.length === 0 && (known !== undefined || !isNumbered)) return known;
    if (known !== undefined && [set.join(), ''].includes(this.sets[known]!.join())) {
      this.sets[known] = set;
      return known;
    }
    const position = this.sets.push(set) - 1;
    if (isNumbered && known === undefined) this.#positionOfNuma.set(numa, position);
    return position;
  }
}

function buildNodeShape(
  columns: readonly string[],
  { rows, aliases, hasAffinity }: Matrix,
  fileName: string,
): Result<NodeShape> {
  const devices: DeviceBeside[] = [];
  const near = new NearUnits();
  for (const name of columns) {
    const { line, tail } = rows.get(name)!;
    const kind = /^GPU/i.test(name) ? 'gpu' : 'nic';
    const [affinity = 'N/A', numa = ''] = kind === 'gpu' ? tail : [];
    const set = affinity === 'N/A' ? [] : unitsInRanges(affinity);
    if (set === undefined) {
      return badNode(fileName, line, `Invalid set of processing units ${quote(affinity)}. Example: 0-15,32-47.`);
    }
    devices.push({ device: { kind, name: aliases.get(name) ?? name }, beside: near.positionOf(set, numa) });
  }
  const { sets, numaNodes } = near;
  const { line } = rows.get(columns[0]!)!;
  if (sets.every((set) => set.length === 0)) {
    const column = hasAffinity ? 'is empty' : 'is missing';
    const message = `${fileName}:${line}: The column \`CPU Affinity\` ${column}, so the number of cores is unknown. Write \`cores\` in the machine.`;
    return succeed(shapeWithoutCores(message, numaNodes, devices, matrixPaths(columns, rows)));
  }
  const shape = shapeOfUnits(sets, numaNodes, devices, matrixPaths(columns, rows));
  return shape.ok ? shape : badNode(fileName, line, shape.failure);
}

function matrixPaths(columns: readonly string[], rows: ReadonlyMap<string, Row>): DevicePath[] {
  const paths: DevicePath[] = [];
  for (const [from, name] of columns.entries()) {
    for (const [to, cell] of rows.get(name)!.cells.entries()) {
      const links = pathPattern.exec(cell)?.[1];
      if (to <= from) continue;
      if (links !== undefined) paths.push({ from, to, kind: 'NV', links: Number(links) });
      else paths.push({ from, to, kind: cell as Exclude<DevicePath['kind'], 'NV'> });
    }
  }
  return paths;
}

/** `0-15,32-47`; undefined where it is none. */
function unitsInRanges(text: string): number[] | undefined {
  const units: number[] = [];
  for (const range of text.split(',')) {
    const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range) ?? [];
    if (first === undefined || Number(last) < Number(first)) return undefined;
    for (let unit = Number(first); unit <= Number(last); unit++) units.push(unit);
    if (units.length > 2 ** 17) return undefined;
  }
  return units;
}

export const nvidiaSmi: NodeFormatEntry = {
  name: 'nvidia-smi',
  summary: 'matrix of GPUs and NICs, as `nvidia-smi topo -m` prints it',
  source: 'NVIDIA System Management Interface, nvidia-smi(1), topo -m',
  details:
    'Each different `CPU Affinity` is a socket with one core per processing unit. GPUs and NICs are read with the paths between them: NV#, PIX, PXB, PHB, NODE, SYS.',
  options: [],
  recognizes: (text) => /^[ \t]*(?:\u001b\[4m)?[ \t]*GPU0[ \t]+(?:GPU1|NIC0|mlx|CPU|X)/m.test(text),
  read: readTopologyMatrix,
};
