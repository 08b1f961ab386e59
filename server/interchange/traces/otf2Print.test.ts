import { describe, expect, it } from 'vitest';
import { everything, expectRuns, read, refusal } from '../testing/readTraces.ts';

describe('otf2-print', () => {
  const message = (kind: string, location: number, time: number, other: number, communicator = 0, tag = 5): string =>
    `MPI_${kind}  ${location}  ${time}  ${kind.includes('SEND') ? 'Receiver' : 'Sender'}: 1 ("Master thread" <${other}>), Communicator: "c" <${communicator}>, Tag: ${tag}, Length: 64, Request: 1`;
  /** An operation of a communicator; its root, and what was sent and received. */
  const all = (
    operation: string,
    location: number,
    time: number,
    communicator: number,
    outcome: readonly [string, number, number],
  ): string =>
    `MPI_COLLECTIVE_BEGIN  ${location}  ${time}\nMPI_COLLECTIVE_END  ${location}  ${time + 9}  Operation: ${operation}, Communicator: "c" <${communicator}>, Root: ${outcome[0]}, Sent: ${outcome[1]}, Received: ${outcome[2]}`;
  const text = [
    '',
    '=== OTF2-PRINT ===',
    '=== Events ===',
    'Event  Location  Timestamp  Attributes',
    'ENTER  4294967296  7397466976977900  Region: "MPI_Init" <3>',
    'LEAVE  4294967296  7397466976978000  Region: "MPI_Init" <3>',
    'ENTER  4294967296  7397466976978100  Region: "work" <9>',
    'ENTER  4294967296  7397466976979000  Region: "MPI_Isend" <4>',
    message('ISEND', 4294967296, 7397466976979000, 7),
    '  ADDITIONAL ATTRIBUTES: ("ProcessId" <2>; UINT64; 26602)',
    message('IRECV_REQUEST', 7, 7397466976979000, 0),
    message('IRECV', 7, 7397466976979500, 4294967296),
    all('BCAST', 7, 7397466976980000, 0, ['0 ("Master thread" <7>)', 32, 16]),
    all('BCAST', 4294967296, 7397466976981000, 0, ['0 ("Master thread" <7>)', 0, 16]),
    all('GATHER', 7, 7397466976990000, 6, ['0 ("Master thread" <7>)', 4, 4]),
    all('GATHER', 4294967296, 7397466976990000, 6, ['0 ("Master thread" <4294967296>)', 4, 4]),
    all('ALLREDUCE', 7, 7397466976991000, 0, ['NONE', 16, 16]),
    all('ALLREDUCE', 4294967296, 7397466976991000, 0, ['NONE', 16, 16]),
    '',
  ].join('\n');

  it('reads messages, operations of communicators, computing between calls, and times', () => {
    const { workload, timed, warnings } = read(text, undefined, { ticks: 1e9 });
    expect(warnings).toEqual([]);
    expectRuns(workload);
    const collective = '#-1073741824';
    expect(everything(workload)[0]!.slice(0, 2)).toEqual(['receive 1 64 #5', `send 1 16 ${collective}`]);
    expect(everything(workload)[1]!.slice(0, 3)).toEqual([
      'compute 0.000001',
      'send 0 64 #5',
      `receive 0 16 ${collective}`,
    ]);
    expect([...timed!.from]).toEqual([1, 0, 0, 1]);
    expect([...timed!.bytes]).toEqual([64, 16, 8, 8]);
    [0, 1e-6, 12e-6, 12e-6].forEach((time, index) => {
      expect(timed!.times[index]).toBeCloseTo(time, 12);
    });
  });

  it.each([
    ['MPI_SEND  0  5  Receiver: 1 (hello', 'Expected partner, communicator, tag and length after `MPI_SEND`.'],
    [message('SEND', 0, 5, 9), 'The partner location <9> has no events.'],
    [message('SEND', 0, 5, 0, 0, 2 ** 31), 'The tag and the length must be whole numbers ≥ 0.'],
    [
      all('ALLTOALLV', 0, 5, 0, ['NONE', 8, 8]).split('\n')[1]!,
      '`ALLTOALLV` cannot be replayed. The event does not give the share of each rank.',
    ],
    [all('BCAST', 0, 5, 0, ['3', 8, 8]).split('\n')[1]!, 'The root is not in the communicator.'],
  ])('refuses %j by its line', (line, message_) => {
    expect(refusal(`OTF2-PRINT\n${line}\n`, 'otf2-print')).toBe(`a.trace:2: ${message_} [bad-trace]`);
  });
});
