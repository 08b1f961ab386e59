
/**
 * Logarithm and exponential from additions, multiplications and divisions alone. Those are rounded
 * exactly the same everywhere; `Math.log` and `Math.exp` are left to the engine, and one last bit of
 * difference would send a search elsewhere on another machine.
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
