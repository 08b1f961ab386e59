/** The pane that explains what is selected: who loads a link, how two tasks are connected, what a node runs. */
import {
  arrowText,
  coordinateLabel,
  formatBytes,
  formatNumber,
  formatSeconds,
  formatShare,
  sceneNodeName,
  sceneRailName,
  sceneRouterName,
  taskLines,
} from '../../server/drawing/labels.ts';
import { busySeconds } from '../../server/drawing/loadScale.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import type { ExplainAnswer } from '../../server/protocol/messages.ts';
import { figureList, make, selection as choiceList } from '../page/controls.ts';
import { counted, localised, t } from '../page/words.ts';
import { capacityShare, cableFacts, nodeFacts, nodeTitle } from '../picture/describeThing.ts';
import { linkName, scenePlaces, taskName } from '../picture/places.ts';
import type { Selected, Selection } from '../picture/selection.ts';

/** The pane above the figures: what is selected, in words and numbers, with the answer of the host. */
export interface Explanation {
  readonly element: HTMLElement;
  show(scene: Scene, selection: Selection): void;
}

export interface ExplanationActions {
  clear(): void;
  /** Goes to the text behind what is selected. */
  reveal(): void;
  /** Shows what the improvement of this number would come to. */
  improve(link: number, index: number): void;
  /** Brings out some flows of a link or partners of a node alone; undefined: all of them again. */
  only(flows: readonly number[] | undefined): void;
}

export function createExplanation(actions: ExplanationActions): Explanation {
  // Announced by screen readers when an answer comes.
  const element = make('section', { class: 'explanation', 'aria-label': t('Explanation'), 'aria-live': 'polite' });
  element.hidden = true;
  return {
    element,
    show(scene, selection) {
      element.hidden = selection.kind === 'none';
      if (selection.kind === 'none') {
        element.replaceChildren();
        return;
      }
      element.replaceChildren(
        heading(selectionTitle(scene, selection), actions),
        ...explanationContent(scene, selection, actions),
      );
    },
  };
}

function selectionTitle(scene: Scene, selection: Selected): string {
  if (selection.kind === 'node') return nodeTitle(scene, scenePlaces(scene).nodeNumbered(selection.node) ?? 0);
  const { target } = selection;
  if (target.kind === 'link') return t('Link {0}', linkName(scene, target.link));
  return arrowText(taskName(scene, target.from), taskName(scene, target.to));
}

function heading(title: string, actions: ExplanationActions): HTMLElement {
  const reveal = make('button', { type: 'button', title: t('Go to text (Enter)') }, t('Go to text'));
  reveal.addEventListener('click', () => {
    actions.reveal();
  });
  const clear = make('button', { type: 'button', title: t('Clear the selection (Escape)') }, t('Clear'));
  clear.addEventListener('click', () => {
    actions.clear();
  });
  return make('div', {}, make('h2', {}, title), make('div', { class: 'actions' }, reveal, clear));
}

function explanationContent(scene: Scene, selection: Selected, actions: ExplanationActions): HTMLElement[] {
  if (selection.kind === 'node') return nodeContent(scene, selection, actions);
  const { answer, target } = selection;
  if (scene.about !== undefined && target.kind === 'link') {
    return [figureList(cableFacts(scene.about, target.link))];
  }
  switch (answer?.kind) {
    case undefined:
      return [paragraph(t('Asking …'))];
    case 'nothing':
      return [paragraph(answer.reason)];
    case 'partners':
      return [];
    case 'routes':
      return routeContent(scene, answer);
    case 'flows':
      return flowContent(scene, answer, actions);
  }
}

const paragraph = (text: string): HTMLElement => make('p', { class: 'faint' }, localised(text));

function nodeContent(
  scene: Scene,
  { node, task, answer }: Extract<Selected, { kind: 'node' }>,
  actions: ExplanationActions,
): HTMLElement[] {
  const { nodes } = scene;
  const entry = scenePlaces(scene).nodeNumbered(node)!;
  const router = nodes.router[entry];
  if (scene.about !== undefined) return [figureList(nodeFacts(scene, scene.about, entry))];
  const content: HTMLElement[] = taskLines(scene, entry).map((line) => make('p', { class: 'tasks' }, localised(line)));
  if (content.length === 0) content.push(paragraph(t('No tasks.')));
  const host = nodes.names[entry];
  const coordinates = coordinateLabel(nodes, entry);
  content.push(
    figureList([
      ...(host === undefined ? [] : [[t('Host'), host] as const]),
      ...(coordinates === '' ? [] : [[t('Coordinates'), coordinates] as const]),
      ...(router === undefined || scene.rails !== undefined
        ? []
        : [[t('On'), sceneRouterName(scene, router)] as const]),
      [t('Sent to other nodes'), formatBytes(nodes.sent[entry]!)],
      [t('Received from other nodes'), formatBytes(nodes.received[entry]!)],
    ]),
  );
  const rails = scenePlaces(scene).rails(nodes.id[entry]!);
  if (rails.length > 0) content.push(railTable(scene, rails));
  if (answer?.kind === 'partners' && answer.partnerCount > 0) content.push(partnerTable(scene, answer, actions));
  if (task !== undefined) {
    const first = taskName(scene, task);
    content.push(
      paragraph(t('Route from {0}: Shift+click another node, or choose “Route to” in the node table.', first)),
    );
  }
  return content;
}

/** Each adapter with its switch and what goes over its link. */
function railTable(scene: Scene, rails: readonly number[]): HTMLElement {
  const { links } = scene;
  const rows = rails.map((link) => [
    localised(sceneRailName(scene, links.rail![link]!)),
    localised(sceneRouterName(scene, links.to[link]!)),
    formatBytes(links.forward[link]!),
    formatBytes(links.backward[link]!),
  ]);
  return explanationTable(t('NICs'), [t('Rail'), t('Switch'), t('Sends'), t('Receives')], rows);
}

function partnerTable(
  scene: Scene,
  { partners, partnerCount }: Extract<ExplainAnswer, { kind: 'partners' }>,
  actions: ExplanationActions,
): HTMLElement {
  const rows = partners.map(({ node, sent, received }) => [
    nodePlace(scene, node),
    formatBytes(sent),
    formatBytes(received),
  ]);
  const more = partnerCount > partners.length ? t(', {0} shown', formatNumber(partners.length)) : '';
  const caption = t('{0}, by traffic{1}', counted(partnerCount, '1 partner', '{0} partners'), more);
  return explanationTable(caption, [t('Node'), t('Sends'), t('Receives')], rows, {
    actions,
    members: partners.map((_, row) => [row]),
  });
}

/** As the picture calls it: `task 3 (node 18)`. */
function nodePlace(scene: Scene, node: number): string {
  const entry = scenePlaces(scene).nodeNumbered(node);
  if (entry === undefined) return t('node {0}', node);
  const name = sceneNodeName(scene, entry);
  const [only, ...others] = taskLines(scene, entry);
  if (only === undefined) return name;
  const tasks = others.length === 0 ? only.replace(': ', ' ') : `${only.replace(': ', ' ')} …`;
  const short = tasks.length > 28 ? `${tasks.slice(0, 27)}…` : tasks;
  return scene.labels === 'task' ? `${short} (${name})` : `${name} (${short})`;
}

function routeContent(scene: Scene, { hops, bytes, route }: Extract<ExplainAnswer, { kind: 'routes' }>): HTMLElement[] {
  const several = route.some(({ share }) => share < 1);
  const content = [
    figureList([
      [t('Hops'), formatNumber(hops)],
      [t('Bytes'), formatBytes(bytes)],
    ]),
  ];
  if (route.length === 0) return [...content, paragraph(t('Both run on one node and use no link.'))];
  const rows = route.map(({ link, share }) => [linkName(scene, link), formatShare(share)]);
  const caption = several ? t('Routes and share of bytes per link') : t('Route');
  return [...content, explanationTable(caption, [t('Link'), t('Share')], rows)];
}

function flowContent(
  scene: Scene,
  answer: Extract<ExplainAnswer, { kind: 'flows' }>,
  actions: ExplanationActions,
): HTMLElement[] {
  const { load, timesMean, flows, improvements } = answer;
  const content = [
    figureList([
      [t('Load'), formatBytes(load)],
      ...busyFigures(scene, answer.link),
      [t('× mean of used links'), formatNumber(timesMean)],
    ]),
  ];
  if (flows.length === 0) return [...content, paragraph(t('No flow uses this link.'))];
  content.push(flowGroups(scene, answer, actions));
  if (improvements.length > 0) {
    content.push(make('h3', {}, t('Improvements')));
    content.push(
      make(
        'ul',
        { class: 'improvements' },
        ...improvements.map((improvement, index) =>
          improving(improvement, () => {
            actions.improve(answer.link, index);
          }),
        ),
      ),
    );
  }
  return content;
}

/** How long a link is busy and how much of its capacity that is, where links differ in speed. */
function busyFigures(scene: Scene, link: number): readonly (readonly [string, string])[] {
  const place = scenePlaces(scene).link(link);
  const busy = place && busySeconds(scene, place.entry, place.forward);
  if (busy === undefined) return [];
  return [
    [t('Link time'), formatSeconds(busy)],
    [t('Utilisation'), capacityShare(scene, busy)],
  ];
}

/** What would relieve a link, and the button that shows it in the picture. */
function improving(words: string, shown: () => void): HTMLElement {
  const look = make(
    'button',
    { type: 'button', title: t('Preview in the diagram; nothing is written yet') },
    t('Preview'),
  );
  look.setAttribute('aria-description', localised(words));
  look.addEventListener('click', shown);
  return make('li', {}, `${localised(words)} `, look);
}

type FlowAnswer = Extract<ExplainAnswer, { kind: 'flows' }>;
type Grouping = 'tasks' | 'nodes' | 'jobs';

/** So many flows can be read one by one; of more those between the same two nodes are one row. */
const readableFlows = 12;
const mostRows = 50;

/** The flows of a link by pairs of tasks or nodes, or by jobs, as the reader chooses. */
function flowGroups(scene: Scene, answer: FlowAnswer, actions: ExplanationActions): HTMLElement {
  const nodePairs = groupedFlows(scene, answer, 'nodes').length;
  const first: Grouping = answer.flows.length > readableFlows && nodePairs < answer.flows.length ? 'nodes' : 'tasks';
  const holder = make('div');
  const show = (grouping: Grouping): void => {
    actions.only(undefined);
    holder.replaceChildren(flowTable(scene, answer, grouping, actions));
  };
  const choice = choiceList(t('Group flows by'), (value) => {
    show(value as Grouping);
  });
  choice.set(
    [
      ['tasks', 'tasks'],
      ['nodes', 'nodes'],
      ['jobs', 'jobs'],
    ],
    first,
  );
  holder.append(flowTable(scene, answer, first, actions));
  return make('div', {}, choice.element, holder);
}

interface FlowGroup {
  readonly name: string;
  readonly members: readonly number[];
  readonly bytes: number;
  readonly share: number;
}

/** The heaviest first. */
function groupedFlows(scene: Scene, { flows }: FlowAnswer, grouping: Grouping): readonly FlowGroup[] {
  const places = scenePlaces(scene);
  const nameOf = ({ job, from, to }: FlowAnswer['flows'][number]): string => {
    if (grouping === 'jobs') return job;
    if (grouping === 'tasks') return arrowText(taskName(scene, from), taskName(scene, to));
    return arrowText(...[from, to].map((task) => sceneNodeName(scene, places.node(task) ?? 0)));
  };
  const groups = new Map<string, { members: number[]; bytes: number; share: number }>();
  flows.forEach((flow, index) => {
    const name = nameOf(flow);
    const group = groups.get(name) ?? { members: [], bytes: 0, share: 0 };
    groups.set(name, group);
    group.members.push(index);
    group.bytes += flow.bytes;
    group.share += flow.share;
  });
  return Array.from(groups, ([name, group]) => ({ name, ...group })).sort((one, other) => other.bytes - one.bytes);
}

const groupTitles: Readonly<Record<Grouping, string>> = { tasks: t('Tasks'), nodes: t('Nodes'), jobs: t('Job') };

function flowTable(scene: Scene, answer: FlowAnswer, grouping: Grouping, actions: ExplanationActions): HTMLElement {
  const { flows, flowCount } = answer;
  const all = groupedFlows(scene, answer, grouping);
  const groups = all.slice(0, mostRows);
  const rows = groups.map(({ name, members, bytes, share }) => [
    members.length > 1 ? `${name} (${formatNumber(members.length)})` : name,
    formatBytes(bytes),
    formatShare(share),
  ]);
  const isCut = all.length > groups.length || (grouping === 'tasks' && flowCount > flows.length);
  const whole = grouping === 'tasks' ? flowCount : all.length;
  const more = isCut ? t(', {0} of {1} shown', formatNumber(groups.length), formatNumber(whole)) : '';
  const among =
    grouping !== 'tasks' && flowCount > flows.length ? t(', of the {0} largest', formatNumber(flows.length)) : '';
  const caption = t('{0} over this link, largest first{1}{2}', counted(flowCount, '1 flow', '{0} flows'), more, among);
  return explanationTable(caption, [groupTitles[grouping], t('Bytes'), t('Share')], rows, {
    actions,
    members: groups.map(({ members }) => members),
  });
}

/** What the buttons of a table bring out: of each row the numbers of its flows. */
interface RowActions {
  readonly actions: ExplanationActions;
  readonly members: readonly (readonly number[])[];
}

/** A real table; with actions the first cell of each row is a button that brings its flow out alone. */
function explanationTable(
  caption: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  actions?: RowActions,
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

function onlyButton(
  text: string,
  row: number,
  buttons: HTMLButtonElement[],
  { actions, members }: RowActions,
): HTMLElement {
  const button = make('button', { type: 'button', 'aria-pressed': 'false', title: t('Show only this') }, text);
  button.addEventListener('click', () => {
    const pressed = button.getAttribute('aria-pressed') !== 'true';
    for (const each of buttons) each.setAttribute('aria-pressed', String(pressed && each === button));
    actions.only(pressed ? members[row] : undefined);
  });
  buttons.push(button);
  return button;
}
