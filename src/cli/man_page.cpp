// The manual page: what every command is for, and its flags, from the same table as --help.
#include <fmt/format.h>

#include <sstream>

#include "cli/flags.h"
#include "cli/shell_files.h"

namespace muster {
namespace {

/// Text as troff takes it: hyphens can be copied, nothing is a request.
std::string troff(const std::string& text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    at_start = c == '\n';
  }
  return result;
}

std::string item(const std::string& what, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", what, troff(text));
}

std::string flag_items(const Subcommand& command) {
  std::string text;
  if (command.positional.most > 0) {
    text += item(fmt::format("\\fI{}\\fR", troff(command.positional.name)), command.positional.help);
  }
  for (const Flag& flag : command.flags) {
    text += item(fmt::format("\\fB{}\\fR \\fI{}\\fR", troff(flag.name), troff(flag.value)), flag.help);
  }
  for (const Switch& toggle : command.switches)
    text += item(fmt::format("\\fB{}\\fR", troff(toggle.name)), toggle.help);
  return text;
}

/// Examples keep their lines.
std::string example(const std::string& text) {
  std::string lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    lines += troff(line.substr(std::min(line.find_first_not_of(' '), line.size()))) + "\n";
  }
  return fmt::format(".PP\n{}\n.PP\n.nf\n.RS\n{}.RE\n.fi\n", example_title(text), lines);
}

std::string command_section(const Subcommand& command) {
  return fmt::format(".SS muster {}\n{}.\n", troff(command.name), troff(command.summary)) + flag_items(command) +
         example(command.example);
}

const char* const kEnd =
    ".SH EXIT STATUS\n"
    ".TP\n0\ndone\n"
    ".TP\n1\nthe answer is no: a schedule is wrong, a claim fails, a simulation deadlocks, no algorithm fits\n"
    ".TP\n2\nbad input\n"
    ".TP\n3\na bug in muster\n"
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBMUSTER_PATH\\fR\ncolon-separated folders that are searched first for machines and workloads\n"
    ".TP\n\\fBCOLUMNS\\fR\noverrides the width of the terminal\n"
    ".TP\n\\fBNO_COLOR\\fR\nif set, output has no color\n";

}  // namespace

std::string man_page() {
  std::string text = fmt::format(
      ".TH MUSTER 1 \"\" \"muster {}\"\n"
      ".SH NAME\nmuster \\- plan collective communication for machines where distance matters\n"
      ".SH SYNOPSIS\n\\fBmuster\\fR \\fICOMMAND\\fR [\\fIFLAGS\\fR]\n"
      ".SH DESCRIPTION\n"
      "Plans, proves, simulates and emits collective communication for machines where distance matters: wafers, "
      "clusters, reducing switches.\n"
      "\\fBmuster help\\fR \\fICOMMAND\\fR shows the flags of one command.\n"
      ".SH COMMANDS\n",
      MUSTER_VERSION);
  for (const Subcommand& command : subcommands()) text += command_section(command);
  return text + kEnd;
}

}  // namespace muster
