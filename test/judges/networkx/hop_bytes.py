"""Sum of weight times shortest distance, by networkx: an independent reading of any network.

Standard input: {"cables": [[a, b], ...], "flows": [[vertex, vertex, weight], ...]}; prints the sum.
"""
import json
import sys

import networkx

problem = json.load(sys.stdin)
network = networkx.Graph(map(tuple, problem["cables"]))
distance = dict(networkx.all_pairs_shortest_path_length(network))
print(sum(weight * distance[a][b] for a, b, weight in problem["flows"]))
