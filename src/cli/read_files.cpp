// What the user gives as a file, or through a pipe.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/error.h"
#include "cli/question.h"
#include "plan/made_for.h"
#include "schedule/text.h"

namespace muster {

std::string read_text(const std::string& file) {
  std::ostringstream text;
  if (file == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  if (std::filesystem::is_directory(file)) reject("{}: is a folder; name a file, or - for standard input", file);
  std::ifstream in(file, std::ios::binary);
  if (!in) reject("{}: cannot be read; is the name right? (- is standard input)", file);
  text << in.rdbuf();
  return text.str();
}

EmittedFile read_emitted(const std::string& file) {
  return {.name = file == "-" ? "standard input" : file, .text = read_text(file)};
}

Schedule read_schedule(const std::string& file) {
  return parse_schedule(read_text(file), file == "-" ? "standard input" : file);
}

void check_made_for(const Schedule& schedule, const Machine& machine, const std::string& file) {
  require_made_for(schedule, machine, file == "-" ? "standard input" : file);
}

}  // namespace muster
