/** Router of each node where every router has `hosts` of them: node = router · hosts + host. O(nodes). */
export function evenlyAttached(routers: number, hosts: number): Int32Array {
  const routerOfNode = new Int32Array(routers * hosts);
  for (let router = 0; router < routers; router++) routerOfNode.fill(router, router * hosts, (router + 1) * hosts);
  return routerOfNode;
}

/** Nodes on the router that has most; 0 where there are none. O(nodes). */
export function mostHostsOnOneRouter(routerOfNode: Int32Array): number {
  let most = 0;
  let run = 0;
  for (let node = 0; node < routerOfNode.length; node++) {
    run = node > 0 && routerOfNode[node] === routerOfNode[node - 1] ? run + 1 : 1;
    if (run > most) most = run;
  }
  return most;
}
