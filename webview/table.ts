/** The tables beside the picture as elements, a page of rows at a time; `rows.ts` has what stands in them. */
import type { Scene } from '../server/drawing/scene.ts';
import { make } from './controls.ts';
import type { Target } from './describeThing.ts';
import type { Thing } from './pick.ts';
import { linkRows, nodeRows, routerRows, type TableContent } from './rows.ts';

/** The accessible twin of the picture: links, nodes and switches as tables, a page of rows at a time. */
export interface TableView {
  readonly element: HTMLElement;
  setScene(scene: Scene): void;
  /** Whether a first task is selected: then the buttons of nodes choose the second. */
  setSecond(second: boolean): void;
}

export interface TableActions {
  readonly reveal: (target: Target) => void;
  readonly select: (thing: Thing, second: boolean) => void;
}

const rowsPerPage = 100;

export function createTableView({ reveal, select }: TableActions): TableView {
  let second = false;
  let scene: Scene | undefined;
  const links = new PagedTable(
    reveal,
    (thing) => {
      select(thing, false);
    },
    'Explain',
  );
  const nodes = new PagedTable(
    reveal,
    (thing) => {
      select(thing, second);
    },
    routeFrom,
  );
  const routers = new PagedTable(reveal, () => undefined, '');
  const element = make('div', { class: 'tables' }, links.element, nodes.element, routers.element);
  return {
    element,
    setScene(newScene) {
      scene = newScene;
      const isMachine = scene.about !== undefined;
      links.setSelectText(isMachine ? 'Show' : 'Explain');
      if (isMachine) nodes.setSelectText('Show');
      links.setContent(linkRows(scene));
      nodes.setContent(nodeRows(scene));
      routers.element.hidden = scene.routers.id.length === 0;
      if (scene.routers.id.length > 0) routers.setContent(routerRows(scene));
    },
    setSecond(newSecond) {
      second = newSecond;
      if (scene?.about !== undefined) return;
      nodes.setSelectText(second ? routeTo : routeFrom);
    },
  };
}

const routeFrom = 'Route from';
const routeTo = 'Route to';

/** A table of which a page of rows is shown at a time. */
export class PagedTable {
  readonly element = make('section', { class: 'paged' });
  private readonly reveal: (target: Target) => void;
  private readonly select: (thing: Thing) => void;
  private selectText: string;
  private page = 0;

  /** No column of buttons where `selectText` is ''. */
  constructor(reveal: (target: Target) => void, select: (thing: Thing) => void, selectText: string) {
    this.reveal = reveal;
    this.select = select;
    this.selectText = selectText;
  }

  /** In place, so that the button just pressed keeps the focus. */
  setSelectText(text: string): void {
    if (text === this.selectText) return;
    this.selectText = text;
    for (const button of this.element.querySelectorAll('button.select')) button.textContent = text;
  }

  /** Keeps the page where it still exists: a new report should not scroll the reader away. */
  setContent(content: TableContent): void {
    this.page = Math.min(this.page, Math.max(0, Math.ceil(content.rowCount / rowsPerPage) - 1));
    this.render(content);
  }

  private render(content: TableContent): void {
    const table = make('table', {}, make('caption', {}, content.caption), this.head(content), this.body(content));
    this.element.replaceChildren(table);
    if (content.rowCount > rowsPerPage) this.element.append(this.pager(content));
  }

  private head(content: TableContent): HTMLElement {
    const titles = content.columns.map(({ title, numeric }) =>
      make('th', { scope: 'col', class: numeric ? 'numeric' : '' }, title),
    );
    if (this.selectText !== '') titles.push(make('th', { scope: 'col' }, 'Flows'));
    return make('thead', {}, make('tr', {}, ...titles));
  }

  private body(content: TableContent): HTMLElement {
    const first = this.page * rowsPerPage;
    const last = Math.min(content.rowCount, first + rowsPerPage);
    const body = make('tbody');
    for (let row = first; row < last; row++) body.append(this.row(content, row));
    return body;
  }

  /** The button in the first cell goes to the text. */
  private row(content: TableContent, row: number): HTMLElement {
    const target = content.target(row);
    const cells = content.cells(row).map((cell, column) => {
      const attributes = { class: content.columns[column]!.numeric ? 'numeric' : '' };
      if (column > 0) return make('td', attributes, cell);
      if (target === undefined) return make('th', { ...attributes, scope: 'row' }, cell);
      const button = make('button', { type: 'button', title: 'Go to the text' }, cell);
      button.addEventListener('click', () => {
        this.reveal(target);
      });
      return make('th', { ...attributes, scope: 'row' }, button);
    });
    if (this.selectText !== '') cells.push(make('td', {}, ...this.selectButton(content.selects(row), cells[0]!)));
    return make('tr', {}, ...cells);
  }

  /** Selects without revealing: the reader stays in the table. */
  private selectButton(thing: Thing | undefined, name: HTMLElement): HTMLElement[] {
    if (thing === undefined) return [];
    const button = make('button', { type: 'button', class: 'select' }, this.selectText);
    button.setAttribute('aria-description', `${thing.kind} ${name.textContent}`);
    button.addEventListener('click', () => {
      this.select(thing);
    });
    return [button];
  }

  private pager(content: TableContent): HTMLElement {
    const pages = Math.ceil(content.rowCount / rowsPerPage);
    const step = (text: string, page: number): HTMLElement => {
      const button = make('button', { type: 'button', class: 'page' }, text);
      button.disabled = page < 0 || page >= pages;
      button.addEventListener('click', () => {
        this.page = page;
        this.render(content);
        this.element.querySelector<HTMLElement>(`.pager button[data-step="${text}"]`)?.focus();
      });
      button.dataset.step = text;
      return button;
    };
    const where = make('span', { role: 'status' }, `Page ${this.page + 1} of ${pages}`);
    return make('div', { class: 'pager' }, step('Previous', this.page - 1), where, step('Next', this.page + 1));
  }
}
