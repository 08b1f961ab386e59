/**
 * Why Slurm takes no job: what sbatch prints, told as what is wrong and what the user does about it. The sentences are those of
 * `slurm_strerror` (Slurm 23, src/common/slurm_errno.c), whose words have been the same for years; sbatch puts them behind
 * `Batch job submission failed:`.
 */
import { withoutControls } from '../../model/result.ts';

interface Refusal {
  /** What sbatch prints. */
  readonly says: RegExp;
  /** The end of `No job was taken: …`. */
  readonly reason: string;
  /** A sentence without its stop. */
  readonly advice: string;
}

/** The first that fits is told: what names one thing stands before what names several. */
const refusals: readonly Refusal[] = [
  {
    says: /invalid account or account\/partition/i,
    reason: 'the account has no access to the partition',
    advice: 'Set another account: `export SBATCH_ACCOUNT=NAME`; `sacctmgr show associations user=$USER` lists yours',
  },
  {
    says: /partition name specified|no partition specified|partition not available|permitted to use this partition|partition configuration not available/i,
    reason: 'the partition does not exist or rejects your jobs',
    advice: 'Set a partition that is up in `sinfo`: `export SBATCH_PARTITION=NAME`',
  },
  {
    says: /invalid qos|breached requested qos/i,
    reason: 'the quality of service does not exist or is not allowed',
    advice: 'Set another one: `export SBATCH_QOS=NAME`',
  },
  {
    says: /violates accounting|policy|submit limit/i,
    reason: 'the site limit on jobs, job size or job count is reached',
    advice: 'Wait until other jobs have ended (`squeue --me`), or ask the cluster administrators',
  },
  {
    says: /time limit/i,
    reason: 'the site needs a time limit, or a shorter one',
    advice: 'Set minutes: `export SBATCH_TIMELIMIT=30`; unfinished elements are resubmitted',
  },
  {
    says: /job array specification/i,
    reason: 'the site does not allow job arrays of this size',
    advice: 'Run without `--slurm` in an own job, or ask for a larger `MaxArraySize`',
  },
  {
    says: /node configuration is not available|tasks than available|memory required|features|node not available/i,
    reason: 'no available node has a core per task',
    advice: 'Set other nodes: `export SBATCH_PARTITION=NAME`, or `SBATCH_CONSTRAINT`',
  },
  {
    says: /configuration source|unable to process configuration|failed to fetch config|res_nsearch|establish controller/i,
    reason: 'this host belongs to no cluster',
    advice: 'Run on a login node of the cluster, or set `SLURM_CONF` to its slurm.conf',
  },
  {
    says: /contact slurm controller|connection (?:refused|failure|timed out)|standby mode|communication|timed? ?out|zero bytes/i,
    reason: 'the Slurm controller does not respond',
    advice: 'Check with `scontrol ping`, then run again',
  },
  {
    says: /authentication|credential|munge|permission denied|invalid user/i,
    reason: 'your user is unknown here',
    advice: 'Run as a cluster user on a host with running authentication (MUNGE)',
  },
  {
    says: /unable to open|no such file|disk quota|no space|read-only/i,
    reason: 'Slurm cannot write a file',
    advice: 'Check that the folder of the `.place` file has space and is writable, also from nodes',
  },
];

/** What is told of words that none of them fits. */
const unknown: Refusal = { says: /^/, reason: 'Slurm rejected the job array', advice: 'Fix the cause' };

/** As much of what Slurm prints as is quoted. */
export const mostQuoted = 300;

/** What is wrong and what to do, with the words of sbatch behind it. */
export function refusalOfSlurm(printed: string): string {
  const words = printed
    .split('\n')
    .map((line) => line.replace(/^sbatch: (?:error|fatal): /, '').trim())
    .filter((line) => line !== '')
    .join('; ');
  const { reason, advice } = refusals.find(({ says }) => says.test(words)) ?? unknown;
  const quoted = withoutControls(words.slice(0, mostQuoted)).replace(/\.$/, '');
  return `No job was submitted: ${reason}. ${advice}. sbatch: “${quoted}”.`;
}
