import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forwardingTables, ibnetdiscover } from '../server/interchange/testing/smallFabric.ts';
import { nameOfPicture, Workbench } from './workbench.ts';

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
  'compared.place': `machine torus { topology torus 8 x 8 bandwidth 1 GB/s }
job heat { grid 8 x 8 stencil five-point bytes 64 KiB }
placement in-order { job heat machine torus map row-major }
placement by-chance { job heat machine torus map random }
`,
  'fabric.out': ibnetdiscover,
  'opensm.fdbs': forwardingTables(1),
  'routed.place': `machine real { topology from "fabric.out"
  routing from "opensm.fbds" }
job talk { tasks 4 pattern all-to-all bytes 1 KiB }
placement routed { job talk machine real map baseline }
`,
  'long.place': `machine torus { topology torus 16 x 16 }
job heat { grid 16 x 16 stencil nine-point bytes 64 KiB }
placement long { job heat machine torus map auto(budget 600 s) }
`,
};

let workbench: Workbench;

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await workbench.screenshot(`web-failed-${nameOfPicture(task.name)}`);
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

  it('mends the name of a file of forwarding tables, and sees new figures when that file changes', async () => {
    const { page } = workbench;
    await workbench.openListed('routed.place');
    await page.locator('.squiggly-error').first().waitFor();
    await page.locator('.view-line', { hasText: 'opensm.fbds' }).click();
    await workbench.quickFix('opensm.fdbs');
    await page.keyboard.press('Control+S');
    await workbench.lens(/congestion\stime\s1\.024\sµs/).waitFor();
    await workbench.openListed('opensm.fdbs');
    await page.locator('.editor-instance .view-line').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(forwardingTables(2));
    await page.keyboard.press('Control+S');
    await workbench.openListed('routed.place');
    await workbench.lens(/congestion\stime\s768\sns/).waitFor();
    await workbench.screenshot('web-1-routed');
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
    await workbench.explanation.getByText('Sent to other nodes').waitFor();
    await workbench.screenshot('web-2-picture');
  });

  it('exports a rankfile into the folder, and the picture as well', async () => {
    await workbench.command('Placewright: Export Mapping Vector…');
    await workbench.choice('rankfile').click();
    await workbench.choice('Write…').click();
    await workbench.acceptSuggestedFile('main.first-try.rankfile');
    await workbench.saveShown('svg', 'main.first-try.svg');
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
      ['Makespan', 'completion time of 16 tasks'],
      ['Playback', 'quick at cycles'],
    ] as const) {
      await workbench.panel.getByRole('button', { name: new RegExp(`^${button}`) }).click();
      await workbench.panel.getByRole('img', { name: words }).waitFor();
    }
    await workbench.screenshot('web-3-simulation');
  });

  it('has placements side by side, and the machine that they run on', async () => {
    await workbench.command('View: Close All Editors');
    await workbench.openListed('compared.place');
    await workbench.lens(/^Compare$/).click();
    await expect.poll(() => workbench.panel.locator('.cell').count()).toBe(2);
    await workbench.panel.getByRole('button', { name: 'Difference: changes' }).click();
    await workbench.panel.getByText(/^6\d of 64 tasks run on another node\.$/).waitFor();
    await workbench.screenshot('web-4-compare');
    await workbench.command('View: Close All Editors');
    await workbench.openListed('compared.place');
    await workbench.lens(/^Show machine$/).click();
    await workbench.panel.getByText('Bisection', { exact: true }).waitFor();
    await expect.poll(async () => (await workbench.colors()).length).toBeGreaterThan(2);
    await workbench.screenshot('web-5-machine');
  });

  it('tries mappers, looks at one of them and writes it', async () => {
    await workbench.command('View: Close All Editors');
    await workbench.openListed('compared.place');
    await workbench.page.locator('.view-line', { hasText: 'by-chance' }).click();
    await workbench.command('Placewright: Try Mappers');
    const table = workbench.view;
    // Others may still be tried.
    const best = table.getByRole('button', { name: 'row-major', exact: true });
    await best.waitFor();
    await best.focus();
    await workbench.page.keyboard.press('Enter');
    await table.locator('.status[data-status="preview"]').waitFor({ state: 'attached' });
    await workbench.screenshot('web-6-mappers');
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => workbench.text()).toContain('placement by-chance { job heat machine torus map row-major }');
    await workbench.page.keyboard.press('Control+J');
  });

  it('ends a search that would take minutes, and is told that this page cannot keep its best', async () => {
    await workbench.command('View: Close All Editors');
    await workbench.openListed('long.place');
    const stop = workbench.lens(/^Stop and keep the best$/);
    await stop.click();
    await workbench.page.locator('.notification-toast', { hasText: 'has no shared memory' }).waitFor();
    await workbench.screenshot('web-7-cannot-keep');
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.page.locator('.view-line', { hasText: 'placement long' }).click();
    await workbench.command('Placewright: Show Placement');
    await workbench.panel.getByRole('button', { name: 'Cancel' }).click();
    await workbench.lens(/^Cancelled: work out again$/).waitFor();
    await workbench.screenshot('web-8-cancelled');
  });
});

describe('in a browser whose threads share memory, a user', () => {
  beforeAll(async () => {
    workbench = await Workbench.withoutServer(files, 'long.place', { isolated: true });
  });
  afterAll(async () => {
    await workbench.close();
  });

  it('ends a search that would take minutes and keeps the best that it has found', async () => {
    expect(await workbench.page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
    await workbench.lens(/^Stop and keep the best$/).click();
    await workbench.lens(/hops? on average/).waitFor();
    await expect.poll(() => workbench.lens(/^Stop and keep the best$/).isVisible()).toBe(false);
    await workbench.lens(/ · stopped after [\d.]+ m?s$/).waitFor();
    await workbench.screenshot('web-9-kept');
  });

  it('has it searched again, and goes on with something else', async () => {
    await workbench.lens(/^Re-evaluate$/).click();
    await workbench.lens(/^placing … /).waitFor();
    await workbench.lens(/^Stop and keep the best$/).click();
    await workbench.lens(/ · stopped after [\d.]+ m?s$/).waitFor();
  });

  it('saves again and again, and the page holds no more memory than before', async () => {
    await workbench.openListed('compared.place');
    const { page } = workbench;
    const lenses = page.locator('.codelens-decoration a', { hasText: 'on average' });
    await expect.poll(() => lenses.count()).toBe(2);
    let seed = 1;
    const saveOften = async (times: number): Promise<number> => {
      for (let save = 0; save < times; save++) {
        // Another mapping each time: nothing of the reports before is of use.
        seed++;
        await page.keyboard.press('Control+1');
        await page.keyboard.press('Control+End');
        await page.keyboard.insertText(`placement p${seed} { job heat machine torus map random seed ${seed} }\n`);
        await page.keyboard.press('Control+S');
        await expect.poll(() => lenses.count()).toBe(1 + seed);
      }
      return workbench.memory();
    };
    const before = await saveOften(2);
    // A thread that a study leaves behind would be more than this for each save.
    expect(await saveOften(6)).toBeLessThan(before + 6 * 5e6);
  });
});
