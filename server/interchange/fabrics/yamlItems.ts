import { LineCounter, type Node, isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import type { Result } from '../../model/result.ts';
import { complain } from './lines.ts';

/** Larger files take longer to parse than anyone waits. */
const largestText = 4 * 2 ** 20;

/** A value of a YAML file with its line; anything may be asked of it, and what is not there is undefined. */
export class YamlItem {
  readonly line: number;
  private readonly node: Node;
  private readonly lines: LineCounter;

  constructor(node: Node, lines: LineCounter, line?: number) {
    this.node = node;
    this.lines = lines;
    this.line = line ?? lines.linePos(node.range?.[0] ?? 0).line;
  }

  /** The value of a key, where this is a mapping that has it. */
  get(key: string): YamlItem | undefined {
    return this.entries().find(([name]) => name === key)?.[1];
  }

  /** Keys and values of a mapping; the line of a value is that of its key. */
  entries(): [string, YamlItem][] {
    if (!isMap(this.node)) return [];
    return this.node.items.flatMap(({ key, value }): [string, YamlItem][] => {
      if (!isScalar(key) || !isNode(value)) return [];
      const { line } = this.lines.linePos(key.range?.[0] ?? 0);
      return [[String(key.value), new YamlItem(value, this.lines, line)]];
    });
  }

  /** Members of a sequence; of anything else, itself. */
  items(): YamlItem[] {
    if (!isSeq(this.node)) return [this];
    return this.node.items.filter(isNode).map((node) => new YamlItem(node, this.lines));
  }

  get isSequence(): boolean {
    return isSeq(this.node);
  }

  get isMapping(): boolean {
    return isMap(this.node);
  }

  /** A scalar as the file writes it: `0012` keeps its zeros. */
  text(): string {
    return isScalar(this.node) ? (this.node.source ?? '') : '';
  }

  /** A hostlist that is written as one text or as a sequence of them. */
  hostlist(): string {
    return this.items()
      .map((item) => item.text())
      .join(',');
  }
}

/** Fails with the line where the file is no YAML; aliases are not followed. */
export function readYaml(text: string, fileName: string): Result<YamlItem> {
  if (text.length > largestText)
    return complain(fileName, 1, 'The file is larger than the 4 MiB that are read of YAML.');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const message = error.message.replace(/\.$/, '');
    return complain(fileName, lines.linePos(error.pos[0]).line, `The file is not YAML: ${message}.`);
  }
  const { contents } = document;
  if (!contents || isAlias(contents)) return complain(fileName, 1, 'The file holds nothing but comments.');
  return { ok: true, value: new YamlItem(contents, lines) };
}
