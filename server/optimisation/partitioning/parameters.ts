/** The numbers of partitioning that were chosen by trying. The evidence is told with each. */
export interface PartitioningParameters {
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
