#include "base/toml_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster {
namespace {

using Overrides = std::map<std::string, std::string>;

/// The message of what `action` throws, or "accepted".
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// The message when `read` reads the text.
template <class Read>
std::string message(std::string_view text, Read read, const Overrides& overrides = {}) {
  return message_of([&] {
    const TomlDocument document(text, "f.toml", overrides);
    read(document.root());
    document.finish();
  });
}

const auto read_nothing = [](const TomlTable&) {};
const auto read_a_integer = [](const TomlTable& root) { (void)root.integer("a", {.least = 1, .most = 9}); };

TEST(Toml, ReadsEveryType) {
  const TomlDocument document(R"(
name = "x"
on = true
n = 7
x = 2.5
list = [1, 2, 3]
words = ["a", "b"]
numbers = [1, 2.5]
[t]
size = "1 KiB"
plain = 64
clock = "850 MHz"
time = "2 cycles"
rate = "64 Gb/s"
deep.key = 1
[[d]]
n = 1
[[d]]
n = 2
)",
                              "f.toml");
  const TomlTable root = document.root();
  EXPECT_EQ(root.string("name"), "x");
  EXPECT_TRUE(root.boolean("on"));
  EXPECT_EQ(root.integer("n"), 7);
  EXPECT_EQ(root.number("x"), 2.5);
  EXPECT_EQ(root.integers("list"), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(root.strings("words"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(root.numbers("numbers"), (std::vector<double>{1, 2.5}));
  const TomlTable t = root.table("t");
  EXPECT_EQ(t.bytes("size"), Bytes(1024));
  EXPECT_EQ(t.bytes("plain"), Bytes(64));
  EXPECT_EQ(t.hertz("clock"), Hertz(850e6));
  EXPECT_EQ(t.time("time").value, 2);
  EXPECT_EQ(t.rate("rate").value, 8e9);
  EXPECT_EQ(t.table("deep").integer("key"), 1);
  const std::vector<TomlTable> d = root.tables("d");
  ASSERT_EQ(d.size(), 2U);
  EXPECT_EQ(d[1].integer("n"), 2);
  EXPECT_EQ(d[0].integer("n"), 1);
  EXPECT_EQ(d[1].path(), "d.2");
  EXPECT_EQ(root.keys(), (std::vector<std::string>{"name", "on", "n", "x", "list", "words", "numbers", "t", "d"}));
  EXPECT_FALSE(root.has("other"));
  EXPECT_NO_THROW(document.finish());
}

TEST(Toml, TellsListsFromOtherValues) {
  const TomlDocument document("a = [1, 2]\nb = \"x\"\nc = \"y\"", "f.toml", {{"c", "[3]"}});
  EXPECT_TRUE(document.root().is_list("a"));
  EXPECT_FALSE(document.root().is_list("b"));
  EXPECT_TRUE(document.root().is_list("c"));
  EXPECT_FALSE(document.root().is_list("d"));
}

TEST(Toml, RefusesUnknownKeysWithTheAllowedOnesNearestFirst) {
  const auto read = [](const TomlTable& root) {
    const TomlTable ramp = root.table("ramp");
    if (ramp.has("queue")) (void)ramp.integer("queue");
    if (ramp.has("latency")) (void)ramp.time("latency");
  };
  EXPECT_EQ(message("\n[ramp]\nlatncy = \"2 cycles\"\n", read),
            "f.toml:3: ramp.latncy: unknown key; allowed here: latency, queue");
  EXPECT_EQ(message("[rmp]\nlatency = 1", read), "f.toml:1: rmp: unknown key; allowed here: ramp");
  EXPECT_EQ(message("a = 1", read_nothing), "f.toml:1: a: unknown key; none are allowed here");
}

TEST(Toml, NamesMissingKeysAndLikelyMisspellings) {
  const auto read = [](const TomlTable& root) { (void)root.table("ramp").time("latency"); };
  EXPECT_EQ(message("x = 1\n[ramp]\n", read), "f.toml:2: ramp.latency: this key is missing");
  EXPECT_EQ(message("", read), "f.toml:1: ramp.latency: this key is missing");
  EXPECT_EQ(message("[ramp]\nlatncy = 1", read),
            "f.toml:1: ramp.latency: this key is missing; did you write 'latncy' instead?");
}

TEST(Toml, RefusesDuplicateKeysAndTables) {
  EXPECT_EQ(message("a = 1\nb = 2\na = 3\n", read_nothing),
            "f.toml:3: a: this key is defined twice; keep one of the two");
  EXPECT_EQ(message("[x]\n[x]\n", read_nothing), "f.toml:2: x: this key is defined twice; keep one of the two");
}

TEST(Toml, ReportsSyntaxErrorsInOneLine) {
  EXPECT_EQ(message("a = 1\nb = \n", read_nothing), "f.toml:2: expected value, saw '\\n'; this is not valid TOML");
  for (const char* text :
       {"a = \xff", "[", "]", "=", "a = \"x\ny\"", "a = [1, 2", "a = {", "\"\"\"", "a = 99999999999999999999"}) {
    const std::string shown = message(text, read_nothing);
    EXPECT_TRUE(shown.starts_with("f.toml:1: ")) << shown;
    EXPECT_EQ(shown.find('\n'), std::string::npos) << shown;
  }
}

TEST(Toml, ChecksTypesAndRanges) {
  EXPECT_EQ(message("a = 10", read_a_integer), "f.toml:1: a: 10 is out of range; use 1 to 9");
  EXPECT_EQ(message("a = \"7\"", read_a_integer), "f.toml:1: a: '7' is a string; use a whole number, e.g. 1");
  EXPECT_EQ(message("a = 1.5", read_a_integer), "f.toml:1: a: 1.5 is a decimal; use a whole number, e.g. 1");
  EXPECT_EQ(message("a = 2.0", read_a_integer), "f.toml:1: a: 2.0 is a decimal; use a whole number, e.g. 1");
  EXPECT_EQ(message("a = -2e0", read_a_integer), "f.toml:1: a: -2.0 is a decimal; use a whole number, e.g. 1");
  EXPECT_EQ(message("a = 1e300", read_a_integer), "f.toml:1: a: 1e+300 is a decimal; use a whole number, e.g. 1");
  EXPECT_EQ(message("a = inf", read_a_integer), "f.toml:1: a: inf is a decimal; use a whole number, e.g. 1");
  EXPECT_EQ(message("a = [1]", read_a_integer),
            "f.toml:1: a: a list is not a whole number; use a whole number, e.g. 1");
  EXPECT_EQ(message("[a]", read_a_integer), "f.toml:1: a: a table is not a whole number; use a whole number, e.g. 1");
  EXPECT_EQ(message("a = 2020-01-01", read_a_integer),
            "f.toml:1: a: a date or time is not a whole number; use a whole number, e.g. 1");
  EXPECT_EQ(message("a = 1", [](const TomlTable& root) { (void)root.string("a"); }),
            "f.toml:1: a: 1 is not a string; put it in quotes");
  EXPECT_EQ(message("a = 1", [](const TomlTable& root) { (void)root.boolean("a"); }),
            "f.toml:1: a: 1 is neither true nor false");
  EXPECT_EQ(message("a = inf", [](const TomlTable& root) { (void)root.number("a"); }),
            "f.toml:1: a: inf is not a finite number; use e.g. 1 or 2.5");
  EXPECT_EQ(message("a = [1, \"b\"]", [](const TomlTable& root) { (void)root.integers("a"); }),
            "f.toml:1: a: 'b' in the list is not a whole number; use e.g. [0, 1, 2]");
  EXPECT_EQ(message("a = 1", [](const TomlTable& root) { (void)root.strings("a"); }),
            "f.toml:1: a: 1 is not a list; use e.g. [\"a\", \"b\"]");
  EXPECT_EQ(message("a = [1, 12]", [](const TomlTable& root) { (void)root.integers("a", {.least = 0, .most = 9}); }),
            "f.toml:1: a: 12 is out of range; use 0 to 9");
  EXPECT_EQ(message("a = 1", [](const TomlTable& root) { (void)root.table("a"); }),
            "f.toml:1: a: 1 is not a table; write [a]");
  EXPECT_EQ(message("a = 1", [](const TomlTable& root) { (void)root.tables("a"); }),
            "f.toml:1: a: 1 is not a list of tables; write [[a]] above each");
}

TEST(Toml, ChecksUnitsAndChoices) {
  const auto read_time = [](const TomlTable& root) { (void)root.time("a"); };
  EXPECT_EQ(message("a = \"2 GB\"", read_time), "f.toml:1: a: '2 GB' is not a time; use e.g. '2 cycles' or '2.4 ns'");
  EXPECT_EQ(message("a = 2", read_time), "f.toml:1: a: '2' is not a time; use e.g. '2 cycles' or '2.4 ns'");
  EXPECT_EQ(message("a = true", read_time), "f.toml:1: a: true has no unit; put a number and its unit in quotes");
  const auto read_choice = [](const TomlTable& root) {
    const std::vector<std::string> allowed{"mesh", "torus"};
    (void)root.choice("a", allowed);
  };
  EXPECT_EQ(message("a = \"tours\"", read_choice), "f.toml:1: a: unknown value 'tours'; use torus, mesh");
}

TEST(TomlOverride, ReplacesAndAddsValuesOfEveryType) {
  const TomlDocument document("n = 1\n[ramp]\nlatency = \"2 cycles\"\n[[d]]\nsize = 4\n[[d]]\nsize = 8\n", "f.toml",
                              {{"n", "5"},
                               {"ramp.latency", "7 cycles"},
                               {"ramp.queue", "3"},
                               {"new.list", "1, 2"},
                               {"new.words", "[\"a\"]"},
                               {"new.on", "true"},
                               {"new.x", "2.5"},
                               {"d.2.size", "16"}});
  const TomlTable root = document.root();
  EXPECT_EQ(root.integer("n"), 5);
  EXPECT_EQ(root.table("ramp").time("latency").value, 7);
  EXPECT_EQ(root.table("ramp").integer("queue"), 3);
  const TomlTable fresh = root.table("new");
  EXPECT_EQ(fresh.integers("list"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(fresh.strings("words"), std::vector<std::string>{"a"});
  EXPECT_TRUE(fresh.boolean("on"));
  EXPECT_EQ(fresh.number("x"), 2.5);
  EXPECT_EQ(root.tables("d")[0].integer("size"), 4);
  EXPECT_EQ(root.tables("d")[1].integer("size"), 16);
  EXPECT_NO_THROW(document.finish());
}

TEST(TomlOverride, IsNamedInMessages) {
  const auto read = [](const TomlTable& root) {
    (void)root.table("ramp").time("latency");
    if (root.has("d")) (void)root.tables("d");
  };
  const std::string text = "[ramp]\nlatency = \"2 cycles\"\n";
  EXPECT_EQ(message(text, read, {{"ramp.latency", "2 GB"}}),
            "--param ramp.latency=2 GB: '2 GB' is not a time; use e.g. '2 cycles' or '2.4 ns'");
  EXPECT_EQ(message(text, read, {{"ramp.latncy", "2 ns"}}),
            "--param ramp.latncy=2 ns: unknown key; allowed here: latency");
  EXPECT_EQ(message(text, read, {{"ramp", "2"}}), "--param ramp=2: 'ramp' is a table; name one of its keys");
  EXPECT_EQ(message(text, read, {{"ramp.latency.x", "2"}}), "--param ramp.latency.x=2: 'latency' is not a table");
  EXPECT_EQ(message(text, read, {{"", "2"}}), "--param =2: '' is not a key; use e.g. 'clock' or 'ramp.latency'");
  EXPECT_EQ(message(text, read, {{"ramp..x", "2"}}),
            "--param ramp..x=2: 'ramp..x' is not a key; use e.g. 'clock' or 'ramp.latency'");
  EXPECT_EQ(message("[[d]]\nn = 1\n" + text, read, {{"d.4.n", "2"}}),
            "--param d.4.n=2: there is no entry '4'; the entries are numbered 1 to 1");
  EXPECT_EQ(message("[[d]]\nn = 1\n" + text, read, {{"d.n", "2"}}),
            "--param d.n=2: 'd' is a list of tables; use e.g. 'd.1.n'");
}

TEST(Toml, SurvivesHostileInput) {
  const std::string brackets = "a = " + std::string(100'000, '[');
  EXPECT_EQ(message(brackets, read_nothing), "f.toml:1: nested more than 16 deep; use fewer brackets");
  std::string dots = "a";
  for (int i = 0; i < 100'000; ++i) dots += ".a";
  EXPECT_EQ(message(dots + " = 1", read_nothing),
            "f.toml:1: more than 200 dots in one line; use shorter keys or more lines");
  EXPECT_EQ(message("[" + dots + "]", read_nothing),
            "f.toml:1: more than 200 dots in one line; use shorter keys or more lines");
  EXPECT_EQ(message(std::string(std::size_t{5} << 20, '#'), read_nothing),
            "f.toml: has 5242880 bytes; at most 4194304 are read");
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "k" + std::to_string(i) + " = 1\n";
  EXPECT_EQ(message(many, read_nothing), "f.toml:1: k0: unknown key; none are allowed here");
  EXPECT_EQ(message(std::string_view("\0\0", 2), read_nothing).substr(0, 9), "f.toml:1:");
}

TEST(Toml, ReadsWhatIsNestedAsDeepAsItAllows) {
  std::string key = "a";
  for (int i = 0; i < 199; ++i) key += ".a";
  std::string text = "1";
  for (int i = 0; i < 8; ++i) text = "[\n{" + key + " = " + text + "}\n]";  // 8 times 2 brackets and 200 keys
  EXPECT_EQ(message("a = " + text, read_nothing), "f.toml:1: a: unknown key; none are allowed here");
}

TEST(Toml, IgnoresBracketsInStringsAndComments) {
  const std::string brackets(50, '[');
  EXPECT_EQ(message("a = 1 # " + brackets + "\n", read_a_integer), "accepted");
  const auto read_strings = [](const TomlTable& root) {
    (void)root.string("s");
    (void)root.string("t");
    (void)root.string("u");
  };
  EXPECT_EQ(message("s = \"\\\"" + brackets + "\"\nt = '" + brackets + "'\nu = \"\"\"\n" + brackets + "\n\"\"\"\n",
                    read_strings),
            "accepted");
}

RC_GTEST_PROP(Toml, NeverCrashesOnRandomText, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab.=[]{}\"'#\n\\ 019-:_\xff\x01")));
  const std::string shown = message(text, read_nothing);
  RC_ASSERT(shown == "accepted" || shown.starts_with("f.toml:"));
  RC_ASSERT(shown.find('\n') == std::string::npos);
}

RC_GTEST_PROP(TomlOverride, NeverCrashesOnRandomKeys, (const std::string& text)) {
  const auto key = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ad.01x")));
  const std::string shown = message("a = 1\n[[d]]\nx = 1\n", read_a_integer, {{key, text}});
  RC_ASSERT(!shown.empty());
}

}  // namespace
}  // namespace muster
