/**
 * The residence time of a message on its way, equation by equation as Soryani et al. 2013 have them: what `predict.ts`
 * finds for whole placements is compared with it, and the paper's own figures are.
 */
import {
  type ClusterFigures,
  waitingTime,
  pathServers,
  type PathServer,
  normalMemoryUse,
  serviceTime,
} from '../servers.ts';

/** How long a message waits at a server, is served there, and both together; seconds. */
interface ServerTime {
  readonly waiting: number;
  readonly service: number;
  readonly residence: number;
}

/** Equation 5: residence is waiting and service. O(1). */
function serverTime(utilisation: number, service: number, variation: number): ServerTime {
  const waiting = waitingTime(utilisation, service, variation);
  return { waiting, service, residence: waiting + service };
}

/** Messages that are alike; a core sends messages of one class only. */
export interface MessageClass {
  readonly bytes: number;
  /** Messages per second. */
  readonly rate: number;
}

/** Share of the time that a server is busy, with whomever. */
export type Utilisations = Readonly<Record<PathServer, number>>;

/** What messages of the class alone make of each server on their way: ρ = λS (utilisation law). O(1). */
export const ownUtilisations = ({ bytes, rate }: MessageClass, figures: ClusterFigures): Utilisations =>
  forEachServer((server) => rate * serviceTime(server, bytes, figures));

/** Sums the classes that share servers (equations 7 to 12): each says which of its servers are shared. O(classes). */
export function sumUtilisations(parts: readonly Partial<Utilisations>[]): Utilisations {
  return forEachServer((server) => parts.reduce((sum, part) => sum + (part[server] ?? 0), 0));
}

interface PathTimes {
  readonly servers: Readonly<Record<PathServer, ServerTime>>;
  /** Equation 1, seconds; infinite where a server is saturated. */
  readonly total: number;
}

/** Times of a class of messages on its way (equations 1 to 6), given how busy each server is with all classes. O(1). */
export function pathTimes(
  { bytes }: MessageClass,
  utilisations: Utilisations,
  variation: number,
  figures: ClusterFigures,
): PathTimes {
  const servers = forEachServer((server) =>
    serverTime(utilisations[server], serviceTime(server, bytes, figures), variation),
  );
  return { servers, total: pathServers.reduce((sum, server) => sum + servers[server].residence, 0) };
}

/** The memories' normal accesses, to be added to what messages make of them. */
export const normalAccesses: Partial<Utilisations> = {
  'source memory': normalMemoryUse,
  'destination memory': normalMemoryUse,
};

const forEachServer = <Value>(valueOf: (server: PathServer) => Value): Record<PathServer, Value> =>
  Object.fromEntries(pathServers.map((server) => [server, valueOf(server)])) as Record<PathServer, Value>;
