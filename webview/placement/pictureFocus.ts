/**
 * What comes out of the picture of a placement: what is selected, what a histogram keeps, or the flows that the map of its traffic
 * keeps; one of them at a time. The host is told of it, and explains what is selected.
 */
import type { Marks } from '../../server/drawing/marks.ts';
import type { Scene } from '../../server/drawing/scene.ts';
import type { FromPanel, ToPanel } from '../../server/protocol/panel.ts';
import { linkOf, selectionOf } from '../picture/describeThing.ts';
import { keptAlone, selectionMarks, stillShown } from '../picture/marks.ts';
import type { Thing } from '../picture/pick.ts';
import { taskOfNode } from '../picture/places.ts';
import { createSelector, selectedTask, type Selected, type Selection } from '../picture/selection.ts';
import { createExplanation, type Explanation } from './explanation.ts';
import { createHistograms, marksOfKept } from './histogram.ts';
import { createKeptTraffic } from './keptTraffic.ts';

interface FocusActions {
  readonly scene: () => Scene | undefined;
  readonly post: (message: FromPanel) => void;
  readonly setMarks: (marks: Marks | undefined) => void;
  /** The directions of a cable can be told apart in the picture. */
  readonly lanesShow: (scene: Scene) => boolean;
  /** To the text of what is selected. */
  readonly reveal: () => void;
  /** Something else is selected; `second`: the next task may be the other end of its route. */
  readonly selected: (second: boolean) => void;
}

export interface PictureFocus {
  readonly explanation: Explanation;
  /** Of what is selected, beside the legend; the strip that says which flows are kept, on the picture. */
  readonly histograms: readonly HTMLElement[];
  readonly strip: HTMLElement;
  readonly selection: Selection;
  select(thing: Thing, second: boolean): void;
  /** `link`: of a cable this direction. `alone`: only cables over which it sends are painted. */
  selectAlone(thing: Thing, link: number | undefined, alone: boolean): void;
  /** Another picture; of the same placement what was selected in it stays. */
  setScene(scene: Scene): void;
  follow(scene: Scene): void;
  /** After the reader has chosen to see the same picture in another way. */
  show(): void;
  readonly clear: () => void;
  /** What a histogram or the map keeps is kept still. */
  readonly deselect: () => void;
  /** Without telling the host, which shows something else. */
  readonly forget: () => void;
  keepTraffic(message: Extract<ToPanel, { kind: 'keep-traffic' }>): void;
  explained(message: Extract<ToPanel, { kind: 'explained' }>): void;
  /** What is selected, to be kept for a later page, and to be brought back there. */
  readonly left: Selected | undefined;
  restore(selected: Selected): void;
}

export function createPictureFocus({
  scene: sceneNow,
  post,
  setMarks,
  lanesShow,
  reveal,
  selected,
}: FocusActions): PictureFocus {
  /** Only cables over which what is selected sends are painted. */
  let isAlone = false;
  /** What the host was told last of what is selected. */
  let told = '';
  const explain = (target: Extract<FromPanel, { kind: 'explain' }>['target']): void => {
    post({ kind: 'explain', target });
  };
  const selector = createSelector((target) => {
    // On a machine by itself nothing flows: what there is to say of a link is known here.
    if (sceneNow()?.about === undefined) explain(target);
  }, show);
  const explanation = createExplanation({
    clear: selector.clear,
    reveal,
    improve: (link, index) => {
      post({ kind: 'preview-improvement', link, index });
    },
    only: (flows) => {
      const scene = sceneNow();
      if (scene !== undefined) setMarks(selectionMarks(scene, selector.selection, flows));
    },
  });
  const histograms = createHistograms({
    changed: () => {
      traffic.drop();
      selector.clear();
      tell();
      showKept();
    },
    ask: explain,
  });
  const traffic = createKeptTraffic({
    ask: explain,
    dropped: () => {
      showKept();
      post({ kind: 'traffic-cleared' });
    },
  });

  /** The map of the traffic shows where that is. */
  function tell(): void {
    const scene = sceneNow();
    if (scene === undefined || scene.about !== undefined) return;
    const selection = histograms.selectionIn(scene) ?? selectionOf(scene, selector.selection);
    const key = (JSON.stringify(selection) as string | undefined) ?? '';
    if (key === told) return;
    told = key;
    post({ kind: 'selected', ...(selection && { selection }) });
  }

  /** What the map of the traffic or the histograms keep, else what is selected. */
  function showKept(): void {
    const scene = sceneNow();
    if (scene === undefined || traffic.ask()) return;
    if (!histograms.keep(scene, setMarks)) setMarks(selectionMarks(scene, selector.selection));
  }

  function show(): void {
    const { selection } = selector;
    const scene = sceneNow();
    if (scene !== undefined) {
      explanation.show(scene, selection);
      if (selection.kind === 'none') isAlone = false;
      else {
        histograms.clear();
        traffic.drop();
      }
      if (!histograms.isKeeping && !traffic.isKeeping) {
        const marks = selectionMarks(scene, selection);
        setMarks(isAlone && marks !== undefined ? keptAlone(marks) : marks);
      }
      tell();
    }
    selected(selectedTask(selection) !== undefined);
  }

  function select(thing: Thing, second: boolean): void {
    isAlone = false;
    const scene = sceneNow();
    if (scene === undefined || thing.kind === 'router') return;
    // Of a block there is nothing to explain that it does not say itself.
    if (thing.kind === 'node' && scene.blocks !== undefined) return;
    if (thing.kind === 'link') selector.selectLink(linkOf(scene, thing, lanesShow(scene)));
    else selector.selectNode(scene.nodes.id[thing.entry]!, taskOfNode(scene, thing.entry, thing.place), second);
  }

  function forget(): void {
    histograms.clear();
    selector.clear();
    showKept();
  }

  return {
    explanation,
    histograms: histograms.elements,
    strip: traffic.element,
    get selection() {
      return selector.selection;
    },
    select,
    selectAlone(thing, link, alone) {
      if (link === undefined) select(thing, false);
      else selector.selectLink(link);
      isAlone = alone;
      show();
    },
    setScene(scene) {
      histograms.setScene(scene);
      showKept();
    },
    follow(scene) {
      selector.refresh((before) => stillShown(scene, before));
    },
    show,
    clear() {
      histograms.clear();
      traffic.drop();
      selector.clear();
      showKept();
      tell();
    },
    deselect: selector.clear,
    forget,
    // What else was chosen is chosen no more.
    keepTraffic({ brush, words }) {
      if (brush !== undefined) {
        histograms.clear();
        selector.clear();
      }
      traffic.set(brush, words);
      showKept();
      tell();
    },
    explained({ target, answer }) {
      if (target.kind !== 'hops' && target.kind !== 'traffic') {
        if (answer.kind !== 'kept') selector.receive(target, answer);
        return;
      }
      const scene = sceneNow();
      if (scene === undefined || answer.kind !== 'kept') return;
      const isWanted = target.kind === 'hops' ? histograms.isKept(target) : traffic.take(target, answer);
      if (isWanted) setMarks(marksOfKept(scene, answer));
    },
    get left(): Selected | undefined {
      const { selection } = selector;
      if (selection.kind === 'none') return undefined;
      if (selection.kind === 'asked') return { kind: 'asked', target: selection.target };
      const { node, task } = selection;
      return { kind: 'node', node, ...(task && { task }) };
    },
    restore(before) {
      const scene = sceneNow();
      const now = scene && stillShown(scene, before);
      if (now !== undefined) selector.choose(now);
    },
  };
}
