/**
 * Ratios against budgets and peers, all in one run: `npm run bench [-- keystrokes loads saves distances picture]`.
 * Speed is shown here and nowhere else; no test measures time.
 */
import { distances } from './distances.ts';
import { keystrokes } from './keystroke.ts';
import { linkLoads } from './linkLoads.ts';
import { printFigures, type Figure } from './measure.ts';
import { picture } from './picture.ts';
import { saveToReport } from './saveToReport.ts';

const benches: Readonly<Record<string, { title: string; run: () => Figure[] | Promise<Figure[]> }>> = {
  keystrokes: { title: 'Keystroke to diagnostics', run: keystrokes },
  saves: { title: 'Save to report', run: saveToReport },
  loads: { title: 'Link loads', run: linkLoads },
  distances: { title: 'Equivalent distances', run: distances },
  picture: { title: 'Picture', run: picture },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
for (const [name, { title, run }] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) printFigures(title, await run());
}
