// A record's lines come back as they were, whatever they hold, and damaged files give one clear
// Error each.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "record/json.h"
#include "record/record.h"
#include "record/writer.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

struct File {
  fs::path path = fs::temp_directory_path() / ("headroom-record-" + std::to_string(getpid()));
  explicit File(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  ~File() { fs::remove(path); }
};

Record read_text(const std::string& text) { return read_record(File(text).path.string()); }

std::string problem_of(const std::string& text) {
  try {
    read_text(text);
  } catch (const Error& error) {
    return error.problem;
  }
  return "";
}

std::optional<uint64_t> any_address() {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return *rc::gen::arbitrary<uint64_t>();
}

LaunchRecord any_launch() {
  LaunchRecord launch;
  launch.index = *rc::gen::inRange(0, 1 << 30);
  launch.name = "void k<\"\\\n\t\u00e9>(int)";
  launch.shape.kernel = "_Z1kPi";
  launch.image = "sm_80";
  launch.shape.grid = {*rc::gen::arbitrary<unsigned>(), 2, 3};
  launch.shape.block = {32, *rc::gen::arbitrary<unsigned>(), 1};
  if (*rc::gen::arbitrary<bool>())
    launch.shape.cluster = Dim3{*rc::gen::arbitrary<unsigned>(), 1, 1};
  launch.shape.dynamic_shared = *rc::gen::arbitrary<uint64_t>();
  if (*rc::gen::arbitrary<bool>()) launch.shape.carveout = *rc::gen::inRange(0, 101);
  launch.shape.cooperative = *rc::gen::arbitrary<bool>();
  launch.stream = *rc::gen::arbitrary<uint64_t>();
  if (*rc::gen::arbitrary<bool>()) launch.resources.registers = *rc::gen::inRange(0, 256);
  if (*rc::gen::arbitrary<bool>()) launch.resources.spill_loads = 0;
  launch.resources.from = "ptxas";
  if (*rc::gen::arbitrary<bool>())
    launch.resources.caveats.push_back({"deep", "recursion", "limit"});
  for (const CounterField& field : counter_fields())
    launch.counters.*field.value = *rc::gen::arbitrary<uint64_t>();
  launch.seconds = std::abs(*rc::gen::arbitrary<double>());
  launch.floor_seconds = 1e-9;
  launch.ordered = *rc::gen::arbitrary<bool>();
  launch.state = State(*rc::gen::inRange(0, 5));
  if (!launch.completed())
    launch.findings.push_back({"illegal_global_load",
                               "k(int)",
                               "k.cu:12",
                               "ld.global.f32 %f1, [%rd1];",
                               {3, 0, 0},
                               {5, 0, 0},
                               any_address(),
                               "4-byte load past the end",
                               700});
  launch.caveats.push_back({"what", "cause", "advice"});
  return launch;
}

RC_GTEST_PROP(Record, comes_back_as_it_was_written, ()) {
  Record record;
  record.program = {"./saxpy", "--name", "a \"quoted\"\nword"};
  record.process = 4711;
  record.machine = "h200";
  record.transfers = {{"host_to_device", 2, *rc::gen::arbitrary<uint64_t>()}};
  record.unsupported_calls = {"cudaGraphLaunch"};
  record.findings = {Finding{.kind = "leak", .address = 512, .what = "2 allocations"}};
  RecordWriter writer;
  std::string text = writer.header(record);
  for (int i = 0; i < 3; ++i) {
    record.launches.push_back(any_launch());
    record.launches.back().index = i;
    if (i == 1) text += writer.begin(record.launches.back());
    text += writer.launch(record.launches.back());
  }
  text += writer.end(record, 3);
  const Record back = read_text(text);
  RC_ASSERT(back.ended);
  RC_ASSERT(back.program == record.program);
  RC_ASSERT(back.process == record.process);
  RC_ASSERT(back.machine == record.machine);
  RC_ASSERT(back.unsupported_calls == record.unsupported_calls);
  RC_ASSERT(back.findings.size() == 1u && back.findings[0].what == "2 allocations" &&
            back.findings[0].address == 512u);
  RC_ASSERT(back.transfers.at(0).bytes == record.transfers[0].bytes);
  RC_ASSERT(back.launches.size() == record.launches.size());
  for (size_t i = 0; i < record.launches.size(); ++i) {
    RC_ASSERT(back.launches[i].counters == record.launches[i].counters);
    RC_ASSERT(to_json(back.launches[i]) == to_json(record.launches[i]));
  }
}

std::string whole_record() {
  Record record;
  record.program = {"./app"};
  LaunchRecord launch;
  launch.name = "k()";
  RecordWriter writer;
  std::string text = writer.header(record);
  for (int i = 0; i < 2; ++i) text += writer.launch(launch);
  return text + writer.end(record, 2);
}

size_t launches_of(const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = part.find("{\"launch\"", at)) != part.npos; ++at) ++count;
  return count;
}

TEST(Record, cut_off_anywhere_after_its_header_keeps_the_whole_launches) {
  const std::string text = whole_record();
  const size_t header = text.find('\n') + 1;
  for (size_t length = 0; length < text.size() - 1; length += 3) {
    const std::string part = text.substr(0, length);
    if (length < header - 1) {
      EXPECT_NE(problem_of(part), "") << length;
      continue;
    }
    for (const std::string& behind : {std::string(), std::string(100, '\0')}) {
      const Record record = read_text(part + behind);
      EXPECT_LE(record.launches.size(), launches_of(part));
      EXPECT_GE(record.launches.size() + 1, launches_of(part));
    }
  }
  EXPECT_FALSE(read_text(text.substr(0, text.size() - 20)).ended);
  EXPECT_TRUE(read_text(text).ended);
}

TEST(Record, a_launch_that_began_and_did_not_end_is_an_interrupted_one) {
  LaunchRecord launch;
  launch.name = "forever(int*)";
  launch.shape.grid = {7, 1, 1};
  launch.caveats.push_back({"built for another", "machine", ""});
  RecordWriter writer;
  const std::string header = RecordWriter::header({});
  const std::string begun = writer.begin(launch), over = writer.launch(launch);
  EXPECT_EQ(read_text(header + begun + over).launches.size(), 1u);
  EXPECT_EQ(read_text(header + begun + over).launches[0].caveats.size(), 1u);

  const Record record = read_text(header + begun + over + writer.begin(launch) + "{\"laun");
  ASSERT_EQ(record.launches.size(), 2u);
  EXPECT_EQ(record.launches[1].name, "forever(int*)");
  EXPECT_EQ(record.launches[1].index, 1);
  EXPECT_EQ(record.launches[1].shape.grid, (Dim3{7, 1, 1}));
  EXPECT_EQ(record.launches[1].state, State::stopped);
  ASSERT_EQ(record.launches[1].caveats.size(), 2u);
  EXPECT_EQ(record.launches[1].caveats[1].what, "interrupted while it ran");
  EXPECT_FALSE(record.ended);
}

LaunchRecord launch_that_ran() {
  LaunchRecord launch;
  launch.name = "k(int*)";
  launch.state = State::ran;
  launch.counters.warp_instructions = 98304;
  launch.seconds = 7.25e-05;
  return launch;
}

TEST(Record, a_launch_that_ran_and_was_not_predicted_has_its_counters) {
  LaunchRecord launch = launch_that_ran();
  RecordWriter writer;
  std::string text = RecordWriter::header({});
  text += writer.begin(launch);
  text += writer.ran(launch);
  const Record record = read_text(text);
  ASSERT_EQ(record.launches.size(), 1u);
  EXPECT_EQ(record.launches[0].state, State::ran);
  EXPECT_EQ(record.launches[0].counters.warp_instructions, 98304u);
  EXPECT_EQ(record.launches[0].seconds, 7.25e-05);
  ASSERT_EQ(record.launches[0].caveats.size(), 1u);
  EXPECT_EQ(record.launches[0].caveats[0].what, "no predicted time");

  launch.prediction.emplace().seconds = 1;
  text += writer.launch(launch);
  const Record whole = read_text(text);
  ASSERT_EQ(whole.launches.size(), 1u);
  EXPECT_TRUE(whole.launches[0].caveats.empty());
  EXPECT_EQ(whole.launches[0].prediction->seconds, 1);
  text += writer.begin(launch);
  text += writer.ran(launch);
  EXPECT_EQ(read_text(text).launches.size(), 2u);
}

TEST(Record, what_repeats_is_written_once) {
  LaunchRecord launch = launch_that_ran();
  RecordWriter writer;
  writer.begin(launch);
  writer.launch(launch);
  EXPECT_EQ(writer.begin(launch), "{\"begin\":0}\n");
  EXPECT_EQ(writer.launch(launch), "{\"launch\":[0,0,7.25e-05]}\n");
  launch.counters.warp_instructions = 1;
  writer.begin(launch);
  EXPECT_NE(writer.launch(launch).find("{\"launch\":[0,1,7.25e-05]}\n"), std::string::npos);
}

std::shared_ptr<const MachineListing> listing() {
  return std::make_shared<MachineListing>(MachineListing{
      {"/home/me/k.cu"}, {{0, "MOV R1, RZ"}, {16, "LDG.E R2, desc[UR4][R2.64]", 0, 6}}});
}

LaunchRecord launch_with(std::shared_ptr<const MachineListing> code, uint64_t executed) {
  LaunchRecord launch;
  launch.source = std::make_shared<SourceCounts>(
      SourceCounts{std::move(code), {{.executed = executed}, {.sectors = 8}}});
  return launch;
}

TEST(Record, counts_of_instructions_come_back_with_one_listing_for_all_launches) {
  RecordWriter writer;
  std::string text = RecordWriter::header({});
  const auto code = listing(), other = listing();
  text += writer.launch(LaunchRecord{});
  for (unsigned i = 0; i < most_kept + 3; ++i) text += writer.launch(launch_with(code, i));
  text += writer.launch(launch_with(other, 7));
  size_t listings = 0;
  for (size_t at = 0; (at = text.find("{\"listing\":{\"files\"", at)) != text.npos; ++at)
    ++listings;
  EXPECT_EQ(listings, 2u);

  const Record record = read_text(text);
  ASSERT_EQ(record.launches.size(), most_kept + 5);
  EXPECT_EQ(record.launches[0].source, nullptr);
  const auto& first = record.launches[1].source;
  const auto& last_but_one = record.launches[most_kept + 3].source;
  ASSERT_TRUE(first && last_but_one);
  EXPECT_EQ(first->listing, last_but_one->listing);
  EXPECT_EQ(first->listing->files, code->files);
  ASSERT_EQ(first->listing->instructions.size(), 2u);
  EXPECT_EQ(first->listing->instructions[0].file, no_source_file);
  EXPECT_EQ(first->listing->instructions[1].text, "LDG.E R2, desc[UR4][R2.64]");
  EXPECT_EQ(first->listing->instructions[1].address, 16u);
  EXPECT_EQ(first->listing->instructions[1].line, 6u);
  EXPECT_EQ(last_but_one->counts[0].executed, most_kept + 2);
  EXPECT_EQ(last_but_one->counts[1].sectors, 8u);
  EXPECT_EQ(record.launches.back().source->counts[0].executed, 7u);
}

TEST(Record, counts_of_another_number_of_instructions_are_refused) {
  RecordWriter writer;
  std::string text = RecordWriter::header({}) + writer.launch(launch_with(listing(), 5));
  text.replace(text.find("\"executed\":[5,0]"), 16, "\"executed\":[5]");
  EXPECT_NE(problem_of(text).find("another number of instructions"), std::string::npos);
}

TEST(Record, more_than_is_kept_comes_back_whole) {
  RecordWriter writer;
  std::string text = RecordWriter::header({});
  LaunchRecord launch;
  for (unsigned i = 0; i < 2 * most_kept + 3; ++i) {
    launch.shape.grid.x = i / 2;
    launch.counters.branches = i;
    text += writer.begin(launch);
    text += writer.launch(launch);
  }
  const Record record = read_text(text);
  ASSERT_EQ(record.launches.size(), 2 * most_kept + 3);
  for (unsigned i = 0; i < record.launches.size(); ++i) {
    EXPECT_EQ(record.launches[i].shape.grid.x, i / 2);
    EXPECT_EQ(record.launches[i].counters.branches, i);
  }
}

// The writer compares a launch with those before it.
TEST(Record, launches_that_differ_in_one_thing_come_back_so) {
  using Change = void (*)(LaunchRecord&);
  const Change changes[] = {
      [](LaunchRecord& launch) { launch.shape.block.x = 64; },
      [](LaunchRecord& launch) { launch.shape.dynamic_shared = 8; },
      [](LaunchRecord& launch) { launch.name = "another"; },
      [](LaunchRecord& launch) { launch.stream = 9; },
      [](LaunchRecord& launch) { launch.device = 1; },
      [](LaunchRecord& launch) { launch.image = "sm_75"; },
      [](LaunchRecord& launch) { launch.engine = Engine::machine; },
      [](LaunchRecord& launch) { launch.resources.registers = 99; },
      [](LaunchRecord& launch) { launch.counters.barriers = 5; },
      [](LaunchRecord& launch) { launch.floor_seconds = 2; },
      [](LaunchRecord& launch) { launch.state = State::stopped; },
      [](LaunchRecord& launch) { launch.ordered = true; },
      [](LaunchRecord& launch) { launch.findings.push_back({.kind = "trap"}); },
      [](LaunchRecord& launch) {
        launch.caveats.push_back({"a", "b", "c"});
      },
      [](LaunchRecord& launch) { launch.prediction = Prediction{.seconds = 3}; },
      [](LaunchRecord& launch) {
        launch.prediction = Prediction{.seconds = 3, .advice = {{.id = "uncoalesced"}}};
      },
      [](LaunchRecord& launch) {
        launch.prediction =
            Prediction{.seconds = 3, .advice = {{.id = "a", .then = {{.id = "b"}}}}};
      },
  };
  LaunchRecord launch;
  launch.name = "one";
  launch.state = State::ran;
  RecordWriter writer;
  std::string text = RecordWriter::header({});
  std::vector<LaunchRecord> written;
  for (const Change change : changes) {
    LaunchRecord other = launch;
    change(other);
    for (const LaunchRecord& each : {launch, other, launch}) {
      text += writer.begin(each);
      text += writer.launch(each);
      written.push_back(each);
      written.back().index = int(written.size()) - 1;
    }
  }
  const Record record = read_text(text);
  ASSERT_EQ(record.launches.size(), written.size());
  for (size_t i = 0; i < written.size(); ++i)
    EXPECT_EQ(to_json(record.launches[i]), to_json(written[i])) << i;
}

TEST(Record, foreign_empty_and_other_files_are_named_as_such) {
  EXPECT_EQ(problem_of(""), "is empty");
  EXPECT_EQ(problem_of("hello\n"), "is not a record of headroom");
  EXPECT_EQ(problem_of("[1, 2]\n"), "is not a record of headroom");
  EXPECT_EQ(problem_of("{\"a\": 1}\n"), "is not a record of headroom");
  EXPECT_EQ(problem_of(std::string(1000, '\0')), "is empty");
  EXPECT_EQ(problem_of(std::string(1000, '\0') + "\n"), "is not a record of headroom");
  EXPECT_EQ(problem_of("{\"schema\": \"headroom-record/9\"}\n"),
            "has the schema \"headroom-record/9\", and this version reads \"headroom-record/2\"");
  EXPECT_NE(problem_of("{\"schema\": 3}\n").find("has the schema 3"), std::string::npos);
  EXPECT_NE(problem_of("{\"schema\": \"headroom-record/2\"}\n").find("process"), std::string::npos);
  EXPECT_THROW(read_record("/nowhere/record"), Error);
  EXPECT_THROW(read_record("/"), Error);
}

TEST(Record, a_damaged_line_in_the_middle_is_named_by_its_number) {
  const std::string text = whole_record();
  const size_t second = text.find('\n') + 1;
  const auto where = [](const std::string& damaged) {
    try {
      read_text(damaged);
    } catch (const Error& error) {
      return error.where.substr(error.where.rfind(':')) + " " + error.problem;
    }
    return std::string();
  };
  EXPECT_EQ(where(text.substr(0, second) + "{\n" + text.substr(second)), ":2 is not JSON");
  EXPECT_NE(where(text.substr(0, second) + "{}\n" + text.substr(second))
                .find(":2 is not a line of a record"),
            std::string::npos);
  EXPECT_EQ(where(text + text.substr(second)), ":7 a line after the end");
  EXPECT_EQ(where(text.substr(0, second) + "{\"begin\":0}\n"),
            ":2 names a shape or an outcome that no line introduced");
  std::string renamed = text;
  renamed.replace(renamed.find("\"warp_instructions\""), 19, "\"warp_instructionz\"");
  EXPECT_NE(where(renamed).find("warp_instructions"), std::string::npos);
}

TEST(Record, bytes_that_are_not_utf8_are_replaced) {
  Record record;
  record.program = {"./app", "\xff\xfe"};
  EXPECT_EQ(read_text(RecordWriter::header(record)).program.at(1), "\ufffd\ufffd");
}

TEST(Record, an_unknown_time_is_null_and_comes_back_as_unknown) {
  LaunchRecord launch;
  launch.floor_seconds = std::nan("");
  const auto json = to_json(launch);
  EXPECT_TRUE(json["floor_seconds"].is_null());
  EXPECT_TRUE(std::isnan(launch_from(json).floor_seconds));
}

TEST(Record, a_state_is_written_by_its_name_and_no_other_is_read) {
  LaunchRecord launch;
  launch.state = State::refused;
  auto json = to_json(launch);
  EXPECT_EQ(json["state"], "refused");
  EXPECT_EQ(json["completed"], false);
  EXPECT_EQ(launch_from(json).state, State::refused);
  json["state"] = "paused";
  EXPECT_THROW(launch_from(json), Error);
}

TEST(Record, keys_stand_in_the_order_of_the_struct) {
  const std::string line = to_json(LaunchRecord{}).dump();
  size_t at = 0;
  for (const char* key :
       {"index", "kernel", "mangled", "grid", "block", "cluster", "dynamic_shared", "carveout",
        "cooperative", "image", "resources", "counters", "warp_instructions", "unique_sectors",
        "seconds", "state", "completed", "findings", "caveats"}) {
    const size_t next = line.find("\"" + std::string(key) + "\"", at);
    ASSERT_NE(next, std::string::npos) << key;
    at = next;
  }
}

}  // namespace
}  // namespace headroom
