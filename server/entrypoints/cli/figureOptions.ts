/** What the user may say of a figure of an experiment: known to the command line before any code of figures is loaded. */

import type { TrafficChoice } from '../../drawing/figures/traffic.ts';
import type { PageName } from '../../drawing/pageSizes.ts';
import type { LegendChoice } from '../../drawing/renderSvg.ts';
import type { LabelKind, LoadMeasure, LoadScale, Projection } from '../../drawing/scene.ts';
import type { ThemeName } from '../../drawing/themes.ts';
import type { FormName } from '../../model/experiment.ts';

/** What the user may say of the figure. */
export interface FigureOptions {
  readonly figure?: string;
  readonly metric?: string;
  readonly point?: string;
  readonly replication?: number;
  readonly time?: number;
  readonly between?: { readonly from: number; readonly to: number };
  readonly short?: true;
  readonly middle?: true;
}

/** Which form of an experiment is meant; the whole where none is named. */
export const formOf = ({ short, middle }: Pick<FigureOptions, 'short' | 'middle'>): FormName | undefined =>
  short ? 'short' : middle ? 'middle' : undefined;

/** Figures by the names that the panel has for them. */
export const figureNames = ['results', 'jobs', 'machine', 'queue'] as const;
/** Figures of any placement: how its search went, and who sends how much to whom. */
export const placementFigureNames = ['search', 'traffic'] as const;

/** What the user may say of the heat map of traffic. */
export interface TrafficOptions {
  readonly by?: TrafficChoice['by'];
  readonly order?: TrafficChoice['order'];
  readonly scale?: TrafficChoice['scale'];
}
export const trafficOptions = ['by', 'order', 'scale'] as const satisfies readonly (keyof TrafficOptions)[];

/** What goes with one kind of figure alone. */
export const optionsOf: Readonly<Record<(typeof figureNames)[number], readonly (keyof FigureOptions)[]>> = {
  results: ['metric'],
  jobs: ['point', 'replication', 'between'],
  machine: ['point', 'replication', 'time'],
  queue: ['point', 'replication'],
};

export const figureOptions = [
  'figure',
  'metric',
  'point',
  'replication',
  'time',
  'between',
  'short',
  'middle',
] as const satisfies readonly (keyof FigureOptions)[];

/** What the user may say of the picture of a placement or a machine. */
export interface PictureOptions {
  readonly theme?: ThemeName;
  readonly labels?: LabelKind;
  readonly layout?: Projection;
  readonly plane?: number;
  readonly scale?: LoadScale['kind'];
  readonly measure?: LoadMeasure;
  readonly maximum?: string;
  readonly select?: string;
  readonly legend?: LegendChoice;
  readonly page?: PageName;
  readonly width?: string;
  readonly height?: string;
}
/** The page of a figure, and its colours. */
export type FigurePageOptions = Pick<PictureOptions, 'theme' | 'page' | 'width' | 'height'>;
export const figurePageOptions = [
  'theme',
  'page',
  'width',
  'height',
] as const satisfies readonly (keyof FigurePageOptions)[];
export const pictureOptions = [
  ...([
    'theme',
    'labels',
    'layout',
    'plane',
    'measure',
    'scale',
    'maximum',
    'select',
    'legend',
    'page',
    'width',
    'height',
  ] as const),
] satisfies readonly (keyof PictureOptions)[];
export const labelNames = ['task', 'node', 'host', 'coordinates'] as const satisfies readonly LabelKind[];
export const measureNames = ['bytes', 'capacity'] as const satisfies readonly LoadMeasure[];
export const legendNames = ['full', 'scale', 'none'] as const satisfies readonly LegendChoice[];
