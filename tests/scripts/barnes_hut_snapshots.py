#!/usr/bin/env python3
"""Files of the study barnes_hut on the executor: what it writes it reads again to the bit, what GADGET-4 and SWIFT write it
understands, what is damaged it refuses, and a run that stops and goes on ends as one that did not.

    tests/scripts/barnes_hut_snapshots.py HEADROOM BARNES_HUT
"""
import json
import os
import pathlib
import pty
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

FOREIGN = pathlib.Path(__file__).resolve().parents[1] / "snapshots"   # see make.py there


def rows_of(csv):
    """What stands in a snapshot of ours as text: {"bodies": …, "time": …, "gravity": …} and rows of numbers."""
    remark, names, *rows = csv.read_text().splitlines()
    facts = dict(re.findall(r"(\w+) ([^\s,]+)", remark))
    assert names == "x,y,z,vx,vy,vz,mass", names
    return {name: float(value) for name, value in facts.items()}, [[float(word) for word in row.split(",")] for row in rows]


def expected(masses, first=0):
    """Bodies as make.py places them."""
    return [[i, i / 2, -i, i / 4, 1, 0, mass] for i, mass in enumerate(masses, first)]


def pixels_of(png):
    """Width, height and rows of (red, green, blue) of a PNG without interlacing."""
    data, at, packed = png.read_bytes(), 8, b""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", body[:10])
            assert (depth, colours) == (8, 2)
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    flat, rows, above = zlib.decompress(packed), [], bytes(3 * width)
    for r in range(height):
        way, line = flat[r * (3 * width + 1)], bytearray(flat[r * (3 * width + 1) + 1:(r + 1) * (3 * width + 1)])
        for i in range(3 * width):
            left, up, corner = (line[i - 3] if i > 2 else 0), above[i], (above[i - 3] if i > 2 else 0)
            nearest = min((left, up, corner), key=lambda v, p=left + up - corner: abs(p - v))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, nearest)[way]) & 255
        above = bytes(line)
        rows.append([tuple(line[3 * c:3 * c + 3]) for c in range(width)])
    return width, height, rows


def tipsy(order, padding, dark, gas=(), stars=()):
    """A file of that program: bodies are (mass, x, y, z, vx, vy, vz)."""
    counts = len(gas) + len(dark) + len(stars), 3, len(gas), len(dark), len(stars)
    packed = struct.pack(order + "d5i", 0.25, *counts) + b"\0" * padding
    for bodies, more in ((gas, 5), (dark, 2), (stars, 4)):
        packed += b"".join(struct.pack(f"{order}{7 + more}f", *body, *[9.5] * more) for body in bodies)
    return packed


class Snapshots(unittest.TestCase):
    headroom = program = None

    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def command(self, *options):
        return [self.headroom, "run", "--no-model", "--report", "/dev/null", "--", self.program, "--method", "all_pairs", *map(str, options)]

    def run_study(self, *options):
        return subprocess.run(self.command(*options), capture_output=True, text=True, errors="replace", timeout=120,
                              cwd=self.folder)

    def study(self, *options):
        """A run that succeeds: its rows."""
        done = self.run_study(*options, "--json", "rows.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads((self.folder / "rows.json").read_text())["rows"]

    def refused(self, *options, direct=False):
        """Refused before any work, so that `direct` needs no device: the message, one line."""
        command = [self.program, *map(str, options)] if direct else self.command(*options)
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, cwd=self.folder)
        self.assertEqual(done.returncode, 2, f"{options}: {done.stdout}{done.stderr}")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def turn(self, source, into):
        self.study("--in", source, "--steps", 0, "--out", into)
        return self.folder / into

    # Round trips.

    def test_what_is_written_is_read_again_to_the_bit(self):
        self.study("--bodies", 65, "--seed", 1, "--steps", 0, "--out", "first.csv")
        first = (self.folder / "first.csv").read_text()
        facts, rows = rows_of(self.folder / "first.csv")
        self.assertEqual(facts, {"bodies": 65, "time": 0, "gravity": 1})
        self.assertEqual(len(rows), 65)
        self.turn("first.csv", "a.hdf5")
        self.assertEqual(self.turn("a.hdf5", "second.csv").read_text(), first)
        self.assertEqual(self.turn("second.csv", "b.hdf5").read_bytes(), (self.folder / "a.hdf5").read_bytes())

    def test_tipsy_keeps_values_of_32_bits_and_rounds_others(self):
        self.study("--bodies", 65, "--seed", 1, "--steps", 2, "--out", "a.hdf5")
        self.turn("a.hdf5", "a.tipsy")
        facts, rows = rows_of(self.turn("a.tipsy", "a.csv"))
        self.assertEqual(facts["time"], 2 / 512)
        for row, exact in zip(rows, rows_of(self.turn("a.hdf5", "exact.csv"))[1], strict=True):
            self.assertEqual(row[:6], exact[:6])                                     # single precision had 32 bits
            self.assertEqual(row[6], struct.unpack("f", struct.pack("f", exact[6]))[0])
        self.turn("a.tipsy", "b.tipsy")
        self.assertEqual((self.folder / "a.tipsy").read_bytes(), (self.folder / "b.tipsy").read_bytes())

    def test_identities_and_kinds_outlive_hdf5(self):
        # What the file of another program had, in the one written: as bytes, most of which are the values themselves.
        self.turn(FOREIGN / "swift.hdf5", "again.hdf5")
        written = (self.folder / "again.hdf5").read_bytes()
        for kind in (0, 1, 4):
            self.assertIn(b"PartType%d" % kind, written)
        self.assertNotIn(b"PartType2", written)
        for identity in range(1000, 1006):
            self.assertIn(struct.pack("<Q", identity), written)
        self.assertEqual(rows_of(self.turn("again.hdf5", "b.csv")), rows_of(self.turn(FOREIGN / "swift.hdf5", "a.csv")))

    # Files of others.

    def test_gadget_with_a_table_of_masses_is_understood(self):
        facts, rows = rows_of(self.turn(FOREIGN / "gadget.hdf5", "a.csv"))
        self.assertEqual(rows, expected([0.25] * 4 + [0.5, 0.125, 0.0625]))
        self.assertEqual(facts["time"], 0.5)
        self.assertAlmostEqual(facts["gravity"], 6.67430e-8 * 1.989e43 / 3.085678e21 / 1e10, delta=1e-6)

    def test_swift_with_its_own_groups_is_understood(self):
        facts, rows = rows_of(self.turn(FOREIGN / "swift.hdf5", "a.csv"))
        self.assertEqual(rows, expected([1, 2, 3, 4, 5, 6]))
        self.assertEqual(facts["time"], 0.5)
        self.assertIn("swift.hdf5: 6 bodies at time 0.5, gravitational constant 43.0092; 2 are gas, here without pressure",
                      self.run_study("--in", FOREIGN / "swift.hdf5").stdout)
        self.assertAlmostEqual(facts["gravity"], 6.6743e-8 * 1.98841e43 / 3.08567758e24 / 1e10, delta=1e-6)

    def test_a_snapshot_of_several_files_is_read_from_any_of_them(self):
        for part in range(2):
            facts, rows = rows_of(self.turn(FOREIGN / f"parts.{part}.hdf5", "a.csv"))
            self.assertEqual(rows, expected([1, 1, 1, 1, 0.5, 1.5]))
            self.assertEqual(facts["gravity"], 2)
        alone = self.folder / "alone.hdf5"
        alone.write_bytes((FOREIGN / "parts.0.hdf5").read_bytes())
        self.assertIn("one of 2 files", self.refused("--in", alone))
        (self.folder / "lone.0.hdf5").write_bytes(alone.read_bytes())
        self.assertIn("lone.1.hdf5: No such file", self.refused("--in", "lone.0.hdf5"))

    def test_the_gravitational_constant_is_asked_for_where_a_file_does_not_say(self):
        self.assertIn("--gravity", self.refused("--in", FOREIGN / "unknown.hdf5"))
        self.study("--in", FOREIGN / "unknown.hdf5", "--gravity", "4.5", "--steps", 0, "--out", "a.csv")
        self.assertEqual(rows_of(self.folder / "a.csv")[0]["gravity"], 4.5)

    def test_twice_the_gravity_is_twice_the_mass(self):
        (self.folder / "a.csv").write_text("0,0,0,0,0,0,1\n3,0,0,0,0,0,2\n")
        (self.folder / "b.csv").write_text("0,0,0,0,0,0,2\n3,0,0,0,0,0,4\n")
        self.study("--in", "a.csv", "--gravity", 2, "--steps", 3, "--out", "a_later.csv", "--energy", "a_energy.csv")
        self.study("--in", "b.csv", "--steps", 3, "--out", "b_later.csv", "--energy", "b_energy.csv")
        a, b = (rows_of(self.folder / f"{name}_later.csv")[1] for name in "ab")
        self.assertEqual([row[:6] for row in a], [row[:6] for row in b])
        self.assertEqual([row[6] for row in a], [1, 2])          # the file's own, not those that pull
        kinetic = [float((self.folder / f"{name}_energy.csv").read_text().splitlines()[-1].split(",")[1]) for name in "ab"]
        self.assertEqual(kinetic[1], 2 * kinetic[0])

    def test_comoving_coordinates_are_no_places_for_steps(self):
        self.assertIn("grow with the universe", self.refused("--in", FOREIGN / "comoving.hdf5", "--steps", 1))
        self.study("--in", FOREIGN / "comoving.hdf5")

    def test_tipsy_of_any_machine_is_understood(self):
        bodies = [(0.5, 1, 2, 3, 4, 5, 6), (0.25, -1, -2, -3, -4, -5, -6), (2, 0, 0, 1, 0, 1, 0)]
        for order in "<>":
            for padding in (0, 4):
                (self.folder / "a.tipsy").write_bytes(tipsy(order, padding, bodies[1:2], bodies[:1], bodies[2:]))
                facts, rows = rows_of(self.turn("a.tipsy", "a.csv"))
                self.assertEqual(facts["time"], 0.25)
                self.assertEqual(rows, [[*body[1:], body[0]] for body in bodies])

    def test_text_is_taken_with_or_without_names_in_any_order(self):
        (self.folder / "a.csv").write_text("1,2,3,4,5,6,0.5\r\n\r\n+1e0, 2 ,3,4,5,6,0.5")
        (self.folder / "b.csv").write_text("# by hand\nid,mass,vz,vy,vx,z,y,x\n7,0.5,6,5,4,3,2,1\n8,0.5,6,5,4,3,2,1\n")
        for name in ("a.csv", "b.csv"):
            self.assertEqual(rows_of(self.turn(name, "out.csv"))[1], [[1, 2, 3, 4, 5, 6, 0.5]] * 2)

    def test_content_says_what_a_file_is_not_its_name(self):
        self.study("--bodies", 5, "--seed", 1, "--steps", 1, "--out", "a.hdf5")
        (self.folder / "a.hdf5").rename(self.folder / "a.csv")
        self.assertEqual(len(rows_of(self.turn("a.csv", "b.csv"))[1]), 5)

    # Refusals.

    def test_wrong_text_is_refused_with_its_place(self):
        good = "1,2,3,4,5,6,7\n"
        for text, said in ((good + "1,2,x,4,5,6,7\n", r"line 2 column 3 \(z\) is no number: 'x'"),
                           (good + "1,2,3\n", "line 2 has 3 columns"), ("1,2,3,4\n", "line 1 has 4 columns"),
                           ("a,b,c\n" + good, "line 1 begins neither"), (good + "1,2,nan,4,5,6,7\n", "body 1: z is not a number"),
                           (good + "1,2,3,4,5,6,inf\n", "body 1: its mass is infinite"), ("x,y,z,vx,vy,vz,mass\n", "no bodies"),
                           (good + "1,2,3,4,5,6,-7\n", "body 1: its mass is negative"), ("", "is empty"), ("\0\1\2", "neither"),
                           (good + "1e999,2,3,4,5,6,7\n", r"line 2 column 1 \(x\)"), ("1e30,0,0,0,0,0,1\n", "body 0: x is 1e\\+30")):
            (self.folder / "a.csv").write_text(text)
            self.assertRegex(self.refused("--in", "a.csv"), said)

    def test_wrong_options_are_refused(self):
        (self.folder / "a.csv").write_text("1,2,3,4,5,6,7\n")
        (self.folder / "folder.csv").mkdir()
        for options in (["--in", "nowhere.csv"], ["--in", "."], ["--in", "a.csv", "--bodies", 5], ["--gravity", 2],
                        ["--in", "a.csv", "--gravity", 0], ["--out", "a.hdf5"], ["--steps", 1, "--out", "a.txt"],
                        ["--steps", 1, "--out", "nowhere/a.csv"], ["--steps", 1, "--out", "folder.csv"], ["--steps", 1, "--energy", "a.png"],
                        ["--steps", 1, "--picture", "a.svg"], ["--steps", 1, "--picture", "a.png", "--picture-size", "9x9"],
                        ["--steps", -1], ["--steps", 1, "--dt", 0], ["--steps", 1, "--tree"],
                        ["--steps", 1, "--out", "b.csv", "--bodies", "5,6"],
                        ["--steps", 1, "--out", "b.csv", "--precision", "both"]):
            self.refused(*options)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.csv", "folder.csv"])

    def test_damaged_files_are_refused_and_never_crash(self):
        self.study("--bodies", 20, "--seed", 1, "--steps", 1, "--out", "a.hdf5")
        for into in ("a.csv", "a.tipsy"):
            self.turn("a.hdf5", into)
        chance = random.Random(1)
        for name in ("a.hdf5", "a.csv", "a.tipsy"):
            whole, hurt = (self.folder / name).read_bytes(), self.folder / ("hurt_" + name)
            cuts = sorted(chance.sample(range(len(whole)), 40)) + [len(whole) - 1]
            for cut in cuts:
                hurt.write_bytes(whole[:cut])
                self.refused("--in", hurt, "--steps", 0, direct=True)
            for _ in range(40):
                flipped = bytearray(whole)
                flipped[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
                hurt.write_bytes(flipped)
                done = subprocess.run([self.program, "--in", hurt, "--steps", "0"], capture_output=True, text=True,
                                      errors="replace", timeout=60)
                # Where no check can tell, the run goes on, to the first call that needs a device.
                self.assertIn(done.returncode, (0, 1, 2), f"{name}: {done.stderr}")
                if done.returncode == 2:
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_damaged_values_in_hdf5_are_found(self):
        (self.folder / "a.csv").write_text("".join(f"{i},2,3,4,5,6,7\n" for i in range(12345, 12355)))
        whole = self.turn("a.csv", "a.hdf5").read_bytes()
        place = whole.index(struct.pack("<f", 12350))
        (self.folder / "hurt.hdf5").write_bytes(whole[:place] + b"\1" + whole[place + 1:])
        self.assertIn("/PartType1/Coordinates cannot be read", self.refused("--in", "hurt.hdf5"))

    def test_sparse_files_are_refused_before_they_take_memory(self):
        for name in ("sparse.hdf5", "unwritten.hdf5"):
            self.assertLess((FOREIGN / name).stat().st_size, 16384)
            self.assertIn("/PartType1/Coordinates does not hold all its values",
                          self.refused("--in", FOREIGN / name, "--steps", 0, direct=True))

    # Through time.

    def test_steps_keep_what_they_must(self):
        rows = self.study("--bodies", 200, "--steps", 20, "--seed", 1, "--precision", "both")
        self.assertEqual([row["precision"] for row in rows], ["single", "double"])
        for row in rows:
            self.assertEqual((row["steps"], row["verified"]), (20, "PASS"))
            self.assertLess(row["energy drift"], 1e-4)
            self.assertLess(row["momentum drift"], 1e-6 if row["precision"] == "single" else 1e-14)
            self.assertLess(row["angular momentum drift"], 1e-6 if row["precision"] == "single" else 1e-14)

    def test_a_tree_keeps_as_much_as_its_errors_leave(self):
        # From rest, where momenta are small beside what pulls them.
        for start in ("plummer", "uniform"):
            rows = self.study("--bodies", 200, "--start", start, "--steps", 8, "--seed", 1, "--method", "all_pairs,six_kernels")
            self.assertGreater(rows[1]["momentum drift"], 10 * rows[0]["momentum drift"])
        (row,) = self.study("--bodies", 200, "--steps", 8, "--seed", 1, "--method", "six_kernels", "--theta", 0)
        self.assertLess(row["momentum drift"], 1e-6)

    def test_a_step_too_long_for_the_energy_fails(self):
        done = self.run_study("--bodies", 200, "--steps", 8, "--dt", 2, "--seed", 1)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("FAIL", done.stdout)

    def test_two_bodies_go_round_as_kepler_says(self):
        # Of mass 1/2 each, 1 apart: a circle in 2 pi, here in 1024 steps.
        (self.folder / "a.csv").write_text("0.5,0,0,0,0.5,0,0.5\n-0.5,0,0,0,-0.5,0,0.5\n")
        self.study("--in", "a.csv", "--precision", "double", "--softening", "1e-6", "--steps", 512, "--dt",
                   repr(2 * 3.141592653589793 / 1024), "--out", "half.csv")
        (x, y, *_), _ = rows_of(self.folder / "half.csv")[1]
        self.assertAlmostEqual(x, -0.5, delta=1e-5)
        self.assertAlmostEqual(y, 0, delta=1e-4)

    def test_going_on_from_a_file_is_the_same_run(self):
        start = ["--bodies", 50, "--seed", 3]
        self.study(*start, "--steps", 8, "--out", "whole.csv")
        for name in ("half.hdf5", "half.csv"):
            self.study(*start, "--steps", 5, "--out", name)
            self.study("--in", name, "--steps", 3, "--out", "rest.csv")
            self.assertEqual((self.folder / "rest.csv").read_text(), (self.folder / "whole.csv").read_text())

    def test_ctrl_c_ends_after_the_step_with_all_files_written(self):
        for told in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(told):
                self.ends_with_all_files_written(told)

    def ends_with_all_files_written(self, told):
        (self.folder / "a.csv").write_text("0.5,0,0,0,0.5,0,0.5\n-0.5,0,0,0,-0.5,0,0.5\n")
        screen, terminal = pty.openpty()
        running = subprocess.Popen(self.command("--in", "a.csv", "--steps", 1000000, "--out", "b.csv", "--energy", "e.svg",
                                                "--energy-every", 1000), cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=terminal, text=True, start_new_session=True)
        os.close(terminal)
        seen = b""
        while b"step " not in seen:
            seen += os.read(screen, 4096)
        time.sleep(0.2)
        os.killpg(running.pid, told)
        printed = running.communicate(timeout=60)[0]
        while b"goes on" not in seen:
            seen += os.read(screen, 4096)
        os.close(screen)
        steps, rest = map(int, re.search(rb"stopped after step (\d+) of 1000000: --in b.csv --steps (\d+) goes on", seen).groups())
        self.assertEqual(steps + rest, 1000000)
        self.assertEqual(running.returncode, 130, printed)
        self.assertIn("incomplete: interrupted", printed)
        self.assertNotIn("\nPASS\n", printed)
        self.assertEqual(rows_of(self.folder / "b.csv")[0]["time"], steps / 512)
        self.assertTrue((self.folder / "e.svg").read_text().endswith("</svg>\n"))

    def test_a_run_that_keeps_nothing_says_what_drifted_and_what_to_do(self):
        done = subprocess.run(self.command("--bodies", 60, "--seed", 1, "--steps", 8, "--dt", 10), capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"all_pairs, single: the energy drifts by .*, and 0\.001 is the most that passes: choose a smaller --dt")

    def test_no_two_outputs_are_one_file(self):
        said = self.refused("--bodies", 3, "--steps", 1, "--out", "c.csv", "--energy", "c.csv")
        self.assertIn("two outputs cannot both be c.csv", said)

    def test_options_that_would_do_nothing_are_refused(self):
        for table in ("--switches", "--parallelism"):
            self.assertIn(f"{table} is no table of methods", self.refused("--bodies", 3, table))
        for options in (["--dt", 1], ["--steps", 1, "--out-every", 2], ["--steps", 1, "--energy-every", 2], ["--steps", 1, "--picture-size", "64x64"]):
            self.assertIn("needs --", self.refused("--bodies", 3, *options))

    def test_the_energy_has_a_point_a_step_and_one_before(self):
        (row,) = self.study("--bodies", 60, "--seed", 1, "--steps", 12, "--energy", "e.csv")
        names, *points = (self.folder / "e.csv").read_text().splitlines()
        self.assertEqual(names, "time,kinetic,potential,total,drift")
        points = [[float(word) for word in point.split(",")] for point in points]
        self.assertEqual(len(points), 13)
        self.assertEqual([point[0] for point in points], [step / 512 for step in range(13)])
        for _, kinetic, potential, total, drift in points:
            self.assertAlmostEqual(kinetic + potential, total)
            self.assertAlmostEqual(drift, (total - points[0][3]) / abs(points[0][3]))
        self.assertAlmostEqual(abs(points[-1][4]), row["energy drift"], delta=0.1 * row["energy drift"])
        self.study("--bodies", 60, "--seed", 1, "--steps", 12, "--energy", "e.svg")
        drawn = (self.folder / "e.svg").read_text()
        self.assertEqual([len(line.split()) for line in re.findall(r'<polyline points="([^"]*)"', drawn)], [13] * 4)

    def test_a_picture_is_bright_where_bodies_are(self):
        # Three bodies in a view of 2 by 1.5: x to the right, y up. One has far less mass, but shows.
        (self.folder / "a.csv").write_text("0,0,9,0,0,0,1\n0.5,0.5,0,0,0,0,1\n-0.75,-0.25,0,0,0,0,0.01\n")
        self.study("--in", "a.csv", "--steps", 0, "--picture", "p.png", "--picture-size", "400x300", "--picture-extent", 0.75)
        width, height, rows = pixels_of(self.folder / "p.png")
        self.assertEqual((width, height), (400, 300))
        light = lambda x, y: sum(rows[round(150 - 200 * y)][round(200 + 200 * x)])  # noqa: E731
        self.assertGreater(light(0, 0), 600)
        self.assertGreater(light(0.5, 0.5), 600)
        self.assertTrue(150 < light(-0.75, -0.25) < 600, light(-0.75, -0.25))
        for x, y in ((0.5, -0.5), (-0.5, 0.5), (0.75, 0.25), (0.25, 0)):
            self.assertLess(light(x, y), 50)

    def test_pictures_on_the_way_are_numbered(self):
        self.study("--bodies", 30, "--seed", 1, "--steps", 4, "--picture", "p.png", "--picture-every", 2, "--picture-size", "64x48")
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.png")), [f"p_000{step}.png" for step in (0, 2, 4)])
        self.assertEqual(pixels_of(self.folder / "p_0004.png")[:2], (64, 48))


if __name__ == "__main__":
    Snapshots.headroom, Snapshots.program = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
