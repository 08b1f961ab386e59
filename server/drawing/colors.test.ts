import { describe, expect, it } from 'vitest';
import { jobColor, loadColors, loadColorsOnDark, loadStep, readableOn } from './colors.ts';

const channels = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255);

/** Relative luminance, WCAG 2. */
function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Contrast ratio, WCAG 2. */
function contrast(first: string, second: string): number {
  const [low, high] = [luminance(first), luminance(second)].sort((one, other) => one - other);
  return (high! + 0.05) / (low! + 0.05);
}

describe('job colours', () => {
  it('are all different for 21 jobs, then come round', () => {
    const colors = Array.from({ length: 22 }, (_, position) => jobColor(position));
    expect(new Set(colors).size).toBe(21);
    expect(colors[21]).toBe(colors[0]);
    for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  });

  it('carry readable labels', () => {
    for (let position = 0; position < 21; position++) {
      const color = jobColor(position);
      expect(contrast(color, readableOn(color))).toBeGreaterThan(4.5);
    }
  });
});

describe('load colours', () => {
  it('stand out more the heavier the link, even in grey', () => {
    const onLight = loadColors.map((color) => contrast(color, '#ffffff'));
    const onDark = loadColorsOnDark.map((color) => contrast(color, '#1f1f1f'));
    for (const contrasts of [onLight, onDark]) {
      expect(contrasts).toEqual([...contrasts].sort((first, second) => first - second));
      expect(contrasts.at(-1)).toBeGreaterThan(7);
    }
  });

  it.each([
    [0, 100, 0],
    [100, 100, 9],
    [50, 100, 5],
    [4, 100, 0],
    [7, 0, 0],
  ])('a load of %d with maximum %d is step %d', (load, maximum, step) => {
    expect(loadStep(load, maximum, 10)).toBe(step);
  });
});
