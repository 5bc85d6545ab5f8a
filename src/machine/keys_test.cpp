#include "machine/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/source_dir.h"
#include "machine/loader.h"

namespace muster {
namespace {

const std::filesystem::path kSource = source_dir();

std::string message_of(const std::string& text, const Overrides& overrides = {}) {
  try {
    (void)parse_machine(text, "t.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// "dimension.N.size" → "dimension.1.size", as --param takes it.
std::string first_of_list(std::string_view name) {
  std::string key(name);
  if (const std::size_t n = key.find(".N."); n != std::string::npos) key.replace(n, 3, ".1.");
  return key;
}

std::vector<MachineKey> all_keys(const FamilyKeys& family) {
  const auto common = common_machine_keys();
  std::vector<MachineKey> keys(common.begin(), common.end());
  keys.insert(keys.end(), family.keys.begin(), family.keys.end());
  return keys;
}

std::set<std::string> words_of(std::string_view list) {
  std::set<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    words.emplace(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return words;
}

/// What follows `mark` in a message.
std::string behind(const std::string& message, const std::string& mark) {
  const std::size_t at = message.find(mark);
  return at == std::string::npos ? "(" + message + ")" : message.substr(at + mark.size());
}

/// The keys below a table, the root if it is empty: what the reader must ask it for.
std::set<std::string> described(const FamilyKeys& family, const std::string& table) {
  std::set<std::string> names;
  for (const MachineKey& key : all_keys(family)) {
    const std::string name = first_of_list(key.name);
    if (table.empty()) {
      names.insert(name.substr(0, name.find('.')));
    } else if (name.starts_with(table + ".")) {
      names.insert(name.substr(table.size() + 1));
    }
  }
  return names;
}

TEST(MachineKeys, OfATemplateLoadAndAreAllThere) {
  for (const FamilyKeys& family : machine_keys()) {
    const std::string text = machine_template(family);
    const Machine machine = parse_machine(text, "t.toml");
    EXPECT_EQ(family_name(machine), family.family);
    std::set<std::string> written;
    for (const MachineEntry& entry : machine_entries(text, "t.toml")) written.insert(entry.key);
    std::set<std::string> known;
    for (const MachineKey& key : all_keys(family)) known.insert(first_of_list(key.name));
    EXPECT_EQ(written, known);
  }
}

TEST(MachineKeys, AreTheOnesThatTheReadersAskFor) {
  for (const FamilyKeys& family : machine_keys()) {
    const std::string text = machine_template(family);
    std::set<std::string> tables{""};
    for (const MachineKey& key : all_keys(family)) {
      const std::string name = first_of_list(key.name);
      if (name.find('.') != std::string::npos) tables.insert(name.substr(0, name.rfind('.')));
    }
    for (const std::string& table : tables) {
      const std::string unknown = table.empty() ? "zzz" : table + ".zzz";
      const std::string allowed = behind(message_of(text, {{unknown, "1"}}), "allowed here: ");
      EXPECT_EQ(words_of(allowed), described(family, table)) << family.family << " [" << table << "]";
    }
  }
}

TEST(MachineKeys, HaveTheTypesOfTheReaders) {
  const std::map<std::string_view, std::string> refusals{
      {"text", ""},
      {"choice", "unknown value"},
      {"boolean", "is neither true nor false"},
      {"whole number", "use a whole number"},
      {"list of whole numbers", "in the list is not a whole number"},
      {"list of texts", "in the list is not a string"},
      {"size", "is not a size"},
      {"frequency", "is not a frequency"},
      {"time", "is not a time"},
      {"duration", "is not a time"},
      {"rate", "is not a bandwidth"},
      {"bandwidth", "is not a bandwidth"},
  };
  for (const FamilyKeys& family : machine_keys()) {
    for (const MachineKey& key : all_keys(family)) {
      ASSERT_TRUE(refusals.count(key.type)) << key.name << " is a " << key.type;
      const std::string wrong = key.type == "list of texts" ? "[true]" : key.type == "text" ? "" : "[[]]";
      const std::string refusal = message_of(machine_template(family), {{first_of_list(key.name), wrong}});
      EXPECT_NE(refusal, "accepted") << key.name;
      EXPECT_NE(refusal.find(refusals.at(key.type)), std::string::npos) << key.name << ": " << refusal;
    }
  }
}

TEST(MachineKeys, OfFamiliesWithoutAClockTakeNoCycles) {
  for (const FamilyKeys& family : machine_keys()) {
    for (const MachineKey& key : family.keys) {
      const auto with = [&](const std::string& value) {
        return message_of(machine_template(family), {{first_of_list(key.name), value}});
      };
      if (key.type == "time") {
        EXPECT_EQ(with("7 cycles"), "accepted") << key.name;
      }
      if (key.type == "duration") {
        EXPECT_NE(with("7 cycles").find("needs a clock"), std::string::npos) << key.name;
      }
      if (key.type == "bandwidth") {
        EXPECT_NE(with("7 B/cycle").find("needs a clock"), std::string::npos) << key.name;
      }
    }
  }
}

TEST(MachineKeys, HaveTheChoicesOfTheReaders) {
  for (const FamilyKeys& family : machine_keys()) {
    for (const MachineKey& key : all_keys(family)) {
      if (key.type != "choice") continue;
      const std::string refusal = message_of(machine_template(family), {{first_of_list(key.name), "zzz"}});
      EXPECT_EQ(words_of(behind(refusal, "; use ")), words_of(key.allowed)) << key.name;
    }
  }
}

TEST(MachineKeys, HaveTheRangesOfTheReaders) {
  int ranges = 0;
  for (const FamilyKeys& family : machine_keys()) {
    for (const MachineKey& key : family.keys) {
      if (key.type != "whole number") continue;
      ++ranges;
      const std::string range(key.allowed.substr(0, key.allowed.find(';')));
      for (const std::string& outside : std::vector<std::string>{"-1", "3000000000"}) {
        const std::string refusal = message_of(machine_template(family), {{first_of_list(key.name), outside}});
        EXPECT_EQ(behind(refusal, "is out of range; use "), range) << key.name;
      }
    }
  }
  EXPECT_GT(ranges, 20);
}

TEST(MachineKeys, ThatAreMissingAreNamedAllAtOnce) {
  const std::string text = machine_template(machine_keys("cluster"));
  const auto without = [&](const std::vector<std::string>& lines) {
    std::string left = text;
    for (const std::string& line : lines) left.replace(left.find("\n" + line) + 1, line.size(), "#");
    return message_of(left);
  };
  EXPECT_EQ(without({"summary", "buffer_chunks", "links", "latency"}),
            "t.toml: missing keys: summary, receiver.buffer_chunks, dimension.1.links, dimension.1.latency; see "
            "'muster machines --template cluster'");
  EXPECT_EQ(without({"reduces", "accounting"}), "accepted") << "optional";
  EXPECT_EQ(
      message_of("family = \"cluster\"\nsummary = \"x\"\n[[dimension]]\nsise = 4\n"),
      "t.toml: missing keys: receiver.buffer_chunks, dimension.1.kind, dimension.1.size (did you write 'sise' instead "
      "in line 4?), dimension.1.bandwidth, dimension.1.links, dimension.1.latency; see 'muster machines --template "
      "cluster'");
  EXPECT_EQ(message_of("summary = \"x\"\n"),
            "t.toml: missing keys: family (mesh, torus, hyperx, cluster); see e.g. 'muster machines --template mesh'");
}

TEST(MachineKeys, OfAnOptionalTableAreMissingOnlyIfItIsThere) {
  const std::string text = machine_template(machine_keys("hyperx"));
  const std::string whole = text.substr(0, text.find("[host]"));
  EXPECT_EQ(message_of(whole), "accepted");
  EXPECT_EQ(
      message_of(whole + "[host]\ntraversals = 4\n"),
      "t.toml: missing keys: host.round_overhead, host.message_passes, host.reduction_passes; see 'muster machines "
      "--template hyperx'");
}

TEST(MachineKeys, OfAnUnknownFamilyAreRefused) {
  try {
    (void)machine_keys("clutser");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "unknown family 'clutser'; did you mean 'cluster'?");
  }
}

/// The keys as docs/machines.md shows them.
std::string markdown(std::span<const MachineKey> keys) {
  std::string text = "| key | type | values | example | meaning |\n|---|---|---|---|---|\n";
  for (const MachineKey& key : keys) {
    const bool is_optional = key.need == MachineKey::Need::optional;
    text += fmt::format("| `{}`{} | {} | {} | {} | {} |\n", key.name, is_optional ? " (optional)" : "", key.type,
                        key.allowed, key.example.empty() ? "" : fmt::format("`{}`", key.example), key.meaning);
  }
  return text;
}

TEST(MachineKeys, AreThoseOfTheDocumentation) {
  const std::string page = read_file(kSource / "docs" / "machines.md");
  const auto shown = [&](const std::string& name) {
    const std::string marker = fmt::format("<!-- keys {} -->\n", name);
    const std::size_t begin = std::min(page.find(marker), page.size() - marker.size()) + marker.size();
    return page.substr(begin, page.find(marker, begin) - begin);
  };
  EXPECT_EQ(shown("of every family"), markdown(common_machine_keys()));
  for (const FamilyKeys& family : machine_keys()) {
    EXPECT_EQ(shown(std::string(family.family)), markdown(family.keys)) << "docs/machines.md: copy this table there";
  }
}

}  // namespace
}  // namespace muster
