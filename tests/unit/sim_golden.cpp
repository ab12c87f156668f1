// Every form of PTX on the executor, against tests/golden/forms. HEADROOM_REBASE=1 writes the outputs anew; HEADROOM_REBASE=ptx first the
// kernels of the computing forms too, asking ptxas which spellings sm_90 has.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/read_file.h"
#include "forms/assemble.h"
#include "forms/decodes.h"
#include "forms/golden.h"
#include "forms/met.h"

namespace headroom::golden {
namespace {

const std::filesystem::path folder = HEADROOM_SOURCE "/tests/golden/forms";

std::string rebase() {
  const char* wish = std::getenv("HEADROOM_REBASE");
  return wish ? wish : "";
}

// What ptxas takes and the executor does not is printed.
void write_generated_kernels() {
  for (const std::string& opcode : generated_opcodes()) {
    std::vector<Candidate> tried;
    for (const ptx::Form& form : ptx::forms()) {
      if (!is_generated(form) ||
          (!form.text.starts_with(opcode + ".") && !form.text.starts_with(opcode + "{")))
        continue;
      for (const Candidate& c : candidates(form)) tried.push_back(c);
    }
    std::vector<Candidate> kept;
    for (const Candidate& c : assembled(tried, HEADROOM_PTXAS, "sm_90")) {
      if (decodes(c))
        kept.push_back(c);
      else
        std::cout << "missing  " << c.instruction << "\n";
    }
    std::filesystem::remove(folder / (opcode + ".ptx"));
    if (!kept.empty()) std::ofstream(folder / (opcode + ".ptx")) << text_of(kept);
  }
}

std::string outputs(const GoldenFile& file) {
  std::string text;
  Executor executor(file);
  for (const Kernel& kernel : file.kernels) {
    text += kernel.name + "\n";
    const std::vector<uint8_t> out = executor.run(kernel);
    if (kernel.fails)
      text += "  fails\n";
    else
      for (const Slot& slot : kernel.slots) text += describe(slot, out);
  }
  return text;
}

TEST(Golden, every_kernel_writes_what_its_golden_file_says) {
  if (rebase() == "ptx") write_generated_kernels();
  ASSERT_FALSE(golden_paths(folder).empty());
  for (const auto& path : golden_paths(folder)) {
    std::string now;
    try {
      now = outputs(read_golden(path));
    } catch (const Error& error) {
      ADD_FAILURE() << path.filename() << ": " << error.what();
      continue;
    }
    std::filesystem::path expected = path;
    expected.replace_extension(".out");
    if (!rebase().empty()) std::ofstream(expected) << now;
    EXPECT_EQ(load_file(expected), now)
        << path.filename() << ": HEADROOM_REBASE=1 if the new output is right";
  }
}

TEST(Golden, every_form_is_met_by_a_golden_file_or_listed_as_one_that_does_not_run) {
  const auto met = met_forms(folder);
  const auto refused = listed_forms(folder / "refused.txt"),
             not_yet = listed_forms(folder / "not_yet.txt"),
             programs = listed_forms(folder / "programs.txt");
  std::set<std::string> known;
  std::string missing;
  for (const ptx::Form& form : ptx::forms()) {
    const std::string text(form.text);
    known.insert(text);
    const int places =
        int(met.count(text) + refused.count(text) + programs.count(text) + not_yet.count(text));
    if (places == 0) missing += text + "\n";
    EXPECT_LE(places, 1) << text
                         << ": a golden file meets it, or it is listed twice; take it off the list";
    EXPECT_FALSE(refused.count(text) && decodes(form))
        << text << " is in refused.txt, but a spelling of it decodes";
  }
  EXPECT_EQ(missing, "") << "no golden file in tests/golden/forms has an instruction of these "
                            "forms: write one, or add the form to programs.txt with a program of "
                            "tests/programs, or to refused.txt with a reason";
  std::set<std::string> names;
  for (const auto& [text, program] : programs) names.insert(program);
  auto shown = forms_of_programs(HEADROOM_BUILD "/tests/programs", names);
  for (const auto& [text, program] : programs)
    EXPECT_TRUE(shown[text].count(program))
        << text << " in programs.txt is not in the kernels of tests/programs/" << program << ".cu";
  for (const auto& [text, reason] : refused) {
    EXPECT_TRUE(known.count(text)) << text << " in refused.txt is no form";
    EXPECT_NE(reason, "") << text << " in refused.txt has no reason";
  }
  for (const auto& [text, reason] : not_yet)
    EXPECT_TRUE(known.count(text)) << text << " in not_yet.txt is no form";
}

}  // namespace
}  // namespace headroom::golden
