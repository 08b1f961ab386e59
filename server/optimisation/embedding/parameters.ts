/**
 * The numbers of embedding that were chosen by trying, and what each counts.
 *
 * In per cent of hop-bytes above what the numbers as they are come to, mean and standard error over eight families of
 * graphs (`npm run bench -- sensitivity`), for the best variant on 504 nodes filled and filled to 60 %, one seed (of
 * `kept`, `leastShare` and `ballCentres` two or three), `leastShare` being 0.3 for the others. `same`: no mapping
 * changes.
 *
 * | number                |       halved |      doubled |
 * | --------------------- | -----------: | -----------: |
 * | turnsPerVariant       |  0.22 ± 0.27 | −0.17 ± 0.24 |
 * | variantsOfFirst       |  0.18 ± 0.10 | −0.47 ± 0.22 |
 * | fewestAxes            |         same |  0.21 ± 0.31 |
 * | mostAxes              | −0.10 ± 0.21 | −0.18 ± 0.21 |
 * | mostLandmarks         |  0.34 ± 0.46 |  0.38 ± 0.46 |
 * | fewestLandmarks       |         same |         same |
 * | edgeVisitsOfLandmarks |         same |         same |
 * | smoothingRounds       |  0.05 ± 0.58 |  0.40 ± 0.40 |
 * | kept                  |  2.36 ± 0.50 | −2.36 ± 0.63 |
 * | siteLandmarks         |  0.83 ± 0.36 |  0.86 ± 0.61 |
 * | siteAxes              |  2.08 ± 0.50 | −0.20 ± 0.28 |
 * | leastShare            |        −0.36 |  1.28 ± 0.20 |
 * | edgeVisitsOfSmoothing |         same |         same |
 * | patience              |  1.20 ± 0.86 | −0.09 ± 0.09 |
 * | ballCentres           | −0.06 ± 0.04 |  0.05 ± 0.05 |
 * | sitesOfBalls          |         same |         same |
 * | boxCentres            |         same |         same |
 * | stepsOfBoxes          |         same |         same |
 * | stepsOfBox            |         same |         same |
 *
 * `kept` at 0.4 is up to 2.5 % dearer for geometric graphs and 1.1 % for meshes of elements on tori, so it stays.
 * `leastShare` at 0 comes to −0.66 here, and to 0.3 to 0.5 for those on random networks. Edge visits, steps and sites
 * bound the time of large jobs.
 */
interface EmbeddingParameters {
  /** Turns of the tasks against the sites, of which each variant refines the best. */
  readonly turnsPerVariant: number;
  /** Variants for the space of tasks that promises most; the others have one each. */
  readonly variantsOfFirst: number;
  /** Axes of the coordinates that the graph of the tasks gives. */
  readonly fewestAxes: number;
  readonly mostAxes: number;
  /** Tasks that distances are taken from, at most and at least, and edge visits of all these searches: 100 ms. */
  readonly mostLandmarks: number;
  readonly fewestLandmarks: number;
  readonly edgeVisitsOfLandmarks: number;
  /** Rounds in which tasks move towards their partners: distances in edges are whole numbers, which tie. */
  readonly smoothingRounds: number;
  /** How much of its own coordinate a task keeps in each: with nothing of it, bipartite graphs swing to and fro. */
  readonly kept: number;
  /** Sites that distances are taken from where a network has no coordinates, and the axes that are made of them. */
  readonly siteLandmarks: number;
  readonly siteAxes: number;
  /** No half of a cut in a gap has less than this share of the sites, unless there are only two or three. */
  readonly leastShare: number;
  /** Edge visits that all smoothing of a refinement may take, 200 ms; a graph with more edges gets fewer rounds. */
  readonly edgeVisitsOfSmoothing: number;
  /** Bisections without a gain after which a refinement ends. */
  readonly patience: number;
  /** Sites tried as the middle of a job with fewer tasks than places; and their number times all sites, at most. */
  readonly ballCentres: number;
  readonly sitesOfBalls: number;
  /** Sites tried as the middle of a box; steps of growing all boxes, and of growing one where none is tried. */
  readonly boxCentres: number;
  readonly stepsOfBoxes: number;
  readonly stepsOfBox: number;
}

export const embeddingParameters: EmbeddingParameters = {
  turnsPerVariant: 12,
  variantsOfFirst: 3,
  fewestAxes: 3,
  mostAxes: 6,
  mostLandmarks: 24,
  fewestLandmarks: 6,
  edgeVisitsOfLandmarks: 2 ** 25,
  smoothingRounds: 8,
  kept: 0.2,
  siteLandmarks: 64,
  siteAxes: 16,
  leastShare: 0.15,
  edgeVisitsOfSmoothing: 2 ** 27,
  patience: 4,
  ballCentres: 32,
  sitesOfBalls: 2 ** 21,
  boxCentres: 8,
  stepsOfBoxes: 2 ** 24,
  stepsOfBox: 2 ** 26,
};
