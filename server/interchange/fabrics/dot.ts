import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { oneLine, UnknownNames } from '../reading.ts';
import { badFabric, faultOfCount, withWarnings } from './builder.ts';
import type { DeviceKind } from './devices.ts';
import { type LinkEnd, LinkList } from './linkList.ts';

/**
 * Graphs in the language of Graphviz that stand for cables: `topology.dot` of the Prescriptive Topology Manager, with
 * ports, and drawings of fabrics, with the kind of a node as an attribute.
 */

interface Token {
  readonly text: string;
  /** Quoted words are never keywords or signs. */
  readonly isWord: boolean;
  readonly line: number;
}

const pieces =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\[\s\S])*"|--|->|[{}[\];,=:+]|[\w.\u0080-\uffff]+|-[\d.]+|<[^<>]*>/y;

/** The words and signs of a text; fails with a line. O(text). */
function tokensOf(text: string, fileName: string): Result<Token[]> {
  const tokens: Token[] = [];
  let line = 1;
  // Lines of the preprocessor are comments.
  const plain = text.replace(/^#[^\n]*$/gm, '');
  pieces.lastIndex = 0;
  for (let start = 0; start < plain.length; start = pieces.lastIndex) {
    pieces.lastIndex = start;
    const [piece] = pieces.exec(plain) ?? [];
    if (piece === undefined) {
      const rest = plain.slice(start, start + 30).split('\n', 1)[0] ?? '';
      return badFabric(fileName, line, `Unexpected text ${quote(rest.trim())}. The file may be truncated.`);
    }
    if (piece.startsWith('"')) {
      const word = piece
        .slice(1, -1)
        .replace(/\\"/g, '"')
        .replace(/\\\r?\n/g, '');
      const joins = tokens.at(-1)?.text === '+' && !tokens.at(-1)!.isWord && tokens.at(-2)?.isWord;
      if (joins) tokens.splice(-2, 2, { text: tokens.at(-2)!.text + word, isWord: true, line });
      else tokens.push({ text: word, isWord: true, line });
    } else if (!/^(?:\s|\/\/|\/\*)/.test(piece))
      tokens.push({ text: piece, isWord: /^[\w.<\u0080-\uffff]|^-[\d.]/.test(piece), line });
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) line++;
  }
  return succeed(tokens);
}

/** The ends that a subgraph or a node stands for, and where the next one joins. */
type Ends = readonly LinkEnd[];

const kinds: readonly (readonly [RegExp, DeviceKind])[] = [
  [/^(?:switch|sw|spine|leaf|core|tor)$/i, 'switch'],
  [/^(?:host|hca|ca|server|node|compute)$/i, 'adapter'],
];

const [speedNames, kindNames] = [
  ['speed', 'bandwidth'],
  ['type', 'kind', 'role', 'function', 'device_type'],
];

/** What Graphviz, PTM and ibtopotool know of graphs, nodes and edges: how they are drawn or described, and how a link is watched. */
const passedOverAttributes = new Set(
  (
    '_background area arrowhead arrowsize arrowtail bb beautify bgcolor center charset class cluster clusterrank color colorscheme comment ' +
    'compound concentrate constraint damping decorate defaultdist dim dimen dir diredgeconstraints distortion dpi edgehref edgetarget ' +
    'edgetooltip edgeurl epsilon esep fillcolor fixedsize fontcolor fontname fontnames fontpath fontsize forcelabels gradientangle group ' +
    'head_lp headclip headhref headlabel headport headtarget headtooltip headurl height href id image imagepath imagepos imagescale ' +
    'inputscale k label label_scheme labelangle labeldistance labelfloat labelfontcolor labelfontname labelfontsize labelhref labeljust ' +
    'labelloc labeltarget labeltooltip labelurl landscape layer layerlistsep layers layerselect layersep layout len levels levelsgap lhead ' +
    'lheight linelength lp ltail lwidth margin maxiter mclimit mindist minlen mode model newrank nodesep nojustify normalize notranslate ' +
    'nslimit nslimit1 oneblock ordering orientation outputorder overlap overlap_scaling overlap_shrink pack packmode pad page pagedir ' +
    'pencolor penwidth peripheries pin pos quadtree quantum radius rank rankdir ranksep ratio rects regular remincross repulsiveforce ' +
    'resolution root rotate rotation samehead sametail samplepoints scale searchsize sep shape shapefile showboxes sides size skew ' +
    'smoothing sortv splines start style stylesheet tail_lp tailclip tailhref taillabel tailport tailtarget tailtooltip tailurl target ' +
    'tbbalance tooltip truecolor url vertices viewport voro_margin weight width xdotversion xlabel xlp z ' +
    'hostidtype version bfd lldp os hostname desc'
  ).split(' '),
);
const knownAttributes: ReadonlySet<string> = new Set([...speedNames, ...kindNames, ...passedOverAttributes]);

/** Deeper subgraphs are no drawing of a fabric. */
const deepest = 100;

class DotReader {
  readonly links = new LinkList();
  private at = 0;
  private readonly tokens: readonly Token[];
  private readonly cancellation: Cancellation;
  readonly unknown = new UnknownNames();
  /** What is wrong, with its line. */
  fault: { readonly line: number; readonly message: string } | undefined;

  constructor(tokens: readonly Token[], cancellation: Cancellation) {
    this.tokens = tokens;
    this.cancellation = cancellation;
  }

  read(): void {
    this.takeWord(/^strict$/i);
    if (!this.takeWord(/^(?:di)?graph$/i)) {
      this.fail('Expected `graph` or `digraph` at the beginning.');
      return;
    }
    if (this.peek()?.isWord) this.at++;
    this.block(0);
    if (!this.hasFailed() && this.peek()) this.fail('The file has several graphs. Keep one.');
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }

  private takeWord(word: RegExp): boolean {
    const token = this.peek();
    if (!token?.isWord || !word.test(token.text)) return false;
    this.at++;
    return true;
  }

  private takeSign(sign: string): boolean {
    const token = this.peek();
    if (token === undefined || token.isWord || token.text !== sign) return false;
    this.at++;
    return true;
  }

  private hasFailed(): boolean {
    return this.fault !== undefined;
  }

  private fail(message: string): void {
    this.fault ??= { line: (this.peek() ?? this.tokens.at(-1))?.line ?? 1, message };
  }

  /** Statements between braces; returns the nodes named in them. */
  private block(depth: number): Ends {
    if (depth > deepest) {
      this.fail(`The graph is nested more than ${deepest} levels deep.`);
      return [];
    }
    if (!this.takeSign('{')) {
      this.fail('Expected `{`. The file may be truncated.');
      return [];
    }
    const named: LinkEnd[] = [];
    while (!this.hasFailed() && !this.cancellation.isCancelled()) {
      if (this.takeSign('}')) return named;
      if (this.takeSign(';') || this.takeSign(',')) continue;
      if (!this.peek()) this.fail('The graph has no closing `}`. The file may be truncated.');
      else for (const end of this.statement(depth)) named.push(end);
    }
    return named;
  }

  private statement(depth: number): Ends {
    const { line = 1, text = '' } = this.peek() ?? {};
    if (/^(?:graph|node|edge)$/i.test(text) && this.tokens[this.at + 1]?.text === '[') {
      this.at++;
      this.attributes();
      return [];
    }
    const ends = this.ends(depth);
    if (this.takeSign('=')) {
      if (!knownAttributes.has(text.toLowerCase())) this.unknown.add(attributeNamed(text), line);
      this.at++;
      return [];
    }
    const edges = this.edges(ends, depth);
    const attributes = this.attributes();
    const [only] = ends;
    if (edges.length === 0 && only && ends.length === 1)
      this.links.mention(only.name, this.kindOf(attributes, line), line);
    const speed = edges.length > 0 ? this.speedOf(attributes, line) : '';
    for (const [from, to] of edges) this.links.link(from, to, speed, line);
    return [...ends, ...edges.map(([, to]) => to)];
  }

  /** What stands behind the first end: `-- b -- {c d}`. */
  private edges(first: Ends, depth: number): (readonly [LinkEnd, LinkEnd])[] {
    const edges: (readonly [LinkEnd, LinkEnd])[] = [];
    let ends = first;
    while (!this.hasFailed() && (this.takeSign('--') || this.takeSign('->'))) {
      const next = this.ends(depth);
      const excess = faultOfCount('cables', (this.links.size + edges.length + ends.length * next.length) / 2);
      if (excess !== undefined) {
        this.fail(excess);
        return edges;
      }
      for (const from of ends) for (const to of next) edges.push([from, to]);
      ends = next;
    }
    return edges;
  }

  /** A node, with a port behind a colon, or a subgraph. */
  private ends(depth: number): Ends {
    if (this.takeWord(/^subgraph$/i)) {
      if (this.peek()?.isWord) this.at++;
      return this.block(depth + 1);
    }
    const token = this.peek();
    if (token?.text === '{' && !token.isWord) return this.block(depth + 1);
    if (!token?.isWord) {
      this.fail(
        `Expected a name${token === undefined ? '' : `, found ${quote(token.text)}`}. The file may be truncated.`,
      );
      return [];
    }
    this.at++;
    let port = '';
    while (this.takeSign(':')) {
      const part = this.peek();
      if (!part?.isWord) {
        this.fail('Expected a port after `:`. The file may be truncated.');
        return [];
      }
      // A second one is the side of the box that an edge leaves.
      if (port === '') port = part.text;
      this.at++;
    }
    return [{ name: token.text, port }];
  }

  private attributes(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    while (!this.hasFailed() && this.takeSign('[')) {
      while (!this.hasFailed() && !this.takeSign(']')) {
        if (this.takeSign(',') || this.takeSign(';')) continue;
        const key = this.peek();
        if (!key?.isWord) {
          this.fail('The attributes have no closing `]`. The file may be truncated.');
          break;
        }
        this.at++;
        if (!knownAttributes.has(key.text.toLowerCase())) this.unknown.add(attributeNamed(key.text), key.line);
        if (!this.takeSign('=')) continue;
        const value = this.peek();
        if (value?.isWord) {
          found.set(key.text.toLowerCase(), value.text);
          this.at++;
        } else this.fail(`Expected a value after ${quote(key.text)}. The file may be truncated.`);
      }
    }
    return found;
  }

  /** `25G` of `speed="25G"`; '' where there is none that is understood. */
  private speedOf(attributes: ReadonlyMap<string, string>, line: number): string {
    const text = speedNames.map((name) => attributes.get(name)).find((value) => value !== undefined) ?? '';
    if (text === '') return '';
    const gigabits = /^(\d+(?:\.\d+)?) ?G/i.exec(text)?.[1];
    if (gigabits === undefined)
      this.unknown.add(`Invalid speed ${quote(oneLine(text))} (example: \`25G\` for Gbit/s)`, line);
    return gigabits === undefined ? '' : `${gigabits}G`;
  }

  private kindOf(attributes: ReadonlyMap<string, string>, line: number): DeviceKind | undefined {
    const words = kindNames.map((key) => attributes.get(key) ?? '').filter((word) => word !== '');
    for (const word of words) for (const [form, kind] of kinds) if (form.test(word)) return kind;
    for (const word of words) this.unknown.add(`Unknown kind of device ${quote(oneLine(word))}`, line);
    return undefined;
  }
}

const attributeNamed = (name: string): string => `Unknown attribute ${quote(oneLine(name))}`;

/** O(text). */
function readDot(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const tokens = tokensOf(text, fileName);
  if (!tokens.ok) return tokens;
  const reader = new DotReader(tokens.value, cancellation);
  reader.read();
  if (reader.fault) return badFabric(fileName, reader.fault.line, reader.fault.message);
  const fabric = reader.links.fabric('dot', fileName, 'the graph needs an edge between two devices.');
  return withWarnings(fabric, reader.unknown.warnings());
}

export const dot: MachineFormatEntry = {
  name: 'dot',
  summary: 'graph of links in the Graphviz language, as in `topology.dot` of PTM',
  source: 'CumulusNetworks/ptm, ptmd(8); Graphviz, The DOT Language',
  details:
    'An edge is a link, `"leaf1":"swp1" -- "host1":"eth0"`. The `type` or `role` of a node defines its kind; otherwise names of ports (`swp1`, `eth0`) and devices do. Edges without ports count once per direction.',
  options: [],
  recognizes: (text) => /^[ \t]*(?:strict[ \t]+)?(?:di)?graph\b[^\n{]*\{/im.test(text),
  largestText: 16 * 2 ** 20,
  read: readDot,
};
