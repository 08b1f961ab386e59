import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declarations } from '../../server/language/schema.ts';
import { frequencyUnits, rateUnits, sizeUnits, timeUnits } from '../../server/language/units.ts';

/** What the editor reads without a server must say the same as the language. */
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));

interface Rule {
  readonly include?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly patterns?: readonly Rule[];
}

const grammar = read('syntaxes/place.tmLanguage.json') as {
  readonly scopeName: string;
  readonly patterns: readonly Rule[];
  readonly repository: Readonly<Record<string, Rule>>;
};

function rulesBelow(rule: Rule): Rule[] {
  return [rule, ...(rule.patterns ?? []).flatMap(rulesBelow)];
}

const rules = [...Object.values(grammar.repository), ...grammar.patterns].flatMap(rulesBelow);

describe('the TextMate grammar', () => {
  it('has valid expressions, and includes only what it has', () => {
    const expressions = rules
      .flatMap(({ match, begin, end }) => [match, begin, end])
      .filter((each) => each !== undefined);
    expect(expressions.length).toBeGreaterThan(20);
    for (const expression of expressions) expect(() => new RegExp(expression, 'u'), expression).not.toThrow();
    const included = rules.flatMap(({ include }) => include?.slice(1) ?? []);
    for (const name of included) expect(Object.keys(grammar.repository)).toContain(name);
  });

  it('knows every word that starts a declaration or a property', () => {
    const matches = (rule: string, text: string) => {
      const expression = grammar.repository[rule]?.match ?? grammar.repository[rule]?.begin ?? '^$';
      return new RegExp(expression, 'u').exec(text)?.[0];
    };
    for (const { kind, properties } of declarations) {
      const rule = { table: 'table', stream: 'study', experiment: 'study' }[kind as string] ?? 'declaration';
      expect(matches(rule, `${kind} some-name {`)).toBe(`${kind} some-name`);
      for (const { word } of properties) expect(matches('property', ` ${word} `)).toBe(word);
    }
  });

  it('takes names of any script', () => {
    const matches = (rule: string, text: string) => {
      const { match, begin } = grammar.repository[rule] ?? {};
      return new RegExp(match ?? begin ?? '^$', 'u').exec(text)?.[0];
    };
    expect(matches('declaration', 'machine größe-2 {')).toBe('machine größe-2');
    expect(matches('table', 'table 表 from "f"')).toBe('table 表');
    expect(
      rules.some(
        ({ match }) =>
          match !== undefined && new RegExp(match, 'u').exec('jobs größe, задача')?.[2] === 'größe, задача',
      ),
    ).toBe(true);
  });

  it('knows every unit', () => {
    const units = [sizeUnits, timeUnits, rateUnits, frequencyUnits].flatMap((each) => Object.keys(each));
    const rule = rules.find(({ match }) => match?.includes('i?B') === true)?.match ?? '^$';
    for (const unit of units) expect(new RegExp(rule, 'u').exec(`64${unit}`)?.[2], unit).toBe(unit);
  });
});

describe('the language configuration', () => {
  const configuration = read('language-configuration.json') as {
    readonly wordPattern: { readonly pattern: string; readonly flags: string };
    readonly onEnterRules: readonly {
      readonly beforeText: string;
      readonly afterText?: string;
      readonly action: { readonly appendText?: string };
    }[];
  };

  it.each(['first-try', 'row-major', '_a1', '64', 'größe', 'задача-2'])('takes %s for one word', (word) => {
    const { pattern, flags } = configuration.wordPattern;
    expect(` ${word} `.match(new RegExp(pattern, `g${flags}`))).toEqual([word]);
  });

  it('goes on with documentation only where Enter parts a line of it: a declaration can be typed below', () => {
    const appended = (before: string, after: string) =>
      configuration.onEnterRules.find(
        ({ beforeText, afterText = '' }) =>
          new RegExp(beforeText, 'u').test(before) && new RegExp(afterText, 'u').test(after),
      )?.action.appendText;
    expect(appended('  /// A torus, ', 'one task per node.')).toBe('/// ');
    expect(appended('/// A torus.', '')).toBeUndefined();
    expect(appended('///', '')).toBeUndefined();
    expect(appended('// a comment', 'more')).toBeUndefined();
  });
});
