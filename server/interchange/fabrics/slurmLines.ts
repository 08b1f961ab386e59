import type { Cancellation } from '../../model/cancellation.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import { faultOfCount } from './builder.ts';
import { complain, linesOf, withoutComment } from './lines.ts';

/** A line of a Slurm configuration: `SwitchName=leaf1 Nodes=n[1-8]`, by its keys in small letters. */
export interface SlurmLine {
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * The lines of a `topology.conf`: keys in any case, `#` comments, a backslash at the end of a line
 * joins the next one. Fails at a word that is no `Key=value`, and at `Include`.
 */
export function readSlurmLines(text: string, fileName: string, cancellation: Cancellation): Result<SlurmLine[]> {
  const read: SlurmLine[] = [];
  let joined = '';
  let firstLine = 0;
  for (const { line, content } of linesOf(text, cancellation)) {
    if (joined === '') firstLine = line;
    const bare = withoutComment(content).trimEnd();
    if (bare.endsWith('\\')) {
      joined += `${bare.slice(0, -1)} `;
      continue;
    }
    const words = (joined + bare).trim();
    joined = '';
    if (words === '') continue;
    const values = readValues(words);
    if (!values.ok) return complain(fileName, firstLine, values.failure);
    read.push({ line: firstLine, values: values.value });
    const excess = faultOfCount('switches', read.length);
    if (excess !== undefined) return complain(fileName, firstLine, excess);
  }
  return succeed(read);
}

function readValues(text: string): Result<Map<string, string>, string> {
  const values = new Map<string, string>();
  if (/^include\s/i.test(text)) {
    return { ok: false, failure: 'The file includes another one, which is not read: put both into one file.' };
  }
  for (const word of text.split(/\s+/)) {
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(word) ?? [];
    if (key === '') return { ok: false, failure: `${quote(word)} is no \`Key=value\`. Was the file cut off here?` };
    values.set(key.toLowerCase(), value.replace(/^"(.*)"$/, '$1'));
  }
  return succeed(values);
}
