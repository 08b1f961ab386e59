import type { Cancellation } from '../model/cancellation.ts';
import type { CatalogueEntry, OptionValues } from '../model/catalogue.ts';
import type { CommandLine } from '../model/commandLine.ts';
import type { Fabric, NodeShape } from '../model/fabric.ts';
import type { GivenFile } from '../model/given.ts';
import type { PlacementReport } from '../model/report.ts';
import type { Result } from '../model/result.ts';
import type { TableEntries } from '../model/traffic.ts';
import type { TimedMessages, Workload } from '../model/workload.ts';
import type { PairSums } from './pairSums.ts';

/** A format that traffic tables are read from. Found by content, never by the file's name. */
export interface TableFormatEntry extends CatalogueEntry {
  /** Whether a file that begins with these bytes, 64 KiB or the whole of it, is of this format. */
  readonly recognizes: (beginning: Uint8Array) => boolean;
  /** The bytes are no text; others are refused before they are read where they are none. */
  readonly isBinary?: true;
  /**
   * Reads the files of a table, one but where the format has one of each rank. Amounts are finite, ≥ 0 and at most 2^53;
   * zeros are dropped. Fails with `bad-table` and a sentence that begins `fileName:line:`. Polls the cancellation at
   * least every thousand lines and stops there; the caller drops what it answers then.
   */
  readonly read: (files: readonly TraceFile[], cancellation: Cancellation) => Result<TableEntries>;
}

/** A format that networks are read from. Found by content, never by the file's name. */
export interface MachineFormatEntry extends CatalogueEntry {
  /** Whether a text is of this format. In time linear in the text. */
  readonly recognizes: (text: string) => boolean;
  /** The most letters that a file of this format may have; any number where absent. */
  readonly largestText?: number;
  /**
   * Reads a whole file. Fails with `bad-fabric` and a sentence that begins `fileName:line:`. Polls the cancellation as
   * table formats do. Parsers of XML and YAML are loaded by the first file that needs them.
   */
  readonly read: (
    text: string,
    fileName: string,
    cancellation: Cancellation,
  ) => Result<Fabric> | Promise<Result<Fabric>>;
}

/** A format that the inside of a compute node is read from. */
export interface NodeFormatEntry extends CatalogueEntry {
  readonly recognizes: (text: string) => boolean;
  /** Fails with `bad-node` and a sentence that begins with the file's name and, where there is one, its line. */
  readonly read: (text: string, fileName: string) => Result<NodeShape> | Promise<Result<NodeShape>>;
}

/** A format that forwarding tables are read from: each table has a header, and a line for each LID. */
export interface ForwardingFormatEntry extends CatalogueEntry {
  /** Whether a text is of this format. In time linear in the text. */
  readonly recognizes: (text: string) => boolean;
  /** Begins the table of a switch: its GUID, and its description where the format has one. */
  readonly header: RegExp;
  /**
   * What the last line of a table counts, `24 lids dumped`: its entries, or all LIDs up to the largest, those without a way
   * included. Without such a line all tables have an entry for every LID.
   */
  readonly counted?: 'entries' | 'lids';
}

/** The file of a mapping. */
export interface MappingFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  /** All of a small file, the beginning of a large one. */
  readonly text: string;
  /** Whether `text` is all of the file. */
  readonly isComplete: boolean;
  readonly cancellation: Cancellation;
}

/** A format that mappings are read from: which slot, node or host each rank has. */
export interface MappingFormatEntry extends CatalogueEntry {
  /** Whether a file is of this format. In time linear in its text. */
  readonly recognizes: (file: MappingFile) => boolean;
  /** Present if the format is read from the text of the whole file: how a larger file is described, as in `is a table`. */
  readonly isWhole?: string;
  /** Fails with `bad-mapping-file` and a sentence that begins with the file's name and, where there is one, its line. */
  readonly read: (file: MappingFile) => Result<GivenFile>;
}

/** What a user may add to an export that a report does not know. */
export interface ExportOptions {
  /**
   * Names for the allocated nodes in their order, or for all nodes of the machine by NodeId. Without it, formats that
   * name hosts use those of the machine's fabric, else `node0000`, `node0001`, …
   */
  readonly hosts?: readonly string[];
  /** Slots of those hosts, where their file says so: a host with more ranks than slots is refused. */
  readonly slotsOfHosts?: ReadonlyMap<string, number>;
  /** How hosts are named where this is asked from, behind `give the real ones`: ` with --names PATTERN`. Nothing where it is left out. */
  readonly wayToName?: string;
  /** Name of the `.place` file, for the header of formats that have comments. */
  readonly file?: string;
}

export interface ExportedText {
  readonly text: string;
  /** None where no launcher reads it. */
  readonly commands?: readonly CommandLine[];
  /** What the other tool cannot honour, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * A format that a placement is written in. Those of launchers are written of a `Launch` (`exports/launch.ts`), which knows the slot, node, host, cores and
 * GPU of each rank.
 */
export interface ExportFormatEntry extends CatalogueEntry {
  /** Of a suggested file name, with its dot: `.rankfile`. */
  readonly extension: string;
  /** The only name under which the other tool finds the file. */
  readonly fileName?: string;
  /**
   * Where no line may be added that says what the file is of: `bare` has no comments, the first line of a `table` names its columns.
   */
  readonly lines?: 'bare' | 'table';
  /** The whole file as text. Fails where the format cannot say what the placement is. */
  readonly write: (report: PlacementReport, options?: ExportOptions) => Result<ExportedText>;
}

/** A file of a trace: `chunks` begins anew at each call, so that a reader may go through it more than once. */
export interface TraceFile {
  /** For messages. */
  readonly name: string;
  readonly chunks: () => Iterable<Uint8Array>;
}

/** A trace that was read. */
export interface Trace {
  readonly workload: Workload;
  /** Where the trace says when its messages were sent: for an open replay. */
  readonly timed?: TimedMessages;
  /** What the files do not say and what was taken instead, a sentence each. */
  readonly warnings: readonly string[];
}

/** A format that traces of messages are read from. */
export interface TraceFormatEntry extends CatalogueEntry {
  /** Whether the beginning of a file is of this format. */
  readonly recognizes: (beginning: string) => boolean;
  /**
   * Reads all files of a trace, one per rank where the format has it so. Fails with `bad-trace` and a sentence that
   * begins `fileName:line:`. Memory grows with the operations kept, not with the text. Polls the cancellation as table
   * formats do. With `sums` messages are added up there and nothing else is kept: the workload is empty, and what only
   * matters to a replay, as who a receive was from, is no reason to refuse.
   */
  readonly read: (
    files: readonly TraceFile[],
    options: OptionValues,
    cancellation: Cancellation,
    sums?: PairSums,
  ) => Result<Trace>;
}
