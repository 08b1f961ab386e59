/**
 * The real mpirun over hosts that do not exist: each gets a daemon of its own on this machine,
 * under its own host name (a UTS namespace) and with the cores we say (hwloc's synthetic
 * topologies). Host names resolve to addresses of TEST-NET-2 (RFC 5737), in an /etc/hosts that
 * only this process tree sees. Nothing leaves the machine.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FakeCluster {
  /** Host names, at most 250. */
  readonly hosts: readonly string[];
  readonly sockets: number;
  readonly coresPerSocket: number;
}

/** Where mpirun bound a rank and where it then ran. */
export interface RankPlace {
  /** Host of the job map. */
  readonly host: string;
  /** Host that the running rank named. */
  readonly ranOn: string;
  /** Logical cores of the node it was bound to. */
  readonly cores: readonly number[];
}

/** The slowest launch, 1,024 ranks, takes 15 s on an idle machine. */
const launchMilliseconds = 120_000;

const missingPackages = 'Open MPI is needed to judge rankfiles: apt-get install --no-install-recommends openmpi-bin';

/** Throws with the command to install what is missing: a judge that is absent has not agreed. */
export function requireOpenMpi(): string {
  const { stdout, error } = spawnSync('mpirun', ['--version'], { encoding: 'utf8' });
  if (error) throw new Error(missingPackages);
  return stdout.split('\n', 1)[0] ?? '';
}

/** Launches ranks and says where each went: see {@link launchText}. */
export const launch = (...words: Parameters<typeof launchText>): ReadonlyMap<number, RankPlace> =>
  readPlaces(launchText(...words));

/**
 * Launches ranks and answers what mpirun printed, its job map first, and what the ranks said. `placement` are mpirun's options that place them;
 * paths in it are as the caller gives them; `wrapper` starts what each rank runs. Throws with mpirun's output where it refuses.
 * On a busy machine mpirun can lose ranks that end at once, and then wait for them for ever: such a launch is done again,
 * because it says nothing about where the others are.
 */
export function launchText(
  cluster: FakeCluster,
  ranksPerProgram: readonly number[],
  placement: readonly string[],
  wrapper: readonly string[] = [],
  attempts = 3,
): string {
  const directory = mkdtempSync(join(tmpdir(), 'placewright-mpirun-'));
  try {
    const hostsFile = join(directory, 'hosts');
    const addresses = cluster.hosts.map((host, at) => `198.51.100.${at + 1} ${host}`);
    writeFileSync(hostsFile, ['127.0.0.1 localhost', ...addresses, ''].join('\n'));
    // Each rank speaks into a file of its own: of a thousand, mpirun can lose what one daemon's last ones print, and a file
    // that all append to can lose lines that are written at once.
    const said = join(directory, 'said');
    mkdirSync(said);
    const program = [...wrapper, 'bash', join(import.meta.dirname, 'where-am-i.sh'), said];
    const programs = ranksPerProgram.flatMap((ranks, at) => [
      ...(at > 0 ? [':'] : []),
      '-np',
      String(ranks),
      ...program,
    ]);
    const words = [...mpirunWords, '--display-map', ...placement, ...programs];
    const { stdout, stderr, status, error } = spawnSync(
      'unshare',
      [...asRoot(), '--mount', 'bash', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', hostsFile, ...words],
      {
        encoding: 'utf8',
        env: { ...process.env, ...environmentOf(cluster) },
        maxBuffer: 2 ** 26,
        timeout: launchMilliseconds,
        killSignal: 'SIGKILL',
      },
    );
    const ranks = ranksPerProgram.reduce((sum, count) => sum + count, 0);
    const lines = readdirSync(said).map((rank) => readFileSync(join(said, rank), 'utf8'));
    const spoke = lines.filter((line) => line.endsWith('\n')).length;
    const mapped = stdout.match(/Process rank: \d+ Bound: /g)?.length ?? 0;
    if (error !== undefined || (status === 0 && Math.min(spoke, mapped) < ranks)) {
      if (attempts > 1) return launchText(cluster, ranksPerProgram, placement, wrapper, attempts - 1);
      throw new Error(
        `mpirun lost ranks at each attempt: of ${ranks}, ${spoke} spoke and ${mapped} were in the job map at the last.\n${stderr}`,
      );
    }
    if (status !== 0) throw new Error(`mpirun refused (${status}):\n${stdout}\n${stderr}`);
    return stdout + lines.join('');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const loopback = ['--mca', 'oob_tcp_if_include', 'lo', '--mca', 'btl_tcp_if_include', 'lo'];
const remoteShell = [
  '--mca',
  'plm',
  'rsh',
  '--mca',
  'plm_rsh_agent',
  `bash ${join(import.meta.dirname, 'remote-shell.sh')}`,
];
const mpirunWords = [
  'mpirun',
  '--allow-run-as-root',
  ...loopback,
  ...remoteShell,
  '--mca',
  'plm_rsh_no_tree_spawn',
  '1',
];

/** A user who is not root becomes one inside a user namespace. */
const asRoot = (): string[] => (process.getuid?.() === 0 ? [] : ['--map-root-user']);

const environmentOf = ({ sockets, coresPerSocket }: FakeCluster): Record<string, string> => ({
  HWLOC_SYNTHETIC: `package:${sockets} core:${coresPerSocket} pu:1`,
});

/** Reads mpirun's job map and what the ranks printed. */
function readPlaces(text: string): ReadonlyMap<number, RankPlace> {
  const ranOn = new Map<number, string>();
  for (const [, rank, host] of text.matchAll(/^RANK (\d+) HOST (\S+)/gm)) ranOn.set(Number(rank), host ?? '');
  const places = new Map<number, RankPlace>();
  let host = '';
  for (const line of text.split('\n')) {
    host = /Data for node: (\S+)/.exec(line)?.[1] ?? host;
    const [, rank, bound] = /Process rank: (\d+) Bound: (.*)/.exec(line) ?? [];
    if (rank === undefined || bound === undefined) continue;
    const cores = Array.from(bound.matchAll(/\[core +(\d+)/g), ([, core]) => Number(core));
    places.set(Number(rank), { host, ranOn: ranOn.get(Number(rank)) ?? 'nowhere', cores });
  }
  return places;
}
