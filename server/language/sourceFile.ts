import type { Parsed } from './parse.ts';
import type { ImportNode, Problem, SyntaxTree } from './tree.ts';

/** One file of a program: its text, its tree, and what is wrong with either. */
export interface SourceFile {
  readonly uri: string;
  readonly text: string;
  readonly tree: SyntaxTree;
  /** What the parser gave: kept, so that an unchanged file is not read again. */
  readonly parsed: Parsed;
  /** Of syntax and of imports. */
  readonly problems: readonly Problem[];
  /** Files it imports that were read, in order, with the statement. */
  readonly imports: readonly { readonly node: ImportNode; readonly uri: string }[];
}

/** A file with everything it imports; `root` is a key of `files`, which come breadth first. */
export interface Sources {
  readonly root: string;
  readonly files: ReadonlyMap<string, SourceFile>;
}
