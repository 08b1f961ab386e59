/**
 * Simulations of placements as they are kept beside their file: a line of JSON that says of what and what came of it, and behind it all
 * that is drawn of it, packed. With their report, so that they can be looked at when the text has changed.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { refusalOfKeptFile } from '../experiments/keptFiles.ts';
import type { SimulationFigure } from '../../drawing/figures/simulation.ts';
import type { PlacementReport } from '../../model/report.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import type { MachineDescription } from '../../network/contract.ts';
import { version } from '../programs.ts';
import type { SimulationWords } from '../workerMessages.ts';
import { writeAtomically } from '../atomicFile.ts';
import { machineFromMessage, machineMessage, type MachineMessage } from './reportChannel.ts';

/** It holds where this is the fingerprint of what is to be simulated. */
export interface KeptSimulation extends SimulationWords {
  readonly fingerprint: string;
  readonly figure: SimulationFigure;
}

interface Header extends SimulationWords {
  readonly kind: typeof headerKind;
  readonly version: string;
  readonly fingerprint: string;
  /** Of what is behind the line. */
  readonly sha256: string;
}

const headerKind = 'placewright simulation';

interface Packed {
  readonly figure: Omit<SimulationFigure, 'report'>;
  readonly report: Omit<PlacementReport, 'machine'>;
  readonly machine: MachineMessage;
}

/** What is larger is not kept, bytes. */
const largest = 2 ** 27;

/** Fails with `not-written`, and with `not-ours` where another file is there. */
export async function keepSimulation(
  path: string,
  { figure: { report, ...figure }, fingerprint, words, notices, facts }: KeptSimulation,
  description: MachineDescription,
): Promise<Result<void>> {
  const { machine, jobs, ...rest } = report;
  const empty = { rowStart: new Int32Array(0), partner: new Int32Array(0), bytes: new Float64Array(0) };
  // Nothing that is drawn looks at the traffic, which is the largest part.
  const small = jobs.map(({ job, ...placed }) => ({
    ...placed,
    job: { ...job, traffic: { ...job.traffic, ...empty } },
  }));
  const packed: Packed = { figure, report: { ...rest, jobs: small }, machine: machineMessage(machine, description) };
  try {
    const plain = serialize(packed);
    if (plain.length > largest) return fail('not-written', `${path} is not written: it exceeds 128 MiB.`);
    const body = gzipSync(plain, { level: 1 });
    const header: Header = {
      ...{ kind: headerKind, version, fingerprint, words, notices, facts },
      sha256: sha256Hex(body),
    };
    const refusal = refusalOfKeptFile(path, (beginning) => beginning.startsWith(`{"kind":"${headerKind}"`));
    if (refusal !== undefined) return { ok: false, failure: refusal };
    mkdirSync(dirname(path), { recursive: true });
    await writeAtomically(path, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]));
    return succeed(undefined);
  } catch (error) {
    return fail('not-written', `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Undefined where there is none, and where another version wrote it; `damaged` where it is not as it was written. */
export function keptSimulation(path: string): KeptSimulation | 'damaged' | undefined {
  try {
    const content = readFileSync(path);
    const end = content.indexOf('\n');
    const header = JSON.parse(content.toString('utf8', 0, end)) as Partial<Header> | null;
    const body = content.subarray(end + 1);
    if (header?.kind !== headerKind) return 'damaged';
    if (header.version !== version) return undefined;
    if (header.sha256 !== sha256Hex(body)) return 'damaged';
    const { fingerprint = '', words = '', notices = [], facts = [] } = header;
    const { figure, report, machine } = deserialize(gunzipSync(body, { maxOutputLength: largest })) as Packed;
    return {
      fingerprint,
      words,
      notices,
      facts,
      figure: { ...figure, report: { ...report, machine: machineFromMessage(machine) } },
    };
  } catch (error) {
    return isMissing(error) ? undefined : 'damaged';
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
