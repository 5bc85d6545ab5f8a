// The language of the reader, construct by construct: what expressions are worth and what statements do.
#include <gtest/gtest.h>

#include "backend/wafer/csl/samples.h"
#include "backend/wafer/csl_reader/evaluate.h"
#include "machine/mesh.h"

namespace muster::wafer::csl {
namespace {

/// A machine that nothing may be asked of.
class NoHost final : public Host {
 public:
  Value builtin(Evaluator& /*evaluator*/, Instance& /*instance*/, const Node& call,
                std::span<const Value> /*arguments*/) override {
    fail(call.location, "asks the machine for {}", call.name);
  }
  Value library(Evaluator& /*evaluator*/, const Node& /*call*/, const std::string& path,
                std::span<const Value> arguments) override {
    return string_value(fmt::format("{}/{}", path, arguments.size()));
  }
};

/// What is wrong with a file whose declarations are evaluated and whose comptime blocks run; empty if nothing is.
std::string problem(const std::string& text, const std::string& machine = "wse2") {
  const Machine row = samples::row_of(machine, 2);
  Files files(
      {{"test.csl", text},
       {"other.csl", "param size: u16; param more: u16 = 3; const both = size + more;"},
       {"lib/outer.csl", "const inner = @import_module(\"deep/inner.csl\", .{ .size = 5 });"},
       {"lib/deep/inner.csl", "param size: u16; const other = @import_module(\"../../other.csl\", .{ .size = size });"},
       {"lib/out.csl", "const far = @import_module(\"../../far.csl\");"},
       {"lib/circle.csl", "const again = @import_module(\"circle.csl\");"}},
      {});
  NoHost host;
  const Location top{};
  try {
    Evaluator evaluator(files, *as<Mesh>(row), host);
    const File& file = files.get("test.csl", top);
    Instance& instance = evaluator.instantiate(file, {}, top);
    evaluator.evaluate_all(instance);
    for (const TopBlock& block : file.comptime_blocks) evaluator.run(instance, block);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Whether every one of these expressions is true, in a file that begins with `declarations`.
void expect_true(const std::vector<std::string>& expressions, const std::string& declarations = "") {
  for (const std::string& expression : expressions) {
    const std::string text = declarations + "\ncomptime { @comptime_assert(" + expression + "); }\n";
    EXPECT_EQ(problem(text), "") << expression;
    EXPECT_NE(problem(declarations + "\ncomptime { @comptime_assert(!(" + expression + ")); }\n"), "") << expression;
  }
}

/// Each text with a part of the message that it gets.
void expect_problems(const std::vector<std::pair<std::string, std::string>>& texts) {
  for (const auto& [text, message] : texts) {
    EXPECT_NE(problem(text).find(message), std::string::npos) << text << "\n" << problem(text);
  }
}

TEST(CslNumbers, HaveFourBasesUnderscoresAndCharacters) {
  expect_true({"0x1F == 31", "0b101 == 5", "0o17 == 15", "1_000_000 == 1000000", "'a' == 97", "'\\n' == 10",
               "'\\x41' == 65", "'\\\\' == 92", "1.5e1 == 15.0", "2E-1 == 0.2", "1.25 * 4.0 == 5.0"});
  expect_problems({{"const a = 12x;", "a number ends in 'x'"},
                   {"const a = 'ab';", "must be one byte"},
                   {"const a = 0b;", "this is not a number"},
                   {"const a = 99999999999999999999;", "the number is too large"},
                   {"const a = \"\\q\";", "unknown escape"},
                   {"const a = \"open\n\";", "the text is not closed"},
                   {"const a = 1 $ 2;", "unexpected character '$'"}});
}

TEST(CslOperators, BindAsTheyDoInTheLanguage) {
  expect_true({"1 + 2 * 3 == 7",    "(1 + 2) * 3 == 9", "7 / 2 == 3",        "-7 % 3 == -1",
               "1 << 4 == 16",      "256 >> 4 == 16",   "(6 & 3) == 2",      "(6 | 3) == 7",
               "(6 ^ 3) == 5",      "1 < 2 and 2 <= 2", "3 > 2 or 1 >= 2",   "1 != 2",
               "!(1 == 2)",         "-(3) == 0 - 3",    "- -3 == 3",         "~@as(u8, 1) == 254",
               "~@as(i8, 1) == -2", "-1.5 < 0.0",       "1.0 / 4.0 == 0.25", "2.0 - 0.5 == 1.5",
               "2.0 + 0.5 == 2.5",  "true and !false",  "1 + 1.5 == 2.5"});
  expect_problems({{"const a = 1 < 2 < 3;", "comparisons do not chain"},
                   {"const a = ~1;", "'~' needs an integer of known size"},
                   {"const a = ~@as(u64, 1);", "more than 62 bits"},
                   {"const a = !1;", "'!' of"},
                   {"const a = -true;", "expected a number"},
                   {"const a = 1.5 % 2.0;", "is not for floating-point numbers"},
                   {"const a = @as(u8, 200) + @as(u8, 100);", "does not fit into u8"},
                   {"const a = @as(u16, 1) + @as(i16, 1);", "convert one with @as"},
                   {"const a = 1 / 0;", "zero"},
                   {"const a = true + false;", "has no meaning"},
                   {"const a = 1 and true;", "expected a bool"}});
}

TEST(CslStatements, AssignWithEveryOperator) {
  for (const auto& [op, result] : std::vector<std::pair<std::string, int>>{{"+=", 15},
                                                                           {"-=", 9},
                                                                           {"*=", 36},
                                                                           {"/=", 4},
                                                                           {"%=", 0},
                                                                           {"<<=", 96},
                                                                           {">>=", 1},
                                                                           {"&=", 0},
                                                                           {"|=", 15},
                                                                           {"^=", 15}}) {
    const std::string text =
        "comptime { var a: u16 = 12; a " + op + " 3; @comptime_assert(a == " + std::to_string(result) + "); }";
    EXPECT_EQ(problem(text), "") << op;
  }
  expect_problems({{"comptime { 1 = 2; }", "this cannot be assigned to"},
                   {"comptime { const a = _; }", "unknown name '_'"},
                   {"const a = 1; comptime { a = 2; }", "'a' is not a variable"},
                   {"var a: u8; comptime { a = 300; }", "does not fit into u8"},
                   {"comptime { var a = true; a = 1; }", "is stored where"},
                   {"comptime { var a = 1; a.b = 2; }", "'.b' of"},
                   {"comptime { var a = .{ .b = 1 }; a.c = 2; }", "the struct has no field 'c'"},
                   {"comptime { var a = 1; a[0] = 2; }", "an index into"}});
}

TEST(CslStatements, AssignToVariablesElementsFieldsAndWhatPointersName) {
  EXPECT_EQ(problem("var a: [2, 3]u16; var b: u16 = 4; var unused = 1;\n"
                    "comptime {\n"
                    "  a[1, 2] = 7; @comptime_assert(a[1, 2] == 7); @comptime_assert(a[0, 2] == 0);\n"
                    "  const p = &b; p.* = 9; @comptime_assert(b == 9); @comptime_assert(p.* == 9);\n"
                    "  const q = &a; @comptime_assert(q[1, 2] == 7);\n"
                    "  var s = .{ .x = 1, .y = .{ .z = 2 } }; s.y.z = 5; @comptime_assert(s.y.z == 5 and s.x == 1);\n"
                    "  _ = b;\n"
                    "}\n"),
            "");
}

TEST(CslStatements, BranchAndLoop) {
  EXPECT_EQ(problem("fn f(n: u16) u16 {\n"
                    "  if (n == 0) return 10; else if (n == 1) { return 11; } else return 12;\n"
                    "}\n"
                    "var seen: u16; fn see(n: u16) void { seen = n; }\n"
                    "comptime {\n"
                    "  @comptime_assert(f(0) == 10 and f(1) == 11 and f(2) == 12);\n"
                    "  var i: u16 = 0; var sum: u16 = 0;\n"
                    "  while (i < 10) : (i += 1) { if (i == 3) continue; if (i == 6) break; sum += i; }\n"
                    "  @comptime_assert(sum == 12 and i == 6);\n"
                    "  while (i > 0) i -= 1;\n"
                    "  @comptime_assert(i == 0);\n"
                    "  for (@range(i16, 5, 0, -2)) |x, n| { i += @as(u16, x) * 10 + @as(u16, n); }\n"
                    "  @comptime_assert(i == 93);\n"
                    "  for ([3]u16 { 4, 5, 6 }) |x, n| { if (n == 1) continue; i += x; }\n"
                    "  @comptime_assert(i == 103);\n"
                    "  if (i == 0) see(1) else see(2);\n"
                    "  @comptime_assert(seen == 2);\n"
                    "  if (i == 0) see(1) else if (i == 103) seen = 7 else { seen = 8; }\n"
                    "  @comptime_assert(seen == 7);\n"
                    "  for (@range(u16, 3)) |x| if (x > 1) see(x) else seen += 10;\n"
                    "  @comptime_assert(seen == 2);\n"
                    "  if (i == 103) if (i == 0) see(4) else see(5);\n"
                    "  @comptime_assert(seen == 5);\n"
                    "  inline for (@range(u16, 2)) |x| i += x;\n"
                    "  @comptime_assert(i == 104);\n"
                    "}\n"),
            "");
  expect_problems({{"comptime { for (1) |x| {} }", "for walks a range or an array"},
                   {"comptime { for (@zeros([2, 2]u8)) |x| {} }", "arrays of one dimension"},
                   {"comptime { for (@range(u8, 0, 5, 0)) |x| {} }", "a step of 0"},
                   {"comptime { for (@range(u8, 0, 5)) |x| {} }", "@range takes"},
                   {"comptime { for (@range(f32, 5)) |x| {} }", "needs an integer type"},
                   {"comptime { var a: u8 = 0; if (true) a = 1 }", "expected ';' at the end of the statement"},
                   {"comptime { var a: u8 = 0; while (false) a = 1 else a = 2; }", "expected ';' at the end"},
                   {"comptime { if (1) {} }", "expected a bool"}});
}

TEST(CslStatements, JumpOutOfWhatTheirLabelNames) {
  EXPECT_EQ(problem("comptime {\n"
                    "  var count: u16 = 0;\n"
                    "  outer: for (@range(u16, 4)) |x| {\n"
                    "    for (@range(u16, 4)) |y| {\n"
                    "      if (y == 2) continue :outer;\n"
                    "      if (x == 3) break :outer;\n"
                    "      count += 1;\n"
                    "    }\n"
                    "  }\n"
                    "  @comptime_assert(count == 6);\n"
                    "  again: while (true) { while (true) { break :again; } }\n"
                    "  skipped: { break :skipped; }\n"
                    "  part: { count = 1; if (count == 1) break :part; count = 2; }\n"
                    "  @comptime_assert(count == 1);\n"
                    "}\n"),
            "");
}

TEST(CslStatements, DeclareLocals) {
  EXPECT_EQ(problem("comptime { var a: [2]u16; var b: bool; var c: f32 = 2; const d align(4) = 3;\n"
                    "  @comptime_assert(a[1] == 0 and !b and c == 2.0 and d == 3);\n"
                    "  { const a = 5; @comptime_assert(a == 5); }\n"
                    "  comptime { a[0] = 1; }\n"
                    "  @comptime_assert(a[0] == 1); }\n"),
            "");
  expect_problems({{"comptime { const a; }", "expected '=' and a value"},
                   {"comptime { const a = 1; const a = 2; }", "'a' is declared twice"},
                   {"comptime { var a: comptime_string; }", "needs a value"},
                   {"comptime { var a: u8 = 1.5; }", "expected u8"},
                   {"comptime { var a: [2]u8 = [3]u8 { 1, 2, 3 }; }", "expected [2]u8"},
                   {"comptime { const while = 1; }", "is a keyword"}});
}

TEST(CslExpressions, ChooseAndSwitch) {
  const std::string f =
      "fn f(n: u16) u16 { return switch (n) { 0, 1 => 5, 2 => 6, else => 7 }; }\n"
      "fn g(n: u16) u16 { var r: u16 = 0; switch (n) { 0 => { r = 1; }, 1 => r = 2, else => {} } return r; }\n"
      "fn h(n: u16) u16 { while (true) { switch (n) { 0 => { break; }, else => { return 8; } } } return 9; }\n";
  expect_true({"(if (1 < 2) 3 else 4) == 3", "(if (1 > 2) 3 else 4) == 4", "f(0) == 5", "f(1) == 5", "f(2) == 6",
               "f(3) == 7", "g(0) == 1", "g(1) == 2", "g(2) == 0", "h(0) == 9", "h(1) == 8",
               "(value: { break :value 4; }) == 4", "(one: { two: { break :one 1; } }) == 1"},
              f);
  expect_problems({{"const a = switch (3) { 0 => 1 };", "no case of the switch is 3"},
                   {"const a = { break 1; };", "expected an expression"},
                   {"fn f() u16 { const a = value: { return 1; }; return a; } const b = f();",
                    "a return out of a block that gives a value"}});
}

TEST(CslFunctions, TakeParametersAndReturnValues) {
  const std::string functions =
      "fn twice(comptime n: anytype) u32 { return @as(u32, n) * 2; }\n"
      "fn nothing() void { return; }\n"
      "inline fn sum(n: u32) u32 { if (n == 0) { return 0; } return n + sum(n - 1); }\n"
      "const pointer: fn(anytype) u32 = twice;\n";
  expect_true({"twice(4) == 8", "sum(4) == 10", "pointer(5) == 10", "comptime twice(3) == 6"}, functions);
  EXPECT_EQ(problem(functions + "comptime { nothing(); }"), "");
  expect_problems({{"fn f(a: u8) void {} comptime { f(); }", "'f' takes 1 arguments, not 0"},
                   {"fn f() u8 {} const a = f();", "ends without returning a value"},
                   {"fn f() u8 { return 300; } const a = f();", "does not fit into u8"},
                   {"fn f() void { f(); } comptime { f(); }", "calls nested more than"},
                   {"extern fn f() void; comptime { f(); }", "'f' is extern"},
                   {"task t() void {} comptime { t(); }", "cannot be called; activate it"},
                   {"const a = 1; const b = a();", "cannot be called"},
                   {"const a = b; const b = a;", "depends on itself"}});
}

// Results of functions that only compute are kept: that must not show.
TEST(CslFunctions, GiveTheSameForTheSameArgumentsOnlyIfNothingElseMatters) {
  EXPECT_EQ(problem(R"(
    fn squares(n: u16) [3]u16 {
      var all = @zeros([3]u16);
      for (@range(u16, 3)) |i| { all[i] = n * n + i; }
      return all;
    }
    comptime {
      var changed = squares(2);
      changed[0] = 7;
      const again = squares(2);
      @comptime_assert(again[0] == 4 and again[2] == 6 and changed[0] == 7 and squares(3)[1] == 10);
    }
  )"),
            "");
  EXPECT_EQ(problem(R"(
    var total: u16 = 1;
    fn next(by: u16) u16 { total += by; return total; }
    fn so_far(by: u16) u16 { return total + by; }
    fn through(where: *u16) u16 { return where.*; }
    comptime {
      @comptime_assert(so_far(1) == 2);
      @comptime_assert(next(2) == 3 and next(2) == 5);
      @comptime_assert(so_far(1) == 6 and through(&total) == 5);
    }
  )"),
            "");
  expect_problems({{"fn f(a: u16) u16 { return 10 / a; } const x = f(5); const y = f(0);", "zero"}});
}

TEST(CslTypes, AreValues) {
  const std::string types =
      "const word = u16; const Kind = enum(u8) { none, one = 5, two }; const Plain = enum { zero, one };\n"
      "const f: fn(u16, [*]f32) void = g; fn g(a: u16, b: [*]f32) void {}\n";
  expect_true({"@as(word, 3) == 3",
               "@is_same_type(word, u16)",
               "!@is_same_type([2]u16, [3]u16)",
               "@is_same_type(@type_of([2]f32 { 1, 2 }), [2]f32)",
               "@is_same_type(*u16, *const u16)",
               "@is_same_type([*]u16, [*]u16)",
               "@is_same_type(fn(u16) void, fn(u16) void)",
               "!@is_same_type(fn(u16) void, fn(u8) void)",
               "Kind.one == Kind.one",
               "Kind.none != Kind.two",
               "@get_int(Kind.two) == 6",
               "@get_int(Plain.one) == 1",
               "@is_same_type(@element_type([4]i8), i8)",
               "@element_count([4, 5]i8) == 20",
               "@is_same_type(@type_of(1.5), comptime_float)",
               "@is_same_type(@type_of(true), bool)",
               "@is_same_type(@type_of(EAST), direction)",
               "@is_same_type(@type_of(@range(u8, 3)), range)",
               "@is_same_type(@type_of(u8), type)",
               "@is_same_type(@type_of(\"a\"), comptime_string)",
               "@is_same_type(@type_of(.{ 1 }), comptime_struct)"},
              types);
  expect_problems({{"const a: 3 = 1;", "expected a type"},
                   {"const a = [0 - 1]u8 {};", "an array of -1 elements"},
                   {"const a = [2]u8 { 1 };", "1 elements for [2]u8"},
                   {"const a = []u8 { 1 };", "expected the array's size"},
                   {"const K = enum { a }; const b = K.c;", "has no member 'c'"},
                   {"const a = @element_type(u8);", "which is not an array type"},
                   {"const a = struct { b: u8 };", "'struct' is not supported"},
                   {"const a = Point{ .x = 1 };", "literals of named struct types"},
                   {"const a = [70000, 70000]u8; var b: a;", "the arrays of the program have more than"},
                   {"const a = [4000000000, 4000000000]u8; var b: a;", "the array is too large"}});
}

TEST(CslValues, AreStructsTuplesArraysAndStrings) {
  expect_true({".{ .a = 1, .b = 2 }.b == 2", ".{ 4, 5 }[1] == 5", "[3]u8 { 4, 5, 6 }[2] == 6",
               "@has_field(.{ .a = 1 }, \"a\")", "!@has_field(.{ .a = 1 }, \"b\")", "@field(.{ .a = 3 }, \"a\") == 3",
               "@concat_structs(.{ .a = 1 }, .{ .b = 2 }).b == 2", "@concat_structs(.{ 1 }, .{ 2, 3 })[2] == 3",
               "@strcat(\"ab\", \"c\") == \"abc\"", "@strlen(\"abc\") == 3", "\"a\\tb\" != \"a b\"",
               "@constants([2, 2]i16, -3)[1, 1] == -3", "@zeros([2]bool)[0] == false",
               "@constants([2]f32, 1)[0] == 1.0", "EAST != WEST", "@as(bool, 1)", "@as(i16, 2.9) == 2",
               "@as(f32, 3) == 3.0", "@as(u8, true) == 1"});
  expect_problems({{"const a = .{ .a = 1, .a = 2 };", "the field 'a' is given twice"},
                   {"const a = .{ .a = 1 }.b;", "the struct has no field 'b'"},
                   {"const a = .{ 1 }[1];", "the index 1 is outside of 1 values"},
                   {"const a = [2]u8 { 1, 2 }[2];", "the index 2 is outside of 2 elements"},
                   {"const a = [2]u8 { 1, 2 }[0, 0];", "2 indices for an array of 1 dimensions"},
                   {"const a = [2]u8 { 1, 2 }[0, 0, 0, 0, 0];", "more than 4 indices"},
                   {"const a = 1; const b = a[0];", "an index into"},
                   {"const a = 1; const b = a.c;", "'.c' of"},
                   {"const a = @concat_structs(.{ .a = 1 }, .{ .a = 2 });", "both structs have a field 'a'"},
                   {"const a = @concat_structs(.{ .a = 1 }, .{ 2 });", "cannot be joined"},
                   {"const a = @as(u8, 256);", "256 does not fit into u8"},
                   {"const a = @as(u8, \"a\");", "@as cannot make"},
                   {"const a = @as(i32, 1e30);", "does not fit into i32"},
                   {"const a = @constants(u8, 1);", "needs an array type"}});
}

TEST(CslBuiltins, NameColorsQueuesAndTasks) {
  expect_true({"@get_int(@get_color(5)) == 5", "@get_color(1) == @get_color(1)", "@get_int(@get_input_queue(2)) == 2",
               "@get_int(@get_output_queue(3)) == 3", "@get_int(@get_local_task_id(9)) == 9",
               "@get_int(@get_data_task_id(@get_color(7))) == 7", "@get_int(@get_control_task_id(12)) == 12",
               "@get_int(4) == 4", "@is_arch(\"wse2\")", "!@is_arch(\"wse3\")", "@is_comptime()"});
  EXPECT_EQ(problem("const a: data_task_id = @get_data_task_id(@get_input_queue(2));", "wse3"), "");
  EXPECT_EQ(problem("const a = @get_ut_id(7);", "wse3"), "");
  EXPECT_EQ(problem("const a: color = @get_color(1); const b: input_queue = @get_input_queue(0);\n"
                    "const c: output_queue = @get_output_queue(0); const d: local_task_id = @get_local_task_id(8);\n"
                    "const e: control_task_id = @get_control_task_id(1); const f: direction = NORTH;\n"
                    "const g: range = @range(u8, 2); const h: type = u8; const i: comptime_string = \"a\";\n"
                    "const j: comptime_struct = .{}; const k: bool = true; const l: *u16 = &m; var m: u16;\n"),
            "");
  expect_problems({{"const a = @get_color(64);", "@get_color: 64 is not between 0 and 63"},
                   {"const a = @get_color(true);", "expected an integer"},
                   {"const a = @get_data_task_id(@get_input_queue(1));", "data tasks have the ids of colors"},
                   {"const a = @get_data_task_id(1);", "use a color or an input queue"},
                   {"const a = @get_int(true);", "@get_int of"},
                   {"const a: color = 3;", "expected color"},
                   {"const a = @get_int();", "@get_int takes 1 arguments, not 0"},
                   {"const a = @range(u8);", "@range takes 2 to 4 arguments, not 1"},
                   {"const a = @fmach(1);", "@fmach is not supported"},
                   {"const a = @get_ut_id(2);", "wse2 has no microthreads with names"},
                   {"const a = @get_colour(1);", "@get_color"},
                   {"comptime { @comptime_assert(1); }", "expected a bool"},
                   {"comptime { @comptime_assert(false, \"why\"); }", "does not hold: why"},
                   {"comptime { @assert(false); }", "@assert does not hold"}});
}

TEST(CslBuiltins, MakeAndChangeDescriptors) {
  EXPECT_EQ(
      problem("var a: [8]f32; const p = &a;\n"
              "const whole: mem1d_dsd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{8} -> a[i] });\n"
              "const odd = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{4} -> a[2 * i + 1] });\n"
              "const by_pointer = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{1} -> p[i] });\n"
              "const based = @get_dsd(mem1d_dsd, .{ .base_address = &a, .extent = 4, .stride = 2, .offset = 1 });\n"
              "const in = @get_dsd(fabin_dsd, .{ .extent = 4, .fabric_color = @get_color(1),\n"
              "                                  .input_queue = @get_input_queue(1) });\n"
              "const out = @get_dsd(fabout_dsd, .{ .extent = 1, .fabric_color = @get_color(1), .control = true,\n"
              "                                    .output_queue = @get_output_queue(1) });\n"
              "const longer = @set_dsd_length(in, 5); const moved = @increment_dsd_offset(whole, 2, f32);\n"
              "const wide = @set_dsd_stride(whole, 3); const other = @set_dsd_base_addr(whole, &a);\n"),
      "");
  const std::string array = "var a: [8]f32; var n: u16;\n";
  expect_problems(
      {{array + "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> a[i * i] });", "not linear"},
       {array + "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{0} -> a[i] });", "an extent of 0"},
       {array + "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i, j|{2} -> a[i] });",
        "2 variables, but 1 extents"},
       {array + "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i, j|{2, 2} -> a[i] });", "several dimensions"},
       {array + "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> n[i] });", "expected an array"},
       {array + "const d = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{2} -> n });", "an array and its index"},
       {array + "const d = @get_dsd(mem1d_dsd, .{ .base_address = &a });", "needs an extent"},
       {array + "const d = @get_dsd(mem1d_dsd, .{ .extent = 2 });", "needs tensor_access, or base_address"},
       {array + "const d = @get_dsd(mem1d_dsd, .{ .base_address = &a, .extent = 2, .weight = 1 });", "'weight'"},
       {array + "const d = @get_dsd(mem1d_dsd, 3);", "expected settings"},
       {"const d = @get_dsd(fabin_dsd, .{ .fabric_color = @get_color(1) });", "needs an extent"},
       {"const d = @get_dsd(fabin_dsd, .{ .extent = 1, .fabric_color = 1 });", "is not one"},
       {"const d = @get_dsd(fabout_dsd, .{ .extent = 1, .control = 1 });", "expected a bool"},
       {"const d = @get_dsd(fabout_dsd, .{ .extent = 2, .simd_mode = .{ .simd_64 = true } });", "simd_mode"},
       {"const d = @get_dsd(circbuf_dsd, .{ .extent = 1 });", "is not supported"},
       {"const d = @get_dsd(u16, .{ .extent = 1 });", "expected a type of descriptors"},
       {"const d = @set_dsd_length(1, 2);", "expected a descriptor"},
       {"const d = @set_dsd_stride(@get_dsd(fabin_dsd, .{ .extent = 1 }), 2);", "only descriptors of memory"}});
}

TEST(CslModules, AreFilesWithParametersAndTheVendorsLibraries) {
  const std::string imports =
      "const other = @import_module(\"other.csl\", .{ .size = 4 });\n"
      "const library = @import_module(\"<math>\");\n";
  expect_true({"other.both == 7", "other.more == 3", "library.sqrt.fast(1, 2) == \"<math>.sqrt.fast/2\""}, imports);
  expect_problems({{"const a = @import_module(\"none.csl\");", "there is no file 'none.csl'"},
                   {"const a = @import_module(\"other.csl\", .{ .size = 1, .x = 2 });", "has no parameter 'x'"},
                   {"const a = @import_module(\"other.csl\", .{ 1 });", "parameters need names"},
                   {"const a = @import_module(\"other.csl\", 1);", "expected a struct of parameters"},
                   {imports + "const b = other.none;", "other.csl has no 'none'"}});
}

TEST(CslModules, AreFoundBesideTheFileThatImportsThem) {
  expect_true({"outer.inner.other.both == 8"}, "const outer = @import_module(\"lib/outer.csl\");\n");
  expect_true({"inner.other.both == 4"},
              "const inner = @import_module(\"./lib/../lib/deep/inner.csl\", .{ .size = 1 });\n");
  expect_problems(
      {{"const a = @import_module(\"../test.csl\");", "test.csl:1:11: the file '../test.csl' is not in the folder"},
       {"const a = @import_module(\"lib/out.csl\");",
        "lib/out.csl:1:13: the file '../../far.csl' is not in the folder"},
       {"const a = @import_module(\"/test.csl\");", "the file '/test.csl' is not in the folder"},
       {"const a = @import_module(\"\");", "there is no file ''"},
       {"const a = @import_module(\"lib/circle.csl\");", "imports nested more than"},
       {"const a = @import_module(\"lib/none.csl\");", "there is no file 'lib/none.csl'"}});
}

TEST(CslModules, OfTheHostNeedTheParametersOfTheLayout) {
  const std::string way_out = "is imported without its parameters; import <memcpy/get_params> in the layout";
  expect_problems(
      {{"const m = @import_module(\"<memcpy/memcpy>\");", way_out},
       {"const m = @import_module(\"<memcpy/memcpy>\", .{});", way_out},
       {"const l = @import_module(\"<time>\"); const m = @import_module(\"<memcpy/memcpy>\", l.get_params);",
        way_out}});
}

TEST(CslParameters, NeedAValueOnlyWhereTheyAreUsed) {
  EXPECT_EQ(problem("param a: u8; param b; const c = 1;"), "");
  EXPECT_EQ(problem("const a = @import_module(\"other.csl\"); const b = a.more;"), "");
  expect_problems(
      {{"const other = @import_module(\"other.csl\");\nconst b = other.both;",
        "test.csl:1:15: the parameter 'size' of other.csl has no value, but is used (other.csl:1:52); give it one "
        "here"},
       {"param a: u8;\nconst b = a + 1;",
        "the parameter 'a' of test.csl has no value, but is used (test.csl:2:11); --set a=VALUE gives it one"}});
}

TEST(CslConversions, OfKnownIntegersTakeWhatFits) {
  expect_true({"per == 2", "@is_same_type(@type_of(per), i16)", "narrow == 200", "wide(count) == 9", "inside() == 8"},
              "param total: u16 = 8; param count: u16 = 4; param per: i16 = total / count;\n"
              "const narrow: u8 = @as(u32, 200);\n"
              "fn wide(n: i16) u8 { return n + 5; }\n"
              "fn inside() i16 { const n: i16 = total; return n; }\n");
  expect_problems({{"const a: u16 = 40000; const b: i16 = a;", "40000 does not fit into i16"},
                   {"const a: i16 = 0 - 1; const b: u32 = a;", "-1 does not fit into u32"},
                   {"const a: u16 = 1; const b: bool = a;", "expected bool, found 1 (u16)"}});
}

TEST(CslPointers, LeadIntoArraysOfTheFile) {
  expect_true({"third(&a) == 6", "third_of(&a) == 6", "changed(&a) == 9"},
              "var a = [3]u16 { 4, 5, 6 };\n"
              "fn third(p: [*]u16) u16 { return p[2]; }\n"
              "fn third_of(p: *[3]u16) u16 { return p.*[2]; }\n"
              "fn changed(p: [*]u16) u16 { p[0] = 9; return a[0]; }\n");
  EXPECT_EQ(
      problem("var a: [8]f32; var p: [*]f32;\n"
              "fn over(q: *[8]f32) mem1d_dsd { return @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{8} -> q[i] }); }\n"
              "comptime { p = &a; const d = over(&a); }"),
      "");
  expect_problems({{"var p: [*]u16; comptime { p[0] = 1; }", "an index into an undefined value"},
                   {"const a = 1; const b = a.*[0];", "'.*' of"},
                   {"fn f(n: u16) void { const d = |i|{2} -> n[i]; } comptime { f(1); }", "expected a pointer"}});
}

TEST(CslFiles, ConsistOfDeclarationsAndBlocks) {
  EXPECT_EQ(problem("// a comment\nexport var a: u16 linksection(\"x\") = 1; param b = 2; noinline fn f() void {}\n"
                    "comptime { @comptime_print(\"a\", a); @comptime_assert(a + b == 3); }\n"),
            "");
  expect_problems({{"1;", "expected param, const, var, fn, task, comptime or layout"},
                   {"const a = 1; const a = 2;", "'a' is declared twice"},
                   {"var a;", "':' and a type, or '=' and a value"},
                   {"const a = unknown_name;", "unknown name 'unknown_name'"},
                   {"comptime {", "expected '}' for the '{' of line 1"},
                   {"const a = (1;", "expected ')' after the expression, found ';'"},
                   {"var x: u16; comptime { const p = 1; p.* = 2; }", "'.*' of"},
                   {"comptime { var x: u16 = 0; const p = &x; }", "only variables of the file have an address"},
                   {"comptime { @activate(1); }", "asks the machine for @activate"}});
}

}  // namespace
}  // namespace muster::wafer::csl
