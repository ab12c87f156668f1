#!/usr/bin/env python3
"""Shapes of products by chance, as sgemm's --size takes them: each side log-uniform from 1 to 16 384, at least 0.1 GFLOP.

    scripts/measure/random_shapes.py 200 2026          1533x58x5309,7x12001x16,…

COUNT and SEED say which; the same two give the same shapes.
"""
import math
import random
import sys

LARGEST, LEAST_OPERATIONS = 16384, 1e8


def shapes(count, seed):
    chance, found = random.Random(seed), []
    while len(found) < count:
        shape = [round(math.exp(chance.uniform(0, math.log(LARGEST)))) for _ in range(3)]
        if 2.0 * math.prod(shape) >= LEAST_OPERATIONS:
            found.append(shape)
    return found


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(",".join("x".join(map(str, shape)) for shape in shapes(int(sys.argv[1]), int(sys.argv[2]))))
