/** Files that stand beside those that describe networks, and what to do instead. */
const others: readonly { readonly shape: RegExp; readonly advice: string }[] = [
  {
    shape: /<topology[\s>]/,
    advice: 'This is an hwloc file: it describes the inside of a node; write `node from "FILE"` instead.',
  },
  { shape: /<platform[\s>]/, advice: 'SimGrid platforms are not read: write their topology in the machine itself.' },
  {
    shape: /^[ \t]*(?:strict[ \t]+)?(?:di)?graph\b[^\n{]*\{/im,
    advice: 'Graphviz files are not read: give the file that the graph was drawn from.',
  },
  { shape: /^\s*[[{]/, advice: 'JSON is not read: write the cables as CSV, one `from,to` per line under that header.' },
];

/** What to do with a file of a kind that is known and not read; undefined for any other. */
export const adviceOnOtherFiles = (text: string): string | undefined =>
  others.find(({ shape }) => shape.test(text))?.advice;
