/** What the user may say of the picture of a placement or a machine: how it is drawn, what comes out of it, and on which page. */
import { sceneWithChoices, planeChosen, readLoad, type Choices, type LoadAmount } from '../../drawing/choices.ts';
import { entriesByNumber, labelKinds } from '../../drawing/labels.ts';
import { weighWays, type Marks, type Way } from '../../drawing/marks.ts';
import { largestPage, millimetresIn, pages, smallestPage } from '../../drawing/pageSizes.ts';
import { planeCount } from '../../drawing/projections.ts';
import { scenePage, type PageOptions } from '../../drawing/renderSvg.ts';
import type { Scene } from '../../drawing/scene.ts';
import type { SvgPage } from '../../drawing/svg.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import type { PlacementReport } from '../../model/report.ts';
import type { Result } from '../../model/result.ts';
import { explainLink, explainNode, explainTasks } from '../../study/explain/explain.ts';
import type { FigurePageOptions, PictureOptions } from './figureOptions.ts';
import { UsageError } from './terminal.ts';

/** The scene of `before` and `after` alike, as the user wants it. Throws where the picture has not what is asked for. */
export function sceneAsAsked(scene: Scene, options: PictureOptions): Scene {
  const { labels, layout, measure, scale } = options;
  const kinds = labelKinds(scene);
  if (labels !== undefined && !kinds.includes(labels)) {
    throw new UsageError(`The diagram has no ${labels} for node labels. Use --labels ${kinds.join(', ')}.`);
  }
  if (layout !== undefined && scene.projection === undefined) {
    throw new UsageError('--layout applies to 3D machines only.');
  }
  const end = scaleEnd(scene, options);
  const choices: Choices = {
    ...(labels !== undefined && { labels }),
    ...(layout !== undefined && { projection: layout }),
    ...(measure !== undefined && { measure }),
    ...(scale !== undefined && { scale }),
    ...(end !== undefined && { maximum: end }),
  };
  return sceneWithChoices(scene, choices);
}

/** Where the scale of links is to end, in the measure of the picture. Throws where that has no such measure. */
function scaleEnd(
  { loadScales, loadLegend }: Scene,
  { measure = loadLegend.scale.measure, maximum }: PictureOptions,
): LoadAmount | undefined {
  if (!loadScales.some((each) => each.measure === measure)) {
    throw new UsageError(
      'All links of this machine are equally fast. --measure capacity needs links with different bandwidths.',
    );
  }
  const end = maximum === undefined ? undefined : readLoad(maximum);
  if (maximum === undefined || end?.measure === measure) return end;
  throw new UsageError(
    measure === 'bytes'
      ? `--maximum '${maximum}' is not a size. Example: 64KiB.`
      : `--maximum '${maximum}' is not a time. Write 2ms, or add --measure bytes.`,
  );
}

/** The page of a scene; `report` is what is asked about a selection, absent for a machine by itself. */
export function pageAsAsked(scene: Scene, options: PictureOptions, report: PlacementReport | undefined): SvgPage {
  const { theme, legend, plane, select } = options;
  const planes = planeCount(scene);
  if (plane !== undefined && plane >= planes) {
    throw new UsageError(
      planes === 0
        ? '--plane applies to 3D machines only.'
        : `Plane ${plane} does not exist. Planes are 0 to ${planes - 1}.`,
    );
  }
  const marks = select === undefined || report === undefined ? undefined : selected(scene, report, select);
  const page: PageOptions = {
    ...(theme && { theme }),
    ...(legend && { legend }),
    ...pageSizeAsAsked(options),
    plane: planeChosen(scene, { plane }),
    marks,
  };
  return scenePage(scene, page);
}

/** Millimetres of the page. Throws if a length is not a length. */
export function pageSizeAsAsked({ page, width, height }: FigurePageOptions): Pick<PageOptions, 'width' | 'height'> {
  const [wide, high] = page === undefined ? [] : pages[page];
  const own = {
    width: width === undefined ? wide : millimetres('width', width),
    height: height === undefined ? high : millimetres('height', height),
  };
  return {
    ...(own.width !== undefined && { width: own.width }),
    ...(own.height !== undefined && { height: own.height }),
  };
}

/** `84mm`, `3.3in`, `240pt`. */
function millimetres(option: string, text: string): number {
  const length = millimetresIn(text);
  if (length !== undefined) return length;
  throw new UsageError(
    `--${option} '${text}' must be a length from ${smallestPage}mm to ${largestPage}mm. Example: 84mm, 3.3in or 240pt.`,
  );
}

const selections = 'node 5, link 3 7, or tasks 0 9; with several jobs: tasks heat:0 heat:9';

/** `node N`, `link FROM TO`, `tasks A B`: the flows there, as the panel shows them. */
function selected(scene: Scene, report: PlacementReport, text: string): Marks {
  if (scene.blocks !== undefined)
    throw new UsageError(`--select needs a diagram of all nodes; machine '${scene.machine}' is drawn in blocks.`);
  const [kind = '', ...words] = text.trim().split(/\s+/);
  if (kind === 'node' && words.length === 1) return aboutNode(scene, report, selectedNumber(text, words[0]!));
  if (kind === 'link' && words.length === 2) {
    return aboutLink(scene, report, text, selectedNumber(text, words[0]!), selectedNumber(text, words[1]!));
  }
  if (kind === 'tasks' && words.length === 2) {
    const [from, to] = [taskIn(report, text, words[0]!), taskIn(report, text, words[1]!)];
    const found = orUsageError(explainTasks(report, from, to));
    return wayMarks(scene, [{ weight: 1, route: found.route }], [from, to]);
  }
  throw new UsageError(`--select expects ${selections}, found '${text}'.`);
}

function aboutNode(scene: Scene, report: PlacementReport, node: number): Marks {
  const { partners } = orUsageError(explainNode(report, node));
  const most = partners.reduce((bytes, { sent, received }) => Math.max(bytes, sent + received), 1);
  const entries = entriesByNumber(scene.nodes);
  return {
    links: weighWays(partners.map(({ sent, received, route }) => ({ weight: (sent + received) / most, route }))),
    nodes: new Set([node, ...partners.map((partner) => partner.node)].flatMap((one) => entries.get(one) ?? [])),
  };
}

function aboutLink(scene: Scene, report: PlacementReport, text: string, from: number, to: number): Marks {
  const { links } = report.machine.topology;
  const all = Array.from({ length: links.routerLinkCount }, (_, link) => link);
  const link = all.find((one) => links.from[one] === from && links.to[one] === to);
  if (link === undefined) throw new UsageError(`No link from ${from} to ${to}. Use --select ${text}.`);
  const { flows } = orUsageError(explainLink(report, link, neverCancelled));
  const ways = flows.map(({ share, route }) => ({ weight: share, route }));
  const own = { weight: 1, route: [{ link, share: 1 }] };
  return wayMarks(
    scene,
    [own, ...ways],
    flows.flatMap(({ job, from: sender, to: receiver }) => [
      { job, task: sender },
      { job, task: receiver },
    ]),
  );
}

interface Task {
  readonly job: number;
  readonly task: number;
}

function wayMarks(
  scene: Scene,
  ways: readonly { readonly weight: number; readonly route: Way }[],
  ends: readonly Task[],
): Marks {
  const entries = new Map<string, number>();
  const { taskStart, task, taskJob, id } = scene.nodes;
  id.forEach((_, entry) => {
    for (let place = taskStart[entry]!; place < taskStart[entry + 1]!; place++) {
      entries.set(`${taskJob[place]!}:${task[place]!}`, entry);
    }
  });
  return {
    links: weighWays(ways),
    nodes: new Set(ends.flatMap(({ job, task: number }) => entries.get(`${job}:${number}`) ?? [])),
  };
}

function selectedNumber(text: string, word: string): number {
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw new UsageError(`--select expects ${selections}, found '${text}'.`);
}

/** `9`, of the first job, or `heat:9`. */
function taskIn({ jobs }: PlacementReport, text: string, word: string): Task {
  const [, name, number = ''] = /^(?:(.+):)?(\d{1,9})$/.exec(word) ?? [];
  const job = name === undefined ? 0 : jobs.findIndex((one) => one.job.name === name);
  if (job < 0) throw new UsageError(`No job '${name ?? ''}' in this placement. Use --select ${text}.`);
  return { job, task: selectedNumber(text, number) };
}

function orUsageError<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new UsageError(result.failure.message);
}
