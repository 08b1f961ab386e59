import { describe, expect, it } from 'vitest';
import { firstHotStep, jobColor, loadColors, loadColorsOnDark, readableOn } from './colors.ts';

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

/** Degrees on the circle of colours: red 0, yellow 60, green 120, blue 240. */
function hue(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most === least) return 240;
  const sixths =
    most === red
      ? (green - blue) / (most - least)
      : most === green
        ? 2 + (blue - red) / (most - least)
        : 4 + (red - green) / (most - least);
  return (360 + 60 * sixths) % 360;
}

describe('nodes and links', () => {
  it('do not share their colours: nodes are cool, hot links warm', () => {
    for (let position = 0; position < 7; position++) expect(hue(jobColor(position))).toBeGreaterThan(150);
    for (const scale of [loadColors, loadColorsOnDark]) {
      for (const color of scale.slice(firstHotStep)) {
        expect(hue(color) < 60 || hue(color) > 345).toBe(true);
      }
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
});
