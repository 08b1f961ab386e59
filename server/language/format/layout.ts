import type { DeclarationNode, NumberValue, SyntaxTree } from '../tree.ts';

/** What spacing needs to know of the tree, by offsets of tokens. */
export interface Layout {
  /** Words that begin a property. */
  readonly properties: ReadonlySet<number>;
  /** Numbers that begin an entry of a table. */
  readonly entries: ReadonlySet<number>;
  /** The word `offset`, after which a parenthesis stands apart. */
  readonly offsetWords: ReadonlySet<number>;
  /** What stands before each number of an offset. */
  readonly componentGaps: ReadonlyMap<number, ComponentGap>;
}

/** Blanks before a number of an offset: behind a parenthesis or comma, and behind a number without one. */
export interface ComponentGap {
  readonly separated: string;
  readonly bare: string;
}

/** O(declarations + properties + entries). */
export function layoutOf(tree: SyntaxTree): Layout {
  const properties = tree.declarations.flatMap((declaration) => declaration.properties);
  const offsets = properties.filter(({ content }) => content.kind === 'offset');
  return {
    properties: new Set(properties.map(({ start }) => start)),
    entries: new Set(tree.declarations.flatMap((declaration) => declaration.entries.map(({ start }) => start))),
    offsetWords: new Set(offsets.map(({ word }) => word.start)),
    componentGaps: new Map(tree.declarations.flatMap(gapsOfStencil)),
  };
}

/** `( 1, 0)` over `(-1, 0)` where a stencil has negative steps, else `(1, 0)`. */
function gapsOfStencil(declaration: DeclarationNode): [number, ComponentGap][] {
  const rows = declaration.properties.flatMap(({ content }) => (content.kind === 'offset' ? [content.components] : []));
  const numbers = rows.flat();
  const signed = numbers.some(({ text }) => text.startsWith('-'));
  const width = numbers.reduce((widest, { text }) => Math.max(widest, text.length), 0);
  const gap = (number: NumberValue, index: number): ComponentGap => {
    const padding = signed ? ' '.repeat(width - number.text.length) : '';
    return { separated: signed || index === 0 ? padding : ' ', bare: ` ${padding}` };
  };
  return rows.flatMap((row) => row.map((number, index): [number, ComponentGap] => [number.start, gap(number, index)]));
}
