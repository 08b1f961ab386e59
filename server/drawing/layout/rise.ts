/** Between rows at the least, and more the wider they are, so that cables are not all flat. */
const leastRise = 0.9;
const risePerWidth = 0.05;
/** At the most: further apart, rows would be hard to see as one picture. */
const mostPerWidth = 0.2;
/** Rows move apart until the picture is only so many times as wide as high, like the room that a panel has. */
const proportion = 1.6;

/** Free space between rows of a picture `width` wide whose `rows` rows alone are `height` high. */
export function riseOf(width: number, height: number, rows: number): number {
  const least = leastRise + risePerWidth * width;
  if (rows < 2) return least;
  const filling = (width / proportion - height) / (rows - 1);
  return Math.max(least, Math.min(filling, mostPerWidth * width));
}
