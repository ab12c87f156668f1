// Machine instructions from their bits: worked examples of every kind of operand, and any bits at all.
// That all spellings are as nvdisasm writes them is shown by scripts/prove/machine_code.py.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "fewer.h"
#include "sass/decode.h"
#include "sass/print.h"
#include "sass/register_port.h"
#include "sass/row.h"

namespace headroom::sass {
namespace {

struct Case {
  uint64_t low, high;
  const char* text;
  uint64_t offset = 0;
  int architecture = 90;
};

std::string text_of(const Case& one) {
  const auto instruction = decode({one.low, one.high}, one.offset, one.architecture);
  return instruction ? print(*instruction) : "?";
}

TEST(Decode, instructions_read_as_the_disassembler_writes_them) {
  for (const Case& one : {
           Case{0xdff117212, 0xfc400078e33ff, "LOP3.LUT R17, RZ, R13, RZ, 0x33, !PT"},
           Case{0x609047c23, 0x10fe20008000004, "FFMA R4, R9, UR6, R4"},
           Case{0x7e0009047a23, 0x4fe40000000004, "FFMA R4, R9, c[0x0][0x1f8], R4", 0, 80},
           Case{0x604307e29, 0x20fe20008000100, "DADD R48, -R4, UR6"},
           Case{0x80000000040b7810, 0xfe20000ffe4ff, "IADD3.X R11, R4, -0x80000000, RZ, P1, !PT"},
           Case{0x51e00720b, 0xfe20003f4e000, "FSETP.GEU.AND P2, PT, R30, R5, PT"},
           Case{0x781c, 0xfda0000703570, "PLOP3.LUT P0, PT, P0, P1, PT, 0xa8, 0x0"},
           Case{0x200000ffff037231, 0x4fc600002c0905,
                "HFMA2.BF16_V2 R3, -RZ.H0_H0, RZ.H0_H0, |R5|.H0_H0"},
           Case{0x1004020e7981, 0xea8000c1e1b00, "LDG.E.64 R14, desc[UR4][R2.64+0x10]"},
           Case{0x41b021b79a8, 0xea800081ee1c6,
                "ATOMG.E.ADD.STRONG.GPU PT, R27, desc[UR6][R2.64+0x4], R27", 0, 80},
           Case{0x1e07007388, 0xfe80000000a00, "STS.64 [R7], R30"},
           Case{0x4097fae, 0x3e2000b901c48, "LDGSTS.E.BYPASS.128 [R9], desc[UR8][R4.64]"},
           Case{0xe001f0005097f89, 0xfe200000e0000, "SHFL.BFLY PT, R9, R5, 0x10, 0x1f"},
           Case{0x208783b, 0xe220000000200, "LDSM.16.M88.4 R8, [R2]"},
           Case{0x41e00000141879f0, 0xfd8000c7018ff,
                "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR20].tnspB, RZ, !UPT"},
           Case{0x53f057290, 0xfcc00087fe43f, "UIADD3.X UR5, URZ, UR5, URZ, UP0, !UPT"},
           Case{0x41000000007b1d, 0xfec0000010000, "BAR.SYNC.DEFER_BLOCKING 0x1, 0x40"},
           Case{0xfffffffc00fc7947, 0xfc0000383ffff, "BRA 0x270", 0x270},
           Case{0xb000007947, 0xfea0003800000, "BRA 0x270", 0x1b0, 80},
           Case{0x7918, 0xfc00000000000, "NOP"},
       })
    EXPECT_EQ(text_of(one), one.text) << std::hex << one.low;
}

TEST(Decode, operands_keep_their_places_and_say_what_is_written) {
  // IADD3 R12, -R14, R12, RZ: neither carry is asked for, but both have their place.
  const auto add = decode({0x0000000c0e0c7210, 0x000fe40007ffe1ff}, 0, 90);
  ASSERT_TRUE(add);
  ASSERT_EQ(add->operands.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(add->operands[i].written, i < 3) << i;
    EXPECT_EQ(add->operands[i].hidden, i == 1 || i == 2) << i;
  }
  EXPECT_EQ(print(*add), "IADD3 R12, -R14, R12, RZ");
}

TEST(Decode, addresses_of_64_bits_say_so_on_every_architecture) {
  const auto old = decode({0x0000000002088381, 0x000e2200001ee900}, 0, 75);
  ASSERT_TRUE(old);
  EXPECT_EQ(print(*old), "@!P0 LDG.E.SYS R8, [R2]");
  EXPECT_TRUE(old->operands.back().wide);
  const auto narrow = decode({0x1004020e7981, 0xea800081e0b00}, 0, 90);
  ASSERT_TRUE(narrow);
  EXPECT_EQ(print(*narrow), "LDG.E.64 R14, [R2.U32+UR4+0x10]");
}

TEST(Decode, older_architectures_have_spellings_of_their_own) {
  struct Case {
    sass::Encoding encoding;
    int architecture;
    const char* text;
  };
  for (const Case& c : {
           Case{{0xa00000ff14247230, 0x000fe20000000400}, 75, "HADD2 R36, R20.F32, -RZ.H0_H0"},
           Case{{0x00000007060d7239, 0x1c0fe40000006208},
                75,
                "I2IP.U4.S32.SAT R13, R6.reuse, R7.reuse, R8.reuse.24"},
           Case{{0x0000000605097239, 0x000fe400000030ff}, 80, "I2IP.S16.S32.SAT R9, R5, R6, RZ"},
           Case{{0x00000007061d723e, 0x000fc4000001b0ff},
                80,
                "F2FP.SATFINITE.BF16.PACK_AB.RZ R29, R6, R7"},
           Case{{0x00000004ff07723e, 0x000fe400000068ff},
                80,
                "F2FP.SATFINITE.RELU.MERGE_C R7, R4, RZ"},
           Case{{0x00000020160c7980, 0x000ea80000116b10},
                75,
                "LD.E.LTC64B.64.STRONG.SYS R12, [R22+0x20]"},
       }) {
    const auto instruction = decode(c.encoding, 0, c.architecture);
    ASSERT_TRUE(instruction) << c.text;
    EXPECT_EQ(print(*instruction), c.text);
  }
}

// ptxas 13.5 has ldmatrix of 4-bit numbers for sm_90a; the tables do not.
TEST(Decode, a_matrix_load_of_another_format_is_unknown) {
  EXPECT_TRUE(decode({0x4ff05783b, 0xe620008000000}, 0, 90));
  EXPECT_FALSE(decode({0x4ff05783b, 0xe620008009000}, 0, 90));
  EXPECT_EQ(print(undecoded({0x4ff05783b, 0xe620008009000})),
            "unknown: 0x00000004ff05783b 0x000e620008009000");
}

TEST(Registers, a_bank_gives_one_a_cycle_and_what_is_kept_costs_none) {
  const auto read = [](uint8_t number, uint8_t slot, bool kept = false) {
    return RegisterRead{number, slot, kept};
  };
  RegisterPort port;
  const PortUse three = port.read({read(4, 0, true), read(10, 1), read(6, 2)});
  EXPECT_EQ(three.of_bank, (std::array<uint8_t, 2>{3, 0}));
  EXPECT_EQ(three.cycles(), 3);
  const PortUse kept = port.read({read(4, 0), read(13, 1), read(6, 2)});
  EXPECT_EQ(kept.of_bank, (std::array<uint8_t, 2>{1, 1}));
  EXPECT_EQ(kept.reused, 1);
  EXPECT_EQ(kept.cycles(), 1);
  const PortUse gone = port.read({read(4, 0), read(4, 1), {}});  // named twice, read once
  EXPECT_EQ(gone.of_bank, (std::array<uint8_t, 2>{1, 0}));
  EXPECT_EQ(gone.reused, 0);
}

TEST(Registers, a_source_has_its_slot_wherever_its_register_stands) {
  const auto slots = [](uint64_t low, uint64_t high) {
    std::string found;
    for (const RegisterRead& read : register_reads(*decode({low, high}, 0, 90)))
      found += read.number == zero_register ? "- " : std::to_string(read.number) + " ";
    return found;
  };
  EXPECT_EQ(slots(0x00000006040a7223, 0x000fe2000000000b), "4 6 11 - ");  // FFMA R10, R4, R6, R11
  EXPECT_EQ(slots(0x3f800000040a7823, 0x000fe2000000000b), "4 - 11 - ");  // FFMA R10, R4, 1, R11
  EXPECT_EQ(slots(0x3f800000040a7423, 0x000fe2000000000b), "4 11 - - ");  // FFMA R10, R4, R11, 1
  EXPECT_EQ(slots(0x0000000500027202, 0x000fe20000000f00), "- 5 - - ");   // MOV R2, R5
  // IMAD.WIDE R6, R7, 0x4, R2: a pair is in both banks
  EXPECT_EQ(slots(0x0000000407067825, 0x000fe200078e0202), "7 - 2 3 ");
}

TEST(Decode, the_control_word_stands_above_the_instruction) {
  // stall 4, no yield, write barrier 2, read barrier 0, waits for 1 and 5, reuses a
  const uint64_t control =
      4ull | 1ull << 4 | 2ull << 5 | 0ull << 8 | 0b100010ull << 11 | 1ull << 17;
  const auto instruction = decode({0x0000000000007918, control << 41}, 0, 90);
  ASSERT_TRUE(instruction);
  EXPECT_EQ(instruction->control, (Control{4, false, 2, 0, 0b100010, 1}));
  EXPECT_EQ(decode({0x0000000000007918, 0}, 0, 90)->control.yield, true);
}

TEST(Decode, what_no_form_has_and_other_architectures_are_nothing) {
  EXPECT_FALSE(decode({0xffffffffffffffff, ~0ull}, 0, 90));
  EXPECT_FALSE(decode({0, 0}, 0, 90));
  EXPECT_FALSE(decode({0x0000000000007918, 0}, 0, 70));
  EXPECT_FALSE(decode({0x0000000000007918, 0}, 0, 100));
}

// Every opcode of the tables with any bits behind it is an instruction with a text, or nothing.
TEST(Decode, any_bits_are_an_instruction_or_nothing) {
  std::mt19937_64 random(16);
  uint64_t read = 0;
  for (uint32_t opcode = 0; opcode < 1 << 12; ++opcode) {
    if (rows_of(opcode).empty()) continue;
    for (int round = 0; round < fewer(200); ++round) {
      const Encoding word{(random() & ~0xfffull) | opcode, random()};
      for (const int architecture : {75, 80, 90}) {
        const auto instruction = decode(word, uint64_t(round) * 16, architecture);
        if (!instruction) continue;
        ++read;
        EXPECT_FALSE(print(*instruction).empty());
        EXPECT_EQ(print(*instruction).find('?'), std::string::npos) << print(*instruction);
      }
    }
  }
  EXPECT_GT(read, uint64_t(fewer(20'000)));
}

TEST(Decode, each_form_begins_with_an_opcode_and_closes_what_it_opens) {
  int forms = 0;
  for (uint32_t opcode = 0; opcode < 1 << 12; ++opcode) {
    for (const Row* row : rows_of(opcode)) {
      ++forms;
      EXPECT_FALSE(row->opcode.empty()) << row->form->text;
      int open = 0;
      for (const char* c = row->form->text; *c; ++c) {
        open += (*c == '{') - (*c == '}');
        EXPECT_TRUE(open == 0 || open == 1) << row->form->text;
      }
      EXPECT_EQ(open, 0) << row->form->text;
      for (const Choice& choice : row->modifiers) {
        if (!choice.field.width) continue;
        const size_t values = 1ull
                              << (choice.bits.empty() ? choice.field.width : choice.bits.size());
        EXPECT_LE(choice.texts.size(), values) << row->form->text;
      }
    }
  }
  EXPECT_GT(forms, 400);
}

// Its immediate is a half too.
TEST(Decode, of_an_immediate_mufu_tells_halves_from_floats) {
  const auto half = decode({0x0000404900057908, 0x000e300000002600}, 0, 90);
  ASSERT_TRUE(half);
  EXPECT_TRUE(half->has(".BF16") && half->has(".TANH"));
}

}  // namespace
}  // namespace headroom::sass
