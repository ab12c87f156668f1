// Reading images: every compression gives the same text, and no damaged byte does worse than one
// clear Error.
#include <gtest/gtest.h>

#include <random>

#include "base/read_file.h"
#include "kernel/decompress.h"
#include "kernel/kernel.h"
#include "kernel/mapped_file.h"

namespace headroom {
namespace {

const std::string fixtures = FIXTURES;
using Kind = ImageEntry::Kind;

std::string contents(const std::string& name) { return load_file(fixtures + "/" + name); }

Image read(const std::string& bytes) {
  return read_image(std::as_bytes(std::span(bytes)), "image");
}

std::string problem_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

int texts_in(const std::string& name) {
  int texts = 0;
  for (const ImageEntry& entry : read_image_file(fixtures + name).entries)
    texts += entry.kind == Kind::ptx;
  return texts;
}

TEST(Image, the_same_text_comes_out_of_every_compression) {
  const Image plain = read(contents("none.fatbin"));
  ASSERT_EQ(plain.entries.size(), 2u);
  EXPECT_EQ(plain.entries[0].kind, Kind::ptx);
  EXPECT_EQ(plain.entries[0].architecture, 80);
  EXPECT_NE(plain.entries[0].text.find(".target sm_80"), std::string::npos);
  EXPECT_NE(plain.entries[0].text.back(), '\0');
  EXPECT_EQ(plain.entries[1].kind, Kind::cubin);
  EXPECT_EQ(plain.entries[1].text.substr(1, 3), "ELF");
  for (const char* name : {"speed.fatbin", "size.fatbin"}) {
    const Image packed = read(contents(name));
    ASSERT_EQ(packed.entries.size(), 2u) << name;
    EXPECT_LT(contents(name).size(), contents("none.fatbin").size());
    EXPECT_EQ(packed.entries[0].text, plain.entries[0].text) << name;
    EXPECT_EQ(packed.entries[1].text.size(), plain.entries[1].text.size()) << name;
  }
}

TEST(Image, programs_objects_and_bare_files_are_images_too) {
  EXPECT_EQ(texts_in("/shared"), 1);
  EXPECT_EQ(read_image_file(fixtures + "/three.ptx").entries.at(0).architecture, 80);
  const Image specific = read_image_file(fixtures + "/specific.ptx");
  EXPECT_EQ(specific.entries.at(0).architecture, 90);
  EXPECT_EQ(specific.entries.at(0).suffix, "a");
  for (const int architecture : {75, 80, 90, 120}) {
    const Image cubin =
        read_image_file(fixtures + "/sm_" + std::to_string(architecture) + ".cubin");
    EXPECT_EQ(cubin.entries.at(0).kind, Kind::cubin);
    EXPECT_EQ(cubin.entries.at(0).architecture, architecture);
  }
}

TEST(Image, relocatable_programs_keep_their_ptx_in_a_section_of_its_own) {
  EXPECT_EQ(texts_in("/relocatable"), 1);
}

TEST(Image, options_given_to_the_assembler_are_kept) {
  EXPECT_NE(read(contents("limited.fatbin")).entries.at(0).options.find("-maxrregcount=40"),
            std::string::npos);
  EXPECT_EQ(read(contents("none.fatbin")).entries.at(0).options.find("-maxrregcount"),
            std::string::npos);
}

TEST(Image, several_in_a_row_are_modules_of_their_own) {
  const std::string one = contents("size.fatbin");
  const Image image = read(one + std::string(24, '\0') + one);
  ASSERT_EQ(image.entries.size(), 4u);
  EXPECT_EQ(image.entries[3].fatbin, 1);
  const std::vector<Image> modules = modules_of(image);
  ASSERT_EQ(modules.size(), 2u);
  EXPECT_EQ(modules[1].entries.size(), 2u);
}

TEST(Image, a_registered_image_knows_its_own_length) {
  const std::string bytes = contents("size.fatbin");
  EXPECT_EQ(fatbin_at((bytes + "rest").data()).size(), bytes.size());
  EXPECT_THROW(fatbin_at("sixteen bytes of something"), Error);
}

TEST(Image, foreign_files_are_named_as_such) {
  EXPECT_EQ(problem_of(""), "image: empty: no CUDA code in it\n  hint: was the build cut short?");
  EXPECT_NE(problem_of("hello, world").find("neither a fat binary, an ELF file nor PTX text"),
            std::string::npos);
  EXPECT_NE(problem_of(contents("plain")).find("no CUDA code in it"), std::string::npos);
  EXPECT_NE(problem_of(contents("size.fatbin") + "junk").find("not a fat binary"),
            std::string::npos);
  try {
    read_image_file(fixtures + "/missing");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code, 127);
    EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos);
  }
}

TEST(Image, every_truncation_is_an_error_that_names_an_offset) {
  const std::string whole = contents("size.fatbin");
  for (size_t length = 1; length < whole.size(); length += length < 300 ? 1 : 97) {
    const std::string problem = problem_of(whole.substr(0, length));
    EXPECT_NE(problem.find("at offset 0x"), std::string::npos) << length << ": " << problem;
  }
}

// Whatever single or double byte is damaged: an image or an Error, never a crash, and never all of
// memory.
void survives_damage(const std::string& name, int rounds, size_t header_bytes) {
  const std::string whole = contents(name);
  ASSERT_FALSE(whole.empty()) << name;
  std::mt19937_64 random(7);
  for (int round = 0; round < rounds; ++round) {
    std::string damaged = whole;
    const size_t reach = round % 2 ? std::min(header_bytes, whole.size()) : whole.size();
    damaged[random() % reach] = static_cast<char>(random());
    if (round % 3 == 0) damaged[random() % reach] = static_cast<char>(0xff);
    if (round % 7 == 0) damaged.resize(random() % damaged.size());
    try {
      for (const ImageEntry& entry : read(damaged).entries)
        if (entry.kind == Kind::cubin) cubin_resources(std::as_bytes(std::span(entry.text)), name);
    } catch (const Error& error) {
      EXPECT_FALSE(error.problem.empty());
    }
  }
}
TEST(Image, damaged_fat_binaries_never_crash) {
  for (const char* name : {"none.fatbin", "speed.fatbin", "size.fatbin", "limited.fatbin"})
    survives_damage(name, 600, 160);
}
TEST(Image, damaged_cubins_and_programs_never_crash) {
  survives_damage("sm_90.cubin", 3000, 64);
  survives_damage("shared", 1000, 64);
  // The section table is at the end: cut there and mix.
  const std::string whole = contents("sm_90.cubin");
  std::mt19937_64 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 3; ++i)
      damaged[whole.size() - 1 - random() % 3000] = static_cast<char>(random());
    try {
      cubin_resources(std::as_bytes(std::span(damaged)), "cubin");
    } catch (const Error&) {
    }
  }
}

TEST(Decompress, lz4_copies_may_overlap_themselves) {
  const std::string row("\x1b\x0a\x01\x00\x50hello", 10);
  EXPECT_EQ(decompress_lz4({std::as_bytes(std::span(row)), "row"}, 21),
            std::string(16, '\n') + "hello");
}
TEST(Decompress, a_size_that_cannot_be_is_refused_before_memory_is_taken) {
  const std::string row("\x1b\x0a\x01\x00", 4);
  const Bytes packed{std::as_bytes(std::span(row)), "row"};
  EXPECT_THROW(decompress_lz4(packed, uint64_t{1} << 60), Error);
  EXPECT_THROW(decompress_zstd(packed, uint64_t{1} << 60), Error);
  EXPECT_THROW(decompress_lz4(packed, 100), Error);
}

TEST(Choice, the_highest_architecture_not_above_the_machine_runs) {
  Image image;
  for (const auto& [number, suffix] : {std::pair{70, ""}, std::pair{80, ""}, std::pair{90, "a"},
                                       std::pair{90, ""}, std::pair{100, ""}})
    image.entries.push_back({Kind::ptx, number, "text", suffix});
  const auto chosen = [&](int cc, const char* forced = "") {
    const ImageChoice choice = choose_ptx(image, cc, forced, "image");
    return std::to_string(choice.entry->architecture) + choice.entry->suffix +
           (choice.caveat ? "!" : "");
  };
  EXPECT_EQ(chosen(86), "80");
  EXPECT_EQ(chosen(90), "90a");
  EXPECT_EQ(chosen(103), "100");
  EXPECT_EQ(chosen(60), "70!");
  EXPECT_EQ(chosen(90, "sm_80"), "80");
  EXPECT_EQ(chosen(90, "compute_100"), "100");
  EXPECT_THROW(choose_ptx(image, 90, "sm_75", "image"), Error);
}
TEST(Choice, advice_names_no_architecture_that_nvcc_does_not_compile_for) {
  Image image;
  image.entries.push_back({Kind::ptx, 100, "text", ""});
  const auto advice = [&](int cc) { return choose_ptx(image, cc, "", "image").caveat->advice; };
  EXPECT_EQ(advice(90), "add -gencode arch=compute_90,code=compute_90");
  EXPECT_EQ(advice(75), "add -gencode arch=compute_75,code=compute_75");
  for (const int cc : {10, 35, 70}) EXPECT_EQ(advice(cc).find("-gencode"), std::string::npos) << cc;
}

TEST(Choice, machine_code_alone_is_refused_with_the_flag_that_helps) {
  Image image;
  image.entries.push_back({Kind::cubin, 90, "ELF", ""});
  const auto refusal_on = [&](int cc) -> std::string {
    try {
      choose_ptx(image, cc, "", "app");
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal_on(80),
            "app: the image has machine code only (sm_90), and no PTX; the machine is of sm_80\n"
            "  hint: compile it for sm_80, or with PTX: nvcc -gencode "
            "arch=compute_80,code=compute_80");
  for (const int cc : {70, 100})
    EXPECT_NE(refusal_on(cc).find("machine code runs on machines of sm_75 to sm_90"),
              std::string::npos)
        << refusal_on(cc);
}

}  // namespace
}  // namespace headroom
