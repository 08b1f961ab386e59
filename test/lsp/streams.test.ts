/** Streams of jobs from logs: read, watched, explained, and what is wrong with them told where they are named. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DiagnosticSeverity, type Hover } from 'vscode-languageserver/node';
import { serverForTests, type LanguageClientOverStdio } from './testing/languageClient.ts';

const text = 'stream real { log "jobs.swf"  scale submit 0.5 }\n';

/** A job each hour: number, processors, and how long it runs. */
const line = (job: number, processors: number, run = 1800): string =>
  `${job} ${job * 3600} 0 ${run} ${processors} -1 -1 -1 3600 -1 1 1 1 1 1 1 -1 -1`;
const log = ['; Version: 2.2', ...[1, 1, 2, 4, 16].map((processors, job) => line(job, processors))].join('\n');

let client: LanguageClientOverStdio;
const servers = serverForTests();

async function opened(content: string | Uint8Array | undefined): Promise<string> {
  client = await servers.start();
  if (content !== undefined) client.write('jobs.swf', content);
  return client.open('main.place', text);
}

const hovered = async (uri: string): Promise<string> =>
  JSON.stringify(await client.ask<Hover>('textDocument/hover', uri, 'real {'));

describe('the log of a stream', () => {
  it.each([
    ['text', log],
    ['packed by gzip', gzipSync(log)],
  ])('is explained where the stream is named: %s', async (_, content) => {
    const uri = await opened(content);
    await client.settled(uri);
    const shown = await hovered(uri);
    for (const part of ['5 in 2 hours', '4.8 on average, at most 16', '1,800 s on average', '6 processors busy']) {
      expect(shown).toContain(part);
    }
    expect(shown).toContain('`1 █▄▄ ▄ 16`');
    expect(await client.diagnostics(uri, () => true)).toEqual([]);
  });

  it('that is missing is told, and found when it appears', async () => {
    const uri = await opened(undefined);
    const found = await client.problem(uri, 'file-not-found');
    expect(found.severity).toBe(DiagnosticSeverity.Error);
    expect(found.range.start).toEqual(client.position(uri, '"jobs.swf"'));
    await client.watching((names) => names.some((name) => name.includes('jobs.swf')));
    await client.changedOnDisk(client.write('jobs.swf', log));
    await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length === 0);
  });

  it.each([
    ['17 fields', line(7, 4).slice(0, -3), /1 line is refused: it has 17 fields instead of 18 \(line 7\)/],
    ['21 fields', `${line(7, 4)} 1 2 3`, /1 line is refused: it has 21 fields instead of 18 \(line 7\)/],
    ['a word', line(7, 4).replace('1800', 'long'), /field 4 \(run\) is no number/],
  ])('with a line that has %s goes on without it, and says which', async (_, bad, message) => {
    const uri = await opened(`${log}\n${bad}\n`);
    const found = await client.problem(uri, 'refused-lines');
    expect(found.severity).toBe(DiagnosticSeverity.Warning);
    expect(found.message).toMatch(message);
    expect(found.range.start).toEqual(client.position(uri, '"jobs.swf"'));
    expect(await hovered(uri)).toContain('5 in 2 hours');
  });

  it.each([
    ['no job at all', '; Version: 2.2\n', 'bad-log', /no jobs/],
    ['lines of another kind', 'a,b\n1,2\n', 'bad-log', /No line is a job/],
    ['a cut-off archive', gzipSync(log).subarray(0, 40), 'bad-log', /damaged/],
    ['jobs of unknown size', line(1, -1), 'bad-stream', /its processors are unknown/],
  ])('that has %s is an error', async (_, content, code, message) => {
    const uri = await opened(content);
    const found = await client.problem(uri, code);
    expect(found.severity).toBe(DiagnosticSeverity.Error);
    expect(found.message).toMatch(message);
  });
});
