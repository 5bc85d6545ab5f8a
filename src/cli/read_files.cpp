// What the user gives as a file, or through a pipe.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/error.h"
#include "base/file.h"
#include "cli/given_files.h"
#include "cli/question.h"
#include "plan/made_for.h"
#include "schedule/text.h"

namespace muster {

std::string read_text(const std::string& file) {
  if (file == "-") return read_all(std::cin, "standard input");
  if (std::filesystem::is_directory(file)) reject("{}: is a folder; name a file, or - for standard input", file);
  std::ifstream in(file, std::ios::binary);
  if (!in) reject("{}: cannot be read; is the name right? (- is standard input)", file);
  return read_all(in, file);
}

EmittedFile read_emitted(const std::string& file) {
  return {.name = file == "-" ? "standard input" : file, .text = read_text(file)};
}

namespace {

/// Throws InputError for a file that another flag takes.
void refuse_other_formats(const std::string& text, const std::string& name) {
  constexpr std::size_t kHead = 200;
  for (const Reader* const reader : readers()) {
    const FileFormat format = reader->format();
    if (format.mark.empty() || std::string_view(text).substr(0, kHead).find(format.mark) == std::string_view::npos)
      continue;
    reject("{}: this is a file of {}, not a schedule; verify and simulate take it with {}", name, format.name,
           flag_of(format));
  }
}

}  // namespace

Schedule read_schedule(const std::string& file) {
  const EmittedFile read = read_emitted(file);
  refuse_other_formats(read.text, read.name);
  return parse_schedule(read.text, read.name);
}

void check_made_for(const Schedule& schedule, const Machine& machine, const std::string& file) {
  require_made_for(schedule, machine, file == "-" ? "standard input" : file);
}

}  // namespace muster
