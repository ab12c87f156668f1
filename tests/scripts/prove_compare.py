#!/usr/bin/env python3
"""The comparison of two runs of a program on made-up ones: what counts as equal, as a time, as a difference."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts" / "prove"))
import prove_compare  # noqa: E402  (the path has to be there first)

LAUNCH = {"mangled": "_Z5scalePf", "registers": 10, "resources": {"static_shared": 0}}
KERNEL = {"mangled": "_Z5scalePf", "registers": 10, "static_shared": 0, "local_bytes": 0}


def compare(mine, theirs, launches=(LAUNCH,), kernels=(KERNEL,), reasons="", exits=(0, 0)):
    """Writes both sides down, runs the script's main, and gives back exit code, registers and outputs of the program."""
    with tempfile.TemporaryDirectory() as home:
        root = pathlib.Path(home)
        for side, output, code in (("executor", mine, exits[0]), ("gpu", theirs, exits[1])):
            (root / side).mkdir()
            (root / side / "app.out").write_text(output)
            (root / side / "app.run").write_text(json.dumps({"arguments": ["1"], "exit": code}))
        (root / "executor" / "app.json").write_text(json.dumps({"launches": launches, "machine": {"title": "Some GPU (its chip)"}}))
        (root / "gpu" / "app.attributes").write_text("".join(json.dumps(kernel) + "\n" for kernel in kernels))
        (root / "visit.json").write_text('{"gpu": "Some GPU"}')
        (root / "reasons.txt").write_text(reasons)
        sys.argv = ["prove_compare.py", f"{root}/executor", f"{root}/gpu", "--visit", f"{root}/visit.json", "--registers",
                    f"{root}/registers.json", "--outputs", f"{root}/outputs.json", "--reasons", f"{root}/reasons.txt"]
        with contextlib.redirect_stdout(io.StringIO()):
            code = prove_compare.main()
        registers, outputs = (json.loads((root / name).read_text())["programs"][0]
                              for name in ("registers.json", "outputs.json"))
        return code, registers, outputs


class Proof(unittest.TestCase):
    def test_the_same_bytes_are_equal(self):
        code, registers, outputs = compare("sum 5\n", "sum 5\n")
        self.assertEqual((code, registers["equal"], outputs["output"]), (0, 1, "equal"))

    def test_the_name_of_the_device_is_none_of_it(self):
        self.assertEqual(compare("on Some GPU (its chip)\n", "on Some GPU\n")[2]["output"], "equal")

    def test_numbers_of_lines_about_times_may_differ(self):
        self.assertEqual(compare("kernel time: 3.1 (ms)\nPASS\n", "kernel time: 12e-3 (ms)\nPASS\n")[2]["output"], "times")
        table = "size  GB/s\n1  2.0\n2  {}\n\nPASS\n"
        self.assertEqual(compare(table.format(7), table.format(8))[2]["output"], "times")

    def test_other_numbers_may_not(self):
        code, _, outputs = compare("time: 3 ms\nsum 5\n", "time: 4 ms\nsum 6\n")
        self.assertEqual((code, outputs["output"], outputs["executor"], outputs["gpu"]), (1, "differs", "sum 5", "sum 6"))
        self.assertEqual(compare("PASS\n", "PASS\nmore\n")[2]["gpu"], "more")

    def test_a_word_that_holds_the_name_of_a_time_is_none(self):
        for line in ("generated {}\n", "accurate to {} digits\n", "sometimes {}\n", "rated {}\n"):
            self.assertEqual(compare(line.format(5), line.format(6))[2]["output"], "differs")
        for line in ("GFLOPS: {}\n", "hit rate {}\n", "{} us\n", "kernel_time {}\n"):
            self.assertEqual(compare(line.format(5), line.format(6))[2]["output"], "times")

    def test_a_difference_with_a_reason_is_explained(self):
        code, _, outputs = compare("device A\n", "device B\n", reasons="# why\napp\tit names the device\n")
        self.assertEqual((code, outputs["why"]), (0, "it names the device"))

    def test_exit_codes_must_agree(self):
        self.assertEqual(compare("PASS\n", "PASS\n", exits=(0, 1))[0], 1)

    def test_kernels_of_unnamed_namespaces_are_found(self):
        mine, theirs = ("_ZN5micro40_GLOBAL__N__%s_8_tiles_cu_%s4treeEv" % numbers
                        for numbers in (("0d5dafb5", "fd0dd1a6"), ("12345678", "9abcdef0")))
        code, registers, _ = compare("", "", [LAUNCH | {"mangled": mine}], [KERNEL | {"mangled": theirs}])
        self.assertEqual((code, registers["equal"]), (0, 1))

    def test_registers_must_agree_for_every_kernel_that_was_launched(self):
        code, registers, _ = compare("", "", kernels=(KERNEL | {"registers": 11},))
        self.assertEqual((code, registers["different"][0]["gpu"]["registers"]), (1, 11))
        self.assertEqual(compare("", "", kernels=())[0], 1)
        self.assertEqual(compare("", "", kernels=(KERNEL, KERNEL | {"mangled": "_Z5otherv"}))[1]["not_launched"], 1)


if __name__ == "__main__":
    unittest.main()
