/** The numbers of the closed forms for grids that were chosen by trying. The evidence is told with each. */
export interface GridParameters {
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
