import { marked } from 'marked';
import { MarkupContent } from 'vscode-languageserver-types';
import { expect, it } from 'vitest';
import { seededRandom } from '../../model/random.ts';
import { hover } from './hover.ts';
import { serviceInput } from './testing/input.ts';
import { hotLink, summaryWith } from './testing/summaries.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

/** What names and comments of files are made of by somebody who wants a picture to be fetched. */
const pieces = [
  ...['![i](https://e.com/x.png)', '![r][q]', '<img src="https://e.com">', '<IMG/src=x>', '< img src=x>'],
  ...['`', '``', '```\n', '|', '\\', '\\\\', '\n', '\n\n', '\n[q]: https://e.com/x.png\n', '    ', '> ', '- ', '1. '],
  ...['*', '_', '~~', '&#33;', '!', '[', '](https://e.com)', '&lt;img src=x>', 'a'],
];
const random = seededRandom(5);
const anything = (): string =>
  Array.from({ length: 1 + random.integer(8) }, () => pieces[random.integer(pieces.length)]!).join('');

const machineText = 'machine sm|all { topology from "net.csv" }';
const placementText =
  'machine small { topology torus 4 x 4 }\njob heat { tasks 4 pattern ring }\n' +
  'placement first-t|ry { job heat machine small }';

// The package is the one that Visual Studio Code shows hovers with.
it.each([
  ['machine', machineText],
  ['placement', placementText],
])('a hover of a %s never shows a picture, whatever the files say', async (kind, text) => {
  const [machine] = summaryWith().machines;
  for (let count = 0; count < casesOf(200, 450); count++) {
    const [from, to, other] = [anything(), anything(), anything()];
    const moves = [{ job: 0, task: 1, slot: 2 }];
    const improvement = {
      action: `move task 1 to ${other}`,
      linkChange: -1,
      heaviestChange: 0,
      hopBytesChange: 0,
      moves,
    };
    const hot = { ...hotLink, fromName: from, toName: to, improvements: [improvement] };
    const details = {
      inside: { sockets: '1 socket of 1 core' },
      format: 'csv',
      names: { routers: [from, to], nodes: [other] },
    };
    const summary = {
      ...summaryWith({ hotLinks: [hot], hotLinkCount: 1, notes: [other] }),
      machines: [{ ...machine!, roots: [from], details }],
    };
    const comment = anything()
      .split('\n')
      .map((line) => `/// ${line}\n`)
      .join('');
    const offset = comment.length + text.indexOf('|');
    const input = { ...(await serviceInput(comment + text.replace('|', ''), { summary })), offset };
    for (const trusted of [true, false]) {
      const shown = hover({ ...input, trusted })?.contents;
      if (!MarkupContent.is(shown)) throw new Error(`no hover in ${comment + text}`);
      const html = marked.parse(shown.value, { async: false });
      expect(html, shown.value).not.toMatch(/<\s*img/i);
      if (!trusted && kind === 'machine') expect(html, shown.value).not.toMatch(/<(?:strong|a |h\d|blockquote)/);
    }
  }
});
