// Programs as the vendor's tutorials and other people write them (tests/data/csl): they must read as the same wafer
// program as our own for the same collective.
#include <gtest/gtest.h>

#include <filesystem>

#include "backend/wafer/csl/samples.h"
#include "backend/wafer/csl_reader/compare.h"
#include "backend/wafer/csl_reader/read_csl.h"
#include "base/file.h"
#include "base/source_dir.h"

namespace muster::wafer {
namespace {

namespace fs = std::filesystem;

CslSource program_in(const std::string& name) {
  const fs::path folder = fs::path(source_dir()) / "tests/data/csl" / name;
  CslSource source;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".csl") continue;
    source.files[entry.path().lexically_relative(folder).generic_string()] = read_file(entry.path());
  }
  return source;
}

CslSource tutorial() {
  CslSource source = program_in("tutorial");
  source.parameters = {{"total", "32"}, {"c0", "0"}};
  return source;
}

/// In the colors that our own program has: the first PE receives the second of two colors, and the first if there is one.
CslSource module_of(int width) {
  CslSource source = program_in("module");
  const bool one = width == 2;
  source.parameters = {{"width", std::to_string(width)}, {"c0", one ? "1" : "0"}, {"c1", one ? "0" : "1"}};
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

/// The program with `from` replaced in one of its files.
CslSource changed(CslSource source, const std::string& file, const std::string& from, const std::string& to) {
  std::string& text = source.files.at(file);
  const std::size_t where = text.find(from);
  EXPECT_NE(where, std::string::npos) << from;
  if (where != std::string::npos) text.replace(where, from.size(), to);
  return source;
}

TEST(UsersCsl, WithoutABlockedColorReadsAsOurOwnChain) {
  for (const std::string machine : {"wse2", "wse3"}) {
    const auto ours = samples::program_of(machine, "chain", 2, 16);
    EXPECT_EQ(difference(*ours, *read_csl(tutorial(), ours->machine)).value_or(""), "") << machine;
  }
}

TEST(UsersCsl, MayCallTheFunctionsOfAModuleAndBeCalledBack) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const int width : {2, 3, 6}) {
      const auto ours = samples::program_of(machine, "chain", width, 16);
      const auto read = read_csl(module_of(width), ours->machine);
      EXPECT_EQ(difference(*ours, *read).value_or(""), "") << machine << " " << width;
    }
  }
  EXPECT_EQ(message_of(module_of(1)), "no error");
}

TEST(UsersCsl, MayImportAModuleTwice) {
  CslSource source = tutorial();
  source.files["lib/send.csl"] =
      "param size: i16; param to: color; param queue: output_queue; param id: local_task_id; param done: "
      "local_task_id;\n"
      "var copy = @zeros([size]f32);\n"
      "const kept = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{size} -> copy[i] });\n"
      "const out = @get_dsd(fabout_dsd, .{ .fabric_color = to, .extent = size, .output_queue = queue });\n"
      "fn send(from: mem1d_dsd) void {\n"
      "  @fmovs(kept, from);\n"
      "  @fmovs(out, kept, .{ .async = true, .activate = f_sent });\n"
      "}\n"
      "task f_sent() void { @activate(done); }\n"
      "comptime { @bind_local_task(f_sent, id); }\n";
  source = changed(source, "pe.csl", "const sys_mod",
                   "const first = @import_module(\"lib/send.csl\", .{ .size = size / 2, .to = to_root,\n"
                   "  .queue = send_queue, .id = @get_local_task_id(12), .done = @get_local_task_id(14) });\n"
                   "const second = @import_module(\"lib/send.csl\", .{ .size = size / 2, .to = to_root,\n"
                   "  .queue = send_queue, .id = @get_local_task_id(13), .done = exit_id });\n"
                   "const half_dsd = @set_dsd_length(mine_dsd, size / 2);\n"
                   "task f_next() void { second.send(half_dsd); }\n"
                   "comptime { @bind_local_task(f_next, @get_local_task_id(14)); }\n"
                   "const sys_mod");
  source = changed(source, "pe.csl", "if (is_root) receive() else send();",
                   "if (is_root) receive() else first.send(half_dsd);");
  const auto read = read_csl(source, samples::row_of("wse2", 2));
  const auto& sender = read->classes[static_cast<std::size_t>(read->class_of[1])].operations;
  ASSERT_EQ(sender.size(), 4U);  // copy, send, copy, send
  EXPECT_FALSE(sender[0].store_elements == sender[2].store_elements) << "the copies have different places";
}

TEST(UsersCsl, IsToldWhatATaskNameMustBe) {
  EXPECT_EQ(message_of(changed(tutorial(), "pe.csl", "@bind_local_task(f_exit, exit_id);", "")),
            "pe.csl:26:3: activate: the task 'f_exit' is bound to no id; use @bind_local_task");
  EXPECT_EQ(message_of(changed(tutorial(), "pe.csl", ".activate = f_exit", ".activate = send")),
            "pe.csl:26:3: activate: 'send' is a function, not a task");
  EXPECT_EQ(message_of(changed(tutorial(), "pe.csl", ".activate = f_exit", ".activate = 9")),
            "pe.csl:26:3: activate: expected a task or a task id, found 9 (comptime_int)");
  EXPECT_EQ(message_of(changed(tutorial(), "pe.csl", "@bind_local_task(f_exit, exit_id);",
                               "@bind_local_task(f_exit, exit_id); @bind_local_task(f_exit, @get_local_task_id(10));")),
            "pe.csl:26:3: activate: the task 'f_exit' is bound to several ids; name the id");
  EXPECT_EQ(message_of(changed(tutorial(), "pe.csl", ".activate = f_exit", ".activate = f_exit, .unblock = f_exit")),
            "pe.csl:26:3: an instruction activates a task or unblocks one, not both");
}

TEST(UsersCsl, ConvertsWhatIsKnownAlsoWhereItRuns) {
  const auto with = [](const std::string& statements) {
    return message_of(changed(tutorial(), "pe.csl", "fn compute() void {", "fn compute() void { " + statements));
  };
  EXPECT_EQ(with("const n: i16 = total - pes; const m: u8 = @as(u16, 4);"), "no error");
  EXPECT_EQ(with("var m: u16 = 1; const n: i16 = m;"), "pe.csl:34:43: expected i16, found 1 (u16)");
}

TEST(UsersCsl, GivesColorsByTheirNumbers) {
  CslSource source = tutorial();
  source.parameters["c0"] = "64";
  EXPECT_EQ(message_of(source), "layout.csl:1:1: the color c0:64 of the command line: 64 is not between 0 and 63");
  source.parameters["c0"] = "22";
  EXPECT_EQ(message_of(source), "layout.csl:15:3: color 22 is used; it belongs to the host's library");
  source.parameters["c0"] = "1.5";
  EXPECT_EQ(message_of(source),
            "layout.csl:1:1: the color c0:1.5 of the command line: expected an integer, found 1.5 (comptime_float)");
  source.parameters.erase("c0");
  EXPECT_EQ(message_of(source),
            "layout.csl:1:1: the parameter 'c0' of layout.csl has no value, but is used (layout.csl:12:76); --set "
            "c0=VALUE gives it one");
}

TEST(UsersCsl, NeedsTheParametersOfTheHostsLibrary) {
  const std::string way_out =
      "pe.csl:15:17: <memcpy/memcpy> is imported without its parameters; import <memcpy/get_params> in the layout, "
      "give "
      "each PE .memcpy_params = NAME.get_params(x) with @set_tile_code, and pass memcpy_params on here";
  EXPECT_EQ(message_of(changed(tutorial(), "pe.csl", "\", memcpy_params)", "\")")), way_out);
  EXPECT_EQ(message_of(changed(tutorial(), "pe.csl", "\", memcpy_params)", "\", .{})")), way_out);
  EXPECT_EQ(message_of(changed(tutorial(), "layout.csl", "memcpy.get_params(x)", ".{}")), way_out);
  EXPECT_EQ(
      message_of(changed(tutorial(), "layout.csl", ".memcpy_params = memcpy.get_params(x), ", "")),
      "layout.csl:11:5: the parameter 'memcpy_params' of pe.csl has no value, but is used (pe.csl:15:51); give it "
      "one here");
}

/// A task that is blocked from the start and then, with `step` among its lines, told to run.
std::string message_of_steps(const std::string& steps) {
  return message_of(changed(tutorial(), "pe.csl",
                            "  @fadds(sum_dsd, mine_dsd, in_dsd, .{ .async = true, .activate = f_exit });",
                            "  " + steps));
}

TEST(UsersCsl, LosesAWakeUpIfATaskIsBlockedTooLate) {
  const std::string add = "@fadds(sum_dsd, mine_dsd, in_dsd, .{ .async = true, .unblock = f_exit });";
  EXPECT_EQ(message_of_steps("@block(exit_id); " + add + " @activate(exit_id);"), "no error");
  EXPECT_EQ(message_of_steps("@activate(exit_id); @block(exit_id); " + add), "no error");
  EXPECT_EQ(
      message_of_steps(add + " @block(exit_id); @activate(exit_id);"),
      "pe.csl:26:77: the task id 9 is blocked after the instruction that unblocks it has started (pe.csl:26:3): if "
      "that ends first, its wake-up is lost; block before");
}

TEST(UsersCsl, LosesAWakeUpAlsoIfAnotherTaskBlocks) {
  const std::string add = "@fadds(sum_dsd, mine_dsd, in_dsd, .{ .async = true, .unblock = f_exit });";
  CslSource late =
      changed(tutorial(), "pe.csl", "  @fadds(sum_dsd, mine_dsd, in_dsd, .{ .async = true, .activate = f_exit });",
              "  " + add + " @activate(@get_local_task_id(10));");
  late = changed(late, "pe.csl", "task f_exit()",
                 "task f_block() void { @block(exit_id); @activate(exit_id); }\n"
                 "comptime { @bind_local_task(f_block, @get_local_task_id(10)); }\ntask f_exit()");
  EXPECT_EQ(
      message_of(late),
      "pe.csl:38:23: the task id 9 is blocked after the instruction that unblocks it has started (pe.csl:26:3): if "
      "that ends first, its wake-up is lost; block before");
}

/// The instruction may also have ended by the time that what another one starts blocks its task.
TEST(UsersCsl, LosesAWakeUpThatCameBeforeTheBlock) {
  CslSource late = changed(tutorial(), "pe.csl", ".activate = f_exit", ".unblock = f_exit");
  late = changed(late, "pe.csl", "  @fadds",
                 "  @fmovs(@get_dsd(fabout_dsd, .{ .fabric_color = @get_color(7), .extent = size,\n"
                 "    .output_queue = @get_output_queue(4) }), mine_dsd, .{ .async = true, .activate = f_block });\n"
                 "  @fadds");
  late = changed(late, "pe.csl", "task f_exit()",
                 "task f_block() void { @block(exit_id); @activate(exit_id); }\n"
                 "comptime { @bind_local_task(f_block, @get_local_task_id(10)); }\ntask f_exit()");
  EXPECT_NE(message_of(late).find("its wake-up is lost; block before"), std::string::npos) << message_of(late);
  std::string& text = late.files.at("pe.csl");
  const std::size_t move = text.find("  @fmovs(@get_dsd");
  const std::string sends = text.substr(move, text.find("  @fadds") - move);
  text.erase(move, sends.size());  // and started after it
  text.insert(text.find('\n', text.find("  @fadds")) + 1, sends);
  EXPECT_NE(message_of(late).find("its wake-up is lost; block before"), std::string::npos) << message_of(late);
}

}  // namespace
}  // namespace muster::wafer
