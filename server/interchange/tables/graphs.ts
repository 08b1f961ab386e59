/**
 * Graphs as tables: those of Scotch and those of METIS. An edge stands in the lists of both its ends, so that either side
 * sends its weight.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import { taskLimit } from '../../model/job.ts';
import { fail, quote, type Result, succeed } from '../../model/result.ts';
import type { TableEntries } from '../../model/traffic.ts';
import { ByteScanner } from '../byteScanner.ts';
import type { TableFormatEntry } from '../contract.ts';
import { EntryList, faultOfAmount, tooManyEntries } from '../entries.ts';
import { wholeFile } from '../wholeFile.ts';

const [hash, percent] = [35, 37];

/** A sentence without its place, or the value. */
type Read = number | string;

const beginningText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export const scotchGraph: TableFormatEntry = {
  name: 'scotch',
  summary: 'a graph of Scotch (`.grf`); an edge weight is the traffic in each direction',
  source: 'Pellegrini, Scotch 7.0 user’s guide, section 5.1',
  details:
    'The version `0`, then vertices and arcs, then the first vertex number and three flags. The flags are vertex ' +
    'labels, edge weights, vertex weights. Edges without weight count 1; vertex weights are ignored. Labels, if ' +
    'present, are the task numbers.',
  options: [],
  recognizes: (bytes) =>
    /^\s*0[ \t]*\r?\n\s*\d+[ \t]+\d+[ \t]*\r?\n\s*\d+[ \t]+[01]{1,3}[ \t]*(?:\r?\n|$)/.test(
      beginningText(bytes.subarray(0, 4096)),
    ),
  read: wholeFile(readScotchGraph),
};

/** Vertices one after the other; their lists may go on over lines. O(bytes). */
function readScotchGraph(bytes: Uint8Array, fileName: string, cancellation: Cancellation): Result<TableEntries> {
  const scanner = new ByteScanner(bytes, cancellation);
  scanner.nextContentLine(hash);
  const reader = new ScotchReader(scanner, bytes.length);
  const fault = reader.readHeader() ?? reader.readVertices() ?? reader.resolve();
  if (fault === undefined) return succeed(reader.entries.finish(reader.vertices));
  return fail('bad-table', `${fileName}:${scanner.line}: ${fault}`);
}

/** Answers of its steps: why the file is refused, or undefined. */
class ScotchReader {
  readonly entries = new EntryList();
  vertices = 0;
  readonly #words: Words;
  readonly #byteCount: number;
  #arcs = 0;
  /** Arcs that the lists may still have. */
  #left = 0;
  #base = 0;
  #flags: Flags = [false, false, false];
  readonly #vertexOf = new Map<number, number>();
  /** Arcs to labels, some of which come later. */
  readonly #labelled: { readonly vertex: number; readonly to: number; readonly weight: number }[] = [];

  constructor(scanner: ByteScanner, byteCount: number) {
    this.#words = new Words(scanner);
    this.#byteCount = byteCount;
  }

  readHeader(): string | undefined {
    if (this.#words.number() !== 0) return 'Expected version 0 of Scotch graphs at the beginning.';
    const [vertices, arcs, base] = [this.#words.number(), this.#words.number(), this.#words.number()];
    if (typeof vertices === 'string') return `Vertices: ${vertices}`;
    if (typeof arcs === 'string') return `Arcs: ${arcs}`;
    if (typeof base === 'string') return `The number of the first vertex: ${base}`;
    const flags = this.#words.text();
    if (!/^[01]{1,3}$/.test(flags)) return `Invalid flags ${quote(flags)}. Expected three digits 0 or 1.`;
    [this.vertices, this.#arcs, this.#left, this.#base, this.#flags] = [vertices, arcs, arcs, base, flagsOf(flags)];
    if (vertices + arcs <= this.#byteCount) return faultOfVertexCount(vertices);
    return faultOfVertexCount(vertices) ?? tooShort(vertices, `${arcs} arcs`, this.#byteCount);
  }

  readVertices(): string | undefined {
    for (let vertex = 0; vertex < this.vertices; vertex++) {
      const fault = this.#readVertex(vertex);
      if (fault !== undefined) return fault;
    }
    if (this.#left > 0)
      return `The lists have ${this.#arcs - this.#left} arcs, but the second line declares ${this.#arcs}.`;
    const rest = this.#words.text();
    return rest === '' ? undefined : `Unexpected text ${quote(rest)} after the last vertex.`;
  }

  #readVertex(vertex: number): string | undefined {
    const [hasLabels, , hasLoads] = this.#flags;
    const label = hasLabels ? this.#words.number() : vertex + this.#base;
    if (typeof label === 'string') return `Label of vertex ${vertex + this.#base}: ${label}`;
    if (hasLabels && this.#vertexOf.has(label)) return `The label ${label} is used twice.`;
    if (hasLabels) this.#vertexOf.set(label, vertex);
    const load = hasLoads ? this.#words.number() : 0;
    if (typeof load === 'string') return `Weight of vertex ${label}: ${load}`;
    const degree = this.#words.number();
    if (typeof degree === 'string') return `Number of neighbours of vertex ${label}: ${degree}`;
    if (degree > this.#left)
      return `Vertex ${label} has ${degree} neighbours; of the declared ${this.#arcs} arcs, only ${this.#left} remain.`;
    this.#left -= degree;
    for (let neighbour = 1; neighbour <= degree; neighbour++) {
      const fault = this.#readArc(vertex, label, neighbour);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #readArc(vertex: number, label: number, neighbour: number): string | undefined {
    const [hasLabels, hasWeights] = this.#flags;
    const weight = hasWeights ? this.#words.amount() : 1;
    if (typeof weight === 'string') return `Weight of an edge of vertex ${label}: ${weight}`;
    const to = this.#words.number();
    if (typeof to === 'string') return `Neighbour ${neighbour} of vertex ${label}: ${to}`;
    if (hasLabels) {
      this.#labelled.push({ vertex, to, weight });
      return undefined;
    }
    const end = this.vertices + this.#base;
    if (to < this.#base || to >= end) return noVertex(to, this.#base, this.vertices);
    return this.entries.add(vertex, to - this.#base, weight) ? undefined : tooManyEntries;
  }

  /** Arcs to labels become arcs to vertices. */
  resolve(): string | undefined {
    for (const { vertex, to, weight } of this.#labelled) {
      const other = this.#vertexOf.get(to);
      if (other === undefined) return `Vertex label ${to} does not exist.`;
      if (!this.entries.add(vertex, other, weight)) return tooManyEntries;
    }
    return undefined;
  }
}

type Flags = readonly [boolean, boolean, boolean];

/** Of up to three digits, from the hundreds to the units. */
function flagsOf(digits: string): Flags {
  const padded = digits.padStart(3, '0');
  return [padded.charAt(0) === '1', padded.charAt(1) === '1', padded.charAt(2) === '1'];
}

const tooShort = (vertices: number, edges: string, byteCount: number): string =>
  `The file declares ${vertices} vertices and ${edges} but has only ${byteCount} bytes. It is truncated.`;

const noVertex = (vertex: number, base: number, vertices: number): string =>
  `Vertex ${vertex} does not exist. Vertices are ${base} to ${vertices + base - 1}.`;

function faultOfVertexCount(vertices: number): string | undefined {
  if (vertices >= 1 && vertices <= taskLimit) return undefined;
  return `The graph has ${vertices} vertices. A table needs 1 to ${taskLimit} tasks.`;
}

/** Words of a text, over line ends. */
class Words {
  readonly #scanner: ByteScanner;

  constructor(scanner: ByteScanner) {
    this.#scanner = scanner;
  }

  /** The next word, '' at the end of the file. */
  text(): string {
    while (this.#scanner.atLineEnd()) if (!this.#scanner.nextContentLine(hash)) return '';
    return this.#scanner.field();
  }

  number(): Read {
    while (this.#scanner.atLineEnd())
      if (!this.#scanner.nextContentLine(hash)) return 'the file ends here. It is truncated.';
    const value = this.#scanner.wholeNumber();
    return value >= 0 ? value : `${quote(this.#scanner.field())} is not a whole number ≥ 0.`;
  }

  amount(): Read {
    const text = this.text();
    if (text === '') return 'the file ends here. It is truncated.';
    const fault = faultOfAmount(text);
    return fault === undefined ? Number(text) : `${fault}.`;
  }
}

export const metis: TableFormatEntry = {
  name: 'metis',
  summary: 'a graph of METIS, Chaco or KaHIP; an edge weight is the traffic in each direction',
  source: 'Karypis & Kumar, METIS 5.1 manual, section 4.1.1',
  details:
    'Vertices, edges and three flags: vertex sizes, vertex weights, edge weights. Then one line per vertex with its neighbours, counted from 1. Edges without weight count 1; vertex sizes and weights are ignored. `%` begins a comment.',
  options: [],
  recognizes: looksLikeMetis,
  read: wholeFile(readMetis),
};

/**
 * Numbers and blanks alone, with fewer than five in the first line and lines of other lengths below it: a square matrix
 * has as many in each line.
 */
function looksLikeMetis(bytes: Uint8Array): boolean {
  const text = beginningText(bytes.subarray(0, 4096)).replace(/\r/g, '');
  const isWhole = bytes.length < 4096;
  const lines = text.split('\n').filter((line) => !line.startsWith('%'));
  // The last one is empty, or cut off.
  if (!isWhole || lines.at(-1)?.trim() === '') lines.pop();
  const [head = '', second = ''] = lines;
  if (!headOfMetis.test(head) || !/^[\d\s]*$/.test(second)) return false;
  const counts = lines.map((line) => line.split(/[ \t]+/).filter((word) => word !== '').length);
  const areAlike = counts.every((count) => count === counts[0]);
  if (!areAlike || !isWhole) return !areAlike;
  return lines.length !== counts[0] && lines.length === Number(/\d+/.exec(head)?.[0]) + 1;
}

const headOfMetis = /^\s*[1-9]\d*[ \t]+\d+(?:[ \t]+[01]{1,3}(?:[ \t]+\d+)?)?\s*$/;

/** Line by line: an empty one is a vertex without neighbours. O(bytes). */
function readMetis(bytes: Uint8Array, fileName: string, cancellation: Cancellation): Result<TableEntries> {
  const scanner = new ByteScanner(bytes, cancellation);
  const reader = new MetisReader(scanner);
  const fault = reader.readHeader(bytes.length) ?? reader.readVertices();
  if (fault === undefined) return succeed(reader.entries.finish(reader.vertices));
  return fail('bad-table', `${fileName}:${scanner.line}: ${fault}`);
}

/** Answers of its steps: why the file is refused, or undefined. */
class MetisReader {
  readonly entries = new EntryList();
  vertices = 0;
  readonly #scanner: ByteScanner;
  #edges = 0;
  #arcs = 0;
  /** Numbers that stand before the neighbours of a vertex. */
  #passedOver = 0;
  #hasWeights = false;

  constructor(scanner: ByteScanner) {
    this.#scanner = scanner;
  }

  readHeader(byteCount: number): string | undefined {
    const scanner = this.#scanner;
    if (!scanner.nextContentLine(percent)) return 'The file is empty.';
    const [vertices, edges] = [this.#number(), this.#number()];
    if (typeof vertices === 'string' || typeof edges === 'string')
      return 'Expected `VERTICES EDGES [FORMAT]` on the first line.';
    const flags = scanner.atLineEnd() ? '0' : scanner.field();
    const constraints = scanner.atLineEnd() ? 1 : this.#number();
    if (!/^[01]{1,3}$/.test(flags)) return `Invalid format ${quote(flags)}. Expected three digits 0 or 1.`;
    if (typeof constraints === 'string' || constraints > 1000 || !scanner.atLineEnd())
      return 'Expected `VERTICES EDGES FORMAT CONSTRAINTS` on the first line.';
    const [hasSizes, hasLoads, hasWeights] = flagsOf(flags);
    [this.vertices, this.#edges, this.#hasWeights] = [vertices, edges, hasWeights];
    this.#passedOver = (hasSizes ? 1 : 0) + (hasLoads ? constraints : 0);
    const isTooShort = vertices + 2 * edges > byteCount + 1;
    return faultOfVertexCount(vertices) ?? (isTooShort ? tooShort(vertices, `${edges} edges`, byteCount) : undefined);
  }

  readVertices(): string | undefined {
    const scanner = this.#scanner;
    for (let vertex = 1; vertex <= this.vertices;) {
      if (!scanner.nextLine()) return `The file ends before vertex ${vertex} of ${this.vertices}. It is truncated.`;
      if (scanner.beginning(1) === '%') continue;
      const fault = this.#readVertex(vertex);
      if (fault !== undefined) return fault;
      vertex++;
    }
    if (scanner.nextContentLine(percent)) return `The file has more lines than its ${this.vertices} vertices.`;
    if (this.#arcs === 2 * this.#edges) return undefined;
    return `The lists have ${this.#arcs} neighbours, but ${this.#edges} declared edges need ${2 * this.#edges}. List each edge at both ends.`;
  }

  #readVertex(vertex: number): string | undefined {
    for (let load = 0; load < this.#passedOver; load++) {
      const value = this.#number();
      if (typeof value === 'string') return `Weight of vertex ${vertex}: ${value}`;
    }
    while (!this.#scanner.atLineEnd()) {
      const to = this.#number();
      if (typeof to === 'string') return `Neighbours of vertex ${vertex}: ${to}`;
      if (to < 1 || to > this.vertices) return noVertex(to, 1, this.vertices);
      const weight = this.#hasWeights ? weightAt(this.#scanner) : 1;
      if (typeof weight === 'string') return `Weight of the edge from vertex ${vertex} to ${to}: ${weight}`;
      if (!this.entries.add(vertex - 1, to - 1, weight)) return tooManyEntries;
      this.#arcs++;
    }
    return undefined;
  }

  #number(): Read {
    const value = this.#scanner.wholeNumber();
    if (value >= 0) return value;
    const text = this.#scanner.field();
    return text === '' ? 'the line ends here.' : `${quote(text)} is not a whole number ≥ 0.`;
  }
}

function weightAt(scanner: ByteScanner): Read {
  const text = scanner.field();
  if (text === '') return 'the line ends here.';
  const fault = faultOfAmount(text);
  return fault === undefined ? Number(text) : `${fault}.`;
}
