"""Routes of platforms, as SimGrid finds them. Arguments: a platform file. Standard output: for each pair of hosts the bandwidth in B/s and the latency in s."""
import json, sys
from simgrid import Engine

engine = Engine(["judge", "--cfg=network/model:CM02", "--log=root.thres:critical"])
engine.load_platform(sys.argv[1])
engine.netzone_root.seal()
routes = []
for source in engine.all_hosts:
    for target in engine.all_hosts:
        if source.name == target.name:
            continue
        links, latency = source.route_to(target)
        routes.append([source.name, target.name, min(link.bandwidth for link in links), latency])
print(json.dumps(routes))
