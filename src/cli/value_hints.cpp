// The text that --help shows for a value is the only source.
#include "cli/value_hints.h"

#include <algorithm>
#include <sstream>

namespace muster {
namespace {

bool is_word(const std::string& text) {
  const auto is_typed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), is_typed);
}

ValueHints hints_of_text(const std::string& text) {
  ValueHints hints;
  std::istringstream alternatives(text);
  for (std::string alternative; std::getline(alternatives, alternative, '|');) {
    if (is_word(alternative)) hints.words.push_back(alternative);
    hints.files = hints.files || alternative.find("FILE") != std::string::npos;
    hints.folders = hints.folders || alternative.find("DIR") != std::string::npos;
  }
  return hints;
}

}  // namespace

ValueHints hints_of(const Flag& flag) {
  ValueHints hints = hints_of_text(flag.value);
  const std::vector<std::string> named{"--machine", "--collective", "--algorithm", "--workload", "--target"};
  hints.names = std::find(named.begin(), named.end(), flag.name) != named.end();
  return hints;
}

ValueHints hints_of(const Subcommand& command) {
  if (command.positional.most == 0) return {};
  ValueHints hints = hints_of_text(command.positional.name);
  hints.names = command.name == "machines";
  return hints;
}

}  // namespace muster
