/**
 * The numbers of the closed forms for grids that were chosen by trying, and what each counts.
 *
 * In per cent of hop-bytes above what the numbers as they are come to, mean and standard error over eight pairs of
 * grids (`npm run bench -- sensitivity`), on tori and meshes. `same`: no mapping changes.
 *
 * | number               |       halved |      doubled |
 * | -------------------- | -----------: | -----------: |
 * | mostFoldings         |         same |         same |
 * | fewestFoldings       |         same |         same |
 * | edgeVisitsOfFoldings |         same |         same |
 * | beamWidth            | 12.37 ± 8.78 | −0.13 ± 2.02 |
 * | mostAlike            |  0.08 ± 0.08 |         same |
 * | mostKicks            |         same |         same |
 * | stepsOfKicks         |  6.51 ± 3.44 | −1.07 ± 0.66 |
 *
 * Twice `stepsOfKicks` makes twice the kicks of long axes. Foldings and alike ones bound the time of large jobs.
 */
interface GridParameters {
  /** Foldings of a grid that are costed, at most and at least, and edge visits of all of them. */
  readonly mostFoldings: number;
  readonly fewestFoldings: number;
  readonly edgeVisitsOfFoldings: number;
  /** Unfinished foldings kept at each length, and those of one cost, which mostly have axes exchanged. */
  readonly beamWidth: number;
  readonly mostAlike: number;
  /** Kicks of the order along one axis, at most, and what they may cost in cubes of its side. */
  readonly mostKicks: number;
  readonly stepsOfKicks: number;
}

export const gridParameters: GridParameters = {
  mostFoldings: 32,
  fewestFoldings: 4,
  edgeVisitsOfFoldings: 2 ** 22,
  beamWidth: 96,
  mostAlike: 2,
  mostKicks: 64,
  stepsOfKicks: 2 ** 18,
};
