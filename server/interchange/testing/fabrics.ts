import type { Fabric } from '../../model/fabric.ts';
import { readFabric } from '../readers.ts';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The fabric that a text describes; a failure fails the test. */
export async function fabricOf(text: string, format?: string): Promise<Fabric> {
  const result = await readFabric(bytesOf(text), 'file', format);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Switches, cables by the switches' names and hosts as `name@switch`: what a user would look for. */
export function pictureOf({ routers, nodes, cables }: Fabric): { switches: string; cables: string; hosts: string } {
  return {
    switches: routers.join(' '),
    cables: cables.map(({ from, to }) => `${routers[from] ?? '?'}-${routers[to] ?? '?'}`).join(' '),
    hosts: nodes.map(({ name, router }) => `${name}@${routers[router] ?? '?'}`).join(' '),
  };
}

/** Warnings as `line: sentence`, or the sentence alone. */
export const warningsOf = ({ warnings }: Fabric): string[] =>
  warnings.map(({ line, message }) => (line === undefined ? message : `${line}: ${message}`));

/** Why a text is refused; a success fails the test. */
export async function complaintOf(content: string | Uint8Array, format?: string): Promise<string> {
  const result = await readFabric(typeof content === 'string' ? bytesOf(content) : content, 'file', format);
  if (result.ok) throw new Error('was read');
  if (result.failure.code !== 'bad-fabric') throw new Error(`The code is ${result.failure.code}.`);
  return result.failure.message;
}
