import { describe, expect, it } from 'vitest';
import { layOut } from '../../server/language/format.ts';
import type { SyntaxTree } from '../../server/language/tree.ts';
import { tryText, tryTexts } from './language.ts';
import { expectMeaning } from './expectMeaning.ts';

describe('programs at random and damaged ones', () => {
  // Many more are tried in language.slow.test.ts.
  it('keep their meaning', async () => {
    await expectMeaning(1_000_000, 100);
  });

  it('are noticed where a layout joins two numbers', async () => {
    const joining = (text: string, tree: SyntaxTree): string =>
      layOut(text, tree).replaceAll(/(\d) +(?=\d+ *\))/g, '$1');
    expect((await tryTexts(1, 100, () => undefined, joining)).fenced).toBeGreaterThan(0);
  });

  it('are the ones that were got wrong once', async () => {
    const texts = [
      'stencil s { dimensions 2 offset (1 10) offset (-1 0) }',
      'job j { tasks 4 bytes 256periodic pattern ring }',
      '/// doc\n\u2028job j { tasks 4 }',
      'machine m { topology torus 4 cores 2!bandwidth 10 GB/s }',
      'job a { tasks 2 pattern ring } placement p { jobs gone, gone machine m job a }',
    ];
    for (const text of texts) expect((await tryText(text, 'placement p { map')).failures, text).toEqual([]);
  });
});
