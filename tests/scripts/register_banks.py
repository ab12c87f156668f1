#!/usr/bin/env python3
"""The count of register reads on machine code of a few lines, whose cycles are worked out by hand."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
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


if __name__ == "__main__":
    unittest.main()
