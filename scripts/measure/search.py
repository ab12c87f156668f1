"""Searches a space of tunings for the one of least cost. It knows no CUDA: what a tuning costs, somebody else finds out.

    found = search({"NT": [128, 256], "VT": [7, 9, 11]}, every, cost)
    best(found)                      {"NT": 256, "VT": 9, "cost": 0.0031}
    ties(found, 0.01)                all within 1 % of it

`cost(tunings)` takes a list of tunings and gives rows, one at a time and in any order: the tuning with its "cost", or with "why" it
has none (it does not compile, is wrong, crashes, hangs). `strategy(space, found)` gives lists of tunings, one after the other, and sees
what the lists before have found. Rows that are there already, from a search that ended early, are not asked for again.
"""
import itertools
import random


def key_of(tuning, space):
    return tuple(tuning.get(name) for name in space)


def all_of(space):
    return [dict(zip(space, values)) for values in itertools.product(*space.values())]


def search(space, strategy, cost, found=(), keep=lambda row: None):
    """All rows: those of `found`, and those that the strategy asked for; `keep` is told each new one."""
    rows = {key_of(row, space): row for row in found}
    for tunings in strategy(space, rows):
        new = [tuning for tuning in tunings if key_of(tuning, space) not in rows]
        for row in cost(new) if new else ():
            rows[key_of(row, space)] = row
            keep(row)
    return list(rows.values())


def best(rows):
    return min((row for row in rows if "cost" in row), key=lambda row: row["cost"], default=None)


def ties(rows, noise):
    """The rows that are as good as the best, as far as the noise lets one tell; the best is the first."""
    least = best(rows)
    good = [row for row in rows if "cost" in row and row["cost"] <= least["cost"] * (1 + noise)] if least else []
    return sorted(good, key=lambda row: row["cost"])


def every(space, found):
    yield all_of(space)


def some(count, seed):
    """`count` of them by chance."""
    def strategy(space, found):
        tunings = all_of(space)
        yield random.Random(seed).sample(tunings, min(count, len(tunings)))
    return strategy


def by_groups(start, *groups):
    """All values of one group of names, the others as they are; then, with the best of these, all of the next group."""
    def strategy(space, found):
        now = dict(start)
        for names in groups:
            yield [now | tuning for tuning in all_of({name: space[name] for name in names})]
            now = {name: (best(found.values()) or now)[name] for name in space}
    return strategy
