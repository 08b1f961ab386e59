/**
 * Elementary functions from additions, multiplications, divisions and square roots alone. Those are rounded
 * exactly the same everywhere; `Math.log`, `Math.exp` and their like are left to the engine, and one last bit of
 * difference would send a search elsewhere on another machine. With them normal deviates, which are made of two.
 */

const logarithmOfTwo = 0.6931471805599453;

/** Natural logarithm of a finite x > 0; right to about 15 digits. */
export function logarithm(x: number): number {
  let mantissa = x;
  let exponent = 0;
  for (; mantissa >= 1.5; exponent++) mantissa /= 2;
  for (; mantissa < 0.75; exponent--) mantissa *= 2;
  // ln m = 2 artanh z with |z| <= 1/5: 5^-24 is beyond the last bit.
  const z = (mantissa - 1) / (mantissa + 1);
  let power = z;
  let sum = 0;
  for (let degree = 1; degree <= 23; degree += 2) {
    sum += power / degree;
    power *= z * z;
  }
  return 2 * sum + exponent * logarithmOfTwo;
}

/** e^x for |x| up to 700; right to about 12 digits. */
export function exponential(x: number): number {
  // (e^(x / 1024))^1024, the inner one by its series.
  const part = x / 1024;
  let term = 1;
  let result = 1;
  for (let degree = 1; degree <= 20; degree++) {
    term *= part / degree;
    result += term;
  }
  for (let squaring = 0; squaring < 10; squaring++) result *= result;
  return result;
}

/** √(x² + y²) without overflow. */
export function hypotenuse(x: number, y: number): number {
  const [a, b] = [Math.abs(x), Math.abs(y)];
  const larger = Math.max(a, b);
  if (larger === 0 || larger === Infinity) return larger;
  const ratio = Math.min(a, b) / larger;
  return larger * Math.sqrt(1 + ratio * ratio);
}

/** A quarter of a turn in two parts, of which whole multiples of the first are exact (Cody and Waite 1980). */
const quarterTurn = 1.5707963267341256;
const quarterTurnRest = 6.077100506506192e-11;

/** cos x for |x| up to 10⁵; right to about 15 digits of 1. */
export function cosine(x: number): number {
  const quarters = Math.round(x / (quarterTurn + quarterTurnRest));
  const rest = x - quarters * quarterTurn - quarters * quarterTurnRest;
  const turned = quarters - 4 * Math.floor(quarters / 4);
  const value = turned % 2 === 0 ? series(rest, 1, 0) : series(rest, rest, 1);
  return turned === 1 || turned === 2 ? -value : value;
}

/** sin x for |x| up to 10⁵; right to about 15 digits, of its own near 0. */
export function sine(x: number): number {
  const quarters = Math.round(x / (quarterTurn + quarterTurnRest));
  const rest = x - quarters * quarterTurn - quarters * quarterTurnRest;
  const turned = quarters - 4 * Math.floor(quarters / 4);
  const value = turned % 2 === 0 ? series(rest, rest, 1) : series(rest, 1, 0);
  return turned >= 2 ? -value : value;
}

/** `first` − first · x² / ((degree + 1)(degree + 2)) + …: the series of cosine and sine for |x| up to π/4. */
function series(x: number, first: number, degree: number): number {
  let term = first;
  let sum = first;
  for (let power = degree + 2; power <= 20; power += 2) {
    term *= -(x * x) / (power * (power - 1));
    sum += term;
  }
  return sum;
}

/** The inverse of the hyperbolic cosine, for x ≥ 1. */
export const inverseHyperbolicCosine = (x: number): number =>
  x > 1e8 ? logarithm(x) + logarithmOfTwo : logarithm(x + Math.sqrt(x * x - 1));

/** For |x| up to 700; right to about 12 digits. */
export const hyperbolicCosine = (x: number): number => (exponential(x) + exponential(-x)) / 2;

/** base · base · …, `exponent` ≥ 0 factors; exact where the result and all products before it are. */
export function wholePower(base: number, exponent: number): number {
  let power = 1;
  for (let factor = 0; factor < exponent; factor++) power *= base;
  return power;
}

/**
 * The root of whole degree ≥ 1 of x ≥ 0; right to about 15 digits: one step of Newton's method from the logarithm's.
 */
export function root(x: number, degree: number): number {
  if (x === 0 || degree === 1) return x;
  const near = exponential(logarithm(x) / degree);
  const below = wholePower(near, degree - 1);
  return near - (near * below - x) / (degree * below);
}

/** A normal deviate of mean 0 and variance 1 from two numbers drawn from [0, 1) (Box and Muller 1958). */
export const normalDeviate = (random: { fraction(): number }): number =>
  Math.sqrt(-2 * logarithm(1 - random.fraction())) * cosine(2 * Math.PI * random.fraction());

/** An exponential deviate of mean 1. 1 − u is above 0, so that the logarithm is finite. */
export const exponentialDeviate = (random: { fraction(): number }): number => -logarithm(1 - random.fraction());

/** x^exponent for x ≥ 0, 0 where it is too small for a number. */
export function positivePower(x: number, exponent: number): number {
  if (x <= 0) return 0;
  const log = exponent * logarithm(x);
  return log < -700 ? 0 : exponential(Math.min(log, 700));
}

/**
 * A gamma deviate of scale 1, so of mean `shape` (Marsaglia and Tsang 2000). Shapes below 1 are drawn at shape + 1 and
 * taken down, section 6 there.
 */
export function gammaDeviate(shape: number, random: { fraction(): number }): number {
  if (shape < 1) return gammaDeviate(shape + 1, random) * positivePower(1 - random.fraction(), 1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normalDeviate(random);
    const v = 1 + c * x;
    if (v <= 0) continue;
    const cube = v * v * v;
    if (logarithm(1 - random.fraction()) < (x * x) / 2 + d - d * cube + d * logarithm(cube)) return d * cube;
  }
}
