/**
 * The figures of a simulated placement, in the order of their buttons. The page of a simulation and the command line read this list
 * before anything is drawn, so it imports no figure: `drawings` of `entrypoints/simulationFigures.ts` does.
 */

interface SimulationFigureEntry {
  /** As `--figure` names it. */
  readonly name: string;
  /** Of its button. */
  readonly label: string;
  /** What it shows: the tooltip of its button. */
  readonly hint: string;
  /** Packets are on links, and messages in a cluster with `switching queueing` at servers: only of simulations with these. */
  readonly needs?: 'links' | 'servers';
}

export const simulationFigures = [
  { name: 'playback', label: 'Playback', hint: 'Playback: link utilisation over time' },
  { name: 'finish', label: 'Makespan', hint: 'Makespan: completion time of each task' },
  { name: 'latency', label: 'Latency', hint: 'Latency: distribution and percentiles' },
  { name: 'time', label: 'Over time', hint: 'Over time: traffic and latency' },
  { name: 'links', label: 'Links', hint: 'Links: simulated and predicted utilisation', needs: 'links' },
  {
    name: 'servers',
    label: 'Servers',
    hint: 'Servers: simulated and predicted utilisation and wait times',
    needs: 'servers',
  },
] as const satisfies readonly SimulationFigureEntry[];

export type SimulationKind = (typeof simulationFigures)[number]['name'];

export const simulationKinds: readonly SimulationKind[] = simulationFigures.map(({ name }) => name);

/** The figures that there are of a simulation. */
export const kindsOfSimulation = (hasServers: boolean): readonly SimulationKind[] =>
  simulationFigures
    .filter((entry) => !('needs' in entry) || (entry.needs === 'servers') === hasServers)
    .map(({ name }) => name);
