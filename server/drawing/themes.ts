/** The colours of pictures, on light and on dark: of files, and in the panel of all that the editor has no colour for. */

/** What the editor has no colours for. */
export interface OwnColors {
  readonly nodeOutline: string;
  readonly freeNode: string;
  readonly unusedLink: string;
  /** Switches: neutral, so that no job is mistaken for them. */
  readonly router: string;
  readonly routerOutline: string;
  /** Patches behind levels, pods and groups. */
  readonly area: string;
  readonly arrow: string;
  /** Lines behind the curves of a diagram. */
  readonly grid: string;
}

export const ownColors: Readonly<Record<ThemeName, OwnColors>> = {
  light: {
    nodeOutline: '#3d444d',
    freeNode: '#ffffff',
    unusedLink: '#c9ced4',
    router: '#eceff2',
    routerOutline: '#57606a',
    area: '#f5f7f9',
    arrow: '#3d444d',
    grid: '#e3e7eb',
  },
  dark: {
    nodeOutline: '#0d0d0d',
    freeNode: '#3a3d41',
    unusedLink: '#45494f',
    router: '#2f343a',
    routerOutline: '#8b949e',
    area: '#26292e',
    arrow: '#d0d5db',
    grid: '#3a3d41',
  },
};

export const themeNames = ['light', 'dark'] as const;
export type ThemeName = (typeof themeNames)[number];

/** All colours of a file but those of jobs and loads. */
export interface PageTheme extends OwnColors {
  readonly paper: string;
  readonly ink: string;
  readonly faint: string;
  /** Of what is selected. */
  readonly focus: string;
  readonly isDark: boolean;
}

export const pageThemes: Readonly<Record<ThemeName, PageTheme>> = {
  light: { paper: '#ffffff', ink: '#1b1f24', faint: '#57606a', focus: '#005fb8', isDark: false, ...ownColors.light },
  dark: { paper: '#1f1f1f', ink: '#e6e6e6', faint: '#a8adb3', focus: '#4daafc', isDark: true, ...ownColors.dark },
};
