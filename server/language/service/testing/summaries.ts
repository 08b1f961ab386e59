import { asNodeId } from '../../../model/identifiers.ts';
import type { HotLinkOutline, PlacementOutline, StudySummary } from '../../../study/report.ts';

export const hotLink: HotLinkOutline = {
  from: 5,
  to: 6,
  fromName: '5',
  toName: '6',
  load: 128 * 1024,
  timesMean: 3.1,
  flows: [
    { job: 'heat', from: 5, to: 6, bytes: 64 * 1024, share: 0.5 },
    { job: 'heat', from: 1, to: 6, bytes: 32 * 1024, share: 0.25 },
  ],
  flowCount: 14,
  jobs: [{ job: 'heat', bytes: 128 * 1024, share: 1 }],
  improvements: [
    {
      action: 'swap tasks 6 and 9',
      linkChange: -0.38,
      heaviestChange: 0,
      hopBytesChange: -0.02,
      moves: [
        { job: 0, task: 6, slot: 9 },
        { job: 0, task: 9, slot: 6 },
      ],
    },
  ],
};

export const hostLink: HotLinkOutline = {
  ...hotLink,
  from: { host: asNodeId(3) },
  to: 0,
  fromName: 'node 3',
  toName: 'leaf-0',
  flows: [],
  flowCount: 0,
  jobs: [],
  improvements: [],
};

/** Results for `smallText` of `texts.ts`; the figures are made up and easy to find again. */
const outline: PlacementOutline = {
  name: 'first-try',
  machine: 'small',
  routing: 'dimension-order',
  seed: 1,
  jobs: [{ name: 'heat', tasks: 16, nodes: 16 }],
  metrics: {
    averageHops: 1.25,
    hopVariance: 0.1875,
    maximumHops: 2,
    hopBytes: 3 * 2 ** 20,
    weightedHops: 1.25,
    mappingCoefficient: 3 * 2 ** 20,
    maximumLinkLoad: 128 * 1024,
    meanLinkLoad: 48 * 1024,
    interNodeBytes: 3 * 2 ** 20,
    congestionTime: 0.000131072,
  },
  hotLinks: [],
  hotLinkCount: 0,
  notes: [],
  milliseconds: { allocate: 0.1, map: 0.25, evaluate: 1.5 },
};

/** A study of `smallText` in which its placement came out as given. */
export const summaryWith = (changes: Partial<PlacementOutline> = {}): StudySummary => ({
  placements: [{ ...outline, ...changes }],
  machines: [
    {
      name: 'small',
      topology: 'torus 4 x 4',
      routing: 'dimension-order',
      routers: 16,
      nodes: 16,
      cores: 16,
      cables: 32,
      diameter: 4,
      meanDistance: 2.1333333,
      bisection: 8,
    },
  ],
  jobs: [{ name: 'heat', tasks: 16, pairs: 48, bytes: 48 * 65536, meanDegree: 3, maximumDegree: 4 }],
  problems: [],
});
