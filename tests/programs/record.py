"""A record's file as plain lines (src/record/writer.h): what it says by number is put in its place.

    for line in record.lines(path): …
    {"begin": {"kernel": …}}   {"launch": {"index": 0, "kernel": …, "counters": {…}, …}}   {"end": {…}}
"""
import json

MOST_KEPT = 256  # as in src/record/writer.h


def keep(known, part):
    if len(known) == MOST_KEPT:
        known.clear()
    known.append(part)


def lines(path):
    shapes, outcomes, result = [], [], []
    launches = 0
    with open(path) as file:
        for text in file.read().rstrip("\0").splitlines():  # zeros: of a process that never came to its end
            line = json.loads(text)
            if "shape" in line:
                keep(shapes, line["shape"])
            elif "outcome" in line:
                outcome = line["outcome"]
                outcome["counters"] = dict(zip(result[0]["counters"], outcome["counters"]))
                keep(outcomes, outcome)
            elif "begin" in line:
                result.append({"begin": shapes[line["begin"]]})
            elif "launch" in line:
                shape, outcome, seconds = line["launch"]
                result.append({"launch": {"index": launches, **shapes[shape], **outcomes[outcome], "seconds": seconds}})
                launches += 1
            else:
                result.append(line)
    return result
