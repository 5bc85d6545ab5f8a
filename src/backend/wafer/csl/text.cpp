#include "backend/wafer/csl/text.h"

#include <algorithm>
#include <vector>

#include "backend/wafer/csl/uncertain.h"
#include "machine/mesh.h"

namespace muster::wafer {

std::string fill(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> values) {
  std::string done;
  std::vector<bool> used(values.size(), false);
  while (true) {
    const auto open = text.find("<<");
    done += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = text.find(">>", open + 2);
    MUSTER_ASSERT(close != std::string_view::npos, "a template has an open placeholder");
    const std::string_view name = text.substr(open + 2, close - open - 2);
    const auto* value = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
    MUSTER_ASSERT(value != values.end(), "a template has no value for '{}'", name);
    used[static_cast<std::size_t>(value - values.begin())] = true;
    done += value->second;
    text.remove_prefix(close + 2);
  }
  MUSTER_ASSERT(std::find(used.begin(), used.end(), false) == used.end(), "a template leaves a value out");
  return done;
}

bool only_moves(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::allgather:
    case Collective::scatter:
    case Collective::gather:
    case Collective::all_to_all:
    case Collective::neighbours:
      return true;
    default:
      return false;
  }
}

namespace {

/// A sentence as comment lines.
std::string in_lines(std::string_view sentence, std::string_view mark) {
  constexpr std::size_t kWidth = 116;
  std::string text;
  while (!sentence.empty()) {
    std::size_t end = sentence.size();
    if (end > kWidth) end = sentence.rfind(' ', kWidth);
    text += fmt::format("{} {}\n", mark, sentence.substr(0, end));
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
  }
  return text;
}

/// What is to be tried first, where the program itself is read.
std::string uncertain_lines(const CslProgram& csl, std::string_view mark) {
  std::string text;
  for (const std::string& sentence : csl_uncertainties(csl)) text += in_lines("Uncertain: " + sentence, mark);
  return text;
}

/// " to PE (3,0)": of a collective with a root that is not the first PE.
std::string root_words(const WaferProgram& program) {
  const Contract& contract = program.contracts.front();
  if (!has_root(contract.collective)) return "";
  const NodeId root = contract.ranks[static_cast<std::size_t>(contract.root)];
  if (root == 0) return "";
  const bool away = contract.collective == Collective::broadcast || contract.collective == Collective::scatter;
  const std::int32_t width = program.mesh().width;
  return fmt::format(" {} PE ({},{})", away ? "from" : "to", root % width, root / width);
}

}  // namespace

std::string padding_note(const CslProgram& csl) {
  if (csl.wafer->contracts.front().collective == Collective::all_to_all) {
    return "A wavelet carries two f16, so each block is even: a block of 7 is sent as 8, and its last element is "
           "padding.";
  }
  return "A wavelet carries two f16, so count is even: a vector of 7 is sent as 8, and its last element is padding.";
}

std::string csl_header(const CslProgram& csl, const EmitOptions& options, std::string_view mark) {
  const WaferProgram& program = *csl.wafer;
  const Collective collective = program.contracts.front().collective;
  const std::string op = only_moves(collective) ? "" : fmt::format(" ({})", operator_name(program.arithmetic.op));
  std::string command = options.command.empty() ? "muster emit --target csl" : options.command;
  std::replace(command.begin(), command.end(), '\n', ' ');
  const std::int64_t elements = options.elements > 0 ? options.elements : csl.elements;
  std::string remarks;
  for (const std::string& remark : csl.remarks) remarks += in_lines(remark, mark);
  if (mark == "//") remarks += uncertain_lines(csl, mark);
  return fmt::format(
      "{0} Muster: {1}{2} of {3} {4} on {5} x {6} PEs{7}, for {8}.\n"
      "{0} Made by: {9}\n"
      "{0} The vendor's compiler was not run on this program; it follows the vendor's documentation.\n{10}",
      mark, collective_name(collective), op, elements, csl.type, program.mesh().width, program.mesh().height,
      root_words(program), program.mesh().architecture, command, remarks);
}

}  // namespace muster::wafer
