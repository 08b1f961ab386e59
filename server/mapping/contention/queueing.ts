/** How long a message waits at a server, is served there, and both together; seconds. */
export interface ServerTime {
  readonly waiting: number;
  readonly service: number;
  readonly residence: number;
}

/**
 * Mean waiting time at a server that all who use it keep busy for the share `utilisation` of the
 * time, for a message whose own service takes `service` seconds; infinite from 1 on. `variation`
 * is the coefficient of variation of the times between arrivals: 1 for a Poisson stream.
 * Soryani et al. 2013, equation 6 (G/M/1, approximated). O(1).
 */
export function waitingTime(utilisation: number, service: number, variation: number): number {
  if (utilisation <= 0 || service === 0) return 0;
  if (utilisation >= 1) return Infinity;
  const squared = utilisation * utilisation;
  return ((variation * variation + squared) / (1 + squared)) * ((utilisation * service) / (1 - utilisation));
}

/** Equation 5: residence is waiting and service. O(1). */
export function serverTime(utilisation: number, service: number, variation: number): ServerTime {
  const waiting = waitingTime(utilisation, service, variation);
  return { waiting, service, residence: waiting + service };
}
