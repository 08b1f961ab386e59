/** The colours of the picture: those of the editor, and our own for what the editor has none for. */
import type { Scene } from '../../server/drawing/scene.ts';
import { lineColors } from '../../server/drawing/strokes.ts';
import { ownColors, type OwnColors } from '../../server/drawing/themes.ts';

/** The editor's colours, read from the CSS variables that it gives every webview. */
export interface Theme extends OwnColors {
  readonly background: string;
  readonly foreground: string;
  readonly faint: string;
  readonly focus: string;
  readonly isDark: boolean;
  readonly highContrast: boolean;
  readonly font: string;
}

/** High contrast: two colours, and grey for what carries nothing. */
const contrastColors = (foreground: string, background: string): OwnColors => ({
  nodeOutline: foreground,
  freeNode: background,
  unusedLink: '#808080',
  router: background,
  routerOutline: foreground,
  area: background,
  arrow: foreground,
  grid: '#606060',
});

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  const { isDark, highContrast } = kindOfTheme(document.body.classList);
  const foreground = read('--vscode-editor-foreground', isDark ? '#cccccc' : '#1b1f24');
  const background = read('--vscode-editor-background', isDark ? '#1f1f1f' : '#ffffff');
  return {
    background,
    foreground,
    faint: highContrast ? foreground : read('--vscode-descriptionForeground', isDark ? '#9d9d9d' : '#57606a'),
    focus: read('--vscode-focusBorder', isDark ? '#4daafc' : '#005fb8'),
    ...(highContrast ? contrastColors(foreground, background) : ownColors[isDark ? 'dark' : 'light']),
    isDark,
    highContrast,
    font: read('--vscode-font-family', 'system-ui, sans-serif'),
  };
}

/** The class that the editor sets on the body; without one (a browser alone) it is a light theme. */
function kindOfTheme(classes: DOMTokenList): { readonly isDark: boolean; readonly highContrast: boolean } {
  const lightContrast = classes.contains('vscode-high-contrast-light');
  const highContrast = lightContrast || classes.contains('vscode-high-contrast');
  return { isDark: !lightContrast && (highContrast || classes.contains('vscode-dark')), highContrast };
}

/** Calls back whenever the editor changes its theme. */
export function watchTheme(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
}

/** The scale of loads, or of their changes, for this background. */
export const loadColorsFor = (scene: Scene, theme: Theme): readonly string[] => lineColors(scene, theme.isDark);
