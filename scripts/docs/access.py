"""One access of a warp as the emulator saw it, taken apart: what src/report/page/access.js does for the page, here for the book.

    lanes({"lanes": 0b11, "first": 96, "offsets": [0, 4], "bytes": 4, …})     [(0, 96), (1, 100)]
    words(access)                   {24: [0], 25: [1]}: four-byte words, with the lanes that ask for each
    sectors(access)                 {3}: numbers of the 32-byte sectors touched
"""


def lanes(access):
    taking = [lane for lane in range(32) if access["lanes"] >> lane & 1]
    return [(lane, access["first"] + offset) for lane, offset in zip(taking, access["offsets"])]


def words(access):
    found = {}
    for lane, address in lanes(access):
        for word in range(address // 4, (address + access["bytes"] - 1) // 4 + 1):
            found.setdefault(word, []).append(lane)
    return dict(sorted(found.items()))


def sectors(access):
    return {word // 8 for word in words(access)}


def cost(instruction):
    """Sectors, or passes through the banks, of all times that it ran."""
    access = instruction["access"]
    return instruction["executed"] * (access["wavefronts"] if access["space"] == "shared" else access["sectors"])


def instructions(launch):
    """(file, line, instruction) of a record's launch, in order of address."""
    found = [(part["file"], part["line"], each) for part in launch.get("source", []) for each in part["instructions"]]
    return sorted(found, key=lambda one: one[2]["address"])


def dearest(launch, space):
    """The (file, line, instruction) whose accesses of a space cost most, or None."""
    kinds = ("shared",) if space == "shared" else ("global", "generic")
    found = [one for one in instructions(launch) if one[2].get("access", {}).get("space") in kinds and cost(one[2])]
    return max(found, key=lambda one: (cost(one[2]), -one[2]["address"]), default=None)


def said(access):
    """What a picture of it shows, in words."""
    asked = lanes(access)
    head = f"{len(asked)} lanes, {access['bytes']} bytes each"
    if access["space"] != "shared":
        used, count = 4 * len(words(access)), len(sectors(access))
        return f"{head}: {count} sector{'s' * (count > 1)}, {used} of {32 * count} bytes used"
    if access["use"] == "atomic":
        return f"{head}: an atomic, whose passes are not known"
    passes = access["wavefronts"]
    return f"{head}: {passes} pass{'es' * (passes > 1)} through the banks, {access['conflicts']} for conflicts"
