/** The built command line, started as users start it: one run of every command, which prints what the command prints in this process. */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../server/entrypoints/cli/commands.ts';
import { examples } from '../../server/entrypoints/cli/examples.ts';
import { terminalOn } from '../../server/entrypoints/cli/terminal.ts';
import { binary } from './binary.ts';
import { commandLine } from './commandLine.ts';
import { oneSession } from './oneSession.ts';

const cli = commandLine();
const built = binary();

const program = `machine m { topology mesh 4 x 4  bandwidth 1 GB/s }
job j { tasks 16  pattern random  bytes 1 KiB }
network worms { switching wormhole  packet 8  flit 4 B }
placement p { job j  machine m  map row-major  simulate worms }
experiment e { job j  machine m  map random, rcb  replications 2  report hopBytes }
`;
const files = { 'a.place': program, 'wrong.place': 'machine m { topology torsu 4 }\n', 'net.csv': 'from,to\na,b\n' };

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cli.scratch(), name), text);
});

interface Case {
  readonly words: readonly string[];
  readonly code?: number;
  readonly prints: RegExp;
  readonly input?: string;
}

const cases: readonly Case[] = [
  {
    words: ['check', 'a.place', 'wrong.place'],
    code: 1,
    prints: /^a\.place: no problems found\.\nwrong\.place:1:22: error: .*torsu/,
  },
  { words: ['run', '-'], input: program, prints: /^Placement p$/m },
  { words: ['run', 'a.place', 'q'], code: 2, prints: /^placewright: No placement 'q': expected one of p\.$/m },
  { words: ['run', 'a.place', '--jsno'], code: 2, prints: /unknown option '--jsno'/ },
  { words: ['compare', 'a.place', 'p', '--mappers', 'rcb, baseline'], prints: /^baseline +[\d.]+ KiB/m },
  { words: ['failures', 'a.place', 'p'], prints: /^24 links analysed/m },
  { words: ['experiment', 'a.place', '--threads', '2'], prints: /^Experiment e \(2 replications of each row\)$/m },
  { words: ['sweep', 'a.place', '--over', 'seed=1..3', '--threads', '2'], prints: /^Best hopBytes: [\d,]+ bytes$/m },
  { words: ['simulate', 'a.place', 'p'], prints: /Makespan +[\d,]+ cycles/ },
  {
    words: ['export', 'a.place', 'p', '--format', 'rankfile', '--hosts', '-'],
    input: 'n[01-16]',
    prints: /^rank 15=n16 slot=0$/m,
  },
  { words: ['draw', 'a.place', 'p', '-o', '-'], prints: /<\/svg>\n$/ },
  { words: ['import', 'net.csv', '--preview'], prints: /^net\.csv \(csv\)$/m },
  {
    words: ['trace', '-'],
    input: 'num_ranks 2\nrank 0 {\na: send 8b to 1\n}\nrank 1 {\na: recv 8b from 0\n}\n',
    prints: /^Messages +1 between 1 pair$/m,
  },
  { words: ['distances', 'a.place', 'm', '--model', 'equivalent'], prints: /^15 +\d/m },
  { words: ['describe', 'a.place'], prints: /Diameter +6 hops/ },
  { words: ['list', 'mappers'], prints: /^rcb {2}/m },
];

/** How long a mapper took is never the same. */
const withoutTimes = (text: string): string => text.replace(/ +[\d.]+$/gm, '');

describe('the built binary', () => {
  it('is tried with every command that there is', () => {
    const refused = () => Promise.reject(new Error('nothing is run'));
    const ignore = () => undefined;
    const names = commands(terminalOn(ignore, ignore), refused, ignore).commands.map((command) => command.name());
    expect([...new Set([...cases.map(({ words: [name = ''] }) => name), 'lsp'])].sort()).toEqual(names.sort());
  });

  it.each(cases.map((one) => [one.words.join(' '), one] as const))(
    '%s',
    async (_, { words, code = 0, prints, input = '' }) => {
      const started = built.run(words, cli.scratch(), [], input);
      expect(started.code).toBe(code);
      expect(started.out + started.err).toMatch(prints);
      const { out, err } = await cli.run(words, cli.scratch(), input);
      expect(withoutTimes(started.out)).toBe(withoutTimes(out));
      expect(started.err).toBe(err);
    },
  );

  it('starts from a shell by its name alone', () => {
    expect(built.bash('/', `'${built.bundle()}' --version`)).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
      err: '',
    });
  });

  it('reads a file that a shell gives it as standard input', () => {
    expect(built.bash(cli.scratch(), 'placewright check - < a.place')).toEqual({
      code: 0,
      out: 'standard input: no problems found.\n',
      err: '',
    });
  });

  it.each(examples['lsp'] ?? [])('answers an editor over standard input and output: %s', async (line) => {
    const { code, out, err } = await oneSession([process.execPath, built.bundle(), ...line.split(' ')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Content-Length: /);
    expect(out).toContain('"hoverProvider":true');
    expect(out).toContain('"serverInfo":{"name":"placewright"');
  });

  it('tells of lsp in the help, and refuses what it does not know', async () => {
    expect((await cli.run(['--help'])).out).toMatch(/lsp +\[?.*start the language server/);
    const { code, err } = await cli.run(['lsp', '--socket=7000']);
    expect(code).toBe(2);
    expect(err).toContain("unknown option '--socket=7000'");
  });
});

describe('what Node compiles of the command line', () => {
  const node = process.versions.node.split('.').map(Number);
  const keeps = node[0]! > 22 || (node[0] === 22 && node[1]! >= 1);

  /** Runs a command with an environment of its own, in which nothing is said of caches but this. */
  const runWith = (caches: Readonly<Record<string, string>>, words = ['run', 'a.place']): string => {
    const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...rest } = process.env;
    const options = { cwd: cli.scratch(), env: { ...rest, ...caches }, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, [built.bundle(), ...words], options);
    return stdout + stderr;
  };

  it.runIf(keeps)('is kept among the caches of the user, of its threads as well, and taken from there', () => {
    const home = join(cli.scratch(), 'home');
    const kept = (): string[] => readdirSync(join(home, '.cache/placewright'), { recursive: true, encoding: 'utf8' });
    runWith({ HOME: home }, ['--version']);
    const ofOneThread = kept();
    const printed = runWith({ HOME: home });
    const ofTwo = kept();
    expect(ofTwo.length).toBeGreaterThan(ofOneThread.length);
    expect(runWith({ HOME: home })).toBe(printed);
    expect(kept()).toEqual(ofTwo);
  });

  it('is left out where nothing can be written, without a word', () => {
    writeFileSync(join(cli.scratch(), 'file'), '');
    const anywhere = runWith({ NODE_COMPILE_CACHE: join(cli.scratch(), 'compiled') });
    expect(anywhere).toMatch(/^Placement p$/m);
    expect(runWith({ XDG_CACHE_HOME: join(cli.scratch(), 'file') })).toBe(anywhere);
    expect(runWith({ HOME: '' })).toBe(anywhere);
  });
});
