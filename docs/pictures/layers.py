"""Places the boxes of a graph in layers, so that arrows are short and pass beside boxes.

After Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
structures" (1981): an arrow across several layers has a point in each, which takes its place among
the boxes. Boxes and points then move towards the middle of their neighbours, layer by layer. Of
several random starts, the one with the fewest crossings wins. The draws have a fixed seed.
"""
import itertools
import math
import random

GAP = 20  # between two boxes of a layer
STARTS, ROUNDS = 80, 24


def routes(layer_of, arrows):
    """Each arrow as its stops: both boxes and, in each layer between, a point (an own tuple)."""
    found = {}
    for start, ends in arrows.items():
        for end in ends:
            between = range(layer_of[start] - 1, layer_of[end], -1)
            found[start, end] = [start, *((start, end, layer) for layer in between), end]
    return found


def pushed(wanted, widths, left, right):
    """The wanted places from left to right, each as far to the right as its neighbours require."""
    placed, edge = [], left
    for want, width in zip(wanted, widths):
        placed.append(max(want, edge + width / 2))
        edge = placed[-1] + width / 2 + GAP
    edge = right
    for i in reversed(range(len(placed))):
        placed[i] = min(placed[i], edge - widths[i] / 2)
        edge = placed[i] - widths[i] / 2 - GAP
    return placed


def spread(wanted, widths, left, right):
    """The wanted places, moved apart to both sides where boxes would touch. The order stays."""
    one = pushed(wanted, widths, left, right)
    mirrored = pushed([-want for want in reversed(wanted)], widths[::-1], -right, -left)
    return [(a - b) / 2 for a, b in zip(one, reversed(mirrored))]


def faults_of(x, paths, layer_of):
    """Crossings first, then how far arrows lead aside."""
    steps = {}
    for stops in paths.values():
        for one, other in itertools.pairwise(stops):
            layer = layer_of[one] if one in layer_of else one[2]
            steps.setdefault(layer, []).append((x[one], x[other]))
    crossings = sum((a - c) * (b - d) < 0 for row in steps.values()
                    for (a, b), (c, d) in itertools.combinations(row, 2))
    aside = math.fsum(abs(a - b) for row in steps.values() for a, b in row)
    return crossings, round(aside, 3)


def place(layer_of, arrows, width_of, left, right):
    """The x of each box and point, and the route of each arrow."""
    paths = routes(layer_of, arrows)
    rows, near = {}, {box: [] for box in layer_of}
    for box in sorted(layer_of):
        rows.setdefault(layer_of[box], []).append(box)
    for stops in paths.values():
        for point in stops[1:-1]:
            rows[point[2]].append(point)
            near[point] = []
        for one, other in itertools.pairwise(stops):
            near[one].append(other)
            near[other].append(one)
    draws, found = random.Random(1), []
    for _ in range(STARTS):
        x = {stop: draws.uniform(left, right) for row in rows.values() for stop in row}
        for turn in range(ROUNDS):
            for number in sorted(rows, reverse=turn % 2 == 0):
                want = {stop: math.fsum(x[other] for other in near[stop]) / len(near[stop])
                        for stop in rows[number]}
                row = sorted(rows[number], key=lambda stop: (round(want[stop], 6), str(stop)))
                widths = [0 if isinstance(stop, tuple) else width_of(stop) for stop in row]
                x |= zip(row, spread([want[stop] for stop in row], widths, left, right))
        found.append((faults_of(x, paths, layer_of), x))
    return min(found, key=lambda one: one[0])[1], paths
