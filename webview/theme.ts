import type { Scene } from '../server/drawing/scene.ts';

/** The editor's colours, read from the CSS variables that it gives every webview. */
export interface Theme {
  readonly background: string;
  readonly foreground: string;
  readonly faint: string;
  readonly focus: string;
  readonly nodeOutline: string;
  readonly freeNode: string;
  readonly unusedLink: string;
  readonly isDark: boolean;
  readonly highContrast: boolean;
  readonly font: string;
}

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  const { isDark, highContrast } = kindOfTheme(document.body.classList);
  const foreground = read('--vscode-editor-foreground', isDark ? '#cccccc' : '#1b1f24');
  return {
    background: read('--vscode-editor-background', isDark ? '#1f1f1f' : '#ffffff'),
    foreground,
    faint: highContrast ? foreground : read('--vscode-descriptionForeground', isDark ? '#9d9d9d' : '#57606a'),
    focus: read('--vscode-focusBorder', isDark ? '#4daafc' : '#005fb8'),
    nodeOutline: highContrast ? foreground : isDark ? '#0d0d0d' : '#3d444d',
    freeNode: highContrast ? (isDark ? '#000000' : '#ffffff') : isDark ? '#3a3d41' : '#ffffff',
    unusedLink: highContrast ? '#808080' : isDark ? '#45494f' : '#c9ced4',
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

/** The load scale for this background. */
export const loadColorsFor = (scene: Scene, theme: Theme): readonly string[] =>
  theme.isDark ? scene.loadLegend.colorsOnDark : scene.loadLegend.colors;
