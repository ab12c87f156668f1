// One document, three drawings: how grids give way to narrow terminals, and what pages escape.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "report/format.h"
#include "report/gpu_document.h"
#include "report/html.h"
#include "report/machine_document.h"
#include "report/markdown.h"
#include "report/occupancy_document.h"
#include "report/text.h"

namespace headroom {
namespace {

std::string drawn(Grid grid, size_t columns) {
  return draw_text({"", {std::move(grid)}}, Style{columns});
}

TEST(Grid, columns_align_by_characters_not_bytes) {
  const Grid grid{.columns = {{"name", Align::left}, {"µs"}},
                  .rows = {{"α", "1"}, {"beta", "10"}},
                  .indent = 1};
  EXPECT_EQ(drawn(grid, 100), " name  µs\n α      1\n beta  10\n");
}

TEST(Grid, names_that_are_too_long_lose_their_middle) {
  const std::string middle(40, 'y');
  const Grid grid{
      .columns = {{"kernel", Align::left, Give::name}, {"n"}},
      .rows = {{"sort<" + middle + ">", "1"}, {"scan<" + middle + ">", "2"}, {"tiny", "3"}}};
  EXPECT_EQ(drawn(grid, 22),
            "  kernel             n\n"
            "  sort<yyy…yyyyyyy>  1\n"
            "  scan<yyy…yyyyyyy>  2\n"
            "  tiny               3\n");
}

TEST(Grid, words_go_on_in_the_next_line) {
  const Grid grid{
      .columns = {{"", Align::left}, {"µs"}, {"why", Align::left, Give::words}},
      .rows = {{"DRAM", "6.97", "33.6 MB / 4815 GB/s = 6.97 µs, if cold"}, {"L2", "1", "brief"}}};
  EXPECT_EQ(drawn(grid, 40),
            "          µs  why\n"
            "  DRAM  6.97  33.6 MB / 4815 GB/s =\n"
            "                6.97 µs, if cold\n"
            "  L2       1  brief\n");
}

TEST(Grid, columns_that_do_not_fit_stand_below_with_the_names_again) {
  Grid grid{.columns = {{"kernel", Align::left, Give::name}, {"registers"}, {"blocks"}, {"warps"}},
            .rows = {{"sort", "255", "8", "64"}, {"scan", "16", "16", "32"}}};
  EXPECT_EQ(drawn(grid, 28),
            "  kernel  registers  blocks\n"
            "  sort          255       8\n"
            "  scan           16      16\n"
            "\n"
            "  kernel  warps\n"
            "  sort       64\n"
            "  scan       32\n");
  grid.names = 2;
  EXPECT_NE(drawn(grid, 28).find("  kernel  registers  warps\n"), std::string::npos);
}

TEST(Grid, columns_that_may_go_do_before_a_grid_is_split) {
  Grid grid{.columns = {{"kernel", Align::left, Give::name},
                        {.title = "registers", .drop = 2},
                        {.title = "occupancy", .drop = 1},
                        {"time"}},
            .rows = {{"sort", "255", "50 %", "64"}}};
  EXPECT_EQ(drawn(grid, 40),
            "  kernel  registers  occupancy  time\n  sort          255       50 %    64\n");
  EXPECT_EQ(drawn(grid, 30), "  kernel  registers  time\n  sort          255    64\n");
  EXPECT_EQ(drawn(grid, 20), "  kernel  time\n  sort      64\n");
  grid.columns.push_back({"blocks"});
  grid.rows[0].push_back("8");
  const std::string split = drawn(grid, 20);
  EXPECT_NE(split.find("50 %"), std::string::npos) << "nothing helps: all stand below\n" << split;
}

TEST(Grid, names_keep_room_where_columns_go_for_it) {
  const Grid grid{.columns = {{"kernel", Align::left, Give::name},
                              {.title = "registers", .drop = 1},
                              {.title = "blocks", .drop = 2},
                              {"time"}},
                  .rows = {{"a_kernel_with_a_name", "255", "8", "64"}}};
  EXPECT_NE(drawn(grid, 40).find("a_kern"), std::string::npos);
  EXPECT_EQ(drawn(grid, 33), "  kernel                time\n  a_kernel_with_a_name    64\n");
}

MeasuredExplanation measured_run() {
  MeasuredExplanation report;
  report.command = {"./a_program_with_a_long_name"};
  report.gpu = "NVIDIA H200";
  report.kernel_names = 2;
  for (const char* last : {"int", "long"}) {
    MeasuredLaunch& launch = report.launches.emplace_back();
    launch.timing.name = std::string("void a_namespace::a_kernel_of_a_template<float,16,true,") +
                         last + ",another_type_with_a_long_name<float>>(float*)";
    launch.timing.shape.kernel = last;
    launch.timing.shape.grid = {65535, 65535, 64};
    launch.timing.shape.block = {16, 16, 4};
    launch.timing.seconds = 0.0123456;
  }
  report.kernels = group_measured(report.launches);
  report.transfers = group_copies({{"host_to_device", "pinned", "device", 1000, {}, 1e-6}});
  return report;
}

// What a terminal shows, of machines, kernels and measurements.
std::vector<Document> real_documents() {
  const Machine h200 = load_machine("h200"), g80 = load_machine("g80");
  std::vector<Document> documents{machine_list(), machine_document(h200),
                                  machine_document(h200, load_measured("h200")),
                                  measured_document(*load_measured("h200")), machine_document(g80)};
  const MeasuredExplanation measured = measured_run();
  documents.push_back(gpu_document(measured));
  documents.push_back(
      gpu_launches_document(measured, {&measured.kernels[0], &measured.kernels[1]}, ""));
  const BlockShape large{1024, 37, 8192, 0, {}}, impossible{1100, 32, 0, 300000, {}},
      unknown{64, std::nullopt, 0, 1024, {}};
  for (const BlockShape& shape : {large, impossible, unknown})
    for (const Machine* machine : {&h200, &g80}) {
      documents.push_back(occupancy_document(*machine, shape, occupancy(*machine, shape)));
      documents.push_back(occupancy_sweep(*machine, shape, {{1024, occupancy(*machine, shape)}}));
    }
  return documents;
}

std::set<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> words;
  for (std::string word; stream >> word;) words.insert(word);
  return words;
}

TEST(Text, no_line_is_wider_than_the_terminal_and_no_word_is_broken) {
  for (const Document& document : real_documents()) {
    const auto whole = words_of(draw_text(document, Style{10'000}));
    for (const size_t columns : {60u, 80u, 100u, 200u}) {
      const std::string text = draw_text(document, Style{columns});
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(text::display_width(line), columns) << line;
      const auto words = words_of(text);
      for (const std::string& word : words)
        EXPECT_TRUE(whole.contains(word) || word.find("…") != word.npos) << word;
      for (const std::string& word : whole)
        EXPECT_TRUE(words.contains(word) || text::display_width(word) > 20) << word << " is lost";
    }
  }
}

Document document_of(const std::string& name) {
  Grid grid{.lead = "over " + name,
            .columns = {{"two\nlines", Align::left}, {"n"}},
            .rows = {{name, "1"}},
            .notes = {"under " + name}};
  return {"a & b",
          {Heading{2, name, "beside"}, Paragraph{name, Tone::alarm}, List{{name}}, Code{{name}},
           std::move(grid)}};
}

TEST(NeededOccupancy, tells_idle_and_busy_dram_apart) {
  const Machine h200 = load_machine("h200"), a100 = load_machine("a100");
  std::string text =
      draw_text(needed_occupancy(h200, needed_warps_curve(h200)), Style{.columns = 1000});
  EXPECT_NE(text.find("99.3      155 %       168.4      263 %"), text.npos) << text;
  EXPECT_NE(text.find("idle DRAM answers after 690 cycles: its bandwidth takes 12.4 KiB in flight"),
            text.npos);
  EXPECT_NE(text.find("480 cycles later (measured): 21.0 KiB; the last per cent wait"), text.npos);
  text = draw_text(needed_occupancy(a100, needed_warps_curve(a100)), Style{.columns = 1000});
  EXPECT_NE(text.find("(as long as an H200's, for want of its own)"), text.npos) << text;
  EXPECT_EQ(text.find("cudaMemcpy"), text.npos);
}

TEST(Markdown, escapes_what_would_be_markup) {
  EXPECT_EQ(draw_markdown(document_of("copy<a|b>(float*)")),
            "## copy\\<a|b>(float\\*)\n\nbeside\n\n"
            "**copy\\<a|b>(float\\*)**\n\n"
            "- copy\\<a|b>(float\\*)\n\n"
            "```text\ncopy<a|b>(float*)\n```\n\n"
            "over copy\\<a|b>(float\\*)\n\n"
            "| two lines | n |\n|---|---:|\n| copy\\<a\\|b>(float\\*) | 1 |\n\n"
            "- under copy\\<a|b>(float\\*)\n");
  EXPECT_EQ(draw_markdown({"", {Paragraph{"a_b __c operator[](int)"}}}),
            "a_b \\__c operator[]\\(int)\n");
}

TEST(Html, escapes_what_would_be_markup) {
  const std::string page = draw_html(document_of("copy<a & b>"));
  EXPECT_EQ(page.find("copy<a"), page.npos) << page;
  EXPECT_NE(page.find("<title>a &amp; b</title>"), page.npos) << page;
  for (const char* part :
       {"<h2>copy&lt;a &amp; b&gt;</h2>", "<p><strong>copy&lt;a", "<li>copy&lt;a", "<pre>copy&lt;a",
        "<p>over copy&lt;a", "<td class=\"left\">copy&lt;a", "<li>under copy&lt;a",
        "<th class=\"left\">two lines</th><th>n</th>"})
    EXPECT_NE(page.find(part), page.npos) << part << " in " << page;
  EXPECT_TRUE(page.ends_with("</body></html>\n"));
}

}  // namespace
}  // namespace headroom
