import { beforeAll, describe, expect, it } from 'vitest';
import * as service from './languageService.ts';
import type { PositionInput } from './languageService.ts';
import { atCursor, uriOf, workspaceOf } from './testing/input.ts';
import { summaryWith } from './testing/summaries.ts';
import { smallText, wideText } from './testing/texts.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

const everything = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };

const features: readonly (readonly [name: string, ask: (input: PositionInput) => unknown])[] = [
  ['diagnostics', service.diagnostics],
  ['code actions', (input) => service.codeActions(input, everything)],
  ['hover', service.hover],
  ['completion', service.completion],
  ['definition', service.definition],
  ['prepare rename', service.prepareRename],
  ['document symbols', service.documentSymbols],
  ['semantic tokens', service.semanticTokens],
  ['code lens', service.codeLens],
  ['inlay hints', (input) => service.inlayHints(input, everything)],
  ['folding', service.folding],
  ['document links', service.documentLinks],
  ['formatting', service.formatting],
];

/** Every beginning of the text with the cursor at its end, and the text without each of its characters; or every `step`th. */
function* brokenTexts(text: string, step = 1): Generator<string> {
  for (let at = 0; at <= text.length; at += step) {
    yield `${text.slice(0, at)}|`;
    yield `${text.slice(0, at)}|${text.slice(at + 1)}`;
  }
}

/** A study that knows every placement of the texts, so that what needs one is asked too. */
const summary = {
  ...summaryWith(),
  placements: ['first-try', 'by-hand', 'tuned'].flatMap(
    (name) => summaryWith({ name, notes: ['auto chose rcb: 1 hop-bytes'] }).placements,
  ),
};

describe.each([
  ['small', smallText],
  ['wide', wideText],
])('on broken forms of the %s text no feature throws:', (_name, text) => {
  let inputs: readonly PositionInput[] = [];
  beforeAll(async () => {
    inputs = await Promise.all(
      [...brokenTexts(text, text === wideText ? casesOf(5, 1) : 1)].map((marked) => atCursor(marked, { summary })),
    );
  });

  it.each(features)('%s', (_feature, ask) => {
    for (const input of inputs) expect(() => ask(input), input.document.getText()).not.toThrow();
  });
});

it('on broken forms nothing throws that asks the whole workspace', async () => {
  for (const marked of brokenTexts(smallText)) {
    const offset = marked.indexOf('|');
    const workspace = await workspaceOf({
      'main.place': marked.replace('|', ''),
      'reader.place': 'import "main.place"',
    });
    const uri = uriOf('main.place');
    expect(() => service.references(workspace, uri, offset, { includeDeclaration: true })).not.toThrow();
    expect(() => service.workspaceSymbols(workspace, 'a')).not.toThrow();
    expect(() => service.fileRenames(workspace, [{ from: uri, to: uriOf('other.place') }])).not.toThrow();
    await service.rename(workspace, uri, offset, 'other');
  }
});

it('positions stay within the text', async () => {
  for (const marked of brokenTexts(smallText)) {
    const input = await atCursor(marked);
    for (const { range } of service.diagnostics(input)) {
      expect(input.document.offsetAt(range.start)).toBeLessThanOrEqual(input.document.offsetAt(range.end));
    }
    for (const { range, selectionRange } of service.documentSymbols(input)) {
      const [start, from, to, end] = [range.start, selectionRange.start, selectionRange.end, range.end].map(
        (position) => input.document.offsetAt(position),
      ) as [number, number, number, number];
      expect(start <= from && from <= to && to <= end, marked).toBe(true);
    }
  }
});
