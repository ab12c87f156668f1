#!/usr/bin/env python3
"""The count of register reads on machine code of a few lines, whose cycles are worked out by hand; and what prose says of it."""
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts" / "measure"))
import register_banks  # noqa: E402  (the path has to be there first)

LISTING = """
\t\tFunction : _Z4loopPf
        /*0000*/                   MOV R1, c[0x0][0x28] ;                           /* 0x00000a0000017a02 */
                                                                                    /* 0x000fe40000000f00 */
        /*0010*/                   FFMA R8, R4.reuse, R5, R8 ;                      /* 0x0000000504087223 */
        /*0020*/                   FFMA R9, R4, R5, R9 ;                            /* 0x0000000504097223 */
        /*0030*/                   LDS.128 R4, [R2] ;                               /* 0x0000000002047984 */
        /*0040*/                   FFMA R10, -R4, R6, R12 ;                         /* 0x00000006040a7223 */
        /*0050*/              @!P0 BRA 0x10 ;                                       /* 0xffffffb000008947 */
        /*0060*/                   EXIT ;                                           /* 0x000000000000794d */
        /*0070*/                   BRA 0x70;                                        /* 0xfffffff000007947 */
"""


class RegisterBanks(unittest.TestCase):
    def test_the_loop_lies_between_a_branch_and_its_target(self):
        body = register_banks.main_loop(register_banks.functions(LISTING)["_Z4loopPf"])
        self.assertEqual((len(body), body[0][:8], body[-1][:8]), (5, "FFMA R8,", "@!P0 BRA"))

    def test_cycles_are_the_reads_of_the_fuller_bank(self):
        # R4 and R8 even, R5 odd: two. R4 kept, R5 and R9 odd: two. R4, R6 and R12 even: three.
        loop = register_banks.count(register_banks.main_loop(register_banks.functions(LISTING)["_Z4loopPf"]))
        self.assertEqual((loop.fmas, loop.conflicts, loop.cycles, loop.others), (3, 3, 7, 2))
        self.assertEqual(loop.cycles_an_fma(), 3)

    def test_a_kept_operand_stays_until_its_place_is_read_for_another_register_of_its_bank(self):
        def cycles(*sources):
            return register_banks.count([f"FFMA R0, {one}" for one in sources]).cycles
        self.assertEqual(cycles("R2.reuse, R3, R4", "R2, R3, R5"), 2 + 2)         # R2 kept, R3 not: R3 and R5 odd
        self.assertEqual(cycles("R2.reuse, R3.reuse, R4", "R2, R3, R5"), 2 + 1)   # both kept
        self.assertEqual(cycles("R2.reuse, R3, RZ", "R5, R3, RZ", "R2, R3, RZ"), 1 + 2 + 1)  # the odd R5 lies elsewhere
        self.assertEqual(cycles("R2.reuse, R3, RZ", "R4, R3, RZ", "R2, R6, RZ"), 1 + 1 + 2)  # the even R4 takes its place

    def test_a_table_has_a_row_for_every_kernel_under_the_names_of_the_figures(self):
        rows = [{"kernel": "loop", "FMAs": 3, "cycles an FMA": 3.0}, {"kernel": "another_loop", "FMAs": 1024, "cycles an FMA": 1.25}]
        self.assertEqual(register_banks.table(rows), "kernel        FMAs  cycles an FMA\n"
                                                     "loop             3          3.000\n"
                                                     "another_loop  1024          1.250")


class Prose(unittest.TestCase):
    """Heads of rungs, and the page made of them, quote results/register_banks.json."""

    def setUp(self):
        self.results = json.loads((ROOT / "results/register_banks.json").read_text())
        self.rows = {row["kernel"]: row for row in self.results["rows"]}

    def figures(self, sentence, *paths):
        """The groups of a pattern in files, whose lines and marks of comments are put aside."""
        for path in paths:
            text = re.sub(r"\n(// )?", " ", (ROOT / path).read_text())
            found = re.search(sentence, text)
            self.assertTrue(found, f"{path} does not say: {sentence}")
            yield path, found.groups()

    def test_of_register_banks(self):
        before, here = self.rows["asynchronous_kernel<true>"], self.rows["register_banks_kernel<true>"]
        counted = (self.results["target"], self.results["toolkit"].rpartition(".")[0], *map(str, (
            before["in two cycles"], before["FMAs"], here["in two cycles"], before["of the peak, %"], here["of the peak, %"])))
        for path, said in self.figures(r"machine code for (\w+) that nvcc ([\d.]+) makes of the loop, (\d+) of (\d+) FMAs of asynchronous take "
                                       r"two cycles for their registers, here (\d+)\. With the other instructions that allows (\d+) and (\d+) % of",
                                       "studies/sgemm/register_banks.cu", "docs/studies/sgemm.md"):
            self.assertEqual(said, counted, path)

    def test_of_stream_k(self):
        here = self.rows["stream_k_kernel<true>"]
        counted = tuple(str(here[column]) for column in ("in two cycles", "FMAs", "of the peak, %"))
        for path, said in self.figures(r"in this kernel (\d+) of (\d+) FMAs take two cycles, and the issue of instructions allows (\d+) % of",
                                       "studies/sgemm/stream_k.cu", "docs/studies/sgemm.md"):
            self.assertEqual(said, counted, path)


if __name__ == "__main__":
    unittest.main()
