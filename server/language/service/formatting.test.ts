import { TextDocument } from 'vscode-languageserver-textdocument';
import { describe, expect, it } from 'vitest';
import { formatting, rangeFormatting, typedFormatting } from './formatting.ts';
import { atCursor, serviceInput } from './testing/input.ts';

const applied = async (text: string, options = {}): Promise<string> => {
  const input = await serviceInput(text);
  return TextDocument.applyEdits(input.document, formatting(input, options));
};

const wide = 'machine big { topology torus 4 x 4\n  cores 2\n  sockets 1 }';

describe('formatting a file', () => {
  it.each<[string, object, string, string]>([
    ['four columns', { tabSize: 4, insertSpaces: true }, 'job j {\ntasks 4\n}', 'job j {\n    tasks 4\n}\n'],
    ['tabs', { tabSize: 4, insertSpaces: false }, 'job j {\n  tasks 4\n}', 'job j {\n\ttasks 4\n}\n'],
    ['nonsense', { tabSize: -1, insertSpaces: true }, 'job j {\ntasks 4\n}', 'job j {\n  tasks 4\n}\n'],
    ['no wish', {}, wide, 'machine big {\n  topology torus 4 x 4\n  cores 2\n  sockets 1\n}\n'],
    ['a body on one line', {}, 'job j {tasks 4   pattern ring}', 'job j { tasks 4   pattern ring }\n'],
    [
      'a body that is too long for a line',
      {},
      `table t { ${Array.from({ length: 12 }, (_, task) => `${task} -> ${task + 1} : 40`).join('  ')} }`,
      `table t {\n${Array.from({ length: 12 }, (_, task) => `  ${task} -> ${task + 1} : 40\n`).join('')}}\n`,
    ],
    ['a comment behind the brace', {}, 'job j { // mine\n tasks 4 }', 'job j { // mine\n  tasks 4\n}\n'],
    [
      'an error elsewhere',
      {},
      'job   j {\ntasks 4}\nstencil s {  weight .5 }\n',
      'job j {\n  tasks 4\n}\nstencil s {  weight .5 }\n',
    ],
    [
      'Windows',
      {},
      'job   j {tasks 4\r\npattern ring}\r\nmachine {',
      'job j {\r\n  tasks 4\r\n  pattern ring\r\n}\r\nmachine {',
    ],
  ])('with %s', async (_, options, text, expected) => {
    const once = await applied(text, options);
    expect(once).toBe(expected);
    expect(await applied(once, options)).toBe(once);
  });
});

describe('formatting a part', () => {
  it('changes the lines of the range alone', async () => {
    const text = 'job  a {\ntasks 4\n pattern ring\n}\njob  b { tasks   4 }\n';
    const input = await serviceInput(text);
    const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
    const edits = rangeFormatting(input, range);
    expect(TextDocument.applyEdits(input.document, edits)).toBe(
      'job  a {\n  tasks 4\n pattern ring\n}\njob  b { tasks   4 }\n',
    );
  });

  it.each([
    ['}', 'job  a {\ntasks 4\n}|\njob  b { tasks 4 }', 'job a {\n  tasks 4\n}\njob  b { tasks 4 }'],
    ['\n', 'job  a {\ngrid 4x4\n  |\n}', 'job  a {\n  grid 4 x 4\n  \n}'],
    ['\n', 'job a { stencil\n  |\n}\nmachine  m { hosts 2 }', 'job a { stencil\n  \n}\nmachine  m { hosts 2 }'],
  ])('behind %j in %j', async (typed, marked, expected) => {
    const input = await atCursor(marked);
    const edits = typedFormatting(input, input.document.positionAt(input.offset), typed);
    expect(TextDocument.applyEdits(input.document, edits)).toBe(expected);
  });
});
