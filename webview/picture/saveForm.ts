/**
 * The form in which one says what is saved of a picture or figure, the same in every panel: the kind of file, colours, size of the
 * page, legend, labels and part. What is shown is what is saved; the file is made here and goes to the host.
 */
import { planeChosen, type Choices } from '../../server/drawing/choices.ts';
import { labelKinds } from '../../server/drawing/labels.ts';
import type { Marks } from '../../server/drawing/marks.ts';
import { millimetresIn, pageNames, pages, type PageName } from '../../server/drawing/pageSizes.ts';
import { writePdf } from '../../server/drawing/paper/pdf.ts';
import { scenePage, type LegendChoice } from '../../server/drawing/renderSvg.ts';
import type { LabelKind, Scene } from '../../server/drawing/scene.ts';
import { writeSvg, type SvgPage } from '../../server/drawing/svg.ts';
import type { ThemeName } from '../../server/drawing/themes.ts';
import { toBase64 } from '../../server/protocol/encoding.ts';
import type { SavedExtension } from '../../server/protocol/savedFile.ts';
import { button, field, make, primary, selection, type Selection } from '../page/controls.ts';
import { readTheme } from '../page/theme.ts';
import { t } from '../page/words.ts';
import { labelNames } from './choices.ts';
import { pngOf } from './picture.ts';

/** What one has said; sizes in millimetres, absent where the page is as large as it wants to be. */
export interface SaveWishes {
  readonly theme: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly legend: LegendChoice;
  /** As in the picture where it is absent. */
  readonly labels?: LabelKind;
  /** Only what is in sight. */
  readonly isPart: boolean;
}

/** What can be saved of what is shown now. */
export interface SaveOffer {
  /** Rows as text, where there are any. */
  readonly csv?: () => string;
  /** Absent where there are rows alone. */
  readonly page?: (wishes: SaveWishes) => SvgPage;
  /** Of a picture: what can stand in its nodes. Figures have labels of their own. */
  readonly labels?: readonly LabelKind[];
  /** It can be zoomed into, so that there is a part of it that is in sight. */
  readonly hasParts?: boolean;
}

export interface SaveForm {
  /** Rows alone are saved at once. */
  readonly open: () => void;
  /** What is shown as a PNG, without asking. */
  readonly savePng: () => void;
}

interface SaveActions {
  /** Undefined while nothing is shown. */
  readonly offer: () => SaveOffer | undefined;
  readonly save: (extension: SavedExtension, data: string) => void;
  /** What goes wrong without the form. */
  readonly failed: (message: string) => void;
}

const formatNames: Readonly<Record<SavedExtension, string>> = {
  svg: t('SVG: for the web and drawing programs'),
  pdf: t('PDF: with embedded fonts, for papers'),
  png: t('PNG: pixels, for slides'),
  csv: t('CSV: the numbers'),
};

type Size = 'natural' | 'width' | PageName;
const sizeNames: readonly (readonly [Size, string])[] = [
  ['natural', t('natural size')],
  ['width', t('width')],
  ...pageNames.map((name): readonly [Size, string] => {
    const [width, height] = pages[name];
    return [name, `${name.replace(/^./, (letter) => letter.toUpperCase())}, ${width} × ${height} mm`];
  }),
];
/** A column of most journals. */
const columnWidth = '84 mm';

export function createSaveForm({ offer, save, failed }: SaveActions): SaveForm {
  const ignore = (): void => undefined;
  const [format, colours, size] = [
    selection(t('Format'), adapt),
    selection(t('Colours'), ignore),
    selection(t('Page'), adapt),
  ];
  const [legend, labels, part] = [
    selection(t('Legend'), ignore),
    selection(t('Node labels'), ignore),
    selection(t('Part'), ignore),
  ];
  const width = make('input', {
    type: 'text',
    size: '9',
    spellcheck: 'false',
    title: t('Length, for example 84 mm, 3.3 in or 240 pt'),
  });
  width.value = columnWidth;
  const widthField = field(t('Width'), width);
  const fault = make('p', { class: 'fault', role: 'alert', hidden: '' });
  const dialog = make('dialog', { class: 'save', 'aria-label': t('Save image') });
  const form = make(
    'form',
    { method: 'dialog' },
    make('h2', {}, t('Save image')),
    ...[format, colours, size].map(({ element }) => element),
    widthField,
    ...[legend, labels, part].map(({ element }) => element),
    fault,
    make(
      'div',
      { class: 'actions' },
      primary(t('Save …'), () => {
        form.requestSubmit();
      }),
      button(t('Cancel'), t('Cancel'), () => {
        dialog.close();
      }),
    ),
  );
  dialog.append(form);
  document.body.append(dialog);
  let offered: SaveOffer = {};

  /** Only what has a meaning for the chosen kind of file is asked. */
  function adapt(): void {
    const isRows = format.value === 'csv';
    const isScene = offered.labels !== undefined && !isRows;
    for (const each of [colours, size]) each.element.hidden = isRows;
    for (const each of [legend, labels]) each.element.hidden = !isScene;
    part.element.hidden = isRows || offered.hasParts !== true;
    widthField.hidden = isRows || size.value !== 'width';
    fault.hidden = true;
  }

  function wishes(): SaveWishes {
    const [wide, high] = size.value in pages ? pages[size.value as PageName] : [];
    const own = size.value === 'width' ? millimetresIn(width.value) : wide;
    return {
      ...resolved(colours.value),
      ...(own !== undefined && { width: own }),
      ...(high !== undefined && { height: high }),
      legend: legend.value as LegendChoice,
      ...(labels.value !== '' && { labels: labels.value as LabelKind }),
      isPart: part.value === 'sight' && offered.hasParts === true,
    };
  }

  function tell(problem: string): void {
    fault.hidden = false;
    fault.textContent = problem;
  }

  async function submit(): Promise<void> {
    const isBad = size.value === 'width' && !widthField.hidden && millimetresIn(width.value) === undefined;
    width.setAttribute('aria-invalid', String(isBad));
    if (isBad) {
      tell(t('Invalid width. Write 30 mm to 5 m, for example 84 mm, 3.3 in or 240 pt.'));
      width.focus();
      return;
    }
    const extension = format.value as SavedExtension;
    try {
      save(extension, await fileContent(extension, offered, wishes()));
      dialog.close();
    } catch (problem) {
      tell(saveReason(problem));
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  // Escape closes the form and leaves the picture as it is.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
  });
  return {
    open() {
      const now = offer();
      if (now === undefined || dialog.open) return;
      offered = now;
      if (now.page === undefined) {
        if (now.csv !== undefined) save('csv', now.csv());
        return;
      }
      fillSaveForm(now, { format, colours, size, legend, labels, part });
      adapt();
      dialog.showModal();
    },
    savePng() {
      const now = offer();
      if (now?.page === undefined) return;
      fileContent('png', now, { ...resolved('editor'), legend: 'full', isPart: false }).then(
        (data) => {
          save('png', data);
        },
        (problem: unknown) => {
          failed(saveReason(problem));
        },
      );
    },
  };
}

const resolved = (colours: string): Pick<SaveWishes, 'theme'> => ({
  theme: colours === 'light' || colours === 'dark' ? colours : readTheme().isDark ? 'dark' : 'light',
});

async function fileContent(extension: SavedExtension, offered: SaveOffer, wishes: SaveWishes): Promise<string> {
  if (extension === 'csv') return offered.csv!();
  return savedFileContent(extension, offered.page!(wishes));
}

const saveReason = (problem: unknown): string =>
  problem instanceof Error ? problem.message : t('The image could not be saved.');

type Lists = Readonly<Record<'format' | 'colours' | 'size' | 'legend' | 'labels' | 'part', Selection>>;

/** What was chosen the last time is chosen still. */
function fillSaveForm({ csv, labels: kinds }: SaveOffer, { format, colours, size, legend, labels, part }: Lists): void {
  const formats: readonly SavedExtension[] = csv === undefined ? ['svg', 'pdf', 'png'] : ['svg', 'pdf', 'png', 'csv'];
  const offer = (list: Selection, options: readonly (readonly [string, string])[]): void => {
    const isThere = options.some(([value]) => value === list.value);
    list.set(options, isThere ? list.value : (options[0]?.[0] ?? ''));
  };
  offer(
    format,
    formats.map((extension) => [extension, formatNames[extension]]),
  );
  offer(colours, [
    ['editor', t('editor theme')],
    ['light', t('light theme')],
    ['dark', t('dark theme')],
  ]);
  offer(size, kinds === undefined ? sizeNames.slice(0, 2) : sizeNames);
  offer(legend, [
    ['full', t('title, metrics and scale')],
    ['scale', t('jobs and scale')],
    ['none', t('without')],
  ]);
  offer(labels, [['', t('as shown')], ...(kinds ?? []).map((kind) => [kind, labelNames[kind]] as const)]);
  offer(part, [
    ['all', t('whole diagram')],
    ['sight', t('visible part')],
  ]);
}

/** What of a picture is on the screen. */
export interface PictureShown {
  readonly marks: Marks | undefined;
  /** The part of the world that is in sight. */
  readonly sight: Scene['bounds'];
}

/** A picture as it is on the screen: what is selected and kept comes out of it as there. */
export const offerOfPicture = (scene: Scene, choices: Choices, shown: PictureShown): SaveOffer => ({
  labels: labelKinds(scene),
  hasParts: true,
  page: ({ theme, width, height, legend, labels, isPart }) =>
    scenePage(labels === undefined ? scene : { ...scene, labels }, {
      theme,
      legend,
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      plane: planeChosen(scene, choices),
      marks: shown.marks,
      view: isPart ? shown.sight : undefined,
    }),
});

/** Pixels of a PNG for each of the page: sharp on a slide. */
const density = 2;
/** Pixels for each of a page that has measures of print: 600 to an inch, as far as a browser makes pictures so large. */
const printDensity = 600 / 96;
const mostPixels = 12_000;

/** The content of the file: SVG as text, PDF and PNG as base64. The browser paints the PNG from the SVG, so all look alike. */
async function savedFileContent(extension: Exclude<SavedExtension, 'csv'>, page: SvgPage): Promise<string> {
  switch (extension) {
    case 'svg':
      return writeSvg(page);
    case 'pdf':
      return toBase64(await writePdf(page, deflate));
    case 'png':
      return paintedPng(page);
  }
}

/** As zlib does. */
async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const compressed = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

async function paintedPng(page: SvgPage): Promise<string> {
  const isPrint = String(page.root.attributes['width']).endsWith('mm');
  const wanted = isPrint ? printDensity : density;
  const scale = Math.min(wanted, mostPixels / Math.max(page.width, page.height));
  const image = new Image();
  const loaded = new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => {
      reject(new Error(t('The browser could not render the image.')));
    };
  });
  image.src = `data:image/svg+xml;base64,${toBase64(new TextEncoder().encode(writeSvg(page)))}`;
  await loaded;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(page.width * scale);
  canvas.height = Math.ceil(page.height * scale);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}
