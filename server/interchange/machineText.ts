import type { Fabric } from '../model/fabric.ts';
import { countOf } from '../model/quantities.ts';
import { quote, type Result, fail, succeed } from '../model/result.ts';

/** Where the file of a fabric stands, as seen from the `.place` file that will refer to it. */
interface FabricReference {
  /** Relative, with forward slashes; or absolute where there is no relative way. */
  readonly path: string;
  /** Named after `as`, where the user named it. */
  readonly format: string | undefined;
}

/**
 * A `.place` text that declares the machine of a fabric and refers to its file. The comment says
 * what the file holds, so that a reader sees whether it is the right one. Fails with `bad-name`
 * where the language cannot write the path. O(name), the fabric itself is not written.
 */
export function machineText(fabric: Fabric, { path, format }: FabricReference): Result<string> {
  if (/["\r\n]/.test(path)) {
    return fail(
      'bad-name',
      `${quote(path)} cannot be named in a .place file: rename it without quotes and line breaks.`,
    );
  }
  const as = format === undefined ? '' : ` as ${format}`;
  const lines = [
    `/// Read from \`${path}\` (${fabric.format}): ${countsOf(fabric)}.`,
    ...warningLine(fabric),
    `machine ${machineName(path)} {`,
    `  topology from "${path}"${as}`,
    ...(fabric.nodes.length === 0 ? ['  hosts    1  // on each switch: the file names no hosts'] : []),
    '  routing  minimal  // all shortest ways; `up-down` for switches that must not deadlock without virtual lanes',
    '}',
    '',
  ];
  return succeed(lines.join('\n'));
}

/** `40 switches, 582 hosts, 1,114 cables between switches`. */
export function countsOf({ routers, nodes, cables }: Fabric): string {
  const parts = [
    countOf(routers.length, 'switch', 'switches'),
    countOf(nodes.length, 'host', 'hosts'),
    `${countOf(cables.length, 'cable', 'cables')} between switches`,
  ];
  return parts.join(', ');
}

function warningLine({ warnings }: Fabric): string[] {
  const count = countOf(warnings.length, 'warning', 'warnings');
  return warnings.length === 0 ? [] : [`/// ${count}: see the problems of this file.`];
}

/** A word of the language from the name of a file: `psmn-X5.map` is `psmn-X5`. */
function machineName(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/^\.+/, '');
  const stem = base.includes('.') ? base.slice(0, base.indexOf('.')) : base;
  const word = stem.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-+|-+$/g, '');
  if (word === '') return 'fabric';
  return /^[A-Za-z_]/.test(word) ? word : `fabric-${word}`;
}
