// An answer on standard output: as JSON, or as text that fits the terminal.
#pragma once

#include "cli/arguments.h"
#include "cli/commands.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {

/// How text is laid out for standard output: if it is a terminal, for its width (COLUMNS, else what the terminal says), and
/// with colours unless NO_COLOR is set or the terminal has none (TERM=dumb); otherwise the default.
Style style_of(const Arguments& arguments);

template <class Answer>
void show(const Arguments& arguments, const Answer& answer) {
  const Style style = style_of(arguments);
  print(arguments.has("--json") ? json_report(answer) : fitted(text_report(answer, style), style));
}

}  // namespace muster
