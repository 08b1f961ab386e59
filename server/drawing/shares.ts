import type { Scene } from './scene.ts';

/** Nodes of each job on one router, in the order of jobs, the free ones (job −1) last. */
export type RouterShares = readonly { readonly job: number; readonly nodes: number }[];

/** What the frames of a fabric are tinted with where their nodes are too small to be seen. O(nodes). */
export function routerShares({ nodes, routers }: Scene): readonly RouterShares[] {
  const counts = Array.from({ length: routers.id.length }, () => new Map<number, number>());
  nodes.router.forEach((router, entry) => {
    const job = nodes.job[entry]!;
    counts[router]!.set(job, (counts[router]!.get(job) ?? 0) + 1);
  });
  const place = (job: number): number => (job < 0 ? Infinity : job);
  return counts.map((count) =>
    Array.from(count, ([job, many]) => ({ job, nodes: many })).sort(
      (one, other) => place(one.job) - place(other.job) || 0,
    ),
  );
}
