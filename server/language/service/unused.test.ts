import { TextDocument } from 'vscode-languageserver-textdocument';
import { describe, expect, it } from 'vitest';
import { serviceInput, uriOf, workspaceOf } from './testing/input.ts';
import { unusedDiagnostics, unusedFixes, usesElsewhere } from './unused.ts';

const program = `machine small { topology torus 4 x 4 }
/// Nobody places it.
/// It is of no use.
job idle { tasks 4  pattern ring }

job heat { grid 4 x 4  stencil five-point }
placement p { job heat  machine small }
`;

const unusedIn = async (files: Readonly<Record<string, string>>, text: string): Promise<string[]> => {
  const input = await serviceInput(text, { files });
  const usedElsewhere = usesElsewhere(await workspaceOf({ 'main.place': text, ...files }), uriOf('main.place'));
  return unusedDiagnostics({ ...input, usedElsewhere }).map(({ range }) => input.document.getText(range));
};

describe('unused declarations', () => {
  it.each<[string, Readonly<Record<string, string>>, string, readonly string[]]>([
    ['are faded', {}, program, ['idle']],
    [
      'are none that another file uses',
      { 'b.place': 'import "main.place"\nplacement q { job idle machine small }' },
      program,
      [],
    ],
    [
      'are those that only a file uses which does not read them',
      { 'b.place': 'placement q { job idle machine small }' },
      program,
      ['idle'],
    ],
    ['are none in a file for others', {}, 'machine small { topology torus 4 x 4 }', []],
    [
      'are none while there is an error, which may be the use',
      {},
      program.replace('job heat  machine', 'job idel  machine'),
      [],
    ],
    [
      'are of every kind that can be used',
      {},
      `${program}stencil s { dimensions 1 offset (1) } table t { 0 -> 1 : 4 } network n { switching wormhole }`,
      ['idle', 's', 't', 'n'],
    ],
  ])('%s', async (_, files, text, expected) => {
    expect(await unusedIn(files, text)).toEqual(expected);
  });

  it('are unknown until the other files were looked at', async () => {
    expect(unusedDiagnostics(await serviceInput(program))).toEqual([]);
  });

  it('are taken out with what documents them', async () => {
    const input = { ...(await serviceInput(program)), usedElsewhere: new Set<string>() };
    const at = input.document.positionAt(program.indexOf('idle {') + 2);
    const [fix] = unusedFixes(input, { start: at, end: at });
    expect(fix?.title).toBe('Remove the unused job `idle`');
    const edits = fix?.edit?.changes?.[input.uri] ?? [];
    expect(TextDocument.applyEdits(input.document, edits)).toBe(
      program.replace(/\/\/\/ Nobody[^]*(?=job heat \{)/, ''),
    );
    expect(unusedFixes(input, { start: { line: 0, character: 9 }, end: { line: 0, character: 9 } })).toEqual([]);
  });
});
