import { describe, expect, it } from 'vitest';
import { origin, type OriginTarget } from './languageService.ts';
import { serviceInput, textIn, uriOf } from './testing/input.ts';
import { hotLink, summaryWith } from './testing/summaries.ts';

const text = (source: string, choices = 'map rcb'): string => `machine small { topology torus 4 x 4 }
table chain { 0 -> 5 : 10
5 -> 6 : 1000 }
job heat { tasks 16  ${source} }
placement first-try { job heat  machine small  ${choices} }
`;
const summary = summaryWith({ hotLinks: [hotLink] });
const node: OriginTarget = { kind: 'node', node: 3 };
const link = (from: number, to: number): OriginTarget => ({ kind: 'link', from, to });

describe('where a thing of the picture comes from', () => {
  it.each<[what: string, text: string, target: OriginTarget, found: string]>([
    ['the placement', text('pattern ring'), { kind: 'placement' }, 'first-try'],
    ['a node', text('pattern ring'), node, 'map rcb'],
    ['a node without a mapper', text('pattern ring', 'allocate first'), node, 'allocate first'],
    ['a node without any choice', text('pattern ring', ''), node, 'first-try'],
    ['a hot link of a pattern', text('pattern ring'), link(5, 6), 'pattern ring'],
    ['a hot link of a table', text('table chain'), link(5, 6), '5 -> 6 : 1000'],
    ['the other direction of it', text('table chain'), link(6, 5), '5 -> 6 : 1000'],
    ['a link that is not hot', text('table chain'), link(0, 1), 'first-try'],
  ])('%s', async (_, written, target, found) => {
    const input = await serviceInput(written, { summary });
    const location = origin(input, 'first-try', target);
    expect(location?.uri).toBe(input.uri);
    expect(textIn(input, location?.range)).toBe(found);
  });

  it('may be another file', async () => {
    const input = await serviceInput('import "jobs.place"\nplacement first-try { job heat  machine small }', {
      files: { 'jobs.place': 'machine small { topology torus 4 x 4 }\njob heat { tasks 16  pattern ring }' },
      summary,
    });
    expect(origin(input, 'first-try', link(5, 6))).toMatchObject({
      uri: uriOf('jobs.place'),
      range: { start: { line: 1, character: 21 } },
    });
  });

  it('is nowhere for a placement that the text has not', async () => {
    expect(origin(await serviceInput(text('pattern ring')), 'gone', node)).toBeUndefined();
  });
});
