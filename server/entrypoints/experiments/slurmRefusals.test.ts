import { describe, expect, it } from 'vitest';
import { refusalOfSlurm } from './slurmRefusals.ts';

/** As sbatch of Slurm 23.11 prints them; the sentences are those of slurm_strerror. */
const submission = (reason: string): string => `sbatch: error: Batch job submission failed: ${reason}\n`;

describe('what Slurm refuses', () => {
  it.each([
    [submission('Invalid partition name specified'), 'the partition does not exist', 'SBATCH_PARTITION'],
    [
      submission('No partition specified or system default partition'),
      'the partition does not exist',
      'SBATCH_PARTITION',
    ],
    [submission('Required partition not available (inactive or drain)'), 'the partition does not exist', 'sinfo'],
    [
      submission("User's group not permitted to use this partition"),
      'the partition does not exist',
      'SBATCH_PARTITION',
    ],
    [
      submission('Invalid account or account/partition combination specified'),
      'the account has no access',
      'SBATCH_ACCOUNT',
    ],
    [submission('Invalid qos specification'), 'quality of service', 'SBATCH_QOS'],
    [submission('Time limit specification required, but not provided'), 'needs a time limit', 'SBATCH_TIMELIMIT'],
    [
      submission('Requested time limit is invalid (missing or exceeds some limit)'),
      'a shorter one',
      'SBATCH_TIMELIMIT',
    ],
    [
      `sbatch: error: QOSMaxSubmitJobPerUserLimit\n${submission("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)")}`,
      'the site limit',
      'squeue --me',
    ],
    [submission('Invalid job array specification'), 'not allow job arrays of this size', 'MaxArraySize'],
    [submission('Requested node configuration is not available'), 'no available node', 'SBATCH_CONSTRAINT'],
    [
      'sbatch: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\nsbatch: error: fetch_config: DNS SRV lookup failed\nsbatch: fatal: Could not establish a configuration source\n',
      'belongs to no cluster',
      'SLURM_CONF',
    ],
    [submission('Unable to contact slurm controller (connect failure)'), 'does not respond', 'scontrol ping'],
    [submission('Access/permission denied'), 'user is unknown', 'MUNGE'],
    [submission('Something that nobody has heard of'), 'rejected the job array', 'Fix the cause'],
  ])('%j is told as what is wrong and what to do', (printed, reason, advice) => {
    const told = refusalOfSlurm(printed);
    expect(told).toContain(reason);
    expect(told).toContain(advice);
    expect(told).toMatch(/^No job was submitted: [^\n]+\. sbatch: “[^\n]+”\.$/);
    expect(told).not.toMatch(/sbatch: (?:error|fatal)/);
  });

  it('shows no control characters, and no more than a few lines of what was printed', () => {
    const told = refusalOfSlurm(`sbatch: error: \u001b[31m${'long '.repeat(1000)}`);
    expect(told).not.toMatch(/\p{Cc}/u);
    expect(told.length).toBeLessThan(500);
  });
});
