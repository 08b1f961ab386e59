/** Every word of the extension's own in every language that it has: no key is missing, none is left over, no placeholder is lost. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { placementMetrics } from '../../server/model/metrics.ts';
import { Translation } from '../../server/protocol/translation.ts';
import { root } from '../../tools/run.ts';
import { bundleOf, inEnglish, keysOf, manifestText } from './words.ts';

const sourcesOf = (pattern: string): readonly ts.SourceFile[] =>
  globSync(pattern, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('/testing/'))
    .map((file) => ts.createSourceFile(file, readFileSync(resolve(root, file), 'utf8'), ts.ScriptTarget.Latest, true));

/** What is said by these functions; a text that is put together cannot be looked up, and is refused. */
function wordsSaidBy(
  sources: readonly ts.SourceFile[],
  messages: Readonly<Record<string, readonly number[]>>,
): ReadonlySet<string> {
  const saidBy = new Map(Object.entries(messages));
  const found = new Set<string>();
  for (const source of sources) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        for (const index of saidBy.get(node.expression.getText(source)) ?? []) {
          const message = node.arguments[index];
          if (message === undefined || !ts.isStringLiteral(message))
            throw new Error(`${source.fileName}: ${node.getText(source)}`);
          found.add(message.text);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** A text as a key: what is put into it is `{0}`, `{1}` …; undefined for what is none. */
function keyOfText(node: ts.Node): string | undefined {
  let count = 0;
  const written = (part: ts.Node): string | undefined => {
    if (ts.isStringLiteralLike(part)) return part.text;
    if (ts.isTemplateExpression(part))
      return part.head.text + part.templateSpans.map(({ literal }) => `{${count++}}${literal.text}`).join('');
    if (!ts.isBinaryExpression(part) || part.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
    const left = written(part.left);
    const right = written(part.right);
    return left === undefined || right === undefined ? undefined : left + right;
  };
  return written(node);
}

/** All texts that stand in files, and `1 task`, `{0} tasks` where such are counted. */
function textsIn(sources: readonly ts.SourceFile[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const source of sources) {
    const visit = (node: ts.Node): void => {
      const key = keyOfText(node);
      if (key !== undefined) found.add(key);
      if (ts.isCallExpression(node) && node.expression.getText(source) === 'countOf') {
        const [, one, many] = node.arguments;
        if (one !== undefined && ts.isStringLiteral(one)) {
          found.add(`1 ${one.text}`);
          found.add(`{0} ${many !== undefined && ts.isStringLiteral(many) ? many.text : `${one.text}s`}`);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** Files of the server whose texts people read in the editor outside of problems and hovers: each of their texts is translated. */
const spoken = ['server/language/service/codeLens.ts', 'server/drawing/legendLayout.ts'];
/** Texts in them that nobody reads. */
const isNoWord = (text: string): boolean =>
  !/\p{L}{2}.* |^\p{Lu}\p{Ll}+$/u.test(text) || text.startsWith('placewright.');

const placeholders = (text: string): readonly string[] => [...new Set(text.match(/\{\d+\}/g))].sort();
/** Commands that a text links to, and words of the language, stay as they are. */
const fixed = (text: string): readonly string[] => [...(text.match(/\(command:[\w.]+\)|`[^`]+`/g) ?? [])].sort();

const english = bundleOf('package.nls.json');
const client = wordsSaidBy(sourcesOf('client/**/*.ts'), { 'l10n.t': [0] });
const pageSources = sourcesOf('webview/**/*.ts');
// Heads of tables are said where they are shown: in files they are as they stand.
const pages = new Set([
  ...wordsSaidBy(pageSources, { t: [0], counted: [1, 2] }),
  ...wordsSaidBy(sourcesOf('webview/{table/rows,compare/changeTable}.ts'), {
    textColumn: [0],
    numberColumn: [0],
    csvTextColumn: [0],
    csvNumberColumn: [0],
    end: [0],
  }),
]);
const server = textsIn(sourcesOf('server/**/*.ts'));

/** Members of the manifest that people read. */
const readable = [
  'title',
  'description',
  'markdownDescription',
  'displayName',
  'contents',
  'altText',
  'contextualTitle',
];
const names = new Set(['Placewright']);

describe('the words of the manifest', () => {
  it('are keys that have words, and no word is left over', () => {
    expect([...new Set(keysOf(manifestText()))].sort()).toEqual(Object.keys(english).sort());
  });

  it('stand in no other place', () => {
    const plain: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, part] of Object.entries(value)) {
        const texts = readable.includes(key) ? [part] : /[eE]numDescriptions$/.test(key) ? (part as unknown[]) : [];
        for (const text of texts) {
          if (typeof text === 'string' && !text.startsWith('%') && !names.has(text))
            plain.push(`${path}.${key}: ${text}`);
        }
        visit(part, `${path}.${key}`);
      }
    };
    const { contributes, capabilities, description } = JSON.parse(manifestText()) as Readonly<Record<string, unknown>>;
    visit({ contributes, capabilities, description }, '');
    expect(plain).toEqual([]);
    expect(JSON.stringify(inEnglish())).not.toMatch(/"%/);
  });
});

/** Texts of pages that nobody reads, besides the names of figures, which are said where they are shown. */
const values = new Set([
  'Placewright',
  'Hot links',
  'compared {0} {1}',
  'bold ',
  'faint why',
  'change better',
  'change faint',
  ...placementMetrics.flatMap(({ label, shortLabel }) => [label ?? '', shortLabel ?? '']),
]);

/** What is written in a page without being said by `t` is no word: names of elements, keys and classes, values. */
function unsaidIn(source: ts.SourceFile): readonly string[] {
  const unsaid: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isCaseClause(node.parent)) return;
    const key = keyOfText(node);
    if (key !== undefined && /\p{L}{2}.* |^\p{Lu}\p{Ll}+$/u.test(key) && !values.has(key) && !isValue(node)) {
      unsaid.push(`${source.fileName}: ${key}`);
      return;
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return unsaid;
}

/** A text that the browser reads, one that is compared, one that is said, or the message of a fault of ours. */
function isValue(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent))
    return parent.name === node || /^(class|d|font|style)$/.test(parent.name.getText());
  if (ts.isBinaryExpression(parent))
    return /^([!=]==?|in)$/.test(parent.operatorToken.getText()) || parent.left.getText().endsWith('.font');
  if (ts.isElementAccessExpression(parent)) return true;
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false;
  const called = parent.expression.getText();
  return /^(t|counted|textColumn|numberColumn|csvTextColumn|csvNumberColumn|end|read)$|querySelector|closest$|startsWith$|Component$/.test(
    called,
  );
}

const languages = globSync('package.nls.*.json', { cwd: root }).map((file) => file.split('.')[2]!);

it('there is a language beside English', () => {
  expect(languages).toContain('de');
});

it.each(pageSources.map((source) => [source.fileName, source] as const))(
  'every word of %s is said',
  (_file, source) => {
    expect(unsaidIn(source)).toEqual([]);
  },
);

it.each([
  ['558 links have less load, 462 more.', '558 Verbindungen haben weniger Last, 462 mehr.'],
  ['1 link has less load, 0 more.', '1 Verbindung hat weniger Last, 0 mehr.'],
  ['384 of 384 tasks run on another node.', '384 von 384 Aufgaben laufen auf einem anderen Knoten.'],
  ['1 of 8 tasks runs on another node.', '1 von 8 Aufgaben läuft auf einem anderen Knoten.'],
  ['dragonfly, minimal routing', 'dragonfly, Routing minimal'],
  ['Placing a.place', 'a.place wird platziert'],
  [
    'makespan 196,207 cycles (784.8 µs), 95 % of packets within 112 · before the last changes',
    'Gesamtzeit 196.207 Takte (784,8 µs), 95 % der Pakete in höchstens 112 · vor den letzten Änderungen',
  ],
  [
    'makespan about 6 cycles, 95 % of messages within 5',
    'Gesamtzeit etwa 6 Takte, 95 % der Nachrichten in höchstens 5',
  ],
  ['simulating: 366,788 cycles, 5 %, 79 s left', 'wird simuliert: 366.788 Takte, 5 %, noch 79 s'],
  ['cg (64 tasks) on torus, seed 1', 'cg (64 Aufgaben) auf torus, Startwert 1'],
  ['as written (rcb)', 'wie geschrieben (rcb)'],
  ['2 parts of the file with 4 switches and 40 hosts', '2 Teile der Datei: 4 Switches, 40 Rechner'],
  ['Component 1: leaf-0, leaf-1 and 6 more.', 'Komponente 1: leaf-0, leaf-1 und 6 weitere.'],
  [
    'Host names are placeholders (node0000 is node 0). Give the real names with "Name Hosts…", one per allocated node or one per node of the machine.',
    'Die Rechnernamen sind Platzhalter (node0000 ist Knoten 0). Geben Sie die wirklichen Namen mit „Rechner benennen…“ an: einen je zugeteiltem Knoten oder einen je Knoten der Maschine.',
  ],
  [
    "A rankfile starts one program, but ranks count through all jobs (job a: ranks 0 to 63; job b: ranks 64 to 95). Start the jobs as one, separated by ':'.",
    "Eine Rankdatei startet ein Programm, aber Ränge zählen durch alle Jobs (Job a: Ränge 0 bis 63; Job b: Ränge 64 bis 95). Starten Sie die Jobs als eines, getrennt durch ':'.",
  ],
])('what the server puts together is said in German: %s', (text, translated) => {
  expect(new Translation(bundleOf('l10n/bundle.l10n.de.json')).said(text)).toBe(translated);
});

describe.each(languages)('in %s', (language) => {
  const manifest = bundleOf(`package.nls.${language}.json`);
  const bundle = bundleOf(`l10n/bundle.l10n.${language}.json`);
  const translation = new Translation(bundle);

  it('the manifest has all its words', () => {
    expect(Object.keys(manifest).sort()).toEqual(Object.keys(english).sort());
  });

  it('client and pages have all their words', () => {
    expect([...client, ...pages].filter((text) => !(text in bundle))).toEqual([]);
  });

  it.each(spoken)('all that %s says has words', (file) => {
    const texts = [...textsIn(sourcesOf(file))].filter((text) => !isNoWord(text));
    expect(texts.filter((text) => !(text in bundle) && text === translation.said(text))).toEqual([]);
  });

  it('no word is left over', () => {
    const said = new Set([...client, ...pages, ...server]);
    expect(Object.keys(bundle).filter((text) => !said.has(text))).toEqual([]);
  });

  it.each([
    ['manifest', Object.entries(manifest).map(([key, text]) => [english[key] ?? '', text] as const)],
    ['client', Object.entries(bundle)],
  ])('no placeholder, link or word of the language is lost: %s', (_where, pairs) => {
    for (const [text, translated] of pairs) {
      expect([placeholders(translated), fixed(translated)], text).toEqual([placeholders(text), fixed(text)]);
      expect(translated.trim(), text).not.toBe('');
    }
  });

  it('it is a translation', () => {
    const same = Object.entries(bundle).filter(
      ([text, translated]) => text === translated && /[a-z]{3}.* [a-z]/i.test(text),
    );
    expect(same).toEqual([]);
  });
});
