import { describe, expect, it } from 'vitest';
import { sendsOf } from '../../simulation/workloads/programs.ts';
import { readTrace } from '../readers.ts';
import type { TraceFile } from '../contract.ts';
import { defaults, everything, expectRuns, read, whole } from '../testing/readTraces.ts';

describe('dumpi2ascii', () => {
  /** A call with its arguments; its times are `@`. */
  const call = (name: string, ...values: readonly string[]): string => {
    const times = 'at walltime @, cputime 0.1 seconds in thread 0.';
    return [`MPI_${name} entering ${times}`, ...values, `MPI_${name} returning ${times}`, ''].join('\n');
  };
  const world = 'MPI_Comm comm=2 (MPI_COMM_WORLD)';
  /** What a rank calls: a quarter of a second each, and as long between two. */
  const file = (rank: number, ...calls: readonly string[]): TraceFile => {
    const rankOf = call('Comm_rank', world, `int rank=${rank}`);
    const text = [call('Init', 'int argc=1'), rankOf, call('Comm_size', world, 'int size=2'), ...calls].join('');
    let quarters = 400;
    return whole(
      text.replaceAll('@', () => (quarters++ / 4).toFixed(9)),
      `rank-${rank}.txt`,
    );
  };
  const message = (name: string, way: string, partner: number | string, count: number, request = 2): string =>
    call(
      name,
      `int count=${count}`,
      'MPI_Datatype datatype=9 (MPI_INT)',
      `int ${way}=${partner}`,
      'int tag=17',
      world,
      `MPI_Request request=[${request}]`,
    );

  it('reads messages, requests, computing, times and operations of all', () => {
    const { workload, timed, warnings } = read([
      file(
        0,
        message('Isend', 'dest', 1, 4),
        message('Send', 'dest', 1, 2),
        call('Allreduce', 'int count=3', 'MPI_Datatype datatype=14 (MPI_DOUBLE)', 'MPI_Op op=3 (MPI_SUM)', world),
      ),
      file(
        1,
        message('Irecv', 'source', 0, 1000, 8),
        message('Irecv', 'source', 0, 1000, 9),
        call('Waitall', 'int count=2', 'MPI_Request requests[2]=[9, 8]', 'MPI_Status statuses[2]=<IGNORED>'),
        call('Allreduce', 'int count=3', 'MPI_Datatype datatype=14 (MPI_DOUBLE)', 'MPI_Op op=3 (MPI_SUM)', world),
      ),
    ]);
    expect(warnings).toEqual([]);
    expectRuns(workload);
    const pause = ['compute 0.25', 'compute 0.25', 'compute 0.25'];
    expect(everything(workload)[0]!.slice(0, 6)).toEqual([...pause, 'send 1 16 #17', 'compute 0.25', 'send 1 8 #17']);
    expect(everything(workload)[1]!.slice(0, 7)).toEqual([
      ...pause,
      'compute 0.25',
      'compute 0.25',
      'receive 0 16 #17',
      'receive 0 8 #17',
    ]);
    expect([...timed!.bytes]).toEqual([16, 8, 24, 24]);
    [0, 0.5, 1, 1.5].forEach((time, index) => {
      expect(timed!.times[index]).toBeCloseTo(time, 9);
    });
  });

  it('reads communicators made of groups, and all-to-alls of uneven shares', () => {
    const group = [
      call('Comm_group', world, 'MPI_Group group=3 (user-defined-group)'),
      call(
        'Group_incl',
        'MPI_Group group=3 (user-defined-group)',
        'int count=2',
        'int ranks[2]=[1, 0]',
        'MPI_Group newgroup=4 (user-defined-group)',
      ),
      call(
        'Comm_create',
        'MPI_Comm oldcomm=2 (MPI_COMM_WORLD)',
        'MPI_Group group=4 (user-defined-group)',
        'MPI_Comm newcomm=5 (user-defined-comm)',
      ),
    ];
    const exchange = (sent: string, received: string): string =>
      call(
        'Alltoallv',
        `int sendcounts[2]=${sent}`,
        'MPI_Datatype sendtype=14 (MPI_DOUBLE)',
        `int recvcounts[2]=${received}`,
        'MPI_Datatype recvtype=14 (MPI_DOUBLE)',
        'MPI_Comm comm=5 (user-defined-comm)',
      );
    // In the new communicator rank 1 is the first.
    const { workload } = read([
      file(0, ...group, exchange('[3, 0]', '[5, 0]')),
      file(1, ...group, exchange('[0, 5]', '[0, 3]')),
    ]);
    expectRuns(workload);
    expect([...sendsOf(workload).bytes]).toEqual([24, 40]);
  });

  it('of one rank alone is what that rank did, from its first call on', () => {
    const own = call('Send', 'int count=3', 'MPI_Datatype datatype=2 (MPI_CHAR)', 'int dest=0', 'int tag=1', world);
    const { workload, warnings } = read([file(1, own)]);
    expect(warnings[0]).toBe('The trace is incomplete: 1 of 2 ranks have no events, the first is rank 0.');
    expect(everything(workload)[0]).toEqual([]);
  });

  it('tells an incomplete trace, and datatypes without a size', () => {
    const own = call(
      'Send',
      'int count=3',
      'MPI_Datatype datatype=40 (user-defined-datatype)',
      'int dest=1',
      'int tag=1',
      world,
    );
    expect(read([file(0, own)]).warnings).toEqual([
      'The trace does not give the size of datatype user-defined-datatype. Its elements count as one byte.',
      'The trace is incomplete: 1 of 2 ranks have no events, the first is rank 1.',
      '1 message is never received. First: 3 bytes with tag 1 from task 0 to task 1, sent and not received.',
    ]);
  });

  const refused = (...files: readonly TraceFile[]): string => {
    const result = readTrace(files, 'dumpi2ascii', defaults);
    return result.ok ? 'accepted' : result.failure.message;
  };
  const anybody = 'Wildcard receives (MPI_ANY_SOURCE) cannot be replayed. The trace does not give the source.';

  it('refuses what cannot be replayed, and files that are not those of their ranks', () => {
    expect(refused(file(0, message('Recv', 'source', '-1 (MPI_ANY_SOURCE)', 4)))).toBe(`rank-0.txt:19: ${anybody}`);
    expect(
      refused(
        file(
          0,
          call(
            'Bcast',
            'int count=1',
            'MPI_Datatype datatype=9 (MPI_INT)',
            'int root=0',
            'MPI_Comm comm=7 (user-defined-comm)',
          ),
        ),
      ),
    ).toContain('The trace does not list the ranks of communicator 7.');
    expect(refused(file(0, call('Send_init', world)))).toContain('`MPI_Send_init` is not read.');
    expect(refused(file(1), file(0))).toBe(
      'rank-1.txt:7: The file belongs to rank 1, but is listed for rank 0. Reorder the list.',
    );
    expect(refused(whole('MPI_Init entering at walltime 1.0, cputime 1 seconds in thread 0.\n'))).toContain(
      'The last call does not return.',
    );
  });
});
