/**
 * Ratios against budgets and peers, all in one run: `npm run bench [-- keystrokes loads saves distances large whole picture allocators headers packets flits flows servers activation cancelling mappers streams sensitivity]`;
 * `simulation` stands for all engines of simulation, and `mappers:quot-512` keeps the cases whose name contains what stands behind the colon.
 * Speed is shown here and nowhere else; no test measures time.
 */
import { activation } from './activation.ts';
import { allocatorSpeeds } from './allocators.ts';
import { setUpChromium, setUpEmbeddedEditor } from '../tools/realEditor.ts';
import { bundled } from './bundled.ts';
import { cancelling } from './cancelling.ts';
import { distances } from './distances.ts';
import { keystrokes, saveToReport } from './editing.ts';
import { largeMachines } from './largeMachines.ts';
import { linkLoads } from './linkLoads.ts';
import { mappers } from './mappers/mappers.ts';
import { sensitivity } from './mappers/sensitivity.ts';
import { printFigures, type Figure } from './measure.ts';
import { wholeMachine } from './wholeMachine.ts';

/** A bench returns figures with their budgets, or prints a table of its own. */
type Bench = (only: string | undefined) => Figure[] | undefined | Promise<Figure[] | undefined>;

/** The others need no browser, and run without one. */
const picture: Bench = async () => {
  await setUpEmbeddedEditor();
  await setUpChromium();
  return (await import('./picture.ts')).picture();
};

const benches: Readonly<Record<string, { title: string; run: Bench }>> = {
  keystrokes: { title: 'Keystroke to diagnostics', run: keystrokes },
  saves: { title: 'Save to report', run: saveToReport },
  loads: { title: 'Link loads', run: linkLoads },
  distances: { title: 'Equivalent distances', run: distances },
  large: { title: 'Large machines, and the loss of every cable', run: largeMachines },
  whole: { title: 'A task on each core of Fugaku', run: wholeMachine },
  picture: { title: 'Picture', run: picture },
  allocators: { title: 'Allocators', run: allocatorSpeeds },
  headers: { title: 'Headers of worms', run: bundled('simulation.ts', 'headers') },
  packets: { title: 'Packets', run: bundled('simulation.ts', 'packets') },
  flits: { title: 'Worms flit by flit', run: bundled('simulation.ts', 'flitByFlit') },
  flows: { title: 'Flows that share links', run: bundled('simulation.ts', 'flows') },
  servers: { title: 'Servers of a cluster', run: bundled('simulation.ts', 'servers') },
  activation: { title: 'Activation of the extension', run: activation },
  cancelling: { title: 'Simulations and searches ended by hand', run: cancelling },
  mappers: { title: 'Mappers', run: mappers },
  streams: { title: 'Jobs over time', run: bundled('streams.ts', 'streams') },
  sensitivity: { title: 'Sensitivity of `auto` to its numbers', run: sensitivity },
};

/** Names that stand for several benches. */
const groups: Readonly<Record<string, readonly string[]>> = {
  simulation: ['headers', 'packets', 'flits', 'flows', 'servers'],
};

const words = process.argv.slice(2).flatMap((word) => groups[word] ?? [word]);
const wanted = new Map(words.map((word) => word.split(':') as [string, string | undefined]));
const unknown = [...wanted.keys()].filter((name) => !(name in benches));
if (unknown.length > 0) {
  const names = [...Object.keys(benches), ...Object.keys(groups)];
  console.error(`No bench is called ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  process.exit(2);
}
for (const [name, { title, run }] of Object.entries(benches)) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  console.log(`\n## ${title}\n`);
  const figures = await run(wanted.get(name));
  if (figures !== undefined) printFigures(figures);
}
