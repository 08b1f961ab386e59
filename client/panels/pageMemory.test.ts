import { beforeEach, describe, expect, it } from 'vitest';
import { protocolVersion } from '../../server/protocol/messages.ts';
import { MachinePanels } from './machinePanels.ts';
import { forgetOldPages, PageMemory } from './pageMemory.ts';
import { fakeServer } from '../testing/server.ts';
import { editor, extensionContext, FakeMemento, FakeWebviewPanel, reset } from '../testing/vscode.ts';

const server = fakeServer({
  answers: { machine: () => Promise.resolve({ kind: 'nothing', reason: 'It is new.' }) },
});

const uri = 'file:///study/a.place';
/** How a page of a machine is left. */
const left = (page: string, machine: string, at: number) => ({ version: protocolVersion, uri, machine, page, at });

let memento: FakeMemento;
/** A window of the editor: what the last one kept is there. */
const start = () => new MachinePanels(extensionContext(memento), server);
/** What a page was given. */
const givenTo = (panel: FakeWebviewPanel): { readonly page: string; readonly state?: unknown } => {
  const { html } = panel.webview as unknown as { readonly html: string };
  return JSON.parse(/id="placewright-given">(.*)<\/script>/.exec(html)![1]!) as { page: string };
};

beforeEach(() => {
  reset();
  memento = new FakeMemento();
});

describe('a panel of a window that was loaded anew', () => {
  it('goes on from what its page said last, though the editor never wrote that down', async () => {
    start().show({ uri, machine: 'small' });
    const [before] = editor.panels;
    const { page } = givenTo(before!);
    await before!.receive({ kind: 'left', state: left(page, 'large', 2) });
    const again = new FakeWebviewPanel('Machine small');
    const panels = start();
    await editor.restore(again, left(page, 'small', 1));
    expect(givenTo(again)).toEqual({ page, state: left(page, 'large', 2) });
    expect(panels.all.map(({ shown }) => shown)).toEqual([{ uri, machine: 'large' }]);
    expect(again.title).toBe('Machine large');
  });

  it('goes on from what the editor wrote down where that is newer, or where nothing else is known', async () => {
    void memento.update('page one', left('one', 'small', 1));
    const again = [new FakeWebviewPanel(''), new FakeWebviewPanel('')];
    const panels = start();
    await editor.restore(again[0]!, left('one', 'large', 2));
    await editor.restore(again[1]!, { version: protocolVersion, uri, machine: 'older' });
    expect(panels.all.map(({ shown: { machine } }) => machine)).toEqual(['large', 'older']);
    expect(givenTo(again[1]!).page).not.toBe('one');
  });

  it('is forgotten once it is closed by the user, not by the end of the window', async () => {
    const panels = start();
    panels.show({ uri, machine: 'closed' });
    panels.show({ uri, machine: 'open' });
    const [closed, open] = [...editor.panels];
    for (const panel of [closed!, open!])
      await panel.receive({ kind: 'left', state: left(givenTo(panel).page, 'a', 1) });
    const kept = `page ${givenTo(open!).page}`;
    closed!.dispose();
    panels.dispose();
    expect(memento.keys()).toEqual([kept]);
  });
});

describe('the memory of pages', () => {
  it('passes over what is no state of a page', async () => {
    start().show({ uri, machine: 'small' });
    for (const state of [undefined, null, 3, { page: 'a' }, { page: 4, at: 1 }])
      await editor.panels[0]!.receive({ kind: 'left', state });
    expect(memento.keys()).toEqual([]);
  });

  it('keeps fifty, the newest, and nothing that is not its own', () => {
    void memento.update('mine', 1);
    for (let at = 0; at < 60; at++) new PageMemory(memento as never, String(at)).keep(left(String(at), 'a', at));
    forgetOldPages(memento as never);
    expect(memento.keys()).toHaveLength(51);
    expect(memento.keys()).not.toContain('page 9');
    expect(memento.keys()).toContain('page 10');
    expect(memento.get('mine')).toBe(1);
  });
});
