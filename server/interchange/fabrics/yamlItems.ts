import { LineCounter, type Node, Parser, isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import type { Result } from '../../model/result.ts';
import { calling, oneLine, textLines } from '../reading.ts';
import { type KnownMembers, warningsOfUnknown } from '../jsonText.ts';
import { badFabric } from './builder.ts';

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

/**
 * Fails with the line where the file is no YAML; aliases are not followed, and of a key that stands twice both are
 * kept: looking for them takes time that grows with the square of the keys. O(text).
 */
export function readYaml(text: string, fileName: string): Result<YamlItem> {
  const lines = new LineCounter();
  const nested = findDeepNesting(text);
  if (nested !== undefined) {
    return badFabric(
      fileName,
      nested,
      `The file is nested more than ${deepestNesting} levels deep, too deep for a network.`,
    );
  }
  const damage = calling(() => findYamlDamage(text), 'The file is not YAML that can be read');
  if (!damage.ok) return badFabric(fileName, 1, damage.failure);
  if (damage.value !== undefined) {
    const { line, message } = damage.value;
    return badFabric(fileName, line, `The file is not YAML: ${oneLine(message)}.`);
  }
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
  const parsed = calling(() => parseDocument(text, options), 'The file is not YAML that can be read');
  if (!parsed.ok) return badFabric(fileName, 1, parsed.failure);
  const { contents, errors } = parsed.value;
  const [error] = errors;
  if (error) {
    return badFabric(fileName, lines.linePos(error.pos[0]).line, `The file is not YAML: ${oneLine(error.message)}.`);
  }
  if (!contents || isAlias(contents)) return badFabric(fileName, 1, 'The file has only comments.');
  return { ok: true, value: new YamlItem(contents, lines) };
}

/** The first thing that the parser cannot place: a hostile file can have millions, and each becomes an error. */
function findYamlDamage(text: string): { readonly line: number; readonly message: string } | undefined {
  for (const token of new Parser().parse(text)) {
    if (token.type === 'error') {
      return { line: text.slice(0, token.offset).split('\n').length, message: token.message };
    }
  }
  return undefined;
}

/** The parser calls itself for every level; real files have five. */
const deepestNesting = 200;

/** The line on which more brackets are open, or more items begin, than any real file has. O(text). */
function findDeepNesting(text: string): number | undefined {
  let open = 0;
  for (const { line, content } of textLines(text)) {
    for (const [bracket] of content.matchAll(/[[\]{}]/g)) {
      open = Math.max(0, open + (bracket === '[' || bracket === '{' ? 1 : -1));
      if (open > deepestNesting) return line;
    }
    const begun = /^[ \t]*(?:[-?][ \t]+)*/.exec(content)?.[0].replace(/[ \t]/g, '').length ?? 0;
    if (begun > deepestNesting) return line;
  }
  return undefined;
}

/** A warning for each key that a format does not know. O(keys). */
export const unknownInYaml = (document: YamlItem, known: KnownMembers) =>
  warningsOfUnknown(
    [document],
    known,
    {
      members: (item) => item.entries().map(([name, value]) => [name, value, value.line] as const),
      items: (item) => item.items(),
    },
    () => 1,
  );
