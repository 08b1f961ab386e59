import { fail } from '../../model/result.ts';
import { buildSiteCosts } from '../../optimisation/problem/buildSiteCosts.ts';
import { trafficDistribution as model, unevenHops } from '../../network/distances/trafficDistribution.ts';
import { additiveCriterion } from './additive.ts';

export const trafficDistribution = additiveCriterion({
  name: model.name,
  summary: 'bytes times links, with a penalty where the axes share the links unevenly',
  source: model.source,
  details:
    'In two dimensions 2 · max(dist_x, dist_y); in n dimensions, which the paper does not treat, the sum of the axes ' +
    'plus the longest minus the shortest. For tori, meshes and hypercubes, whatever their routing.',
  options: [],
  siteCosts: ({ name, topology }, places, { cancellation }) => {
    const { shape, wraps } = topology;
    if (!shape || !wraps) {
      return fail(
        'no-coordinates',
        `Criterion \`${model.name}\` needs a machine with coordinates (torus, mesh, hypercube), and ` +
          `\`${name}\` is a ${topology.kind}: use \`distance\`, \`equivalent\` or \`hop-bytes\`.`,
      );
    }
    const grid = { shape, wraps, cost: unevenHops, isSum: false };
    return buildSiteCosts(places, { criterion: model.name, unit: 1, between: 0, grid }, cancellation);
  },
});
