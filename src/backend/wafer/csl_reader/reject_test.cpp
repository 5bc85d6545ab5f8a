// Bad CSL and the message that each gets: tests/reject/csl. A file with a layout block is a layout; any other is the
// program of the two processors of a layout that is given here. Files named wse3-... are read for that machine.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "backend/wafer/csl/samples.h"
#include "backend/wafer/csl_reader/compare.h"
#include "backend/wafer/csl_reader/read_csl.h"
#include "base/file.h"
#include "base/source_dir.h"

namespace muster::wafer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLayout = R"(
layout {
  @set_rectangle(2, 1);
  for (@range(i16, 2)) |x| {
    @set_tile_code(x, 0, "pe.csl", .{});
  }
)";

/// What the program says it needs: the parameters of the host's library, which every line of kLayout leaves room for.
std::string with_library(std::string text) {
  text.insert(0, "const memcpy = @import_module(\"<memcpy/get_params>\", .{ .width = 2, .height = 1 });");
  const std::string none = ".{});";
  text.replace(text.find(none, text.find("pe.csl")), none.size(), ".{ .memcpy_params = memcpy.get_params(x) });");
  return text;
}

/// With the names that the program's symbols need.
std::string layout_for(const std::string& program) {
  std::string text = program.find("param memcpy_params") == std::string::npos ? kLayout : with_library(kLayout);
  if (program.find("\"input\"") != std::string::npos) text += "  @export_name(\"input\", [*]f32, true);\n";
  if (program.find("@export_symbol(go)") != std::string::npos) text += "  @export_name(\"go\", fn()void);\n";
  return text + "}\n";
}

CslSource source_of(const std::string& text) {
  CslSource source;
  const bool layout = text.find("layout {") != std::string::npos;
  source.files["layout.csl"] = layout ? text : layout_for(text);
  source.files["pe.csl"] = layout ? "" : text;
  source.limits.steps = 1'000'000;
  return source;
}

std::string message_of(const CslSource& source, const std::string& machine = "wse2") {
  try {
    read_csl(source, samples::row_of(machine, 2));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RejectedCsl, GetsTheExpectedMessage) {
  const char* update = std::getenv("MUSTER_UPDATE_GOLDEN");
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(source_dir()) / "tests/reject/csl")) {
    if (entry.path().extension() != ".csl") continue;
    ++files;
    const bool wse3 = entry.path().filename().string().starts_with("wse3-");
    const std::string message = message_of(source_of(read_file(entry.path())), wse3 ? "wse3" : "wse2");
    const fs::path expected = fs::path(entry.path()).replace_extension(".expected");
    if (update != nullptr && std::string(update) == "1") std::ofstream(expected) << message << "\n";
    EXPECT_EQ(message + "\n", read_file(expected)) << entry.path().filename();
    EXPECT_TRUE(std::regex_search(message, std::regex("^(layout|pe)\\.csl:[0-9]+:[0-9]+: "))) << message;
  }
  EXPECT_GE(files, 85);
}

CslSource emitted_tree(const std::string& machine = "wse2") {
  const auto files = emit_csl(*samples::program_of(machine, "tree", 6), {});
  CslSource source;
  for (const EmittedFile& file : files.value()) source.files[file.name] = file.text;
  source.limits.steps = 1'000'000;
  return source;
}

TEST(RejectedCsl, GoesOnInALoopForAsManyStepsAsItsArraysAllow) {
  CslSource source = source_of("layout {\n  const made = @zeros([1000]u16);\n  while (true) {}\n}\n");
  source.limits.steps = 500;
  source.limits.steps_per_cell = 3;
  EXPECT_EQ(message_of(source), "layout.csl:3:10: the program is not done after 3500 steps of evaluation");
  source.limits.most_steps = 2000;
  EXPECT_EQ(message_of(source), "layout.csl:3:10: the program is not done after 2000 steps of evaluation");
}

TEST(RejectedCsl, IsAProgramForAnotherArchitecture) {
  const std::string older = message_of(emitted_tree("wse2"), "wse3");
  EXPECT_TRUE(std::regex_search(older, std::regex("^pe\\.csl:[0-9]+:[0-9]+: ")) &&
              older.ends_with("is this a program for another architecture than wse3?"))
      << older;
  const std::string newer = message_of(emitted_tree("wse3"), "wse2");
  EXPECT_TRUE(std::regex_search(newer, std::regex("^pe\\.csl:[0-9]+:[0-9]+: ")) &&
              newer.ends_with("is this a program for another architecture?"))
      << newer;
}

/// Every change of a number, a direction or a name in the text must show: as an error, or as another program.
TEST(ReadCsl, SeesEveryChangeOfTheText) {
  const auto program = samples::program_of("wse2", "tree", 6);
  const std::vector<std::pair<std::string, std::string>> changes{
      {".rx = .{ EAST }, .tx = .{ RAMP }", ".rx = .{ WEST }, .tx = .{ RAMP }"},
      {".pos1 = .{ .rx = EAST }", ".pos1 = .{ .tx = EAST }"},
      {"SEND, 0, 0, 1, INPUT", "SEND, 0, 0, 0, INPUT"},
      {"|i|{count} -> input[i]", "|i|{count} -> output[i]"},
      {"@fadds(store_0", "@fmaxs(store_0"},
      {"@fadds(store_0, own_0, in_0", "@fmovs(store_0, in_0"},
      {"const color_0: color = @get_color(color_ids[0])", "const color_0: color = @get_color(2)"},
      {"const color_ids = [2]u16 { 1, 0 }", "const color_ids = [2]u16 { 1, 2 }"},
      {".color_ids = color_ids\n        });\n        if", ".color_ids = [2]u16 { 0, 1 }\n        });\n        if"},
      {"SWITCH_RST", "SWITCH_ADV"},
      {"if (run == last)", "if (run == last + 1)"},
      {"at = slot + 1", "at = slot + 2"},
      {"    at = 0;\n", ""},
      {".activate = step_id", ".unblock = step_id"},
      {"result[filled - distance]", "result[filled - 1]"},
      {"@bind_local_task(step, step_id);", ""}};
  const CslSource original = emitted_tree();
  EXPECT_EQ(difference(*program, *read_csl(original, program->machine)).value_or(""), "");
  for (const auto& [from, to] : changes) {
    CslSource changed = original;
    bool found = false;
    for (auto& [name, text] : changed.files) {
      const std::size_t where = text.find(from);
      if (where == std::string::npos) continue;
      text.replace(where, from.size(), to);
      found = true;
    }
    ASSERT_TRUE(found) << from;
    std::string seen = message_of(changed);
    if (seen == "no error") seen = difference(*program, *read_csl(changed, program->machine)).value_or("");
    EXPECT_NE(seen, "") << from;
  }
}

RC_GTEST_PROP(ReadCsl, NeverCrashesOnDamagedText, ()) {
  CslSource source = emitted_tree();
  std::string& text = source.files[*rc::gen::elementOf(std::vector<std::string>{"layout.csl", "pe.csl"})];
  const int changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 20);
    const auto insert = *rc::gen::elementOf(std::vector<std::string>{
        "", "0", "-1", "{", "}", "(", ")", "[", "]", ";", ".{", "@", "65535", "x", "while (true) {}", "|", "&", "\""});
    text.replace(at, std::min(length, text.size() - at), insert);
  }
  message_of(source);
}

}  // namespace
}  // namespace muster::wafer
