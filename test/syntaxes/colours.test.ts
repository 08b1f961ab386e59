/**
 * Colours before and after the server has answered: what the TextMate grammar calls a word must be what editors take
 * for its semantic token, or the text flashes when it is opened.
 */
import { readFileSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { serviceInput } from '../../server/language/service/testing/input.ts';
import { semanticTokens, semanticTokensLegend } from '../../server/language/service/semanticTokens.ts';

interface Rule {
  readonly name?: string;
  readonly include?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Captures;
  readonly beginCaptures?: Captures;
  readonly endCaptures?: Captures;
  readonly patterns?: readonly Rule[];
}
type Captures = Readonly<Record<string, { readonly name?: string; readonly patterns?: readonly Rule[] }>>;

const root = new URL('../../', import.meta.url);
const grammar = JSON.parse(readFileSync(new URL('syntaxes/place.tmLanguage.json', root), 'utf8')) as {
  readonly patterns: readonly Rule[];
  readonly repository: Readonly<Record<string, Rule>>;
};

/** What editors take for a scope of each kind of token, where a theme says nothing of it. */
const scopes: Readonly<Record<string, string>> = {
  keyword: 'keyword.control',
  class: 'entity.name.type.class',
  property: 'variable.other.property',
  function: 'support.function',
  parameter: 'variable.parameter',
  enumMember: 'variable.other.enummember',
};

const expressions = new Map<string, RegExp>();
function find(source: string, text: string, from: number): RegExpExecArray | null {
  const expression = expressions.get(source) ?? new RegExp(source, 'dgmu');
  expressions.set(source, expression);
  expression.lastIndex = from;
  return expression.exec(text);
}

/** Rules with what they include in their place. */
const resolved = (rules: readonly Rule[]): readonly Rule[] =>
  rules.flatMap((rule) => {
    if (rule.include === undefined)
      return rule.match === undefined && rule.begin === undefined ? resolved(rule.patterns ?? []) : [rule];
    return resolved([grammar.repository[rule.include.slice(1)] ?? {}]);
  });

interface Found {
  readonly rule: Rule;
  readonly match: RegExpExecArray;
}

/** The match that begins first; of several there, that of the first rule. */
function firstMatch(rules: readonly Rule[], text: string, at: number): Found | undefined {
  let first: Found | undefined;
  for (const rule of rules) {
    const match = find(rule.match ?? rule.begin ?? '^(?!)', text, at);
    if (match === null || match[0] === '') continue;
    if (first === undefined || match.index < first.match.index) first = { rule, match };
  }
  return first;
}

/** The innermost scope of every character, as TextMate reads a grammar, but over the whole text at once. */
function scopesOf(text: string): readonly string[] {
  const found: string[] = Array.from({ length: text.length }, () => '');
  const mark = (scope: string | undefined, start: number, end: number): void => {
    if (scope !== undefined) found.fill(scope, start, end);
  };
  const capture = (match: RegExpExecArray, captures: Captures | undefined): void => {
    for (const [group, { name }] of Object.entries(captures ?? {})) {
      const span = match.indices?.[Number(group)];
      if (span !== undefined) mark(name, ...span);
    }
  };
  const read = (rules: readonly Rule[], start: number, end?: string): number => {
    const each = resolved(rules);
    for (let at = start; ;) {
      const closing = end === undefined ? null : find(end, text, at);
      const first = firstMatch(each, text, at);
      if (closing !== null && (first === undefined || closing.index <= first.match.index))
        return closing.index + closing[0].length;
      if (first === undefined) return text.length;
      const { rule, match } = first;
      const stop = match.index + match[0].length;
      mark(rule.match === undefined ? undefined : rule.name, match.index, stop);
      capture(match, rule.captures ?? rule.beginCaptures);
      at = stop;
      if (rule.begin !== undefined) {
        at = read(rule.patterns ?? [], stop, rule.end);
        if (rule.patterns === undefined) mark(rule.name, match.index, at);
      }
    }
  };
  read(grammar.patterns, 0);
  return found;
}

/** Words that look otherwise to the grammar than to the server, as `line: word, scope instead of scope`. */
async function flashing(text: string): Promise<string[]> {
  const input = await serviceInput(text);
  const { data } = semanticTokens(input);
  const before = scopesOf(text);
  const found: string[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [lines = 0, columns = 0, length = 0, type = 0] = data.slice(at, at + 4);
    line += lines;
    character = lines === 0 ? character + columns : columns;
    const start = input.document.offsetAt({ line, character });
    const expected = scopes[semanticTokensLegend.tokenTypes[type] ?? ''] ?? '?';
    const actual = before[start] ?? '';
    if (!actual.startsWith(expected)) {
      found.push(`${line + 1}: ${text.slice(start, start + length)}, ${actual || 'nothing'} instead of ${expected}`);
    }
  }
  return found;
}

describe('no word changes its colour when the server answers', () => {
  const samples = globSync(['samples/*.place', 'samples/papers/*/*.place'], { cwd: root });
  /** Behind a parenthesis, and in the place of a built-in word, only the server knows a declared name. */
  const isName = (difference: string): boolean => difference.endsWith('instead of entity.name.type.class');

  it('has samples to look at', () => {
    expect(samples.length).toBeGreaterThan(8);
  });

  it.each(samples)('in %s', async (sample) => {
    const differences = await flashing(readFileSync(new URL(sample, root), 'utf8'));
    expect(differences.filter((difference) => !isName(difference))).toEqual([]);
  });

  it('sees a difference where there is one', async () => {
    // Only the server knows that the job is called like a property.
    expect(await flashing('job j { tasks 4 pattern ring } placement p { jobs j(map nowhere) }')).toEqual([]);
    expect(await flashing('machine m { topology torus 4 cables 2 without 0 -- 1 cable 2 without switch 3 }')).toEqual(
      [],
    );
    expect(await flashing('stencil mine { dimensions 1 offset (1) } job j { grid 4 stencil mine }')).toEqual([
      '1: mine, support.function.place instead of entity.name.type.class',
    ]);
  });
});
