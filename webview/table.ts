import type { Scene } from '../server/drawing/scene.ts';
import type { Target } from './describeThing.ts';
import { make } from './dom.ts';
import { linkRows, nodeRows, type TableContent } from './rows.ts';

/** The accessible twin of the picture: links and nodes as tables, a page of rows at a time. */
export interface TableView {
  readonly element: HTMLElement;
  setScene(scene: Scene): void;
}

const rowsPerPage = 100;

export function createTableView(reveal: (target: Target) => void): TableView {
  const links = new PagedTable(reveal);
  const nodes = new PagedTable(reveal);
  const element = make('div', { class: 'tables' }, links.element, nodes.element);
  return {
    element,
    setScene(scene) {
      links.setContent(linkRows(scene));
      nodes.setContent(nodeRows(scene));
    },
  };
}

class PagedTable {
  readonly element = make('section', { class: 'paged' });
  private readonly reveal: (target: Target) => void;
  private page = 0;

  constructor(reveal: (target: Target) => void) {
    this.reveal = reveal;
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
    return make('thead', {}, make('tr', {}, ...titles));
  }

  private body(content: TableContent): HTMLElement {
    const first = this.page * rowsPerPage;
    const last = Math.min(content.rowCount, first + rowsPerPage);
    const body = make('tbody');
    for (let row = first; row < last; row++) body.append(this.row(content, row));
    return body;
  }

  /** A click anywhere reveals; the first cell holds a button, so that the keyboard can too. */
  private row(content: TableContent, row: number): HTMLElement {
    const cells = content.cells(row).map((cell, column) => {
      const attributes = { class: content.columns[column]!.numeric ? 'numeric' : '' };
      if (column > 0) return make('td', attributes, cell);
      const button = make('button', { type: 'button', title: 'Show in the text' }, cell);
      return make('th', { ...attributes, scope: 'row' }, button);
    });
    const element = make('tr', {}, ...cells);
    element.addEventListener('click', () => {
      this.reveal(content.target(row));
    });
    return element;
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
