#include "cli/arguments.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace muster {
namespace {

std::variant<Arguments, Notice> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "muster");
  return parse_arguments(static_cast<int>(words.size()), words.data());
}

std::string refusal(const std::vector<const char*>& words) {
  try {
    parse(words);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Arguments, KeepTheTextOfEveryFlag) {
  const auto parsed =
      parse({"simulate", "--machine", "wse2", "--param", "a=1", "--param=b=2", "--grid", "8x1", "--json"});
  const auto& arguments = std::get<Arguments>(parsed);
  EXPECT_EQ(arguments.subcommand, "simulate");
  EXPECT_EQ(arguments.values("--machine"), Values{"wse2"});
  EXPECT_EQ(arguments.values("--param"), (Values{"a=1", "b=2"}));
  EXPECT_EQ(arguments.values("--grid"), Values{"8x1"});
  EXPECT_TRUE(arguments.has("--json"));
  EXPECT_FALSE(arguments.has("--quiet"));
  EXPECT_TRUE(!arguments.has("--count"));
}

TEST(Arguments, NegativeNumbersAreValuesAndADashIsAFile) {
  EXPECT_EQ(std::get<Arguments>(parse({"plan", "--count", "-5"})).values("--count"), Values{"-5"});
  EXPECT_EQ(std::get<Arguments>(parse({"verify", "-"})).positional, Values{"-"});
}

TEST(Arguments, CommandLineIsQuotedForAShell) {
  const auto parsed = parse({"emit", "--param", "ramp.latency=7 cycles", "--set", "group=4"});
  EXPECT_EQ(std::get<Arguments>(parsed).command, "muster emit --param 'ramp.latency=7 cycles' --set group=4");
}

TEST(Arguments, UnknownFlagsAndCommandsNameTheNearest) {
  EXPECT_NE(refusal({"plan", "--machin", "wse2"}).find("unknown flag '--machin'; did you mean '--machine'"),
            std::string::npos)
      << refusal({"plan", "--machin", "wse2"});
  EXPECT_NE(refusal({"plan", "--cout=4"}).find("'--count'"), std::string::npos);
  EXPECT_NE(refusal({"paln"}).find("unknown command 'paln'; did you mean 'plan'"), std::string::npos)
      << refusal({"paln"});
}

TEST(Arguments, MissingAndRepeatedValuesAreRefused) {
  EXPECT_EQ(refusal({"plan", "--machine"}), "--machine needs a value; use --machine NAME|FILE.toml");
  EXPECT_EQ(refusal({"plan", "--count", "--json"}), "--count needs a value; use --count N");
  EXPECT_EQ(refusal({"plan", "--count", "1", "--count", "2"}), "--count was given twice: '1' and '2'; give it once");
  EXPECT_EQ(refusal({"plan", "--machine="}), "--machine needs a value; use --machine NAME|FILE.toml");
}

TEST(Arguments, TooManyWordsAndValuesForSwitchesAreRefused) {
  EXPECT_EQ(refusal({"verify", "a", "b"}), "verify takes one FILE|-; 'b' is one too many");
  EXPECT_EQ(refusal({"plan", "reduce"}), "plan takes no argument 'reduce'; 'muster plan --help' shows its flags");
  for (const char* value : {"--json=maybe", "--json=yes", "--json=true", "--json="}) {
    EXPECT_EQ(refusal({"plan", value}), "--json takes no value; leave out what follows '='") << value;
  }
  EXPECT_EQ(refusal({"emit", "--force=1"}), "--force takes no value; leave out what follows '='");
}

TEST(Arguments, HelpOfEveryCommandShowsAnExample) {
  for (const char* command : {"machines", "algorithms", "plan", "verify", "simulate", "emit", "reproduce"}) {
    const auto parsed = parse({command, "--help"});
    const std::string& text = std::get<Notice>(parsed).text;
    EXPECT_NE(text.find(std::string(":\n  muster ") + command), std::string::npos) << text;
    EXPECT_NE(text.find("--json"), std::string::npos) << text;
  }
  EXPECT_TRUE(std::holds_alternative<Notice>(parse({})));
}

TEST(Arguments, HelpAndVersionWorkWithEveryCommand) {
  const auto text = [](const std::vector<const char*>& words) { return std::get<Notice>(parse(words)).text; };
  for (const char* command : {"machines", "algorithms", "plan", "verify", "simulate", "emit", "reproduce"}) {
    EXPECT_EQ(text({command, "--version"}), text({"--version"}));
    EXPECT_EQ(text({"help", command}), text({command, "--help"}));
  }
  EXPECT_EQ(text({"help"}), text({"--help"}));
  EXPECT_EQ(refusal({"help", "paln"}), "unknown command 'paln'; did you mean 'plan'?");
  EXPECT_EQ(refusal({"help", "plan", "emit"}), "help takes one COMMAND; 'emit' is one too many");
}

TEST(Arguments, UsageShowsHowManyWordsThereMayBe) {
  const auto has = [](const char* command, const std::string& usage) {
    return std::get<Notice>(parse({command, "--help"})).text.find(usage + "\n") != std::string::npos;
  };
  EXPECT_TRUE(has("verify", "Usage: muster verify [FLAGS] [FILE|-]"));
  EXPECT_TRUE(has("machines", "Usage: muster machines [FLAGS] [NAME]"));
  EXPECT_TRUE(has("reproduce", "Usage: muster reproduce [FLAGS] [NAME]..."));
}

TEST(Arguments, EveryCommandTakesASeed) {
  for (const char* command : {"machines", "algorithms", "plan", "verify", "simulate", "emit", "reproduce"}) {
    EXPECT_EQ(refusal({command, "--seed", "1"}), "accepted") << command;
  }
}

}  // namespace
}  // namespace muster
