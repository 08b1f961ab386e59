/**
 * Placements side by side: a picture of each, all with one camera and one scale, and its headline figures above it. What is clicked in
 * one is brought out in all.
 */
import { planeChosen, type Choices } from '../../server/drawing/choices.ts';
import { comparedPage } from '../../server/drawing/comparedPage.ts';
import { changeBetween } from '../../server/drawing/difference.ts';
import { formatBytes, formatSeconds, headlineLabels, labelKinds } from '../../server/drawing/labels.ts';
import { busySeconds, directedLoad, withScale } from '../../server/drawing/loadScale.ts';
import type { LoadScale, Scene } from '../../server/drawing/scene.ts';
import { figureList, make } from '../page/controls.ts';
import type { Theme } from '../page/theme.ts';
import { localised, t } from '../page/words.ts';
import { linkOf } from '../picture/describeThing.ts';
import type { Thing } from '../picture/pick.ts';
import { createPicture } from '../picture/picture.ts';
import { linkName, scenePlaces, taskName, taskOfNode } from '../picture/places.ts';
import type { SaveOffer } from '../picture/saveForm.ts';
import type { SavedView } from '../picture/view.ts';
import { showsLanes } from '../picture/viewport.ts';
import { sceneFigure } from './changeTable.ts';

export type Picture = ReturnType<typeof createPicture>;

/** A placement, and why it has no place beside the others where it has none. */
export interface Cell {
  readonly name: string;
  readonly scene: Scene | undefined;
  readonly reason: string | undefined;
}

/** How all of them are seen. */
export interface SeenAs {
  readonly scale: LoadScale;
  /** A view is kept as long as pictures are laid out alike. */
  readonly key: string;
  readonly plane: number | undefined;
}

interface SideBySideActions {
  /** The picture of one of them by itself, by its position. */
  show(index: number): void;
  /** The camera of all has moved. */
  moved(): void;
  /** What was clicked, in all of them; undefined: nothing any more. */
  tell(text: string | undefined): void;
}

/** Figures above every picture, where the placements have them. */
const headlines = headlineLabels.toReversed();

export class SideBySide {
  readonly element = make('div', { class: 'compared' });
  readonly #actions: SideBySideActions;
  #theme: Theme;
  /** Of the cells that have one, and their scenes, parallel. */
  #pictures: readonly Picture[] = [];
  #scenes: readonly Scene[] = [];
  #names: readonly string[] = [];
  #key = '';
  /** The picture that was moved last leads the others. */
  #leader: Picture | undefined;
  #isFollowing = false;

  constructor(theme: Theme, actions: SideBySideActions) {
    this.#theme = theme;
    this.#actions = actions;
  }

  /** The picture that buttons move: the one that was moved last, else the first. */
  get leading(): Picture | undefined {
    return this.#leader !== undefined && this.#pictures.includes(this.#leader) ? this.#leader : this.#pictures[0];
  }

  /** The first one is what the others are compared with; `seen` is undefined where none can be seen. */
  show(cells: readonly Cell[], seen: SeenAs | undefined): void {
    const first = cells.find(({ scene, reason }) => scene !== undefined && reason === undefined)?.scene;
    const made: Picture[] = [];
    const scenes: Scene[] = [];
    const names: string[] = [];
    this.#key = seen?.key ?? '';
    const elements = cells.map(({ name, scene, reason }, index) => {
      const button = make(
        'button',
        { type: 'button', class: 'link', title: t('Open this diagram in its own panel') },
        name,
      );
      button.addEventListener('click', () => {
        this.#actions.show(index);
      });
      const head = make('h2', {}, button);
      if (scene === undefined || reason !== undefined || seen === undefined) {
        return make('section', { class: 'cell' }, head, make('p', {}, reason ?? ''));
      }
      const scaled = withScale(scene, seen.scale);
      // Where there are as many as before, each keeps its view.
      const picture =
        this.#pictures[made.length] ??
        this.pictureWith((thing, clicked) => {
          this.#markEverywhere(thing, clicked);
        });
      picture.setTheme(this.#theme);
      made.push(picture);
      scenes.push(scaled);
      names.push(name);
      picture.setScene(scaled, seen.key, seen.plane);
      return make('section', { class: 'cell' }, head, headlineFigures(scaled, first), picture.element);
    });
    this.#pictures = made;
    this.#scenes = scenes;
    this.#names = names;
    this.element.replaceChildren(...elements);
  }

  /** All of them on one page; undefined where none can be seen. */
  offer(choices: Choices): SaveOffer | undefined {
    const [first] = this.#scenes;
    if (first === undefined) return undefined;
    return {
      labels: labelKinds(first),
      page: ({ labels, theme, legend, width, height }) =>
        comparedPage(
          this.#scenes.map((scene, index) => ({
            scene: labels === undefined ? scene : { ...scene, labels },
            name: this.#names[index]!,
            words: headlineRows(scene, first).map(([name, value]) => `${localised(name)}: ${value}`),
            marks: this.#pictures[index]!.marks,
          })),
          {
            theme,
            legend,
            plane: planeChosen(first, choices),
            ...(width !== undefined && { width }),
            ...(height !== undefined && { height }),
          },
        ),
    };
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    for (const picture of this.#pictures) picture.setTheme(theme);
  }

  clearMarks(): void {
    for (const picture of this.#pictures) picture.setMarks(undefined);
  }

  /** A picture whose view all others follow. */
  pictureWith(clicked: (thing: Thing | undefined, picture: Picture) => void): Picture {
    const picture: Picture = createPicture(this.#theme, {
      clicked: (thing) => {
        clicked(thing, picture);
      },
      doubleClicked: () => undefined,
      entered: () => undefined,
      moved: () => {
        if (this.#isFollowing) return;
        this.#leader = picture;
        this.#actions.moved();
        for (const other of this.#pictures) if (other !== picture) this.#follow(other, picture);
      },
    });
    return picture;
  }

  /** Brings another picture to the view of these. */
  bringAlong(picture: Picture): void {
    const led = this.#leader ?? this.#pictures[0];
    if (led !== undefined && led !== picture) this.#follow(picture, led);
  }

  /** All of them as they were seen earlier. */
  restore(view: SavedView): void {
    this.leading?.view.restore(view);
  }

  #follow(picture: Picture, led: Picture): void {
    this.#isFollowing = true;
    const { transform } = led.view.save();
    if (transform === undefined) picture.view.fit();
    else picture.view.restore({ key: this.#key, transform });
    this.#isFollowing = false;
  }

  /** What a click on one picture means is brought out in all: the same link, or the nodes of the same task. */
  #markEverywhere(thing: Thing | undefined, clicked: Picture): void {
    const scene = this.#scenes[this.#pictures.indexOf(clicked)];
    if (thing === undefined || scene === undefined || thing.kind === 'router') {
      this.clearMarks();
      this.#actions.tell(undefined);
    } else if (thing.kind === 'link')
      this.#markLink(scene, linkOf(scene, thing, showsLanes(scene, clicked.view.transform.k)));
    else this.#markNode(scene, thing);
  }

  #markLink(scene: Scene, link: number): void {
    for (const picture of this.#pictures) picture.setMarks({ links: new Map([[link, 1]]), nodes: new Set() });
    const place = scenePlaces(scene).link(link);
    if (place === undefined) return;
    const each = this.#scenes.map((scene) => {
      const bytes = formatBytes(directedLoad(scene, 'bytes', place.entry, place.forward));
      const busy = busySeconds(scene, place.entry, place.forward);
      return `${scene.placement} ${bytes}${busy === undefined ? '' : ` (${formatSeconds(busy)})`}`;
    });
    this.#actions.tell(`${linkName(scene, link)}: ${each.join(', ')}`);
  }

  #markNode(scene: Scene, { entry: own, place }: Extract<Thing, { kind: 'node' }>): void {
    const task = taskOfNode(scene, own, place);
    const entries = this.#scenes.map((other) => {
      if (task === undefined) return own;
      const job = other.jobs.findIndex(({ name }) => name === scene.jobs[task.job]!.name);
      return job < 0 ? undefined : scenePlaces(other).node({ job, task: task.task });
    });
    this.#pictures.forEach((picture, index) => {
      const entry = entries[index];
      picture.setMarks({ links: new Map(), nodes: new Set(entry === undefined ? [] : [entry]) });
    });
    const where = entries.map(
      (entry, index) =>
        `${this.#scenes[index]!.placement} ${entry === undefined ? t('nowhere') : t('node {0}', scene.nodes.id[entry]!)}`,
    );
    this.#actions.tell(`${task === undefined ? t('Free') : taskName(scene, task)}: ${where.join(', ')}`);
  }
}

const headlineFigures = (scene: Scene, first: Scene | undefined): HTMLElement => figureList(headlineRows(scene, first));

function headlineRows(scene: Scene, first: Scene | undefined): readonly (readonly [string, string])[] {
  return headlines.flatMap((name): (readonly [string, string])[] => {
    const figure = sceneFigure(scene, name);
    const reference = first && first.placement !== scene.placement ? sceneFigure(first, name) : undefined;
    if (figure === undefined) return [];
    const change = reference === undefined ? '' : changeBetween(reference.value, figure.value);
    return [[name, change === '' ? figure.words : `${figure.words}, ${change}`]];
  });
}
