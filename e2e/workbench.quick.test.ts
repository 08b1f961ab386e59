/** A newcomer's first minute in the real editor, and one way to each page. All other ways are in the other files. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openWorkbench, samplesInto, type Workbench } from './workbench.ts';

/** The quickstart with one word wrong. */
const program = `/// A 4 x 4 torus, one task per node.
machine small {
  topology torus 4 x 4
}

/// Heat equation: every task talks to its four neighbours.
job heat {
  grid    4 x 4
  stencil five-point
  bytes   64 KiB
}

placement first-try {
  job     heat
  machine small
  map     row-mayor
}
`;

/** Conjugate gradients on a torus, message by message. */
const simulated = `machine grid { topology torus 4 x 4 bandwidth 1 GB/s }
job cg { tasks 16 skeleton cg(class S, iterations 1) }
network fast { switching cut-through packet 8 flit 4 B channels 2 queue 4 packets routing adaptive bubble 2 }
placement quick { job cg machine grid map row-major simulate fast }
`;

/** Its lenses are in sight also beside a panel. */
const mapped = `machine grid {
  topology  torus 8 x 8
  bandwidth 1 GB/s
}

job heat {
  grid    8 x 8
  stencil five-point
  bytes   64 KiB
}

placement plain {
  job     heat
  machine grid
  map     random
}
`;

let folder: string;
let workbench: Workbench;
openWorkbench(
  'quick',
  'main.place',
  (opened, at) => {
    [workbench, folder] = [opened, at];
  },
  {
    fill: async (folder) => {
      await samplesInto(folder);
      await writeFile(join(folder, 'main.place'), program);
      await writeFile(join(folder, 'simulated.place'), simulated);
      await writeFile(join(folder, 'mapped.place'), mapped);
    },
  },
);

// One way, in order: each step starts where the one before ended.
describe('in the first minute, a user', () => {
  it('sees a misspelt word underlined, and listed with what to do', async () => {
    await workbench.page.locator('.squiggly-error').first().waitFor();
    await workbench.page.keyboard.press('Control+Shift+M');
    await workbench.problem('row-mayor').waitFor();
    await workbench.screenshot('quick-1-problem');
  });

  it('mends it with the quick fix and saves', async () => {
    await workbench.problem('row-mayor').dblclick();
    await workbench.quickFix('row-major');
    await workbench.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Control+S');
    await workbench.page.keyboard.press('Control+J');
    await expect.poll(() => readFile(join(folder, 'main.place'), 'utf8')).toContain('row-major');
  });

  it('reads what the placement costs above it', async () => {
    await workbench.lens(/1 hop on average/).waitFor();
  });

  it('hovers over the placement for all its metrics', async () => {
    const text = await workbench.hover('first-try', 'Hop-bytes');
    expect(text).toMatch(/Average hops\s+1\b/);
    await workbench.screenshot('quick-2-hover');
  });

  it('opens the picture beside the text by the lens', async () => {
    await workbench.page.mouse.move(5, 5);
    await workbench.lens(/on average/).click();
    await workbench.canvas.waitFor();
    await expect.poll(async () => (await workbench.colors()).length).toBeGreaterThan(2);
    await workbench.screenshot('quick-3-picture');
  });

  it('clicks a node, which is explained', async () => {
    // Background first, then the one job's colour: 16 nodes cover more than the links do.
    const [, job = ''] = await workbench.colors();
    await workbench.clickPatch(job);
    await workbench.explanation.getByText('Sent to other nodes').waitFor();
    expect(await workbench.focus()).toBe('panel');
    await workbench.screenshot('quick-4-selected');
  });
});

describe('from the text, a user', () => {
  beforeEach(() => workbench.closeAll());

  it('compares the placements of a job', async () => {
    const { panel } = workbench;
    await workbench.openFile('nas-cg.place');
    await workbench
      .lens(/^Compare$/)
      .first()
      .click();
    await expect.poll(() => panel.locator('.cell').count()).toBe(3);
    await panel.locator('.cell', { hasText: 'tuned' }).getByText(/−48 %/).waitFor();
    await workbench.screenshot('quick-page-1-compare');
  });

  it('sees the traffic of a placement, and goes about in it by keys', async () => {
    const { panel, page } = workbench;
    await workbench.openFile('nas-cg.place');
    await workbench.lens(/^Show traffic$/).click();
    await panel.locator('canvas.figure.grid').focus();
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(() => panel.locator('.figure-tip').innerText()).toMatch(/from\s+0\s+to\s+1/);
    await workbench.screenshot('quick-page-2-traffic');
  });

  it('sees a machine of a file without placements, with its figures', async () => {
    await workbench.openFile('prism.place');
    await workbench.lens(/^Show machine$/).click();
    await workbench.canvas.waitFor();
    await workbench.panel.getByText('Bisection', { exact: true }).waitFor();
    await workbench.panel.getByText('1, connected').waitFor();
    await expect.poll(async () => (await workbench.colors()).length).toBeGreaterThan(3);
    await workbench.screenshot('quick-page-3-machine');
  });

  it('runs an experiment, reads the result above it, and sees its curves', async () => {
    await workbench.openFile('jobs-over-time.place');
    await workbench.lens(/^Run$/).click();
    await workbench.lens(/^Run again$/).waitFor();
    await workbench.lens(/turnaround/).waitFor();
    const results = await readFile(join(folder, 'jobs-over-time.place.results/allocators.json'), 'utf8');
    expect(results).toMatch(/"complete": ?true/);
    await workbench.lens(/^Show$/).click();
    await workbench.panel.getByRole('button', { name: /^Results/ }).click();
    await workbench.panel.getByRole('img', { name: 'in experiment allocators' }).waitFor();
    await workbench.screenshot('quick-page-4-experiment');
  });

  it('simulates a placement, reads the makespan above it, and plays it back', async () => {
    await workbench.openFile('simulated.place');
    await workbench.lens(/^Simulate$/).click();
    await workbench.lens(/^makespan [\d,]+ cycles/).waitFor();
    await workbench.panel.getByRole('button', { name: /^Playback/ }).click();
    await workbench.panel.getByRole('img', { name: 'quick at cycles' }).waitFor();
    await workbench.screenshot('quick-page-5-simulation');
  });

  it('tries mappers, sees one in the picture, and writes it', async () => {
    const { page, panel, view } = workbench;
    await workbench.openFile('mapped.place');
    await workbench.lens(/Try mappers/).click();
    await view.locator('tr', { hasText: 'row-major' }).getByText('14 MiB').waitFor();
    await workbench.screenshot('quick-page-6-mappers');
    await view.getByRole('button', { name: 'row-major', exact: true }).focus();
    await page.keyboard.press('Enter');
    await panel.locator('.status[data-status="preview"]').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => workbench.text()).toContain('map     row-major');
    await view.getByText('Written: map row-major').waitFor();
    await workbench.word('grid').click();
    await page.keyboard.press('Control+S');
  });

  it('sees which cable is worth most, and where it is', async () => {
    const { page, panel, view } = workbench;
    await workbench.openFile('mapped.place');
    await workbench.commandAt(/^placement/, 'Placewright: Analyse Link Failures');
    await view.getByText('128 links analysed.').waitFor();
    await expect.poll(() => view.locator('progress').isHidden()).toBe(true);
    await view.locator('tbody button').first().focus();
    await page.keyboard.press('Enter');
    await panel.getByRole('region', { name: 'Explanation' }).waitFor();
    await view.getByText('Press Enter to write ', { exact: false }).waitFor();
    await workbench.screenshot('quick-page-7-losses');
  });
});
