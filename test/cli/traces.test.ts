/** Traces of messages on the command line: told, written, refused. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const cli = commandLine();

function folderWith(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(cli.scratch(), 'case-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

describe('trace', () => {
  it('tells what the samples hold', async () => {
    expect(await cli.run(['trace', 'samples/traces/halo.workload'])).toEqual({
      code: 0,
      out: 'Tasks      4\nMessages   140 between 9 pairs\nBytes      1 MiB\nComputing  32 ms, all tasks together\nKept as    34 operations\n',
      err: '',
    });
    expect(
      JSON.parse((await cli.run(['trace', 'samples/traces/broadcast.goal', '--json', '--no-computing'])).out),
    ).toEqual({
      file: 'samples/traces/broadcast.goal',
      tasks: 16,
      messages: 15,
      bytes: 15 * 4096,
      pairs: 15,
      computing: 0,
      operations: 38,
      warnings: [],
    });
  });

  it('writes any format in the own form, which says the same, and as a table, which is read as one', async () => {
    const directory = folderWith({});
    const source = join(process.cwd(), 'samples/traces/broadcast.goal');
    const told = await cli.run(['trace', source, '-o', 'a.workload'], directory);
    expect(told.code).toBe(0);
    expect((await cli.run(['trace', 'a.workload'], directory)).out).toBe(told.out);
    expect((await cli.run(['trace', source, '-o', 'a.csv'], directory)).code).toBe(0);
    expect(readFileSync(join(directory, 'a.csv'), 'utf8')).toContain('from,to,bytes\n0,1,4096\n0,2,4096\n');
    const program =
      'machine m { topology torus 4 x 4 }\ntable t from "a.csv"\njob j { tasks 16 table t }\nplacement p { job j machine m map rcb }\n';
    writeFileSync(join(directory, 'a.place'), program);
    expect(await cli.run(['check', 'a.place'], directory)).toMatchObject({ code: 0, err: '' });
    // What somebody edited is not overwritten.
    writeFileSync(join(directory, 'a.workload'), 'mine\n');
    expect((await cli.run(['trace', source, '-o', 'a.workload'], directory)).code).toBe(2);
    expect((await cli.run(['trace', source, '-o', '-'], directory)).out).toMatch(/^workload 1\ntasks 16\ntask 0 {\n/);
  });

  it('reads what is packed as what it was, and says of what is cut off that it is damaged', async () => {
    const source = readFileSync('samples/traces/broadcast.goal');
    const directory = mkdtempSync(join(cli.scratch(), 'case-'));
    writeFileSync(join(directory, 'a.goal'), source);
    writeFileSync(join(directory, 'a.gz'), gzipSync(source));
    writeFileSync(join(directory, 'cut.gz'), gzipSync(source).subarray(0, 100));
    const plain = await cli.run(['trace', 'a.goal'], directory);
    expect(plain.code).toBe(0);
    expect(await cli.run(['trace', 'a.gz'], directory)).toEqual(plain);
    const cut = await cli.run(['trace', 'cut.gz'], directory);
    expect(cut.code).toBe(1);
    expect(cut.err).toContain('cut.gz is packed by gzip, and it is damaged');
  });

  it('reads a list of one file per rank, and warns of what the files lack', async () => {
    const directory = folderWith({ 'all.txt': 'ranks/r0.txt\nranks/r1.txt\n' });
    mkdirSync(join(directory, 'ranks'));
    writeFileSync(join(directory, 'ranks', 'r0.txt'), '0 init\n0 send 1 0 1e3\n0 send 1 0 8\n');
    writeFileSync(join(directory, 'ranks', 'r1.txt'), '1 init\n1 recv 0 0 1e3\n');
    const { code, out, err } = await cli.run(['trace', 'all.txt'], directory);
    expect(code).toBe(0);
    expect(out).toContain('Messages   2 between 1 pair');
    expect(err).toBe(
      'all.txt: warning: 1 message is never received. First: 8 bytes with tag 0 from task 0 to task 1, sent and not received.\n',
    );
  });

  it.each([
    [['trace', 'none.goal'], 2, 'File none.goal not found. [file-not-found]'],
    [
      ['trace', '.'],
      1,
      'cut.goal: A GOAL schedule is one file for all ranks, but 2 are given. Name one file. [bad-trace]',
    ],
    [['trace', 'cut.goal'], 1, 'cut.goal:2: The block of rank 0 has no end. The file is truncated. [bad-trace]'],
    [
      ['trace', 'cut.goal', '--as', 'fsin'],
      1,
      'cut.goal:1: Expected `s`, `r` or `c` at the beginning of the line. [bad-trace]',
    ],
    [['trace', 'list.txt'], 2, 'File none.goal not found. [file-not-found]'],
  ])('refuses %j', async (words, code, message) => {
    const directory = folderWith({ 'cut.goal': 'num_ranks 2\nrank 0 {\n', 'list.txt': 'none.goal\n' });
    const err = `placewright: error: ${message.replace('File ', `File ${directory}/`)}\n`;
    expect(await cli.run(words, directory)).toEqual({ code, out: '', err });
  });
});
