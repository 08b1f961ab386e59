/** The pane that explains what is selected: who loads a link, how two tasks are connected, what a node runs. */
import { countOf, formatBytes, formatNumber, formatShare, routerName, taskLines } from '../server/drawing/labels.ts';
import type { Scene } from '../server/drawing/scene.ts';
import type { ExplainAnswer, LinkShare } from '../server/protocol/messages.ts';
import { figureList, make } from './controls.ts';
import { cableFacts, nodeFacts, nodeTitle } from './describeThing.ts';
import { linkEndNames, placesOf, taskName } from './places.ts';
import type { Selected, Selection } from './selection.ts';

/** The pane above the figures: what is selected, in words and numbers, with the answer of the host. */
export interface Explanation {
  readonly element: HTMLElement;
  show(scene: Scene, selection: Selection): void;
}

export interface ExplanationActions {
  clear(): void;
  /** Goes to the text behind what is selected. */
  reveal(): void;
  /** Brings out one flow of a link alone; undefined: all of them again. */
  only(flow: number | undefined): void;
}

export function createExplanation(actions: ExplanationActions): Explanation {
  // Announced by screen readers when an answer comes.
  const element = make('section', { class: 'explanation', 'aria-label': 'Explanation', 'aria-live': 'polite' });
  element.hidden = true;
  return {
    element,
    show(scene, selection) {
      element.hidden = selection.kind === 'none';
      if (selection.kind === 'none') {
        element.replaceChildren();
        return;
      }
      element.replaceChildren(heading(titleOf(scene, selection), actions), ...contentOf(scene, selection, actions));
    },
  };
}

function titleOf(scene: Scene, selection: Selected): string {
  if (selection.kind === 'node') return nodeTitle(scene, placesOf(scene).nodeNumbered(selection.node) ?? 0);
  const { target } = selection;
  if (target.kind === 'link') return `Link ${linkName(scene, target.link)}`;
  return `${taskName(scene, target.from)} → ${taskName(scene, target.to)}`;
}

function heading(title: string, actions: ExplanationActions): HTMLElement {
  const reveal = make('button', { type: 'button', title: 'Go to the text behind it (Enter)' }, 'Go to text');
  reveal.addEventListener('click', () => {
    actions.reveal();
  });
  const clear = make('button', { type: 'button', title: 'Clear the selection (Escape)' }, 'Clear');
  clear.addEventListener('click', () => {
    actions.clear();
  });
  return make('div', {}, make('h2', {}, title), make('div', { class: 'actions' }, reveal, clear));
}

function contentOf(scene: Scene, selection: Selected, actions: ExplanationActions): HTMLElement[] {
  if (selection.kind === 'node') return nodeContent(scene, selection);
  const { answer, target } = selection;
  if (scene.about !== undefined && target.kind === 'link') {
    return [figureList(cableFacts(scene.about, target.link))];
  }
  switch (answer?.kind) {
    case undefined:
      return [paragraph('Asking …')];
    case 'nothing':
      return [paragraph(answer.reason)];
    case 'routes':
      return routeContent(scene, answer);
    case 'flows':
      return flowContent(scene, answer, actions);
  }
}

const paragraph = (text: string): HTMLElement => make('p', { class: 'faint' }, text);

function nodeContent(scene: Scene, { node, task }: Extract<Selected, { kind: 'node' }>): HTMLElement[] {
  const { nodes } = scene;
  const entry = placesOf(scene).nodeNumbered(node)!;
  const router = nodes.router[entry];
  if (scene.about !== undefined) return [figureList(nodeFacts(scene, scene.about, entry))];
  const content: HTMLElement[] = taskLines(scene, entry).map((line) => make('p', { class: 'tasks' }, line));
  if (content.length === 0) content.push(paragraph('It runs no task.'));
  content.push(
    figureList([
      ...(router === undefined ? [] : [['On', routerName(scene, router)] as const]),
      ['Sends to other nodes', formatBytes(nodes.sent[entry]!)],
      ['Receives from them', formatBytes(nodes.received[entry]!)],
    ]),
  );
  if (task !== undefined) {
    const first = taskName(scene, task);
    content.push(
      paragraph(`For the route from ${first}: Shift+click another node, or “Route to” in the table of nodes.`),
    );
  }
  return content;
}

function routeContent(scene: Scene, { hops, bytes, route }: Extract<ExplainAnswer, { kind: 'routes' }>): HTMLElement[] {
  const several = route.some(({ share }) => share < 1);
  const content = [
    figureList([
      ['Hops', formatNumber(hops)],
      ['Bytes', formatBytes(bytes)],
    ]),
  ];
  if (route.length === 0) return [...content, paragraph('Both run in one node: nothing crosses a link.')];
  const rows = route.map(({ link, share }) => [linkName(scene, link), formatShare(share)]);
  const caption = several ? 'Its routes, and what share of the bytes takes each link' : 'Its route';
  return [...content, tableOf(caption, ['Link', 'Share'], rows)];
}

function flowContent(
  scene: Scene,
  answer: Extract<ExplainAnswer, { kind: 'flows' }>,
  actions: ExplanationActions,
): HTMLElement[] {
  const { load, timesMean, flows, flowCount, improvements } = answer;
  const content = [
    figureList([
      ['Load', formatBytes(load)],
      ['× mean of the used links', formatNumber(timesMean)],
    ]),
  ];
  if (flows.length === 0) return [...content, paragraph('No flow crosses it.')];
  const rows = flows.map(({ from, to, bytes, share }) => [
    `${taskName(scene, from)} → ${taskName(scene, to)}`,
    formatBytes(bytes),
    formatShare(share),
  ]);
  const more = flowCount > flows.length ? `, ${formatNumber(flows.length)} of ${formatNumber(flowCount)} shown` : '';
  const caption = `${countOf(flowCount, 'flow')} over it, the heaviest first${more}`;
  content.push(tableOf(caption, ['Tasks', 'Bytes', 'Share'], rows, actions));
  if (improvements.length > 0) {
    content.push(make('h3', {}, 'What would relieve it'));
    content.push(
      make('ul', { class: 'improvements' }, ...improvements.map((improvement) => make('li', {}, improvement))),
    );
  }
  return content;
}

/** A real table; with actions the first cell of each row is a button that brings its flow out alone. */
function tableOf(
  caption: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  actions?: ExplanationActions,
): HTMLElement {
  const numeric = (column: number): string => (column === 0 ? '' : 'numeric');
  const head = titles.map((title, column) => make('th', { scope: 'col', class: numeric(column) }, title));
  const buttons: HTMLButtonElement[] = [];
  const body = rows.map((cells, row) => {
    const [first = '', ...rest] = cells;
    const name = actions === undefined ? first : onlyButton(first, row, buttons, actions);
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, name),
      ...rest.map((cell) => make('td', { class: 'numeric' }, cell)),
    );
  });
  return make(
    'table',
    {},
    make('caption', {}, caption),
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...body),
  );
}

function onlyButton(text: string, row: number, buttons: HTMLButtonElement[], actions: ExplanationActions): HTMLElement {
  const button = make('button', { type: 'button', 'aria-pressed': 'false', title: 'Show this flow alone' }, text);
  button.addEventListener('click', () => {
    const pressed = button.getAttribute('aria-pressed') !== 'true';
    for (const each of buttons) each.setAttribute('aria-pressed', String(pressed && each === button));
    actions.only(pressed ? row : undefined);
  });
  buttons.push(button);
  return button;
}

/** `node 5 (task 3) → node 6 (task 4)`, `leaf-3 → spine-1`, `node 4 → 2`. */
function linkName(scene: Scene, link: LinkShare['link']): string {
  const place = placesOf(scene).link(link);
  if (place === undefined) return `${link}`;
  const [from, to] = linkEndNames(scene, place.entry);
  return place.forward ? `${from} → ${to}` : `${to} → ${from}`;
}
