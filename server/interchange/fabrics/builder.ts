import { type Result, fail, succeed, withoutControls } from '../../model/result.ts';
import type { Fabric, FabricCable, FabricNode, FabricWarning } from '../../model/fabric.ts';
import type { LinkSpeed } from '../../model/machine.ts';
import { hostNameLimit } from '../../model/hostlist.ts';
import { formatNumber } from '../../model/quantities.ts';

/** Letters of the largest YAML file that is read: the parser takes up to a thousand bytes for each. */
export const largestYaml = 2 ** 19;

/**
 * Most that is read of one file: of switches eight times what a routing takes, and more hosts and cables than any
 * machine has. Reading stops where one is passed, so that a hostile file takes no memory.
 */
export const fabricLimits = { switches: 2 ** 16, hosts: hostNameLimit, cables: 2 ** 21 } as const;

/** Gathers what a file says of a network, and puts it in the order that {@link Fabric} asks for. */
export class FabricBuilder {
  private readonly routers: string[] = [];
  private readonly hosts: FabricNode[] = [];
  private readonly cables: FabricCable[] = [];
  private readonly warnings: FabricWarning[] = [];

  /** Returns the id of the new switch. */
  addRouter(name: string): number {
    return this.routers.push(name) - 1;
  }

  get routerCount(): number {
    return this.routers.length;
  }

  addHost(name: string, router: number, link: Omit<FabricNode, 'name' | 'router'> = {}): void {
    this.hosts.push({ name, router, ...link });
  }

  addCable(from: number, to: number, link: LinkSpeed & Pick<FabricCable, 'fromPort' | 'toPort'> = {}): void {
    this.cables.push({ from, to, ...link });
  }

  /** `line` where the warning is about one. Words of the file may stand in it: it becomes one line, without controls. */
  warn(words: string, line?: number): void {
    const message = withoutControls(words);
    this.warnings.push(line === undefined ? { message } : { line, message });
  }

  /** Hosts of switch 0 first, then of switch 1, …; of one switch as they were added. */
  finish(format: string, tiers?: readonly number[], passive: readonly string[] = []): Fabric {
    const nodes = this.hosts.toSorted((one, other) => one.router - other.router);
    const { routers, cables, warnings } = this;
    return {
      format,
      routers,
      nodes,
      cables,
      warnings,
      ...(tiers && { tiers }),
      ...(passive.length > 0 && { passive }),
    };
  }
}

const names = { switches: 'switches', hosts: 'hosts', cables: 'links between switches' } as const;

/** Why so many of a kind cannot be read, as a sentence; undefined where they can. */
export function faultOfCount(kind: keyof typeof fabricLimits, count: number): string | undefined {
  if (count <= fabricLimits[kind]) return undefined;
  return `The file has more than ${formatNumber(fabricLimits[kind])} ${names[kind]}, the maximum.`;
}

/** A failure of a reader, with its place. */
export const badFabric = (fileName: string, line: number, message: string): Extract<Result<never>, { ok: false }> =>
  fail('bad-fabric', `${fileName}:${line}: ${message}`);

/** The fabric with more warnings behind its own, if it was read. */
export const withWarnings = (fabric: Result<Fabric>, warnings: Fabric['warnings']): Result<Fabric> =>
  fabric.ok && warnings.length > 0
    ? succeed({ ...fabric.value, warnings: [...fabric.value.warnings, ...warnings] })
    : fabric;
