"""Resistance between two routers of lists of cables, worked out by two libraries that know nothing of us.

Reads one JSON object per line: {"cables": [[a, b], ...], "from": a, "to": b}. Writes a line each:
networkx's resistance_distance and the pseudo-inverse of scipy's Laplacian.
"""

import json
import sys

import networkx
import numpy
import scipy.linalg
import scipy.sparse
import scipy.sparse.csgraph


def by_networkx(cables, source, target):
    network = networkx.MultiGraph()
    network.add_edges_from(map(tuple, cables))
    return networkx.resistance_distance(network, source, target)


def by_scipy(cables, source, target):
    routers = sorted({router for cable in cables for router in cable})
    index = {router: at for at, router in enumerate(routers)}
    ends = numpy.array([[index[a], index[b]] for a, b in cables])
    size = len(routers)
    one_way = scipy.sparse.coo_array((numpy.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    laplacian = scipy.sparse.csgraph.laplacian((one_way + one_way.T).toarray())
    # The one eigenvalue that is zero must be cut off; by default it may slip through as rounding noise.
    inverse = scipy.linalg.pinv(laplacian, rtol=1e-10)
    a, b = index[source], index[target]
    return inverse[a, a] + inverse[b, b] - 2 * inverse[a, b]


print(networkx.__version__, scipy.__version__)
for line in sys.stdin:
    question = json.loads(line)
    circuit = question["cables"], question["from"], question["to"]
    print(repr(float(by_networkx(*circuit))), repr(float(by_scipy(*circuit))))
