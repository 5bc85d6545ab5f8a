// Command lists as text.
#include "backend/wafer/commands.h"

namespace muster::wafer {

std::string commands_text(CommandList list) {
  std::string text;
  for (; list != 0; list = after_first(list)) {
    text += text.empty() ? "" : ", ";
    text += first_command(list) == Command::advance ? "ADV" : "NOP";
  }
  return text;
}

}  // namespace muster::wafer
