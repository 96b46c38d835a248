# Finds the shortest way over the grid around blocked crossings (Dijkstra), and drives it.
from XRPLib.defaults import *

SIZE = 5
SENSORS_CM = 8.5
BLOCKED = {(1, 0), (1, 1), (1, 2), (3, 4), (3, 3), (3, 2)}
START, GOAL = (0, 0), (4, 4)
DIRECTIONS = [(1, 0), (0, 1), (-1, 0), (0, -1)]  # counter-clockwise


def neighbours(node):
    for dx, dy in DIRECTIONS:
        x, y = node[0] + dx, node[1] + dy
        if 0 <= x < SIZE and 0 <= y < SIZE and (x, y) not in BLOCKED:
            yield (x, y)


def shortest(start, goal):
    cost, before, open_nodes = {start: 0}, {}, [start]
    while open_nodes:
        node = min(open_nodes, key=lambda one: cost[one])
        open_nodes.remove(node)
        if node == goal:
            break
        for other in neighbours(node):
            if other not in cost or cost[node] + 1 < cost[other]:
                cost[other] = cost[node] + 1
                before[other] = node
                open_nodes.append(other)
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


class Walker:
    def __init__(self):
        self.direction = 0

    def face(self, wanted):
        quarters = (wanted - self.direction) % 4
        if quarters:
            drivetrain.turn({1: 90, 2: 180, 3: -90}[quarters])
        self.direction = wanted

    def go(self, here, there):
        self.face(DIRECTIONS.index((there[0] - here[0], there[1] - here[1])))
        drivetrain.straight(5)  # off the crossing
        while not (reflectance.get_left() > 0.75 and reflectance.get_right() > 0.75):
            turn = 0.3 * (reflectance.get_left() - reflectance.get_right())
            drivetrain.set_effort(0.3 - turn, 0.3 + turn)
        drivetrain.straight(SENSORS_CM)


way = shortest(START, GOAL)
print(f"{len(way) - 1} steps: {way}")
walker = Walker()
for here, there in zip(way, way[1:]):
    walker.go(here, there)
print("there")
