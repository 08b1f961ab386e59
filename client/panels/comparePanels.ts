/**
 * The panels in which placements stand side by side: which placements, what passes between a panel and the server, and
 * the list from which the user chooses them.
 */
import { l10n, Uri, window, workspace, type QuickPickItem } from 'vscode';
import {
  readFromComparePanel,
  type ComparedPlacement,
  type FromComparePanel,
  type ToComparePanel,
} from '../../server/protocol/comparePanel.ts';
import {
  protocolVersion,
  type ComparablePlacement,
  type ReportsChanged,
  type SceneParameters,
} from '../../server/protocol/messages.ts';
import { declarationAtCursor, requestedDocument, type Focused } from '../choosePlacement.ts';
import { Panel } from './panel.ts';
import { documentKey, nameKey, Panels, stringsIn, type Extension } from './panels.ts';
import type { Server } from '../server.ts';
import type { PageHost } from './webPage.ts';

/** Names the kind of panel in `package.json` and in restored windows. */
const comparePanelType = 'placewright.compare';

/** More pictures beside one another than this are too small to be read. */
const mostCompared = 9;
/** So many are shown at once; of more the user chooses. */
const shownAtOnce = 4;

/** Opens, updates and restores the panels. */
export class ComparePanels extends Panels<readonly SceneParameters[], ComparePanel> {
  /** `show` opens the picture of one placement by itself. */
  constructor(extension: Extension, server: Server, show: (shown: SceneParameters) => void) {
    super(extension, server, {
      type: comparePanelType,
      titleOf: comparisonTitle,
      keyOf: comparisonKey,
      readState: shownIn,
      open: (host, shown) => new ComparePanel(host, shown, show),
    });
  }
}

const comparisonKey = (shown: readonly SceneParameters[]): string => JSON.stringify(shown.map(shownPlacementKey));
const shownPlacementKey = ({ uri, placement }: SceneParameters): string => nameKey(uri, placement);

const comparisonTitle = (shown: readonly SceneParameters[]): string =>
  l10n.t('Compare {0}', shown.map(({ placement }) => placement).join(', '));

/** What a page that was open says that it showed. */
function shownIn(state: unknown): readonly SceneParameters[] | undefined {
  if (typeof state !== 'object' || state === null || !('shown' in state) || !Array.isArray(state.shown))
    return undefined;
  const shown = state.shown.flatMap((one: unknown) => stringsIn(one, 'uri', 'placement') ?? []);
  return shown.length === 0 ? undefined : shown.slice(0, mostCompared);
}

/** One panel: fetches the pictures of its placements, and again when there are newer ones. */
class ComparePanel extends Panel<readonly SceneParameters[], FromComparePanel, ToComparePanel> {
  readonly #show: (shown: SceneParameters) => void;
  /** Which reports the pictures are of that were asked for last. */
  #known = new Map<string, string>();

  constructor(host: PageHost, shown: readonly SceneParameters[], show: (shown: SceneParameters) => void) {
    const documents = shown.map(({ uri }) => uri);
    super(host, shown, { script: 'compare.js', read: readFromComparePanel }, documents);
    this.#show = show;
  }

  /** Asks for the pictures again where one of them has another report, or is out of date. */
  override async reported({ uri, placements }: ReportsChanged): Promise<void> {
    const own = this.shown.filter((one) => documentKey(one.uri) === documentKey(uri));
    if (own.length === 0) return;
    const states = own.map(({ placement }) => {
      const summary = placements.find(({ name }) => name === placement);
      return summary === undefined ? 'gone' : `${summary.state} ${summary.revision}`;
    });
    const known = states.join(', ');
    if (known === this.#known.get(uri)) return;
    this.#known.set(uri, known);
    await this.refresh();
  }

  /** Asks what is to be saved of what is shown. */
  openSaveForm(): void {
    this.page.post({ kind: 'save-form' });
  }

  override async refresh(): Promise<void> {
    if (!this.page.isListening) return;
    const placements: ComparedPlacement[] = [];
    for (const one of this.shown) placements.push(await this.#compared(one));
    this.page.post({ kind: 'placements', version: protocolVersion, placements });
  }

  async #compared(one: SceneParameters): Promise<ComparedPlacement> {
    const file = workspace.asRelativePath(Uri.parse(one.uri));
    // After a restart of the window the editor may not have read the document yet.
    await this.hasOpened(one.uri);
    const answer = await this.server.ask('scene', one);
    if (answer.kind === 'scene') return { ...one, file, stale: answer.stale, scene: answer.scene };
    return { ...one, file, stale: true, reason: answer.reason };
  }

  protected override async receive(message: FromComparePanel): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.page.listens();
        await this.refresh();
        break;
      case 'choose':
        await this.#choose();
        break;
      case 'show': {
        const one = this.shown[message.index];
        if (one !== undefined) this.#show(one);
        break;
      }
      case 'save':
        await this.save(this.shown[0]!.uri, 'compared', message);
        break;
    }
  }

  async #choose(): Promise<void> {
    const [first] = this.shown;
    if (first === undefined) return;
    const picked = await pickPlacements(await this.server.ask('comparablePlacements', first), this.shown);
    if (picked === undefined) return;
    this.page.keep(picked.map(({ uri }) => uri));
    this.shown = picked;
    this.setTitle(comparisonTitle(picked));
    await this.refresh();
  }
}

/** What the command is about; menus pass a `Uri`, lenses strings. */
interface GivenPlacement {
  readonly uri?: unknown;
  readonly placement?: unknown;
}

/**
 * The placements to compare: with the given one, or with the one that the cursor stands in, its others; of the job or the machine
 * that the cursor stands in all of its own; at once where they are few, else those that the user picks. Undefined where there are
 * none, which the user has then been told, or where the user picks none.
 */
export async function chooseCompared(
  server: Pick<Server, 'ask'>,
  given: GivenPlacement,
  active: Focused | undefined,
): Promise<readonly SceneParameters[] | undefined> {
  const uri = given.uri === undefined ? active?.uri : requestedDocument(given.uri);
  const document = uri ?? requestedDocument(undefined);
  if (document === undefined) return undefined;
  const placement =
    typeof given.placement === 'string' ? given.placement : given.uri === undefined ? active?.placement : undefined;
  if (placement !== undefined) return othersOf(server, { uri: document, placement });
  const all = await server.ask('comparablePlacements', { uri: document });
  const here = await declarationAtCursor(document, () => true);
  if (here === undefined) return pickPlacements(all, []);
  const atCursor = { uri: document, placement: here };
  if (all.some((one) => isSamePlacement(one, atCursor))) return othersOf(server, atCursor);
  const own = all.filter(({ jobs, machine }) => jobs.includes(here) || machine === here);
  const together = own.map(({ machine, jobs }) =>
    own.filter((other) => other.machine === machine && other.jobs.some((job) => jobs.includes(job))),
  );
  const wanted = together.find(({ length }) => length > 1) ?? [];
  return wanted.length > 1 && wanted.length <= shownAtOnce
    ? wanted.map(shownOf)
    : pickPlacements(all, wanted.slice(0, mostCompared).map(shownOf));
}

/** One placement with those that can be compared with it: all of them where they are few, else those that the user picks. */
async function othersOf(
  server: Pick<Server, 'ask'>,
  own: SceneParameters,
): Promise<readonly SceneParameters[] | undefined> {
  const all = await server.ask('comparablePlacements', own);
  if (all.length > 1 && all.length <= shownAtOnce) return all.map(shownOf);
  const others = all.filter((one) => !isSamePlacement(one, own)).map(shownOf);
  return pickPlacements(all, [own, ...others].slice(0, shownAtOnce));
}

const shownOf = ({ uri, name }: ComparablePlacement): SceneParameters => ({ uri, placement: name });

const isSamePlacement = (one: ComparablePlacement, own: SceneParameters): boolean =>
  shownPlacementKey(shownOf(one)) === shownPlacementKey(own);

interface Item extends QuickPickItem {
  readonly shown: SceneParameters;
}

/** The user chooses among the placements that can be compared, with their figures; those chosen already are ticked. */
async function pickPlacements(
  all: readonly ComparablePlacement[],
  chosen: readonly SceneParameters[],
): Promise<readonly SceneParameters[] | undefined> {
  if (all.length < 2) {
    void window.showInformationMessage(l10n.t('Nothing to compare. Write two placements of one job on one machine.'));
    return undefined;
  }
  const files = new Set(all.map((one) => one.uri));
  const chosenKeys = new Set(chosen.map(shownPlacementKey));
  const items = all.map((one): Item => {
    const shown = shownOf(one);
    const file = files.size > 1 ? [workspace.asRelativePath(Uri.parse(one.uri))] : [];
    return {
      label: one.name,
      description: one.words === '' ? l10n.t('not evaluated') : one.words,
      detail: [l10n.t('{0} on {1}', one.jobs.join(', '), one.machine), ...file].join(' · '),
      picked: chosenKeys.has(shownPlacementKey(shown)),
      shown,
    };
  });
  const picked = await window.showQuickPick(items, {
    title: 'Placewright',
    placeHolder: l10n.t('Which placements? The first one is the baseline.'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return undefined;
  const shown = picked.map((item) => item.shown);
  if (shown.length >= 2 && shown.length <= mostCompared) return shown;
  void window.showInformationMessage(l10n.t('Choose from two to {0} placements.', mostCompared));
  // With what is ticked by now, so that nobody begins anew.
  return pickPlacements(all, shown);
}
