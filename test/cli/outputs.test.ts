/** `-o` never destroys what somebody may need, and what is printed never commands a terminal. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binary } from './binary.ts';
import { commandLine, type Outcome } from './commandLine.ts';

const cli = commandLine();
const { bash, start } = binary();

const program = `machine m { topology torus 2 x 2 }
job j { tasks 4  pattern ring  bytes 1 KiB }
placement p { job j  machine m  map baseline }
`;

/** A folder with a program and further files in it. */
function folder(files: Readonly<Record<string, string>> = {}): string {
  const directory = mkdtempSync(join(cli.scratch(), 'outputs-'));
  for (const [name, text] of Object.entries({ 'a.place': program, ...files })) {
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

/** Runs a command whose words have no blanks in them. */
const run = (directory: string, words: string, input?: string): Promise<Outcome> =>
  cli.run(words.split(' '), directory, input);
const textIn = (directory: string, name: string): string => readFileSync(join(directory, name), 'utf8');

const vector = 'export a.place p --format vector -o';
const lines = (text: string): number => text.split('\n').length - 1;

describe('-o writes what is no regular file in place', () => {
  it('a device', async () => {
    const directory = folder();
    // The number of /dev/null; only root makes one.
    const made = spawnSync('mknod', ['nul', 'c', '1', '3'], { cwd: directory });
    if (made.status !== 0) symlinkSync('/dev/null', join(directory, 'nul'));
    const before = lstatSync(join(directory, 'nul'));
    expect(await run(directory, `${vector} nul`)).toEqual({ code: 0, out: '', err: '' });
    const { ino, mode } = lstatSync(join(directory, 'nul'));
    expect({ ino, mode }).toEqual({ ino: before.ino, mode: before.mode });
  });

  it('a pipe with a name, whole, when somebody reads it', () => {
    const directory = folder();
    const { out } = bash(directory, `mkfifo pipe; (sleep 1; cat pipe) & placewright ${vector} pipe; wait`);
    expect(lines(out)).toBe(7);
    expect(lstatSync(join(directory, 'pipe')).isFIFO()).toBe(true);
  });

  it.each([
    ['process substitution', `placewright ${vector} >(cat); wait $!`],
    ['a descriptor', `placewright ${vector} /dev/fd/5 5>&1 | cat`],
    ['/dev/stdout behind what is there', `echo first > all; placewright ${vector} /dev/stdout >> all; tail -n +2 all`],
  ])('%s', (_, line) => {
    const { out, err, code } = bash(folder(), line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^# Placement p of a\.place .*\n.*\n.*\n0\n1\n2\n3\n$/);
  });

  it('a link to /dev/stdout', async () => {
    const directory = folder();
    symlinkSync('/dev/stdout', join(directory, 'here'));
    const { code, out, err } = await run(directory, `${vector} here`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\n0\n1\n2\n3\n$/);
  });

  it('a pipe whose reader has enough is no fault', () => {
    expect(bash(folder(), `placewright ${vector} >(head -1 > one); echo $?`).out).toBe('0\n');
  });
});

describe('-o and links', () => {
  it('creates the file that a link points to', async () => {
    const directory = folder();
    symlinkSync('target.txt', join(directory, 'link'));
    expect((await run(directory, `${vector} link`)).code).toBe(0);
    expect(lstatSync(join(directory, 'link')).isSymbolicLink()).toBe(true);
    expect(textIn(directory, 'target.txt')).toMatch(/\n3\n$/);
  });

  it('replaces what a link points to, and leaves the link and nothing else', async () => {
    const directory = folder();
    symlinkSync('target.txt', join(directory, 'link'));
    for (let time = 0; time < 2; time++) expect((await run(directory, `${vector} link`)).code).toBe(0);
    expect(lstatSync(join(directory, 'link')).isSymbolicLink()).toBe(true);
    expect(readdirSync(directory).sort()).toEqual(['a.place', 'link', 'target.txt']);
  });

  it('says that a link leads in a circle', async () => {
    const directory = folder();
    symlinkSync('b', join(directory, 'c'));
    symlinkSync('c', join(directory, 'b'));
    const { code, err } = await run(directory, `${vector} b`);
    expect([code, err]).toEqual([2, expect.stringMatching(/Cannot write .*b: the symbolic link is circular\./)]);
  });
});

describe('a place that cannot be written', () => {
  // Whoever evaluates it learns that it does not fit.
  const unfit = program.replace('tasks 4', 'tasks 5');

  it('matters where the placement cannot be evaluated', async () => {
    const { code, err } = await run(folder({ 'a.place': unfit }), `${vector} x`);
    expect([code, err]).toEqual([1, expect.stringMatching(/\[does-not-fit\]/)]);
  });

  it.each([
    ['of an export', `${vector} no/x`],
    ['of a picture', 'draw a.place p -o no/x'],
    ['of a table of a sweep', 'sweep a.place --over map=rcb,random --csv no/x'],
    ['of the cells of a sweep', 'sweep a.place --over map=rcb,random --cells no/x'],
    ['of a figure of an experiment', 'experiment a.place -o no/x'],
    ['of a figure of a simulation', 'simulate a.place p -o no/x'],
  ])('%s is told before anything is evaluated', async (_, words) => {
    const directory = folder({ 'a.place': unfit });
    const err = `placewright: Cannot write no/x: folder ${join(directory, 'no')} does not exist.\n`;
    expect(await run(directory, words)).toEqual({ code: 2, out: '', err });
    expect(readdirSync(directory)).toEqual(['a.place']);
  });

  it('is a folder, or lies in a file', async () => {
    const directory = folder({ 'a.place': unfit });
    expect(await run(directory, `${vector} .`)).toMatchObject({
      code: 2,
      err: 'placewright: Cannot write .: it is a folder.\n',
    });
    const { err } = await run(directory, `${vector} a.place/x`);
    expect(err).toBe(`placewright: Cannot write a.place/x: ${join(directory, 'a.place')} is not a folder.\n`);
  });

  it.runIf(process.platform === 'linux')(
    'is one where the system makes up all files, told before anything is evaluated',
    async () => {
      const directory = folder({ 'a.place': unfit });
      symlinkSync('/proc/x', join(directory, 'link'));
      for (const target of ['/proc/x.svg', '/sys/x.svg', 'link']) {
        const { err } = await run(directory, `${vector} ${target}`);
        const made = target.startsWith('/sys') ? '/sys' : '/proc';
        expect(err).toBe(`placewright: Cannot write ${target}: ${made} is a system folder.\n`);
      }
    },
  );

  it.runIf(process.platform === 'linux')('is told in plain words where the system refuses it', async () => {
    const directory = folder({ 'a.place': program });
    const name = 'x'.repeat(260);
    expect((await run(directory, `${vector} ${name}`)).err).toBe(
      `placewright: Cannot write ${name}: file name too long for the disk of ${directory}.\n`,
    );
    expect((await run(directory, 'export a.place p --format vector --force -o /proc/version')).err).toBe(
      'placewright: Cannot write /proc/version: /proc is a system folder.\n',
    );
  });

  it('is told without advice how to use what is not there', async () => {
    const directory = folder({ x: 'mine\n' });
    const { err } = await run(directory, 'export a.place p --format rankfile --names n[1-4] -o x');
    expect(err).toMatch(/^placewright: x exists, .*\n$/);
  });
});

describe('-o leaves alone what would be lost', () => {
  const table = program.replace('pattern ring', 'table t').concat('table t from "t.csv"\n');
  const files = { foreign: 'mine\n', 't.csv': '0,1\n1,0\n', 'with-table.place': table.replace('tasks 4', 'tasks 2') };
  interface Case {
    readonly what: string;
    /** What stands in `x` first. */
    readonly before?: { readonly words: string; readonly edit: (text: string) => string };
    readonly words: string;
    readonly kept: string;
    readonly message: RegExp;
  }
  const written = `${vector} x`;
  const drawn = 'draw a.place p -o x';
  const swept = 'sweep a.place --over map=rcb,blocked';
  it.each<Case>([
    {
      what: 'its own source',
      words: `${vector} a.place`,
      kept: 'a.place',
      message: /is an input file\. Name another file for -o\./,
    },
    {
      what: 'its own source by a link',
      words: `${vector} b`,
      kept: 'a.place',
      message: /is an input file\. Name another file for -o\./,
    },
    {
      what: 'a table that was read',
      words: 'export with-table.place p --format vector -o t.csv',
      kept: 't.csv',
      message: /is an input file\. Name another file for -o\./,
    },
    {
      what: 'a program',
      words: 'draw a.place p -o with-table.place',
      kept: 'with-table.place',
      message: /with-table\.place exists, and was edited or not written by Placewright\./,
    },
    ...[
      ['picture', 'draw a.place p -o foreign'],
      ['table of a sweep', `${swept} --csv foreign`],
      ['cells of a sweep', `${swept} --cells foreign`],
    ].map(([of = '', words = '']) => ({
      what: `for the ${of} a file of somebody else`,
      words,
      kept: 'foreign',
      message: /--force/,
    })),
    {
      what: 'an export that was edited',
      before: { words: written, edit: (text) => `${text}7\n` },
      words: written,
      kept: 'x',
      message: /x exists, and was edited or not written by Placewright\. Name another file for -o, or use --force\./,
    },
    {
      what: 'a drawing that was edited',
      before: { words: drawn, edit: (text) => text.replace('Placement', 'Placing') },
      words: drawn,
      kept: 'x',
      message: /x exists, and was edited or not written by Placewright\. Name another file for -o, or use --force\./,
    },
  ])('$what', async ({ before, words, kept, message }) => {
    const directory = folder(files);
    symlinkSync('a.place', join(directory, 'b'));
    if (before !== undefined) {
      expect((await run(directory, before.words)).code).toBe(0);
      writeFileSync(join(directory, 'x'), before.edit(textIn(directory, 'x')));
    }
    const text = textIn(directory, kept);
    const { code, err } = await run(directory, words);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    expect(textIn(directory, kept)).toBe(text);
    expect((await run(directory, `${words} --force`)).code).toBe(0);
  });

  it.each([
    ['the same again', [`${vector} x`, `${vector} x`]],
    ['JSON that was not edited', ['export a.place p --format json -o x', 'export a.place p --format json -o x']],
    ['a drawing by another', ['draw a.place p -o x', `${vector} x`]],
  ])('but not %s', async (_, lines) => {
    const directory = folder();
    for (const words of lines) expect((await run(directory, words)).code).toBe(0);
  });

  it('but not what is empty', async () => {
    expect((await run(folder({ x: '' }), `${vector} x`)).code).toBe(0);
  });

  it('an imported machine that was edited, and not one that was not', async () => {
    const fabric = join(import.meta.dirname, '../../samples/fabrics/oci.topology.conf');
    const directory = folder();
    const imported = (...words: string[]) => cli.run(['import', fabric, '-o', 'm.place', ...words], directory);
    expect([(await imported()).code, (await imported()).code]).toEqual([0, 0]);
    appendFileSync(join(directory, 'm.place'), '// mine\n');
    expect(await imported()).toMatchObject({ code: 2 });
    expect(textIn(directory, 'm.place')).toContain('// mine');
    expect((await imported('--force')).code).toBe(0);
    expect(textIn(directory, 'm.place')).not.toContain('mine');
  });

  it('and never says SVG of a JPEG', async () => {
    const directory = folder();
    const { code, err } = await run(directory, 'draw a.place p -o x.jpg');
    expect([code, err]).toEqual([2, expect.stringMatching(/Unsupported image format JPG/)]);
    expect(readdirSync(directory)).toEqual(['a.place']);
  });
});

describe('standard output', () => {
  it('that is full is said, and is no fault of the program', () => {
    const { code, err } = bash(folder(), 'placewright run a.place > /dev/full');
    expect([code, err]).toEqual([2, expect.stringMatching(/^placewright: Cannot write to standard output: .*ENOSPC/)]);
  });

  it('is whole where a pipe is full for a while', () => {
    const directory = folder({
      'many.place': program.replace('2 x 2', '160 x 160').replace('tasks 4', 'tasks 25600'),
    });
    const line = 'placewright export many.place p --format vector | (sleep 1; cat)';
    expect(lines(bash(directory, line).out)).toBeGreaterThan(25_600);
  });

  it('that is closed early is quiet', () => {
    const { err } = bash(folder(), 'placewright run a.place | head -1');
    expect(err).toBe('');
  });
});

describe('names of files', () => {
  it('never command the terminal', async () => {
    const names = 'from,to\n"\u001b]0;owned\u0007hub",a\n"\u001b]0;owned\u0007hub",b\na,c\n';
    const text = `machine m { topology from "n.csv" hosts 1 }
job j { tasks 4  pattern all-to-one  bytes 1 KiB }
placement p { job j  machine m  map baseline }
`;
    const directory = folder({ 'n.csv': names, 'b.place': text });
    const told = [
      await run(directory, 'run b.place --hot-link-factor 1'),
      await run(directory, 'check --run b.place --hot-link-factor 1'),
      await cli.run(['check', 'no\u001b[31m.place'], directory),
    ];
    const printed = told.map(({ out, err }) => out + err).join('');
    expect(printed).toContain('\\u001b]0;owned\\u0007hub');
    expect(printed).not.toMatch(/(?![\n\t])\p{Cc}/u);
  });
});

describe('a result that was kept', () => {
  const searched = `machine m { topology torus 8 x 8 }
job j { tasks 64  pattern random  bytes 1 KiB }
placement p { job j  machine m  map random }
placement q { job j  machine m  allocate same-as p  map rcb }
`;

  /** A folder with the result of its program in `kept.json`, some of it changed. */
  async function keptFolder(
    edit = (json: string): string => json,
    words = 'run a.place --json',
  ): Promise<{ readonly directory: string; readonly isChanged: boolean }> {
    const directory = folder({ 'a.place': searched });
    const { out } = await run(directory, words);
    writeFileSync(join(directory, 'kept.json'), edit(out));
    return { directory, isChanged: edit(out) !== out };
  }

  it('is drawn and exported as it was, without placing anew', async () => {
    const { directory } = await keptFolder();
    const exported = 'export a.place p --format vector';
    const placed = await run(directory, exported);
    expect(await run(directory, `${exported} --from kept.json`)).toEqual(placed);
    expect(await run(directory, 'run a.place --from kept.json')).toEqual(await run(directory, 'run a.place'));
    // A mapping that no mapper made: then it is really taken.
    const other = await keptFolder((json) => json.replace(/"mapping":\[(\d+),(\d+),/, '"mapping":[$2,$1,'));
    const taken = await run(other.directory, `${exported} --from kept.json`);
    expect([other.isChanged, taken.code]).toEqual([true, 0]);
    expect(taken.out).not.toBe(placed.out);
  });

  it.each([
    [
      'another text',
      ({ directory }: { directory: string }) => {
        appendFileSync(join(directory, 'a.place'), '// more\n');
      },
      /--from: kept\.json is out of date: the file or a file it refers to has changed\./,
    ],
    [
      'something else',
      ({ directory }: { directory: string }) => {
        writeFileSync(join(directory, 'kept.json'), '{}\n');
      },
      /--from: kept\.json is not a result of `placewright run FILE --json`\./,
    ],
    [
      'nothing',
      ({ directory }: { directory: string }) => {
        rmSync(join(directory, 'kept.json'));
      },
      /File .* not found/,
    ],
  ])('is refused where it is of %s', async (_, change, message) => {
    const kept = await keptFolder();
    change(kept);
    const { code, err } = await run(kept.directory, 'draw a.place p --from kept.json -o -');
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  it('is refused where it is of no such placement', async () => {
    const { directory } = await keptFolder(undefined, 'run a.place --placement q --json');
    const { code, err } = await run(directory, 'draw a.place p --from kept.json -o -');
    expect([code, err]).toEqual([2, expect.stringMatching(/has no placement 'p'/)]);
  });

  it.each([
    ['twice on a slot', /"mapping":\[\d+,(\d+)/, '"mapping":[$1,$1'],
    ['on no slot', /"mapping":\[\d+/, '"mapping":[99999'],
    ['too short', /"mapping":\[\d+,/, '"mapping":['],
    ['on no node', /"nodes":\[\d+/, '"nodes":[-1'],
  ])('is an error where its mapping is %s', async (_, before, after) => {
    const { directory, isChanged } = await keptFolder((json) => json.replace(before, after));
    const { code, err } = await run(directory, 'run a.place --placement p --from kept.json');
    expect([isChanged, code, err]).toEqual([true, 1, expect.stringMatching(/\[not-placed-so\]/)]);
  });
});

describe('Ctrl-C', () => {
  const long = `machine m { topology torus 12 x 12 }
job j { tasks 144  pattern random  bytes 1 KiB }
placement p { job j  machine m  map auto(budget 100 s) }
`;
  const interrupted = (words: string, text = long): Promise<Outcome> =>
    cli.runWith(
      {
        after: 1000,
        act: (interrupt) => {
          interrupt();
        },
      },
      words.split(' '),
      folder({ 'a.place': text }),
    );

  it.each([
    ['export', 'export a.place p --format vector', /stopped by hand.*\n(\d+\n){144}$/],
    ['draw', 'draw a.place p -o -', /<\/svg>/],
    ['check --run', 'check --run a.place', /^$/],
  ])('ends %s with the best found by then', async (command, words, prints) => {
    const { code, out, err } = await interrupted(words);
    expect(code).toBe(0);
    expect(out).toMatch(prints);
    if (!command.startsWith('check')) expect(err).toMatch(/Ctrl-C ended the search for j/);
  });

  describe('with several placements', () => {
    const several = `${long}placement quick { job j  machine m  map baseline }
placement later { job j  machine m  map auto(budget 100 s) }
`;

    it('ends the search that runs with its best, and begins no other', async () => {
      const { code, out, err } = await interrupted('run a.place', several);
      expect(code).toBe(0);
      // What needs no search was worked out before.
      expect(out.match(/^Placement \w+$/gm)).toEqual(['Placement p', 'Placement quick']);
      expect(out.match(/stopped by hand/g)).toHaveLength(1);
      expect(err).toMatch(/\nplacewright: interrupted; 2 of 3 placements were evaluated\.\n$/);
    });

    it('says so in JSON too', async () => {
      const { out } = await interrupted('run a.place --json', several);
      const found = JSON.parse(out) as { interrupted?: boolean; placements: readonly { name: string }[] };
      expect(found.interrupted).toBe(true);
      expect(found.placements.map(({ name }) => name)).toEqual(['p', 'quick']);
    });

    it('says of a check what it did not measure', async () => {
      const { code, out, err } = await interrupted('check --run a.place a.place', several);
      expect({ code, out }).toEqual({ code: 0, out: '' });
      expect(err).toMatch(/placewright: interrupted; 2 of 6 placements were measured\.\n$/);
    });
  });

  describe('in a process', () => {
    /** When the key is pressed: after what stands on stderr, and so many milliseconds. */
    interface Keys {
      readonly when: RegExp;
      readonly after?: number;
      readonly times?: number;
      /** Milliseconds between two. */
      readonly gap?: number;
    }

    /** Has the line of progress shown where nobody looks, and tells when Ctrl-C is heard. */
    const watched = `process.stderr.isTTY = true;
process.on('newListener', (event) => event === 'SIGINT' && process.stderr.write('listening\\n'));
`;

    async function pressed(text: string, { when, after = 0, times = 1, gap = 30 }: Keys): Promise<Outcome> {
      const directory = folder({ 'a.place': text, 'watched.cjs': watched });
      const child = start(['run', 'a.place'], directory, ['--require', './watched.cjs']);
      let [out, err, presses, isComing] = ['', '', 0, false];
      const press = (): void => {
        if (!child.kill('SIGINT') || ++presses === times) return;
        // Two at once are one to the system; later the first one has ended what runs.
        setTimeout(press, gap);
      };
      child.stdout.on('data', (text: Buffer) => (out += text.toString()));
      child.stderr.on('data', (text: Buffer) => {
        err += text.toString();
        if (presses > 0 || isComing || !when.test(err)) return;
        isComing = true;
        setTimeout(press, after);
      });
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, out, err: err.slice(err.lastIndexOf('\u001b[K') + 3) };
    }

    it('ends a search with the best found by then', async () => {
      const { code, out, err } = await pressed(long, { when: /p: best/ });
      expect(code).toBe(0);
      expect(out).toMatch(/^Placement p[\s\S]*stopped by hand/);
      expect(err).toMatch(/Ctrl-C ended the search for j/);
    });

    // A mapper that has nothing before its end.
    const slow = `machine m { topology torus 64 x 64 x 32 }
job j { grid 64 x 64 x 32  stencil twenty-seven-point }
placement p { job j  machine m  map drb }
`;

    it('ends soon what no search does, with nothing of what was not done', async () => {
      // It tells nothing of its beginning. Where a busy machine has not begun it, the keys are pressed later.
      let [outcome, after] = [await pressed(slow, { when: /listening/, after: 1500 }), 1500];
      while (outcome.code === 130 && after < 30_000) {
        after *= 2;
        outcome = await pressed(slow, { when: /listening/, after });
      }
      const { code, out, err } = outcome;
      expect([code, out]).toEqual([0, '']);
      expect(err).toContain('interrupted; 0 of 1 placements were evaluated');
    });

    it('ends at once the second time', async () => {
      // The first key may have ended the command before the second one comes.
      let outcome: Outcome | undefined;
      for (const gap of [30, 10, 5, 2, 30, 10]) {
        outcome = await pressed(slow, { when: /listening/, after: 1500, times: 2, gap });
        if (outcome.code === 130) break;
      }
      expect(outcome).toMatchObject({ code: 130, out: '' });
    });

    it('ends at once before the command has begun', async () => {
      expect(await pressed(slow, { when: /listening/ })).toMatchObject({ code: 130, out: '' });
    });
  });
});

describe('check', () => {
  const search = program
    .replace('map baseline', 'map auto(budget 3000 s)')
    .replace('2 x 2', '16 x 16')
    .replace('tasks 4', 'tasks 200');

  it('runs no search', async () => {
    expect(await run(folder({ 'a.place': search }), 'check a.place')).toEqual({
      code: 0,
      out: 'a.place: no problems found.\n',
      err: '',
    });
  });

  it('finds what does not fit and what cannot be read all the same, in JSON too', async () => {
    const directory = folder({ 'b.place': search.replace('tasks 200', 'tasks 300') });
    const { code, out, err } = await run(directory, 'check --json a.place b.place none.place');
    expect({ code, err }).toEqual({ code: 2, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      files: [
        { file: 'a.place', diagnostics: [] },
        { file: 'b.place', diagnostics: [{ severity: 'error', code: 'does-not-fit' }] },
        { file: 'none.place', diagnostics: [{ severity: 'error', code: 'file-not-found' }] },
      ],
    });
  });

  it('reads standard input', async () => {
    const directory = folder();
    expect(await run(directory, 'check -', program)).toEqual({
      code: 0,
      out: 'standard input: no problems found.\n',
      err: '',
    });
    expect(await run(directory, 'check -', 'import "a.place"\nplacement q { job jj machine m }\n')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^standard-input:2:19: error: .*jj/) as string,
    });
    expect((await run(directory, 'run -', program)).out).toBe((await run(directory, 'run a.place')).out);
    expect((await run(directory, 'run -', '')).err).toMatch(/^placewright: standard input declares no placement/);
  });

  it('reads a hostlist and a trace there', async () => {
    const directory = folder();
    const rankfile = 'export a.place p --format rankfile --hosts -';
    expect((await run(directory, rankfile, 'n[07-10]\n')).out).toMatch(
      /\nrank 0=n07 slot=0\n.*\n.*\nrank 3=n10 slot=0\n$/,
    );
    expect(await run(directory, rankfile, 'n[07-08]\n')).toMatchObject({ code: 1, out: '' });
    expect(await run(directory, 'export - p --format rankfile --hosts -', program)).toEqual({
      code: 2,
      out: '',
      err: 'placewright: --hosts cannot read standard input, which has the .place file. Name a file.\n',
    });
    const trace = join(process.cwd(), 'samples/traces/broadcast.goal');
    expect(await run(directory, 'trace -', readFileSync(trace, 'utf8'))).toEqual(
      await run(directory, `trace ${trace}`),
    );
    expect(await run(directory, 'trace -', program)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^placewright: error: standard input: Unknown trace format\./) as string,
    });
  });
});

describe('draw', () => {
  it.each(['p', 'm'])('has no table of the picture of %s', async (name) => {
    const directory = folder();
    const { code, err } = await run(directory, `draw a.place ${name} -o x.csv`);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^placewright: Diagrams have no CSV: x\.csv\. Name it \.svg or \.pdf, or draw a --figure\./,
      ),
    ]);
    expect(readdirSync(directory)).toEqual(['a.place']);
  });
});

describe('draw --difference', () => {
  const text = `machine m { topology torus 4 x 4 }
machine n { topology torus 4 x 4 }
job j { grid 4 x 4  stencil five-point  bytes 1 KiB }
placement p { job j  machine m  map row-major }
placement q { job j  machine m  map random }
placement far { job j  machine n  map row-major }
experiment e { traffic uniform-random  rate 1%  machine m  network fast  seeds 1 .. 2 }
`;

  it('draws what changes from one placement to the other, of a kept result too', async () => {
    const directory = folder({ 'a.place': text.replace(/experiment.*/, '') });
    const { code, out, err } = await run(directory, 'draw a.place q --difference p -o -');
    writeFileSync(join(directory, 'kept.json'), (await run(directory, 'run a.place --json')).out);
    expect((await run(directory, 'draw a.place q --difference p --from kept.json -o -')).out).toBe(out);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('p → q on m');
    expect(out).toMatch(/<g id="moves"/);
    expect(out).toMatch(/1[0-6] of 16 tasks run on another node/);
  });

  it.each([
    [
      'placements of two machines',
      'draw a.place far --difference p -o -',
      1,
      /There is no pattern of traffic without jobs `uniform-random`\. Use `uniform` or `transpose`\./,
    ],
    ['a placement that is not there', 'draw a.place q --difference r -o -', 2, /No placement 'r'/],
    [
      'a figure',
      'draw a.place q --difference p --figure search -o -',
      2,
      /--difference conflicts with --figure\. Remove one\./,
    ],
    ['an experiment', 'draw a.place e --difference p -o -', 2, /--difference applies to placements only/],
  ])('is refused of %s', async (_what, words, code, message) => {
    const answer = await run(folder({ 'a.place': text }), words);
    expect([answer.code, answer.err]).toEqual([code, expect.stringMatching(message)]);
  });
});

it('draw --figure search: a search that starts anew has a peak at each start', async () => {
  const directory = cli.scratch();
  writeFileSync(
    join(directory, 'search.place'),
    `machine net { topology irregular 16 hosts 4 }
job cg { tasks 64 skeleton cg(class S, iterations 1) }
placement no { job cg machine net map random-search }
placement none { job cg machine net map random }`,
  );
  const { code } = await cli.run(['draw', 'search.place', 'no', '--figure', 'search', '-o', 'search.csv'], directory);
  expect(code).toBe(0);
  const values = readFileSync(join(directory, 'search.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => Number(row.split(',')[1]));
  // Ten starts: the value only rises where a new one begins.
  expect(values.filter((value, index) => value > (values[index - 1] ?? Infinity))).toHaveLength(9);
  const ran = await cli.run(['run', 'search.place', '--placement', 'no', '--json'], directory);
  const [placement] = (JSON.parse(ran.out) as { placements: { metrics: { mappingCoefficient: number } }[] }).placements;
  expect(Math.min(...values)).toBeCloseTo(placement!.metrics.mappingCoefficient, 3);
  expect(
    (await cli.run(['draw', 'search.place', 'no', '--figure', 'search', '-o', 'search.svg'], directory)).code,
  ).toBe(0);
  const picture = readFileSync(join(directory, 'search.svg'), 'utf8');
  expect(picture).toMatch(/>Mapping coefficient \((?:KiB|MiB|GiB) × equivalent distance\)</);
  expect(
    await cli.run(['draw', 'search.place', 'none', '--figure', 'search', '-o', 'none.svg'], directory),
  ).toMatchObject({
    code: 1,
    err: expect.stringContaining("no mapper of placement 'none' searches. Nothing is drawn.") as string,
  });
});

it('draw --figure traffic: who sends how much to whom, by task, node or switch', async () => {
  const directory = folder();
  const drawn = (...options: readonly string[]) =>
    cli.run(['draw', 'a.place', 'p', '--figure', 'traffic', ...options], directory);
  expect((await drawn('-o', 'tasks.csv')).code).toBe(0);
  const rows = readFileSync(join(directory, 'tasks.csv'), 'utf8').trim().split('\n');
  expect(rows[0]).toBe('from,to,bytes,pairs,messages,hops');
  expect(rows.slice(1).every((row) => row.includes(',1024,1,1,'))).toBe(true);
  expect((await drawn('--by', 'node', '--scale', 'logarithmic', '-o', '-')).out).toContain('p: traffic by node');
  expect((await drawn('-o', 'tasks.pdf')).code).toBe(0);
  const refused = await cli.run(['draw', 'a.place', 'p', '--by', 'node', '-o', 'a.svg'], directory);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--by needs --figure traffic.') as string });
});
