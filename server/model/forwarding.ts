import type { FabricWarning } from './fabric.ts';

/**
 * Forwarding tables of switches as a tool of InfiniBand dumped them, before they are laid over a network: which port a
 * switch sends packets out of, by the LID that they are addressed to. Whether they fit a fabric, and lead
 * everywhere, `network/routings/fromTables.ts` says.
 */
export interface ForwardingDump {
  /** Name of the format. */
  readonly format: string;
  /** For messages. */
  readonly fileName: string;
  readonly switches: readonly DumpedSwitch[];
  /** Entries of switch s are `firstEntry[s] … firstEntry[s + 1] − 1`, each LID once; LIDs without a way have none. */
  readonly firstEntry: Int32Array;
  /** LID · 256 + number of the port that packets to it leave by, which is 0 where the LID is the switch's own. */
  readonly entries: Int32Array;
  /** What the file calls the ports that LIDs are of, where it does. */
  readonly targets: ReadonlyMap<number, { readonly guid: string; readonly name: string }>;
  readonly warnings: readonly FabricWarning[];
}

/** A switch whose table a dump has. */
export interface DumpedSwitch {
  /** 16 hexadecimal digits in lower case. */
  readonly guid: string;
  /** Its node description; '' where the format has none. */
  readonly name: string;
  /** Where its table begins. */
  readonly line: number;
}

/** LIDs above are those of multicast groups. */
export const largestLid = 0xbfff;
