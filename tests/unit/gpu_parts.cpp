// Traces read, whole, cut off and foreign; which GPU a program gets to see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "gpu/cupti_places.h"
#include "gpu/driver.h"
#include "gpu/problem.h"
#include "gpu/read_trace.h"
#include "gpu/trace.h"

namespace headroom {
namespace {

template <class Payload>
std::string block(trace::Kind kind, const Payload& payload, const std::string& text = "") {
  const trace::Block head{kind, uint32_t(sizeof payload + text.size())};
  std::string bytes(sizeof head + sizeof payload, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, &payload, sizeof payload);
  return bytes + text;
}

std::string header() {
  trace::Header header{};
  std::memcpy(header.magic, trace::magic, sizeof trace::magic);
  header.process = 4711;
  header.cupti_version = 130001;
  return block(trace::Kind::header, header);
}

std::string launch(uint64_t start, uint64_t end, uint32_t correlation, uint32_t name = 1) {
  trace::Launch launch{};
  launch.start = start;
  launch.end = end;
  launch.correlation = correlation;
  launch.name = name;
  launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
  return block(trace::Kind::launch, launch);
}

const std::string axpy = block(trace::Kind::name, trace::Name{1}, "_Z4axpyPf");

class Traces : public testing::Test {
 protected:
  TimingRecord read(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    const auto records = read_traces({path_});
    return records.empty() ? TimingRecord{} : records.at(0);
  }
  void TearDown() override { std::filesystem::remove(path_); }
  const std::string path_ = testing::TempDir() + "headroom_trace.activity";
};

TEST_F(Traces, launches_are_in_order_of_the_calls_and_nodes_of_a_graph_in_order_of_time) {
  const TimingRecord record = read(header() + axpy + launch(900, 950, 7) + launch(100, 200, 5) +
                                   launch(400, 500, 6) + launch(300, 350, 6));
  ASSERT_EQ(record.launches.size(), 4u);
  EXPECT_EQ(record.process, 4711);
  std::vector<double> starts;
  for (const LaunchTiming& each : record.launches) starts.push_back(*each.start * 1e9);
  EXPECT_DOUBLE_EQ(starts[0], 0);
  EXPECT_DOUBLE_EQ(starts[1], 200);
  EXPECT_DOUBLE_EQ(starts[2], 300);
  EXPECT_DOUBLE_EQ(starts[3], 800);
  EXPECT_EQ(record.launches[0].name, "axpy(float*)");
  EXPECT_EQ(record.launches[3].index, 3);
}

TEST_F(Traces, a_time_that_is_missing_is_absent_not_zero) {
  const TimingRecord record = read(header() + axpy + launch(100, 0, 1) + launch(0, 0, 2));
  EXPECT_TRUE(record.launches[0].start);
  EXPECT_FALSE(record.launches[0].seconds);
  EXPECT_FALSE(record.launches[1].start);
}

TEST_F(Traces, every_cut_keeps_the_blocks_before_it) {
  const std::string whole = header() + axpy + launch(100, 200, 1) + launch(300, 400, 2);
  const size_t one = launch(1, 2, 3).size();
  for (size_t size = 0; size < whole.size(); ++size) {
    const size_t expected = size >= whole.size() - one ? 1 : 0;
    EXPECT_EQ(read(whole.substr(0, size)).launches.size(), expected) << size;
  }
  EXPECT_FALSE(read(whole).ended);
  const trace::Block end{trace::Kind::end, 0};
  EXPECT_TRUE(read(whole + std::string(reinterpret_cast<const char*>(&end), sizeof end)).ended);
}

TEST_F(Traces, foreign_files_and_other_versions_are_refused) {
  EXPECT_THROW(read("{\"schema\": \"headroom-record/1\"}"), Error);
  std::string later = header();
  later[later.find('1')] = '2';
  EXPECT_THROW(read(later), Error);
  EXPECT_THROW(read(header() + block(trace::Kind(77), uint32_t(0))), Error);
  EXPECT_THROW(read(header() + block(trace::Kind::launch, uint32_t(0))), Error);
}

TEST_F(Traces, dropped_records_add_up) {
  const std::string dropped = block(trace::Kind::dropped, trace::Dropped{3});
  EXPECT_EQ(read(header() + dropped + dropped).dropped, 6u);
}

TEST(Problems, every_cause_says_what_to_do) {
  for (const auto cause : {trace::Cause::no_cupti, trace::Cause::no_function, trace::Cause::version,
                           trace::Cause::call})
    for (const int code : {14, 35, 39, 12345}) {
      const Error error = explain_problem({cause, code}, "cuptiSubscribe: said");
      EXPECT_FALSE(error.hint.empty());
      EXPECT_EQ(error.exit_code, 125);
    }
}

class Places : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("HEADROOM_CUPTI");
    unsetenv("CUDA_HOME");
    std::filesystem::create_directories(package_);
    std::filesystem::create_directories(root_ / "bin");
  }
  void TearDown() override {
    std::filesystem::remove_all(root_);
    unsetenv("HEADROOM_CUPTI");
    unsetenv("CUDA_HOME");
  }
  bool looks_in_package(const std::filesystem::path& program) {
    const auto folders = cupti_folders(program.string());
    return std::find(folders.begin(), folders.end(), package_.string()) != folders.end();
  }
  const std::filesystem::path root_ = testing::TempDir() + "headroom_places";
  const std::filesystem::path package_ = root_ / "lib/python3.12/site-packages/nvidia/cu13/lib";
};

TEST_F(Places, a_program_of_python_has_the_package_beside_its_interpreter) {
  EXPECT_TRUE(looks_in_package(root_ / "bin/python3"));
  const auto script = root_ / "train.py";
  std::ofstream(script) << "#!" << (root_ / "bin/python3").string() << " -u\nimport torch\n";
  EXPECT_TRUE(looks_in_package(script));
  EXPECT_FALSE(looks_in_package("/bin/true"));
}

TEST_F(Places, cuda_home_comes_first_and_headroom_cupti_alone) {
  setenv("CUDA_HOME", "/opt/cuda", 1);
  EXPECT_EQ(cupti_folders("/bin/true").front(), "/opt/cuda/lib64");
  setenv("HEADROOM_CUPTI", "/opt/cupti", 1);
  EXPECT_EQ(cupti_folders("/bin/true"), std::vector<std::string>{"/opt/cupti"});
}

TEST_F(Places, the_newest_that_the_driver_serves_is_taken) {
  for (const char* name : {"libcupti.so.12", "libcupti.so.13"}) std::ofstream(package_ / name);
  setenv("HEADROOM_CUPTI", package_.c_str(), 1);
  EXPECT_EQ(find_cupti("/bin/true", 13), (package_ / "libcupti.so.13").string());
  EXPECT_EQ(find_cupti("/bin/true", 14), (package_ / "libcupti.so.13").string());
  EXPECT_EQ(find_cupti("/bin/true", 12), (package_ / "libcupti.so.12").string());
  EXPECT_THROW(find_cupti("/bin/true", 11), Error);
}

TEST(VisibleDevice, is_counted_in_the_list_that_is_there) {
  EXPECT_EQ(visible_device(1, nullptr), "1");
  EXPECT_EQ(visible_device(0, "3,5"), "3");
  EXPECT_EQ(visible_device(1, "3,GPU-8932f937"), "GPU-8932f937");
}

}  // namespace
}  // namespace headroom
