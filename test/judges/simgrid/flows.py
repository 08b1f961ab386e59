"""When flows end, as SimGrid says, whose sharing of links is validated: max-min, without latency. Standard input: JSON with `channels`, a count, and `flows`, each the channels of its route and its flits."""
import json, sys
from simgrid import Actor, Engine, Host, LinkInRoute, Mailbox, NetZone, this_actor

story = json.load(sys.stdin)
engine = Engine(["judge", "--cfg=network/model:CM02", "--cfg=network/TCP-gamma:0", "--cfg=maxmin/precision:1e-9", "--cfg=surf/precision:1e-9", "--log=root.thres:critical"])
zone = NetZone.create_full_zone("zone")
links = [zone.create_link(f"channel{c}", "1Bps").set_latency(0).set_concurrency_limit(-1).seal() for c in range(story["channels"])]
ends = [None] * len(story["flows"])
hosts = []
for index, (route, flits) in enumerate(story["flows"]):
    pair = [zone.create_host(f"{end}{index}", "1Gf").seal() for end in ("from", "to")]
    zone.add_route(pair[0].netpoint, pair[1].netpoint, None, None, [LinkInRoute(links[c]) for c in route], False)
    hosts.append(pair)
zone.seal()

def sender(index, flits):
    Mailbox.by_name(str(index)).put(index, flits)

def receiver(index):
    Mailbox.by_name(str(index)).get()
    ends[index] = Engine.clock

for index, (_, flits) in enumerate(story["flows"]):
    Actor.create("s", hosts[index][0], sender, index, flits)
    Actor.create("r", hosts[index][1], receiver, index)
engine.run()
print(json.dumps(ends))
