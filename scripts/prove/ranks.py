"""Spearman's rank correlation: of what takes longest, how much is predicted to.

    correlation([1, 2, 4], [10, 30, 20])     0.5: of the ranks 0, 1, 2 and 0, 2, 1
"""
import statistics


def ranks(values):
    """From 0 on; equal values share the mean of their places."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for i in order[begin:end]:
            result[i] = (begin + end - 1) / 2
        begin = end
    return result


def correlation(a, b):
    """None: of fewer than two, or where all of one are equal, it is not defined."""
    if len(set(a)) < 2 or len(set(b)) < 2:
        return None
    return statistics.correlation(ranks(a), ranks(b))
