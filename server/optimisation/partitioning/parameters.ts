/**
 * The numbers of partitioning that were chosen by trying, and what each counts.
 *
 * In per cent of hop-bytes above what the numbers as they are come to, mean and standard error over eight families of
 * graphs (`npm run bench -- sensitivity`), for `drb` and `k-way` on nodes of 24 cores, and
 * on 504 nodes filled and filled to 60 %, one seed. `same`: no mapping changes.
 *
 * | number                     |       halved |      doubled |
 * | -------------------------- | -----------: | -----------: |
 * | sampledSites               | −0.42 ± 0.20 | −0.94 ± 0.30 |
 * | sampledSitesAtEnd          | −0.20 ± 0.18 | −0.05 ± 0.03 |
 * | nearPairs                  | −0.12 ± 0.22 |  0.08 ± 0.27 |
 * | improvedStarts             |  0.02 ± 0.14 | −0.36 ± 0.12 |
 * | improvements               | −0.80 ± 0.34 | −0.79 ± 0.32 |
 * | guideTolerance             | −0.04 ± 0.07 |  0.11 ± 0.06 |
 * | mostNaturalParts           |         same |         same |
 * | coarsestVertices           | −0.05 ± 0.59 | −0.08 ± 0.44 |
 * | mostOfMeanSize             |  0.06 ± 0.52 | −0.10 ± 0.46 |
 * | leastShrinking             |  0.26 ± 0.66 |         same |
 * | enoughMatched              |  0.07 ± 0.29 |  0.39 ± 0.28 |
 * | grownHalves                |  0.78 ± 0.37 | −0.35 ± 0.20 |
 * | movesWithoutGain           |  0.11 ± 0.12 |  0.00 ± 0.00 |
 * | verticesPerMoveWithoutGain |         same |         same |
 * | mostPlacesOfLeaf           |  0.03 ± 0.11 |  0.10 ± 0.17 |
 * | refinedPartners            |  0.12 ± 0.06 | −0.09 ± 0.03 |
 * | mostSamples                | −0.51 ± 0.29 | −0.83 ± 0.25 |
 * | fewestSamples              |         same |         same |
 * | samplesOfLevel             |         same |         same |
 * | centres                    | −0.01 ± 0.10 |  0.05 ± 0.13 |
 *
 * What shows nothing bounds time, or acts on larger machines than these: natural parts, moves for many vertices,
 * samples. More samples gain a little and take more time.
 */
interface PartitioningParameters {
  /** Sites that stand for all when halves are improved and compared; and when the best halves are finished. */
  readonly sampledSites: number;
  readonly sampledSitesAtEnd: number;
  /** Pairs of sites next to each other that halves are begun from, beside one far pair; one where there is a guide. */
  readonly nearPairs: number;
  /** Halves of sites that are improved, and how often. */
  readonly improvedStarts: number;
  readonly improvements: number;
  /** Cutting along a guide may be worse by this share. */
  readonly guideTolerance: number;
  /** More natural parts than this are not looked for: cutting through one of so many costs little. */
  readonly mostNaturalParts: number;
  /** A graph of so few vertices is halved as it is. */
  readonly coarsestVertices: number;
  /** Tasks of a coarse vertex, at most, as a multiple of the mean size that the coarsest vertices have. */
  readonly mostOfMeanSize: number;
  /** Below this ratio of vertices a level is not worth what it costs. */
  readonly leastShrinking: number;
  /** Share of the vertices that heavy edges must have matched; else two hops are looked at as well. */
  readonly enoughMatched: number;
  /** Halves grown from random vertices that are tried, besides the one by pulls. */
  readonly grownHalves: number;
  /** Moves that may pass without anything better: so many, and one more for every so many vertices. */
  readonly movesWithoutGain: number;
  readonly verticesPerMoveWithoutGain: number;
  /** Places of a domain that is not halved further but assigned by exchanges. */
  readonly mostPlacesOfLeaf: number;
  /** Partners of a leaf, the busiest first, that it is refined with. */
  readonly refinedPartners: number;
  /** Sites that stand for a domain, at most and at least, and of all domains of a level together. */
  readonly mostSamples: number;
  readonly fewestSamples: number;
  readonly samplesOfLevel: number;
  /** Sites round which the tasks are tried to be gathered where there are more places than tasks. */
  readonly centres: number;
}

export const partitioningParameters: PartitioningParameters = {
  sampledSites: 64,
  sampledSitesAtEnd: 512,
  nearPairs: 3,
  improvedStarts: 2,
  improvements: 4,
  guideTolerance: 0.05,
  mostNaturalParts: 64,
  coarsestVertices: 100,
  mostOfMeanSize: 1.5,
  leastShrinking: 0.95,
  enoughMatched: 0.85,
  grownHalves: 4,
  movesWithoutGain: 50,
  verticesPerMoveWithoutGain: 32,
  mostPlacesOfLeaf: 8,
  refinedPartners: 4,
  mostSamples: 64,
  fewestSamples: 8,
  samplesOfLevel: 2048,
  centres: 12,
};
