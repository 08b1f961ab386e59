import type { Fix, Problem, Span } from './tree.ts';

/** Every code of a problem that the language reports, with what it means: docs and tests read it. */
export const problemCodes = {
  // the text
  'file-too-large': 'The text is longer than a `.place` file may be.',
  'binary-file': 'The file is not text.',
  'unclosed-comment': 'A `/*` has no `*/`.',
  'unclosed-string': 'A string is not closed on its line.',
  'unclosed-brace': 'A declaration has no `}`.',
  'unclosed-parenthesis': 'A `(` has no `)`.',
  'unclosed-bracket': 'A `[` has no `]`.',
  'missing-name': 'A declaration has no name.',
  'missing-body': 'A declaration has no `{ … }`.',
  'missing-value': 'A property lacks what it takes.',
  'missing-comma': 'Two items stand together without a comma.',
  'missing-number': 'A number is missing: a side, the end of a range, a weight.',
  'unexpected-text': 'Something stands where nothing of the kind may stand.',
  'unknown-declaration': 'A word that starts no declaration.',
  'unknown-property': 'A word that is no property of the declaration.',
  'incomplete-entry': 'An entry of a table lacks a part.',
  'too-many-problems': 'Further problems of the file are not shown.',
  // imports and names
  'missing-import': 'An imported file cannot be read.',
  'import-cycle': 'Files import each other.',
  'errors-in-import': 'An imported file has errors.',
  'too-many-imports': 'More files are imported than may be.',
  'duplicate-declaration': 'A name is declared twice.',
  'duplicate-property': 'A property stands twice.',
  'unknown-name': 'A name that nothing declares.',
  'unknown-option': 'An option that the catalogue entry does not have.',
  'duplicate-option': 'An option stands twice.',
  'same-as-cycle': 'Placements take their allocation from each other.',
  // values
  'wrong-value': 'A value of another kind than the property or option takes.',
  'unknown-unit': 'A unit that the language does not have.',
  'wrong-unit': 'A unit of another kind than the property takes.',
  'out-of-range': 'A number outside what is possible.',
  'too-large': 'A number above what this version can work with.',
  'duplicate-number': 'A number stands twice in a list.',
  // what belongs together
  'missing-property': 'A declaration lacks a property that it needs.',
  'missing-argument': 'A catalogue word lacks what must follow it.',
  'missing-option': 'A catalogue word lacks an option that it needs.',
  'unexpected-argument': 'A catalogue word takes nothing of the kind.',
  'does-not-apply': 'A property that does not fit the topology or the other properties.',
  'conflicting-properties': 'Two properties exclude each other.',
  'self-cable': 'A cable joins a switch to itself.',
  disconnected: 'A network in several parts.',
  'conflicting-options': 'Two options exclude each other.',
  'invalid-groups': 'Groups of a dragonfly that cannot be cabled evenly.',
  'invalid-shape': 'An option has another number of sides than the others ask for.',
  'wrong-dimensions': 'Dimensions that do not agree.',
  'task-out-of-range': 'A table names a task that the job does not have.',
  'table-smaller': 'A table has fewer tasks than its job: some neither send nor receive.',
  'whole-machine': 'A figure stands on the line of one cable, and is that of all links.',
  'machine-too-large': 'A machine above the limits.',
  'does-not-fit': 'More tasks than cores.',
  'shared-nodes': 'Two jobs of a placement list the same nodes.',
  'given-length': 'A given mapping has another length than the jobs have tasks.',
  'no-effect': 'A property that changes nothing here.',
} as const satisfies Record<string, string>;

export type ProblemCode = keyof typeof problemCodes;

export type { Fix };

/** A problem of these codes at this span. */
export function problemAt(
  span: Span,
  code: ProblemCode,
  message: string,
  extra: Partial<Pick<Problem, 'severity' | 'fix' | 'otherFixes'>> = {},
): Problem {
  return { severity: 'error', ...extra, code, message, start: span.start, end: span.end };
}

/** Replaces a span. */
export const replace = (span: Span, text: string): Fix => ({
  title: text === '' ? 'Remove it' : `Change to \`${text.trim()}\``,
  start: span.start,
  end: span.end,
  text,
});

/** Inserts text at an offset. */
export const insert = (offset: number, text: string): Fix => ({
  title: `Insert \`${text.trim()}\``,
  start: offset,
  end: offset,
  text,
});

/** Characters that part two tokens by themselves. */
const parting = /[\s{}()[\],]/;
const wordlike = /[\p{L}\p{M}\p{Nd}_]/u;

/** The problem with fixes that join nothing: a blank stays where `2!bandwidth` would become one word. */
export function withBlanks(problem: Problem, text: string): Problem {
  const { fix, otherFixes } = problem;
  if (fix === undefined && otherFixes === undefined) return problem;
  return {
    ...problem,
    ...(fix === undefined ? {} : { fix: withBlank(fix, text) }),
    ...(otherFixes === undefined ? {} : { otherFixes: otherFixes.map((other) => withBlank(other, text)) }),
  };
}

function withBlank(fix: Fix, text: string): Fix {
  const before = text.charAt(fix.start - 1);
  const after = text.charAt(fix.end);
  if (fix.text === '') {
    const joins = before !== '' && after !== '' && !parting.test(before) && !parting.test(after);
    return joins ? { ...fix, text: ' ' } : fix;
  }
  // What touched its neighbours before may touch them again: `64mb` becomes `64MB`.
  const touched = fix.start < fix.end && wordlike.test(text.charAt(fix.end - 1));
  const joins = !touched && wordlike.test(after) && wordlike.test(fix.text.at(-1) ?? '');
  return joins ? { ...fix, text: `${fix.text} ` } : fix;
}
