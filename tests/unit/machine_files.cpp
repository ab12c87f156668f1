// machines/*.json: what is shipped can be read, and every way to spoil such a file gives one clear
// message.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/read_file.h"
#include "machine/machine.h"
#include "machine/names.h"

namespace headroom {
namespace {

std::string shipped(const std::string& name) {
  return load_file(std::string(HEADROOM_SOURCE) + "/machines/" + name + ".json");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

// "problem | hint" of the error that reading the text gives.
std::string complaint(const std::string& text) {
  try {
    parse_machine(text, "mine.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "mine.json");
    return error.problem + " | " + error.hint;
  }
  return "no error";
}

TEST(Machines, AreListedFromTheOldestToTheNewest) {
  EXPECT_EQ(machine_names(),
            (std::vector<std::string>{
                "g80",      "fx5800", "gt200",   "c2050", "gtx480", "gtx570",    "gtx460", "gtx680",
                "gtxtitan", "k40",    "titanx",  "p100",  "v100",   "rtx2080ti", "t4",     "a100",
                "a6000",    "l4",     "rtx4090", "h100",  "h200",   "b200",      "rtx5090"}));
}

TEST(Machines, EachFileHoldsTheMachineOfItsName) {
  for (const std::string& name : machine_names()) EXPECT_EQ(load_machine(name).name, name);
}

TEST(MachineNames, APersonMayWriteCapitalsAndSlipOnALetter) {
  EXPECT_EQ(machine_asked("H200"), "h200");
  EXPECT_EQ(machine_asked("h20"), std::nullopt);
  EXPECT_EQ(machine_meant("h20"), "h200");
  EXPECT_EQ(machine_meant("RTX409"), "rtx4090");
  EXPECT_EQ(machine_meant("banana"), std::nullopt);
}

TEST(MachineNames, AGpusOwnNameSaysWhichMachineItIs) {
  EXPECT_EQ(machine_of_gpu("NVIDIA H200"), "h200");
  EXPECT_EQ(machine_of_gpu("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(machine_of_gpu("NVIDIA A100-SXM4-40GB"), "a100");
  EXPECT_EQ(machine_of_gpu("Tesla V100-SXM2-16GB"), "v100");
  EXPECT_EQ(machine_of_gpu("Tesla K40c"), "k40");
  EXPECT_EQ(machine_of_gpu("NVIDIA GeForce GTX TITAN"), "gtxtitan");
  EXPECT_EQ(machine_of_gpu("NVIDIA GeForce GTX TITAN X"), "titanx");
  EXPECT_EQ(machine_of_gpu("NVIDIA GeForce GTX TITAN X", {"gtxtitan"}), "gtxtitan");
  EXPECT_EQ(machine_of_gpu("GeForce GTX 680"), "gtx680");
  EXPECT_EQ(machine_of_gpu("NVIDIA RTX A6000"), "a6000");
  for (const char* other : {"NVIDIA GH200 480GB", "Tesla T40", "NVIDIA RTX 6000", "NVIDIA", ""})
    EXPECT_EQ(machine_of_gpu(other), std::nullopt) << other;
}

TEST(MachineNames, AGpuThatIsNoneOfThemStillHasAName) {
  EXPECT_EQ(name_for_gpu("Tesla K40c"), "k40");
  EXPECT_EQ(name_for_gpu("NVIDIA GeForce RTX 3080 Ti"), "rtx3080ti");
  EXPECT_EQ(name_for_gpu("NVIDIA"), "gpu");
}

TEST(Machines, AFileWorksWhereverANameDoes) {
  Machine by_path = load_machine(std::string(HEADROOM_SOURCE) + "/machines/h200.json");
  EXPECT_EQ(*by_path.sm_count, *load_machine("h200").sm_count);
}

TEST(Machines, EveryFactHasOneRowAndAMeaning) {
  std::set<std::string_view> names;
  Machine machine;
  std::set<const Fact*> facts;
  for (const MachineField& field : machine_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_TRUE(facts.insert(&(machine.*field.fact)).second) << field.name;
    EXPECT_FALSE(field.meaning.empty());
    EXPECT_FALSE(field.unit.empty());
  }
}

TEST(Machines, EveryValueSaysWhereItIsFromAndHowSureItIs) {
  for (const std::string& name : machine_names()) {
    Machine machine = load_machine(name);
    for (const MachineField& field : machine_fields()) {
      const Fact& fact = machine.*field.fact;
      EXPECT_EQ(bool(fact), !fact.from.empty()) << name << " " << field.name;
      EXPECT_EQ(bool(fact), !fact.status.empty() && fact.status != "unknown")
          << name << " " << field.name;
    }
    EXPECT_EQ(machine.sources.size(), 3u) << name;
  }
}

TEST(Machines, LimitsAgreeWithEachOther) {
  for (const std::string& name : machine_names()) {
    Machine machine = load_machine(name);
    EXPECT_EQ(*machine.max_threads_per_sm, *machine.max_warps_per_sm * 32) << name;
    EXPECT_LE(*machine.shared_per_block + *machine.shared_reserved_per_block / 1024,
              *machine.shared_per_sm)
        << name;
    EXPECT_EQ(machine.register_allocation_scope, machine.cc() < 20 ? "block" : "warp") << name;
    EXPECT_EQ(*machine.shared_reserved_per_block, machine.cc() < 80 ? 0 : 1024) << name;
    EXPECT_GE(*machine.issue_per_clock * 32, *machine.fp32_per_clock) << name;
  }
}

TEST(Machines, PinBandwidthFollowsFromClockAndBus) {
  for (const std::string& name : machine_names()) {
    Machine machine = load_machine(name);
    ASSERT_TRUE(machine.memory_clock && machine.memory_bus_width) << name;
    double computed = *machine.memory_clock * 1e6 * *machine.memory_bus_width / 8 * 2 / 1e9;
    EXPECT_NEAR(computed / *machine.dram_bandwidth, 1, 0.0025)
        << name;  // data sheets round: 900 for 898
  }
}

TEST(Machines, TheH200IsTheOneThatWasMeasured) {
  Machine h200 = load_machine("h200");
  EXPECT_EQ(*h200.l2_size, 60 * 1024);
  EXPECT_EQ(*h200.dram_bandwidth, 4815);
  EXPECT_EQ(*h200.dram_bandwidth_measured, 4558);
  EXPECT_EQ(h200.fp64_latency.status, "measured");
  EXPECT_EQ(*h200.imad_wide_latency, 9);
  EXPECT_EQ(h200.cc(), 90);
  EXPECT_EQ(load_machine("gt200").cc(), 13);
}

TEST(MachineFile, AMisspeltKeyNamesTheNearestOne) {
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"sm_count\"", "\"sm_cuont\"")),
            "\"sm_cuont\" is no fact of a machine | did you mean \"sm_count\"?");
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"value\": 132", "\"valeu\": 132")),
            "\"valeu\" of \"sm_count\" is no part of a fact | did you mean \"value\"?");
}

TEST(MachineFile, AWrongTypeNamesTheKeyAndBothTypes) {
  EXPECT_EQ(
      complaint(replaced(shipped("h200"), "\"value\": 132", "\"value\": \"132\"")),
      "the value of \"sm_count\" must be a number, not string | an unknown value is left out");
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"name\": \"h200\"", "\"name\": 200")),
            "\"name\" must be a text, not number | ");
  EXPECT_EQ(complaint("[]"), "a machine file is one JSON object, not array | ");
}

TEST(MachineFile, AnotherUnitIsRefused) {
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"value\": 1980, \"unit\": \"MHz\"",
                               "\"value\": 1.98, \"unit\": \"GHz\"")),
            "\"sm_clock\" is in \"GHz\" | give it in \"MHz\"");
}

TEST(MachineFile, AMissingLimitIsNamed) {
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"value\": 132, ", "")),
            "\"sm_count\" is missing | occupancy cannot be computed without it");
  EXPECT_EQ(complaint(R"({"name": "x"})"),
            "\"compute_capability\" is missing | occupancy cannot be computed without it");
}

TEST(MachineFile, AnUnsourcedOrImpossibleValueIsRefused) {
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"value\": 132", "\"value\": 0")),
            "the value of \"sm_count\" is 0 | it must be greater");
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"warp_schedulers\": {\"value\": 4",
                               "\"warp_schedulers\": {\"value\": 0")),
            "the value of \"warp_schedulers\" is 0 | it must be greater; leave it out where it is "
            "unknown");
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"value\": 132", "\"value\": 1.5")),
            "the value of \"sm_count\" is 1.5 | give a whole number of SMs");
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"value\": 132", "\"value\": 1e308")),
            "the value of \"sm_count\" is 1e+308 | give at most 1e+09 SMs");
  EXPECT_EQ(complaint(replaced(shipped("h200"), "\"value\": 132", "\"value\": -1")),
            "the value of \"sm_count\" is negative | ");
  EXPECT_EQ(complaint(replaced(shipped("h200"),
                               "\"from\": \"measured on an H200, CUDA 13.0, 2026-11\", ", "")),
            "\"sm_count\" has a value but no \"from\" | say where the value is from");
}

TEST(MachineFile, ATruncatedFileSaysSo) {
  std::string text = shipped("h200");
  EXPECT_TRUE(
      complaint(text.substr(0, 500)).starts_with("the JSON text ends too early, after 500 bytes"));
  EXPECT_TRUE(complaint("").starts_with("the JSON text ends too early, after 0 bytes"));
  EXPECT_TRUE(complaint("name: h200").starts_with("not JSON, at byte "));
}

TEST(MachineFile, EveryPrefixOfAFileIsAnErrorAndNotACrash) {
  std::string text = shipped("t4");
  while (!text.empty() && text.back() != '}') text.pop_back();
  for (size_t bytes = 0; bytes < text.size(); bytes += 13)
    EXPECT_THROW(parse_machine(text.substr(0, bytes), "mine.json"), Error) << bytes;
}

TEST(LoadMachine, SaysWhichMachinesThereAre) {
  try {
    load_machine("h20");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problem, "no machine 'h20'");
    EXPECT_TRUE(error.hint.starts_with("did you mean 'h200'? There are g80, fx5800, "))
        << error.hint;
  }
  EXPECT_THROW(load_machine("./no/such.json"), Error);
  EXPECT_THROW(load_machine(HEADROOM_SOURCE "/machines"), Error);
}

}  // namespace
}  // namespace headroom
