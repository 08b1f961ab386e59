/**
 * One axis of a grid of one-ohm cables whose two terminals are as far apart along every axis as that axis
 * allows: on a line its ends, on a ring (of even length) two opposite routers. The shortest routes between
 * two routers of a torus or mesh fill such a grid under minimal routing.
 */
export interface AxisStretch {
  /** Routers along the axis. */
  readonly length: number;
  readonly isRing: boolean;
}

/**
 * Spectral form of the resistance, Σ |φ(from) − φ(to)|² / λ over the eigenvectors φ of the Laplacian
 * (Klein and Randić 1993, Resistance distance). Those of a product are products: on a line of n routers
 * cos(πi(x + 1/2)/n) with λ = 2 − 2 cos(πi/n), on a ring of n the waves with λ = 2 − 2 cos(2πk/n). From one
 * end to the other each changes sign or not with its index, so a mode with an even sum of indices has
 * nothing to say and one with an odd sum 4 |φ(from)|² / λ. O(routers of the stretch).
 */
export function stretchResistance(axes: readonly AxisStretch[]): number {
  const spectra = axes.filter(({ length }) => length > 1).map(spectrumOf);
  const sumFrom = (axis: number, weight: number, eigenvalue: number, isOdd: boolean): number => {
    if (axis === spectra.length) return isOdd ? (4 * weight) / eigenvalue : 0;
    const { weights, eigenvalues } = spectra[axis]!;
    let sum = 0;
    for (let mode = 0; mode < weights.length; mode++) {
      sum += sumFrom(axis + 1, weight * weights[mode]!, eigenvalue + eigenvalues[mode]!, isOdd !== (mode % 2 === 1));
    }
    return sum;
  };
  return sumFrom(0, 1, 0, false);
}

interface Spectrum {
  /** |φ|² at the end of the axis, by mode. */
  readonly weights: Float64Array;
  readonly eigenvalues: Float64Array;
}

function spectrumOf({ length, isRing }: AxisStretch): Spectrum {
  const weights = new Float64Array(length);
  const eigenvalues = new Float64Array(length);
  for (let mode = 0; mode < length; mode++) {
    const angle = (Math.PI * mode) / length;
    // 2 − 2 cos 2a is 4 sin² a, which does not cancel.
    eigenvalues[mode] = 4 * Math.sin(isRing ? angle : angle / 2) ** 2;
    weights[mode] = isRing ? 1 / length : (mode === 0 ? 1 : 2) * (Math.cos(angle / 2) ** 2 / length);
  }
  return { weights, eigenvalues };
}
