import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from './workbench.ts';

/** What the folder has: a program with one word wrong, what it imports, and a table of traffic. */
const files = {
  'machines/grid.place': `machine grid { topology torus 4 x 4 bandwidth 1 GB/s }
`,
  'traffic.csv': `0,5000,0,100
0,0,5000,0
0,0,0,9000
100,0,0,0
`,
  'main.place': `import "machines/grid.place"

job heat {
  grid    4 x 4
  stencil five-point
  bytes   64 KiB
}

placement first-try {
  job     heat
  machine grid
  map     row-mayor
}
`,
  'measured.place': `import "machines/grid.place"
table measured from "traffic.csv"
job read { tasks 4 table measured }
placement of-table { job read machine grid map rcb }
`,
  'simulated.place': `import "machines/grid.place"
job cg { tasks 16 skeleton cg(class S, iterations 1) }
network fast { switching cut-through packet 8 flit 4 B channels 2 queue 4 packets routing adaptive bubble 2 }
placement quick { job cg machine grid map row-major simulate fast }
`,
};

let workbench: Workbench;

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await workbench.screenshot(`web-failed-${task.name.slice(0, 20).replaceAll(' ', '-')}`);
});

// One user's way, in order: each step starts where the one before ended.
describe('in a browser without a server, a user', () => {
  beforeAll(async () => {
    workbench = await Workbench.withoutServer(files, 'main.place');
  });
  afterAll(async () => {
    await workbench.close();
  });

  it('sees a misspelt word underlined, mends it by the quick fix and saves', async () => {
    expect(await workbench.page.evaluate(() => globalThis.crossOriginIsolated)).toBe(false);
    await workbench.page.locator('.squiggly-error').first().waitFor();
    await workbench.page.keyboard.press('Control+Shift+M');
    await workbench.problem('row-mayor').dblclick();
    await workbench.quickFix('row-major');
    await workbench.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Control+S');
    await workbench.page.keyboard.press('Control+J');
  });

  it('reads above a placement what it costs, with the machine of one file and the table of another', async () => {
    await workbench.lens(/3\sMiB\shop-bytes/).waitFor();
    await workbench.openListed('measured.place');
    await workbench.lens(/18\.75\sKiB\shop-bytes/).waitFor();
    await workbench.screenshot('web-1-lenses');
    await workbench.openListed('main.place');
  });

  it('hovers over what the other file declares', async () => {
    expect(await workbench.hover('first-try', 'Hop-bytes')).toMatch(/Average hops\s+1\b/);
  });

  it('opens the picture beside the text', async () => {
    await workbench.page.mouse.move(5, 5);
    await workbench.lens(/^1\shop on average/).click();
    await workbench.canvas.waitFor();
    await expect.poll(async () => (await workbench.colors()).length).toBeGreaterThan(2);
    const [, job = ''] = await workbench.colors();
    await workbench.clickPatch(job);
    await workbench.explanation.getByText('Sends to other nodes').waitFor();
    await workbench.screenshot('web-2-picture');
  });

  it('exports a rankfile into the folder, and the picture as well', async () => {
    await workbench.command('Placewright: Export Mapping Vector…');
    await workbench.choice('rankfile').click();
    await workbench.acceptSuggestedFile('main.first-try.rankfile');
    await workbench.panel.locator('vscode-button', { hasText: 'Save SVG' }).click();
    await workbench.acceptSuggestedFile('main.first-try.svg');
    await workbench.page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'main.first-try.svg' })
      .waitFor();
    await workbench.command('View: Close All Editors');
    await workbench.openListed('main.first-try.rankfile');
    await expect.poll(() => workbench.text()).toMatch(/^rank 0=/m);
    expect((await workbench.text()).match(/^rank \d+=/gm)).toHaveLength(16);
  });

  it('simulates a placement and looks at it', async () => {
    await workbench.command('View: Close All Editors');
    await workbench.openListed('simulated.place');
    await workbench.lens(/^Simulate$/).click();
    await workbench.lens(/^makespan [\d,]+ cycles/).waitFor();
    for (const [button, words] of [
      ['Makespan', 'finish of 16 tasks'],
      ['Playback', 'quick at cycles'],
    ] as const) {
      await workbench.panel.getByRole('button', { name: new RegExp(`^${button}`) }).click();
      await workbench.panel.getByRole('img', { name: words }).waitFor();
    }
    await workbench.screenshot('web-3-simulation');
  });
});
