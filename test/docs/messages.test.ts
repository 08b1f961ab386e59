/** What the product says to users is short and in plain words: the rules that can be counted, over the source text. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { bannedPhrases } from './bannedPhrases.ts';

/** A sentence of the product. A name or number that is put in is a `{}`. */
interface Message {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const files = globSync('{server,client,webview}/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.ts$|\/testing\/|\.d\.ts$/.test(file))
  .sort();

/** The text of a string, a template or a sum of them; undefined for other expressions. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? '{}') + (right ?? '{}');
}

/** Three words or more, which end as a sentence does. */
const isSentence = (text: string): boolean =>
  /[a-z].* .*[a-z]/i.test(text) && /[.!?](?: |$)/.test(text) && text.split(/\s+/).length >= 3;

function messagesOf(file: string): readonly Message[] {
  const source = ts.createSourceFile(file, readFileSync(resolve(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Message[] = [];
  const visit = (node: ts.Node): void => {
    // Where a paper is named, the words are its own.
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'source') return;
    const text = textOf(node);
    if (text === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    if (isSentence(text)) {
      found.push({ file, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
    }
    if (ts.isTemplateExpression(node)) for (const { expression } of node.templateSpans) visit(expression);
  };
  visit(source);
  return found;
}

const messages = files.flatMap(messagesOf);

/** Characters without what is put in and without examples of code, which are as long as they are. */
const lengthOf = (text: string): number => text.replaceAll(/\{\}|`[^`]*`/g, '').length;
const firstSentence = (text: string): string => /^.*?[.!?](?= [\p{Lu}`"{]|$)/su.exec(text)?.[0] ?? text;
const whereOf = ({ file, line, text }: Message): string => `${file}:${line} ${text}`;

/** Messages whose first sentence has more than 80 characters. The number may only fall. */
const longFirstSentencesAtMost = 31;

/** Phrases that make a reader guess, in all messages. The number may only fall. */
const bannedAtMost = 0;

describe('what the product says', () => {
  it('is found', () => {
    expect(messages.length).toBeGreaterThan(1500);
  });

  it('begins with a short sentence', () => {
    const long = messages.filter(({ text }) => lengthOf(firstSentence(text)) > 80);
    expect(long.length, long.map(whereOf).join('\n')).toBeLessThanOrEqual(longFirstSentencesAtMost);
  });

  it('has no phrase that a reader has to guess', () => {
    const said = messages.flatMap((message) =>
      bannedPhrases
        .filter(([phrase]) => phrase.test(message.text))
        .map(([, instead]) => `${whereOf(message)}: ${instead}`),
    );
    expect(said.length, said.join('\n')).toBeLessThanOrEqual(bannedAtMost);
  });
});
