/**
 * Forwarding tables of an InfiniBand fabric as its tools dump them: a table for each switch, a line for each LID.
 */
import type { Cancellation } from '../model/cancellation.ts';
import { fabricLimits } from './fabrics/builder.ts';
import { type DumpedSwitch, type ForwardingDump, largestLid } from '../model/forwarding.ts';
import type { FabricWarning } from '../model/fabric.ts';
import { countOf, formatNumber } from '../model/quantities.ts';
import { fail, quote, succeed, withoutControls, type Result } from '../model/result.ts';
import type { ForwardingFormatEntry } from './contract.ts';
import { textLines } from './reading.ts';

const details = 'A truncated table, and a duplicate switch or LID, is rejected.';

export const dumpFts: ForwardingFormatEntry = {
  name: 'dump-fts',
  summary: 'switch tables, as `dump_fts` and `ibroute` of infiniband-diags print them',
  source: 'infiniband-diags, dump_fts(8), ibroute(8)',
  details: `${details} Tables of multicast groups (\`-M\`) are skipped.`,
  options: [],
  recognizes: (text) => /^[ \t]*Unicast lids \[0x/im.test(text),
  header: /^Unicast lids \[[^\]]*\] of switch .*?\bguid 0x([0-9a-f]{1,16})\s*(?:\((.*)\))?\s*:?$/i,
  counted: 'entries',
};

export const opensmLfts: ForwardingFormatEntry = {
  name: 'opensm-lfts',
  summary: 'switch tables, as OpenSM writes them to `opensm-lfts.dump`',
  source: 'OpenSM, `osm_dump.c`, written with `-D 0x43`',
  details,
  options: [],
  recognizes: (text) => /^[ \t]*Unicast lids \[\d+-\d/im.test(text),
  header: /^Unicast lids \[[^\]]*\] of switch .*?\bguid 0x([0-9a-f]{1,16})\s*(?:\((.*)\))?\s*:?$/i,
  counted: 'lids',
};

export const opensmFdbs: ForwardingFormatEntry = {
  name: 'opensm-fdbs',
  summary: 'switch routes, as OpenSM writes them to `opensm.fdbs`',
  source: 'OpenSM, `osm_dump.c`, written with `-D 0x43`',
  details: `${details} Hops and remarks after the port are ignored.`,
  options: [],
  recognizes: (text) => /^[ \t]*(?:\w+:[ \t]*)?Switch 0x[0-9a-f]{1,16}[ \t]*$/im.test(text),
  header: /^(?:\w+:\s*)?Switch 0x([0-9a-f]{1,16})$/i,
};

/** Reads the tables of a file in a format. O(letters). */
export const readForwardingTables = (
  text: string,
  fileName: string,
  entry: ForwardingFormatEntry,
  cancellation: Cancellation,
): Result<ForwardingDump> => new TableReader(text, fileName, entry).read(cancellation);

/** A line of a table: LID, and the port or why there is none. */
const entryLine = /^0x([0-9a-f]{1,8})(?:\s*:\s*|\s+)(\d{1,4}|UNREACHABLE)(?:\s.*)?$/i;
/** `24 valid lids dumped`. */
const footer = /^(\d{1,9}) (?:valid )?lids dumped$/i;
/** Lines above the entries, and what tools say on standard error. */
const silent = /^(?:#|Lid\s+Out\b|Port\s+Info$|LID\s*:\s*Port\b)/i;
const complaint = /^(?:ib(?:warn|panic|error)\b|.*\bdump_fts\b)/i;
const multicast = /^Multicast mlids\b/i;
/** Behind the port: `(Channel Adapter portguid 0x…: 'node01 mlx5_0')`, `# Switch portguid 0x…: 'S00'`, `(path #2 out of 2: portguid 0x…)`. */
const target = /\bportguid 0x([0-9a-f]{1,16})(?:: '(.*)')?/i;

/** Longer lines are of no tool; and patterns stay fast. */
const longestLine = 1024;
/** The shortest line of a table: `0x1 1` with its end. */
const shortestEntry = 6;
const noWay = 255;

const paddedGuid = (guid: string): string => guid.toLowerCase().padStart(16, '0');

/** Goes through the lines of one file. */
class TableReader {
  readonly #text: string;
  readonly #fileName: string;
  readonly #entry: ForwardingFormatEntry;
  readonly #switches: DumpedSwitch[] = [];
  readonly #firstEntry: number[] = [];
  readonly #entries: Int32Array;
  #count = 0;
  readonly #targets = new Map<number, { guid: string; name: string }>();
  readonly #lineOfSwitch = new Map<string, number>();
  /** The number of the last table that has each LID, from 1. */
  readonly #seenIn = new Int32Array(largestLid + 1);
  /** Lines of each table that tell of a LID, whether there is a way or not. */
  readonly #listed: number[] = [];
  readonly #complaints = { lines: 0, first: 0 };
  /** What the lines are of: nothing yet, the table of a switch, what follows it, groups. */
  #state: 'outside' | 'table' | 'multicast' = 'outside';

  constructor(text: string, fileName: string, entry: ForwardingFormatEntry) {
    this.#text = text;
    this.#fileName = fileName;
    this.#entry = entry;
    this.#entries = new Int32Array(Math.ceil(text.length / shortestEntry) + 1);
  }

  read(cancellation: Cancellation): Result<ForwardingDump> {
    let last = 0;
    for (const { line, content } of textLines(this.#text, cancellation)) {
      const words = content.trim();
      if (words === '') continue;
      last = line;
      const fault = this.#take(words, line);
      if (fault !== undefined) return this.#refuse(line, fault);
    }
    if (this.#switches.length === 0)
      return this.#refuse(1, `The file has no switch table in the format ${quote(this.#entry.name)}.`);
    const fault = this.#endFault();
    if (fault !== undefined) return this.#refuse(fault.line ?? last, fault.message);
    const { lines, first } = this.#complaints;
    const warnings: FabricWarning[] =
      lines === 0
        ? []
        : [
            {
              line: first,
              message: `${countOf(lines, 'line')} with error messages of the tool, from this line on: skipped.`,
            },
          ];
    return succeed({
      format: this.#entry.name,
      fileName: this.#fileName,
      switches: this.#switches,
      firstEntry: Int32Array.from([...this.#firstEntry, this.#count]),
      entries: this.#entries.slice(0, this.#count),
      targets: this.#targets,
      warnings,
    });
  }

  #refuse(line: number, message: string): Result<never> {
    return fail('bad-forwarding', `${this.#fileName}:${line}: ${message}`);
  }

  /** What is wrong with a line, if anything. */
  #take(words: string, line: number): string | undefined {
    if (words.length > longestLine)
      return `The line has more than ${formatNumber(longestLine)} characters and is not part of a switch table.`;
    if (this.#state === 'table') {
      const found = entryLine.exec(words);
      if (found) return this.#takeEntry(found[1]!, found[2]!, words);
      const count = this.#entry.counted !== undefined ? footer.exec(words)?.[1] : undefined;
      if (count !== undefined) return this.#close(Number(count));
    }
    const head = this.#entry.header.exec(words);
    if (head) return this.#open(paddedGuid(head[1]!), head[2] ?? '', line);
    return silent.test(words) ? undefined : this.#takeOther(words, line);
  }

  /** A line neither of a table nor above one. */
  #takeOther(words: string, line: number): string | undefined {
    if (multicast.test(words)) {
      const fault = this.#unclosed();
      this.#state = 'multicast';
      return fault;
    }
    if (complaint.test(words)) {
      this.#complaints.lines++;
      this.#complaints.first ||= line;
      return undefined;
    }
    // What the tool says on standard error may stand before the first table.
    if (this.#switches.length === 0 && !entryLine.test(words)) return undefined;
    if (this.#state === 'multicast') return undefined;
    return this.#state === 'table'
      ? `Invalid line of a forwarding table ${quote(words)}. The file may be truncated.`
      : `${quote(words)} is outside of a switch table. Lines above it are missing.`;
  }

  #open(guid: string, name: string, line: number): string | undefined {
    const fault = this.#unclosed();
    if (fault !== undefined) return fault;
    const known = this.#lineOfSwitch.get(guid);
    if (known !== undefined) return `Switch 0x${guid} already has a table on line ${known}. Keep one of the two.`;
    if (this.#switches.length === fabricLimits.switches)
      return `The file has more than ${formatNumber(fabricLimits.switches)} switches, the maximum.`;
    this.#lineOfSwitch.set(guid, line);
    this.#switches.push({ guid, name: withoutControls(name.replace(/^'(.*)'$/, '$1').trim()), line });
    this.#firstEntry.push(this.#count);
    this.#listed.push(0);
    this.#state = 'table';
    return undefined;
  }

  /** Why the table of a switch cannot end here. */
  #unclosed(): string | undefined {
    if (this.#state !== 'table' || this.#entry.counted === undefined) return undefined;
    const { guid } = this.#switches.at(-1)!;
    return `The table of switch 0x${guid} has no last line, \`… lids dumped\`. The file is truncated; dump the tables again.`;
  }

  #close(count: number): string | undefined {
    this.#state = 'outside';
    const listed = this.#listed.at(-1)!;
    if (listed === count || (this.#entry.counted === 'lids' && listed < count)) return undefined;
    return `The table has ${countOf(listed, 'LID')} but declares ${count}. Dump the tables again.`;
  }

  #takeEntry(lidText: string, portText: string, words: string): string | undefined {
    const lid = Number.parseInt(lidText, 16);
    if (lid > largestLid)
      return `LID 0x${lidText} is above 0x${largestLid.toString(16)}, the last host LID. Remove multicast groups.`;
    const number = this.#switches.length;
    if (this.#seenIn[lid] === number) return `LID 0x${lidText} is listed twice in this table. Keep one of the two.`;
    this.#seenIn[lid] = number;
    this.#listed[number - 1]!++;
    const port = /^\d/.test(portText) ? Number(portText) : noWay;
    if (port > noWay) return `Invalid port ${portText}. Expected a number below 255.`;
    // With `-a` all LIDs are dumped: those that go nowhere have port 255, which is none.
    if (port >= noWay || lid === 0) return undefined;
    this.#entries[this.#count++] = 256 * lid + port;
    if (!this.#targets.has(lid)) {
      const [, guid, name = ''] = target.exec(words) ?? [];
      if (guid !== undefined) this.#targets.set(lid, { guid: paddedGuid(guid), name: withoutControls(name) });
    }
    return undefined;
  }

  /** What is wrong once all lines are read. */
  #endFault(): { readonly line?: number; readonly message: string } | undefined {
    const open = this.#unclosed();
    if (open !== undefined) return { message: open };
    if (this.#entry.counted !== undefined) return undefined;
    const most = this.#listed.reduce((all, one) => Math.max(all, one), 0);
    const short = this.#listed.findIndex((count) => count < most);
    const found = this.#switches[short];
    if (found === undefined) return undefined;
    return {
      line: found.line,
      message: `The table of switch 0x${found.guid} has ${countOf(this.#listed[short]!, 'LID')}, others have ${most}. The file is truncated or merged; dump the tables again.`,
    };
  }
}
