/** The map of who sends how much to whom, as an editor asks for it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExplainAnswer, KeptAnswer } from '../../server/protocol/messages.ts';
import type {
  TrafficAnswer,
  TrafficQuestion,
  TrafficSubject,
  TrafficSubjectSummary,
} from '../../server/protocol/trafficPanel.ts';
import { clientOfFile } from './testing/languageClient.ts';

const text = `machine small { topology torus 4 x 4 }
table alone { 0 -> 3 : 7  3 -> 1 : 2 }
job heat { grid 4 x 4  stencil five-point  bytes 1 KiB }
job far  { tasks 4  table from-file }
table from-file from "far.csv"
placement one { job heat  machine small  map row-major }
`;

const client = clientOfFile();
const plain: TrafficQuestion = { kind: 'task', order: 'job', amount: 'bytes', scale: 'linear' };

async function opened(): Promise<string> {
  client.write('far.csv', '0,5,0,0\n0,0,0,0\n0,0,0,9\n0,0,0,0\n');
  const uri = await client.open('main.place', text);
  await client.settled(uri);
  return uri;
}

async function mapOf(
  subject: TrafficSubject,
  more: Partial<TrafficQuestion> = {},
): Promise<Extract<TrafficAnswer, { kind: 'figure' }>> {
  const answer = await client.request<TrafficAnswer>('placewright/traffic', {
    ...subject,
    question: { ...plain, ...more },
  });
  if (answer.kind !== 'figure') throw new Error(answer.reason);
  return answer;
}

describe('the traffic of a file', () => {
  it('is that of its placements, of its jobs, and of tables that no job has', async () => {
    const uri = await opened();
    const subjects = await client.request<readonly TrafficSubjectSummary[]>('placewright/trafficSubjects', { uri });
    expect(subjects.map(({ of, name, state }) => [of, name, state])).toEqual([
      ['placement', 'one', 'fresh'],
      ['job', 'heat', undefined],
      ['job', 'far', undefined],
      ['table', 'alone', undefined],
    ]);
  });

  it('of a placement is by task, node, switch and job, block by block, with hops and messages', async () => {
    const uri = await opened();
    const subject = { uri, of: 'placement', name: 'one' } as const;
    const { figure, about } = await mapOf(subject);
    expect(about).toMatchObject({
      count: 16,
      stale: false,
      hasMessages: true,
      units: ['task', 'node', 'switch', 'job'],
    });
    expect(figure.table.head).toEqual(['from', 'to', 'bytes', 'pairs', 'messages', 'hops']);
    expect(figure.table.rows[0]).toEqual(['0', '1', 1024, 1, 1, 1]);
    expect((await mapOf(subject, { kind: 'job' })).figure.table.rows).toHaveLength(1);
    const block = { rows: { first: 0, last: 1 }, columns: { first: 0, last: 15 } };
    const part = await mapOf(subject, { block, marked: { kind: 'node', node: 0 } });
    expect(part.figure.table.rows.every(([from]) => from === '0' || from === '1')).toBe(true);
    expect(part.about.marked).toEqual([0, 1, 2]);
  });

  it('of a job and of a table that are placed nowhere is by task, in the grid of the job', async () => {
    const uri = await opened();
    const heat = await mapOf({ uri, of: 'job', name: 'heat' }, { kind: 'node' });
    expect(heat.about.units).toEqual(['task']);
    expect(heat.figure.table.rows[0]?.slice(0, 3)).toEqual(['0 (0, 0)', '1 (1, 0)', 1024]);
    const far = await mapOf({ uri, of: 'job', name: 'far' });
    expect(far.figure.table.rows.map((row) => row.slice(0, 3))).toEqual([
      ['0', '1', 5],
      ['2', '3', 9],
    ]);
    const alone = await mapOf({ uri, of: 'table', name: 'alone' });
    expect(alone.figure.table.rows.map((row) => row.slice(0, 3))).toEqual([
      ['0', '3', 7],
      ['3', '1', 2],
    ]);
  });

  it('says why there is none', async () => {
    const uri = await opened();
    const reasonOf = async (subject: TrafficSubject): Promise<string> => {
      const answer = await client.request<TrafficAnswer>('placewright/traffic', { ...subject, question: plain });
      return answer.kind === 'nothing' ? answer.reason : '';
    };
    expect(await reasonOf({ uri, of: 'job', name: 'no' })).toContain(
      'Job "no" does not exist in the file, or has errors',
    );
    expect(await reasonOf({ uri, of: 'placement', name: 'no' })).toContain('is not evaluated');
    expect(await reasonOf({ uri: 'file:///no.place', of: 'job', name: 'no' })).toContain('not open');
    rmSync(join(client.folder, 'far.csv'));
    expect(await reasonOf({ uri, of: 'job', name: 'far' })).toContain('far.csv');
  });

  it('is told to be of an older text once that is edited', async () => {
    const uri = await opened();
    await client.edit(uri, 'bytes 1 KiB', 'bytes 2 KiB');
    const { about, figure } = await mapOf({ uri, of: 'placement', name: 'one' });
    expect(about.stale).toBe(true);
    expect(figure.table.rows[0]?.[2]).toBe(1024);
  });

  it('has the picture keep the flows of a block alone', async () => {
    const uri = await opened();
    const block = { rows: { first: 0, last: 0 }, columns: { first: 0, last: 15 } };
    const target = { kind: 'traffic', by: 'task', order: 'job', block } as const;
    const kept = await client.request<ExplainAnswer | KeptAnswer>('placewright/explain', {
      uri,
      placement: 'one',
      target,
    });
    expect(kept).toMatchObject({ kind: 'kept', pairs: 2, bytes: 2048, nodes: [0, 1, 4] });
  });

  it('is answered while a search goes on in another file', async () => {
    const uri = await opened();
    const search = text.replaceAll('row-major', 'auto(budget 60 s)').replaceAll('4 x 4', '8 x 8');
    const other = await client.open('search.place', search);
    await client.reports(other, ({ running }) => running);
    expect((await mapOf({ uri, of: 'placement', name: 'one' })).about.count).toBe(16);
    expect((await mapOf({ uri, of: 'job', name: 'heat' })).about.count).toBe(16);
    await client.connection.sendNotification('placewright/cancel', { uri: other });
  });
});
