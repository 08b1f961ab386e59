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
    reason: 'its account may not use the partition',
    advice:
      'Name an account that may (`export SBATCH_ACCOUNT=NAME`); `sacctmgr show associations user=$USER` lists yours',
  },
  {
    says: /partition name specified|no partition specified|partition not available|permitted to use this partition|partition configuration not available/i,
    reason: 'its partition is none, or takes no jobs of yours now',
    advice: 'Choose one that `sinfo` shows as up: `export SBATCH_PARTITION=NAME`',
  },
  {
    says: /invalid qos|breached requested qos/i,
    reason: 'its quality of service is none that you may use',
    advice: 'Choose another one: `export SBATCH_QOS=NAME`',
  },
  {
    says: /violates accounting|policy|submit limit/i,
    reason: 'a limit of the site on jobs, their size or their number is reached',
    advice: 'Wait until others of yours have ended (`squeue --me`), or ask those who run the cluster',
  },
  {
    says: /time limit/i,
    reason: 'the site wants to be told how long a job takes, or allows less',
    advice: 'Say it in minutes, as in `export SBATCH_TIMELIMIT=30`: what an element does not finish is submitted again',
  },
  {
    says: /job array specification/i,
    reason: 'the site allows no job arrays of this size',
    advice: 'Leave `--slurm` out on a login node or in a job of your own, or ask for a larger `MaxArraySize`',
  },
  {
    says: /node configuration is not available|tasks than available|memory required|features|node not available/i,
    reason: 'no node that it may use has a core for one task',
    advice: 'Choose other nodes: `export SBATCH_PARTITION=NAME`, or `SBATCH_CONSTRAINT`',
  },
  {
    says: /configuration source|unable to process configuration|failed to fetch config|res_nsearch|establish controller/i,
    reason: 'this host does not know of a cluster',
    advice: 'Run it on a login node of the cluster, or set `SLURM_CONF` to its slurm.conf',
  },
  {
    says: /contact slurm controller|connection (?:refused|failure|timed out)|standby mode|communication|timed? ?out|zero bytes/i,
    reason: 'its controller does not answer',
    advice: '`scontrol ping` tells whether it is up; run it again when it is',
  },
  {
    says: /authentication|credential|munge|permission denied|invalid user/i,
    reason: 'it does not know you here',
    advice: 'Run it as a user of the cluster on one of its hosts, where its authentication (MUNGE) is running',
  },
  {
    says: /unable to open|no such file|disk quota|no space|read-only/i,
    reason: 'a file of it cannot be written',
    advice: 'See that the folder of the `.place` file has room and can be written, from the nodes too',
  },
];

/** What is told of words that none of them fits. */
const unknown: Refusal = { says: /^/, reason: 'it refused the job array', advice: 'Mend what it names' };

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
  return `No job was taken: ${reason}. ${advice}. sbatch says: “${quoted}”.`;
}
