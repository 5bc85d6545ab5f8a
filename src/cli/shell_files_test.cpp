#include "cli/shell_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "cli/flags.h"
#include "cli/value_hints.h"

namespace muster {
namespace {

TEST(ShellFiles, KnowEveryCommandAndEveryFlag) {
  const std::string page = man_page();
  for (const std::string shell : {"bash", "fish", "zsh"}) {
    const std::string script = completion_script(shell);
    for (const Subcommand& command : subcommands()) {
      EXPECT_NE(script.find(command.name), std::string::npos) << shell << ": " << command.name;
      EXPECT_NE(page.find(".SS muster " + command.name + "\n"), std::string::npos) << command.name;
      for (const Flag& flag : command.flags) {
        const std::string name = shell == "fish" ? std::string(" -l ") + (flag.name + 2) : std::string(flag.name);
        EXPECT_NE(script.find(name), std::string::npos) << shell << ": " << flag.name;
      }
    }
  }
}

TEST(ShellFiles, ReadValuesFromTheTextOfHelp) {
  const Flag type{"--type", "f32|f16|i32", ""};
  EXPECT_EQ(hints_of(type).words, (std::vector<std::string>{"f32", "f16", "i32"}));
  const Flag machine{"--machine", "NAME|FILE.toml", ""};
  EXPECT_TRUE(hints_of(machine).names);
  EXPECT_TRUE(hints_of(machine).files);
  EXPECT_FALSE(hints_of(machine).folders);
  const Flag root{"--root", "X,Y|RANK|any", ""};
  EXPECT_EQ(hints_of(root).words, std::vector<std::string>{"any"});
  EXPECT_TRUE(hints_of(Flag{"--out", "DIR", ""}).folders);
  EXPECT_TRUE(hints_of(Flag{"--grid", "WxH", ""}).empty());
}

TEST(ShellFiles, NamesAreThoseOfTheProgram) {
  const auto has = [](const char* flag, const std::string& name) {
    const std::vector<std::string> names = names_for(flag);
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(has("--machine", "wse2"));
  EXPECT_TRUE(has("--collective", "reduce"));
  EXPECT_TRUE(has("--algorithm", "best-tree"));
  EXPECT_TRUE(has("--workload", "resnet-152"));
  EXPECT_TRUE(has("--target", "csl"));
  EXPECT_TRUE(has("--target", "msccl"));
  EXPECT_TRUE(names_for("--count").empty());
}

TEST(ShellFiles, AreMadeByTwoHiddenCommands) {
  EXPECT_FALSE(shell_file({}));
  EXPECT_FALSE(shell_file({"plan"}));
  EXPECT_EQ(shell_file({"man"}), man_page());
  EXPECT_EQ(shell_file({"completions", "fish"}), completion_script("fish"));
  EXPECT_THROW(shell_file({"completions"}), InputError);
  EXPECT_THROW(shell_file({"completions", "tcsh"}), InputError);
  EXPECT_THROW(shell_file({"completions", "bash", "zsh"}), InputError);
  EXPECT_THROW(shell_file({"man", "plan"}), InputError);
}

}  // namespace
}  // namespace muster
