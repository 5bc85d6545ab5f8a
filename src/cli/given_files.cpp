#include "cli/given_files.h"

#include "base/error.h"
#include "cli/applicability.h"
#include "cli/files.h"
#include "machine/family.h"

namespace muster {
namespace {

/// "program" where a folder describes it, else "file".
std::string_view noun_of(const FileFormat& format) { return format.extension.empty() ? "file" : "program"; }

/// What the files say already.
void refuse_said(const Arguments& arguments, const FileFormat& format) {
  const std::string flag = flag_of(format);
  if (format.says_machine) {
    leave_out(arguments, {"--machine", "--param", "--grid", "--nodes", "--shape"},
              fmt::format("the {} of {} describes its own machine", noun_of(format), flag));
  }
  if (format.says_shape) leave_to(arguments, flag, noun_of(format), {"--nodes", "--shape"});
  if (!format.has_parameters) leave_to(arguments, flag, noun_of(format), {"--set"});
  if (format.has_schedule) leave_to(arguments, flag, noun_of(format), {"--type", "--op", "--group", "--vectors"});
}

[[noreturn]] void reject_both(const Arguments& arguments, const std::string& flag, const std::string& other) {
  reject("{}: give either {} or {}, not both", arguments.subcommand, flag, other);
}

std::vector<EmittedFile> files_of(const Arguments& arguments, const FileFormat& format) {
  const std::string& path = arguments.text(flag_of(format));
  if (format.extension.empty()) return {read_emitted(path)};
  return read_folder(path, format);
}

}  // namespace

std::string flag_of(const FileFormat& format) { return fmt::format("--{}", format.name); }

const Reader* given_reader(const Arguments& arguments) {
  const Reader* given = nullptr;
  for (const Reader* const reader : readers()) {
    const std::string flag = flag_of(reader->format());
    if (!arguments.has(flag)) continue;
    if (given != nullptr) reject_both(arguments, flag_of(given->format()), flag);
    if (arguments.has("--schedule")) reject_both(arguments, "--schedule", flag);
    if (!arguments.positional.empty()) reject_both(arguments, flag, arguments.positional[0]);
    given = reader;
  }
  return given;
}

Source GivenFiles::source() const {
  const FileFormat format = read.reader->format();
  return {.flag = flag_of(format), .noun = noun_of(format), .machine = machine.value()};
}

GivenFiles read_given(const Arguments& arguments, const Reader& reader) {
  const FileFormat format = reader.format();
  refuse_said(arguments, format);
  GivenFiles given;
  if (!format.says_machine) {
    Machine machine = whole_machine_of(arguments);
    (void)reader_for(machine, format.name);  // refuses files of another family
    const Family& family = machine.family();
    if (!format.says_shape) machine = family.shaped(std::move(machine), arguments);
    given.machine = std::move(machine);
  }
  const auto parameters = format.has_parameters ? program_parameters(arguments) : std::map<std::string, std::string>();
  given.read = read_files(reader, files_of(arguments, format), given.machine ? &*given.machine : nullptr, parameters);
  return given;
}

}  // namespace muster
