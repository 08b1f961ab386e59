/**
 * A real Slurm on this machine: slurmctld and some slurmd on loopback, each for a node of its own, without munge, systemd and
 * cgroups. Nothing leaves the machine; all daemons are ended by their process numbers.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const missingPackages = 'Slurm is needed to judge job arrays: apt-get install --no-install-recommends slurm-wlm';

export interface Cluster {
  /** For programs that call Slurm. */
  readonly environment: NodeJS.ProcessEnv;
  /** Ends the daemon of a node at once, and what runs on the node. */
  readonly kill: (node: number) => void;
  readonly stop: () => Promise<void>;
}

const nameOf = (node: number): string => `n${node}`;

/** Clusters of different tests may run at the same time, each on ports of its own from here on. */
interface ClusterSize {
  readonly nodes: number;
  readonly cores: number;
  readonly port: number;
  /** Of `topology.conf`, for the tree plugin. */
  readonly tree?: string;
}

/** Starts a cluster of nodes `n0`, `n1`, …, and waits until all of them are idle. */
export async function startSlurm(directory: string, size: ClusterSize): Promise<Cluster> {
  const { nodes } = size;
  if (spawnSync('sbatch', ['--version']).error) throw new Error(missingPackages);
  for (const name of ['state', 'spool', 'log']) mkdirSync(join(directory, name), { recursive: true });
  const configuration = join(directory, 'slurm.conf');
  writeFileSync(configuration, configurationOf(directory, size));
  if (size.tree !== undefined) writeFileSync(join(directory, 'topology.conf'), size.tree);
  const environment = { ...process.env, SLURM_CONF: configuration, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };
  const start = (program: string, words: readonly string[]): ChildProcess => {
    const log = openSync(join(directory, 'log', `${program}${words.at(-1) ?? ''}.out`), 'a');
    return spawn(program, words, { env: environment, stdio: ['ignore', log, log] });
  };
  const controller = start('slurmctld', ['-D', '-c']);
  const daemons = Array.from({ length: nodes }, (_, node) => start('slurmd', ['-D', '-N', nameOf(node)]));
  const stop = async (): Promise<void> => {
    for (const daemon of [...daemons, controller]) daemon.kill('SIGTERM');
    for (const daemon of [...daemons, controller]) {
      for (let look = 0; look < 50 && daemon.exitCode === null && daemon.signalCode === null; look++) await wait(100);
      daemon.kill('SIGKILL');
    }
  };
  for (let look = 0; look < 200; look++) {
    const { stdout } = spawnSync('sinfo', ['-h', '-o', '%D', '-t', 'idle'], { env: environment, encoding: 'utf8' });
    if (stdout.trim() === String(nodes)) {
      return {
        environment,
        stop,
        kill: (node) => {
          killNode(daemons[node], nameOf(node), configuration);
        },
      };
    }
    await wait(100);
  }
  await stop();
  throw new Error(`Slurm did not come up; its logs are in ${directory}/log.`);
}

/** What runs on a node knows its name and our configuration. */
function killNode(daemon: ChildProcess | undefined, node: string, configuration: string): void {
  daemon?.kill('SIGKILL');
  for (const process of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const variables = environmentOf(process);
    if (variables.includes(`SLURMD_NODENAME=${node}`) && variables.includes(`SLURM_CONF=${configuration}`)) {
      killIfThere(Number(process));
    }
  }
}

function environmentOf(process: string): readonly string[] {
  try {
    return readFileSync(`/proc/${process}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function killIfThere(process: number): void {
  try {
    globalThis.process.kill(process, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function configurationOf(directory: string, { nodes, cores, port, tree }: ClusterSize): string {
  const host = hostname();
  const lines = [
    'ClusterName=judge',
    `SlurmctldHost=${host}(127.0.0.1)`,
    ...['SlurmUser=root', 'SlurmdUser=root', 'AuthType=auth/none', 'CredType=cred/none'],
    ...[`SlurmctldPort=${port}`, `SlurmdPort=${port + 1}`, 'CommunicationParameters=NoCtldInAddrAny,NoInAddrAny'],
    ...[`StateSaveLocation=${directory}/state`, `SlurmdSpoolDir=${directory}/spool/%n`],
    ...[`SlurmctldPidFile=${directory}/slurmctld.pid`, `SlurmdPidFile=${directory}/slurmd-%n.pid`],
    ...[`SlurmctldLogFile=${directory}/log/slurmctld.log`, `SlurmdLogFile=${directory}/log/slurmd-%n.log`],
    ...['ProctrackType=proctrack/linuxproc', 'TaskPlugin=task/none', 'JobAcctGatherType=jobacct_gather/none'],
    ...[
      'AccountingStorageType=accounting_storage/none',
      'JobCompType=jobcomp/none',
      'MpiDefault=none',
      'SwitchType=switch/none',
    ],
    ...['SelectType=select/cons_tres', 'SelectTypeParameters=CR_Core', 'SchedulerType=sched/backfill'],
    'SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=10000',
    ...['SlurmdParameters=config_overrides', 'ReturnToService=2', 'SlurmctldTimeout=60', 'SlurmdTimeout=10'],
    ...['InactiveLimit=0', 'KillWait=1', 'MinJobAge=300', 'PropagateResourceLimits=NONE'],
    ...(tree === undefined ? [] : ['TopologyPlugin=topology/tree']),
    'PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO',
    ...Array.from(
      { length: nodes },
      (_, node) =>
        `NodeName=${nameOf(node)} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${port + 2 + node} CPUs=${cores} Boards=1 ` +
        `SocketsPerBoard=1 CoresPerSocket=${cores} ThreadsPerCore=1 RealMemory=1000 State=UNKNOWN`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
