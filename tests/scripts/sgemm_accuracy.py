#!/usr/bin/env python3
"""The rungs of sgemm that use tensor cores err no more than a plain sum of FMAs, and call infinite or no number what it calls so. The
rungs that give every SM a block are right where blocks take whole tiles, too: on a machine of few SMs. Each kernel of any_shape and of tensor_any_shape is right
where rows lie apart.

    tests/scripts/sgemm_accuracy.py HEADROOM SGEMM

On the executor, whose tensor cores round as an H200's do (docs/tensor.md), at sizes with edges in every tile.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

import studies

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = "40x70x64,8x12x2090"  # the last is summed in parts


class Accuracy(unittest.TestCase):
    headroom = sgemm = None

    def setUp(self):
        done, found = studies.run_study(self.headroom, self.sgemm, "--accuracy", "--seed", "1", "--size", SIZES,
                                        "--rung", "naive,tensor_bf16,tensor_f16,tensor_any_shape")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.errors = {}
        for row in found["rows"]:
            self.errors.setdefault((row["input"], row["k"]), {})[row["rung"]] = row

    def test_terms_of_tf32_err_little_more_than_a_plain_sum(self):
        for key, row in self.errors.items():
            one = row["tensor_any_shape"]
            if one["verified"] != "shown":
                self.assertLessEqual(one["error"], 2 * row["naive"]["error"], f"tensor_any_shape: {key}")
                self.assertEqual(one["other kinds"], 0, f"tensor_any_shape: {key}")

    def test_tensor_cores_err_no_more_than_a_plain_sum(self):
        judged = 0
        for key, row in self.errors.items():
            plain = row.pop("naive")
            row.pop("tensor_any_shape")
            for rung, one in row.items():
                if one["verified"] == "shown":
                    continue
                self.assertLessEqual(one["error"], plain["error"], f"{rung}: {key}")
                self.assertEqual(one["other kinds"], 0, f"{rung}: {key}")
                judged += 1
        self.assertEqual(judged, 2 * 2 * 6)  # rungs, sizes, inputs


class Apart(unittest.TestCase):
    """Ten sizes of tiles and sixteen for tensor cores, cut in four ways, one or two columns, stream_k with a copy of B and without, terms of
    f16: edges, factors, gaps of rows."""
    headroom = sgemm = None

    def test_every_kernel_is_right_and_writes_nothing_between_rows(self):
        done, found = studies.run_study(self.headroom, self.sgemm, "--apart", "--seed", "1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        products = {row["kernel"]: row["products"] for row in found["rows"]}
        self.assertEqual(len(products), 14 + 18)
        any_shape = 10 * 4 * 10 + 10 + 2 * 9 + 2 * 2  # tiles, chosen, stream_k, few columns
        tensor = (12 * 10 + 4 * 4) * 4 + 10 + 9  # tiles, four of them for k of at most 64 in four cases; chosen, terms
        self.assertEqual(sum(products.values()), any_shape + tensor)
        self.assertEqual({row["wrong"] for row in found["rows"]}, {0})


class FewSms(unittest.TestCase):
    """A wave of tiles is a product of some thousands on an H200: a machine of four SMs has it at a few hundred."""
    SMS = 4
    headroom = sgemm = None

    def launches(self, rung, size):
        """{short name of a kernel: its launch} of a product that is right."""
        with tempfile.TemporaryDirectory() as folder:
            machine = json.loads((ROOT / "machines/h200.json").read_text())
            machine["sm_count"]["value"] = self.SMS
            (pathlib.Path(folder) / "few.json").write_text(json.dumps(machine))
            command = [self.headroom, "run", "--no-model", "--report", "/dev/null", "--json", f"{folder}/run.json", "--machine", f"{folder}/few.json",
                       "--", self.sgemm, "--rung", rung, "--size", size, "--alpha", "-1.5", "--seed", "1"]
            process = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(process.returncode, 0, f"{rung} {size}: {process.stdout}{process.stderr}")
            return {launch["kernel"]: launch for launch in run_record.read_run(f"{folder}/run.json")["launches"]}

    def product(self, rung, size):
        return next(launch for name, launch in self.launches(rung, size).items() if "stream_k_kernel" in name or "tensor_kernel" in name)

    def test_stream_k_stores_nothing_but_the_product_where_all_tiles_are_whole(self):
        for size, whole in (("512x1024x64", True), ("384x768x64", False), ("381x1021x33", True)):  # 16, 9 and 12 tiles
            launch = self.product("stream_k", size)
            self.assertEqual(launch["grid"], [self.SMS, 1, 1])
            rows, columns = map(int, size.split("x")[:2])
            if columns % 8 == 0:  # else a row's sectors are shared
                product = rows * columns * 4 // 32
                self.assertEqual(launch["counters"]["global_store_sectors"] == product, whole, size)

    def test_tensor_cores_take_whole_tiles_and_share_the_rest(self):
        for rung in ("tensor_bf16", "tensor_f16"):
            for size in ("512x1024x32", "384x768x600"):  # the last: one tile more than two waves, in shares
                self.assertEqual(self.product(rung, size)["grid"], [self.SMS, 1, 1], f"{rung} {size}")


if __name__ == "__main__":
    for test in (Accuracy, Apart, FewSms):
        test.headroom, test.sgemm = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
