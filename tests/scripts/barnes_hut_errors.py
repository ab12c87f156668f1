#!/usr/bin/env python3
"""barnes_hut_errors, which judges accelerations of other programs: exact ones with a known error, files of the wrong
length, and words it cannot take.

    tests/scripts/barnes_hut_errors.py HEADROOM BARNES_HUT_ERRORS
"""
import array
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BODIES, SOFTENING = 60, 0.05


def all_pairs(points):
    pulls = []
    for x, y, z, _ in points:
        pull = [0.0, 0.0, 0.0]
        for other in points:
            d = (other[0] - x, other[1] - y, other[2] - z)
            factor = other[3] / (sum(part * part for part in d) + SOFTENING ** 2) ** 1.5
            pull = [sum_ + factor * part for sum_, part in zip(pull, d)]
        pulls.append(pull)
    return pulls


class Errors(unittest.TestCase):
    headroom = program = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, *options):
        return subprocess.run([self.headroom, "run", "--no-model", "--report", "/dev/null", "--", self.program, "--bodies", str(BODIES),
                               "--softening", str(SOFTENING), *options],
                              capture_output=True, text=True, timeout=120, cwd=self.folder)

    def points(self):
        self.assertEqual(self.run_it("--seed", "3", "--write", "bodies.bin").returncode, 0)
        values = array.array("f", (self.folder / "bodies.bin").read_bytes())
        self.assertEqual(len(values), 4 * BODIES)
        return [values[4 * i:4 * i + 4] for i in range(BODIES)]

    def write(self, name, pulls):
        (self.folder / name).write_bytes(array.array("f", [part for pull in pulls for part in pull]).tobytes())

    def test_a_known_error_is_found(self):
        points = self.points()
        self.assertAlmostEqual(sum(point[3] for point in points), 1, 6)
        pulls = all_pairs(points)
        self.write("exact.bin", pulls)
        self.write("more.bin", [[1.01 * part for part in pull] for pull in pulls])
        # Only the last body, turned round: twice its own size.
        self.write("turned.bin", pulls[:-1] + [[-part for part in pulls[-1]]])
        done = self.run_it("--seed", "3", "--accelerations", "exact.bin,more.bin,turned.bin", "--json", "errors.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        exact, more, turned = json.loads((self.folder / "errors.json").read_text())["rows"]
        self.assertLess(exact["max error"], 1e-6)
        for column in ("median error", "90 % error", "99 % error", "max error"):
            self.assertAlmostEqual(more[column], 0.01, 4)
        self.assertLess(turned["median error"], 1e-6)
        self.assertAlmostEqual(turned["max error"], 2, 4)

    def test_a_file_of_the_wrong_length_is_not_judged(self):
        pulls = all_pairs(self.points())
        self.write("short.bin", pulls[:-1])
        self.write("long.bin", pulls + pulls[:1])
        done = self.run_it("--seed", "3", "--accelerations", "short.bin,long.bin,none.bin")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count(f"does not hold {3 * BODIES} floats"), 3)

    def test_what_it_cannot_take_is_refused(self):
        for words, what in ((("--masses", "some"), "--masses"), ((), "nothing to do"), (("--write", "no/such/folder"), "cannot write")):
            done = self.run_it(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(what, done.stderr)


if __name__ == "__main__":
    Errors.headroom, Errors.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
