import { describe, expect, it } from 'vitest';
import { parseText } from '../../server/language/parse.ts';
import { parsePieces } from '../../server/language/pieces.ts';
import { expectWholeAfterEdits } from './editedTexts.ts';

describe('a text read in pieces', () => {
  it.each([
    ['two declarations', 'machine m { cores 4 }\njob j { tasks 4 }\n', 2],
    ['documentation of the second one', 'machine m { }\n/// One.\n/// Two.\njob j { }', 2],
    ['no documentation of the second one', 'machine m { } /// None.\njob j { }', 1],
    ['a break of Windows', 'machine m { }\r\n\r\n/// One.\r\njob j { }', 2],
    ['one line', 'machine m { } job j { }', 1],
    ['a name on a line of its own', 'machine m { }\njob\nj { }', 1],
    ['words of the language in comments', 'machine m { }\n// job j {\n/* job j { */ job /* } */ k { }', 1],
    ['a comment that ends too soon', 'machine m { }\n/* a */ b */ job k { }', 1],
    ['a comment that never ends', 'machine m { }\n/* a\njob k { }\njob l { }', 1],
    ['braces in strings', 'machine m { topology from "}" }\njob j { table "{\n }\njob k { tasks 4 }', 3],
    ['a brace that is missing', 'machine m { cores 4\njob j { tasks 4 }\njob k { tasks 4 }', 1],
    ['a brace too many', 'machine m { } }\njob j { tasks 4 }\n}\n}\njob k { }', 3],
    ['nothing but closing braces between', 'machine m { }\n}\n}\njob j { }', 2],
    ['a body without its brace', 'experiment e\n quoted { a : 1 }\n machine m\njob j { }', 1],
    ['another one', 'experiment e\n quoted { a : 1 }\nmachine m { }\njob j { }', 3],
    ['a group that is skipped over lines', 'placement p { jobs a(foo [1,\n 2] }\njob j { }\njob k { }', 3],
    ['an import behind a declaration', 'machine m { }\nimport "a.place"\njob j { }\nimport "b.place"', 1],
    ['a table of a file', 'machine m { }\ntable t from "a.mtx"\njob j { }\njob k { }', 2],
    ['another script', 'machine größe { }\njob задача-1 { tasks x }\n', 2],
    ['comments of other languages', 'machine m { # }\n}\n# job k {\n# }\njob j { # {\n}\n\n#"\njob k { }', 3],
    ['unknown signs', 'machine m { # ; } $\njob j { & }\n;job k { }', 1],
    ['the same declaration twice', 'job j { tasks y }\njob j { tasks y }\n', 1],
    [
      'a bracket that nothing closes within parentheses',
      'placement p { jobs a(map given [1, ) }\njob j { }\njob k { }',
      3,
    ],
    ['no text', '', 1],
  ])('has %s', (_, text, count) => {
    const { parsed, pieces } = parsePieces(text, new Map());
    expect(parsed).toEqual(parseText(text));
    expect(pieces.size).toBe(count);
  });

  it('has at most as many problems as the whole', () => {
    const text = Array.from({ length: 1200 }, (_, index) => `job j${index} { wrong }\n`).join('');
    expect(parsePieces(text, new Map()).parsed).toEqual(parseText(text));
  });

  // Others are in pieces.slow.test.ts.
  it('is the whole after every edit', async () => {
    await expectWholeAfterEdits(1);
  });
});
