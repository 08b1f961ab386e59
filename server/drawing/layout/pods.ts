import type { LinkTable } from '../../model/machine.ts';

/**
 * A tree of switches cut into pods: what holds together below some tier. The switches of the
 * pod's uppermost tier are its heads; what falls apart without them are its children.
 */
export interface Pod {
  readonly tier: number;
  readonly heads: readonly number[];
  readonly children: readonly Pod[];
}

/**
 * The whole network as a pod. Union-find, tier by tier from the leaves up: O(tiers · routers +
 * links). A network that holds together only by a lower tier has no heads on top.
 */
export function podsOf(links: LinkTable, tier: Int32Array): Pod {
  const parent = Int32Array.from(tier.keys());
  const find = (router: number): number => {
    let root = router;
    while (parent[root] !== root) root = parent[root]!;
    for (let next = router; next !== root;) {
      const above = parent[next]!;
      parent[next] = root;
      next = above;
    }
    return root;
  };
  let pods = new Map<number, Pod>();
  const top = Math.max(...tier, 0);
  for (let height = 0; height <= top; height++) {
    for (let link = 0; link < links.routerLinkCount; link++) {
      const [from, to] = [links.from[link]!, links.to[link]!];
      if (tier[from]! > height || tier[to]! > height) continue;
      const [one, other] = [find(from), find(to)];
      // The lower number stays the root: pods are in the order of their first switch.
      parent[Math.max(one, other)] = Math.min(one, other);
    }
    pods = gather(pods, tier, height, find);
  }
  const whole = [...pods.values()];
  return whole.length === 1 ? whole[0]! : { tier: top + 1, heads: [], children: whole };
}

function gather(
  below: Map<number, Pod>,
  tier: Int32Array,
  height: number,
  find: (router: number) => number,
): Map<number, Pod> {
  const growing = new Map<number, { heads: number[]; children: Pod[] }>();
  const at = (root: number): { heads: number[]; children: Pod[] } => {
    const found = growing.get(root) ?? { heads: [], children: [] };
    growing.set(root, found);
    return found;
  };
  for (const [root, pod] of below) at(find(root)).children.push(pod);
  tier.forEach((each, router) => {
    if (each === height) at(find(router)).heads.push(router);
  });
  const pods = new Map<number, Pod>();
  for (const [root, { heads, children }] of growing) {
    const [only] = children;
    pods.set(root, heads.length === 0 && children.length === 1 ? only! : { tier: height, heads, children });
  }
  return pods;
}
