/**
 * The menu of a thing of the picture: the editor shows it, by what the element under the pointer says of itself
 * (`data-vscode-context`), and `package.json` says what stands in it.
 */
import { coordinateLabel, sceneNodeName, sceneRouterName } from '../../server/drawing/labels.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import type { MenuContext, MenuThing, PanelAction } from '../../server/protocol/panel.ts';
import { linkOf } from './describeThing.ts';
import type { Thing } from './pick.ts';
import { linkName, scenePlaces } from './places.ts';

/** What the editor is told of a thing, or of the ground between all of them. */
export function menuContext(scene: Scene, thing: Thing | undefined, lanesShow: boolean): MenuContext {
  const hasFlows = scene.about === undefined;
  const common = {
    preventDefaultContextMenuItems: true,
    placewrightHasFlows: hasFlows,
    placewrightCoordinates: '',
  } as const;
  if (scene.blocks !== undefined && thing?.kind === 'node') return menuContext(scene, undefined, lanesShow);
  switch (thing?.kind) {
    case undefined:
      return { ...common, webviewSection: 'placewright.ground', placewrightName: '' };
    case 'router':
      return { ...common, webviewSection: 'placewright.switch', placewrightName: sceneRouterName(scene, thing.entry) };
    case 'node':
      return {
        ...common,
        webviewSection: 'placewright.node',
        placewrightThing: { kind: 'node', node: scene.nodes.id[thing.entry]! },
        placewrightName: sceneNodeName(scene, thing.entry),
        placewrightCoordinates: coordinateLabel(scene.nodes, thing.entry),
      };
    case 'link': {
      const link = linkOf(scene, thing, lanesShow);
      return {
        ...common,
        webviewSection: 'placewright.link',
        placewrightThing: { kind: 'link', link },
        placewrightName: linkName(scene, link),
      };
    }
  }
}

/** The thing that a menu was opened on; undefined where the picture has become another one. */
export function thingOfMenu(
  scene: Scene,
  thing: MenuThing | { readonly kind: 'node'; readonly node: number },
): Thing | undefined {
  const places = scenePlaces(scene);
  if (thing.kind === 'node') {
    const entry = places.nodeNumbered(thing.node);
    return entry === undefined ? undefined : { kind: 'node', entry };
  }
  const place = places.link(thing.link);
  return place && { kind: 'link', link: place.entry, rightSide: place.forward };
}

/** What the panel does of itself. */
interface Acts {
  readonly fit: () => void;
  readonly toggleTable: () => void;
  readonly goToText: () => void;
  readonly save: () => void;
  readonly savePng: () => void;
  readonly saveCsv: () => void;
  readonly clear: () => void;
  readonly thingOf: (thing: MenuThing) => Thing | undefined;
  readonly reveal: (thing: Thing) => void;
  readonly relieve: (link: number) => void;
  /** `link`: the directed one, of a cable. `alone`: only its flows are to be seen. */
  readonly select: (thing: Thing, link: number | undefined, alone: boolean) => void;
}

/** What a button in the title of the panel, or the menu of a thing, asks for. */
export function createActions(acts: Acts): (asked: PanelAction) => void {
  const plain: Readonly<Record<Exclude<PanelAction, { readonly thing: MenuThing }>['action'], () => void>> = {
    fit: acts.fit,
    'toggle-table': acts.toggleTable,
    'go-to-text': acts.goToText,
    save: acts.save,
    'save-png': acts.savePng,
    'save-csv': acts.saveCsv,
    clear: acts.clear,
  };
  return (asked) => {
    if (!('thing' in asked)) {
      plain[asked.action]();
      return;
    }
    const thing = acts.thingOf(asked.thing);
    const link = asked.thing.kind === 'link' ? asked.thing.link : undefined;
    if (thing === undefined) return;
    if (asked.action === 'reveal') acts.reveal(thing);
    else if (asked.action !== 'improve') acts.select(thing, link, asked.action === 'keep');
    else if (link !== undefined) acts.relieve(link);
  };
}
