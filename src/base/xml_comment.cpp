// Commands in comments of XML.
#include "base/xml_comment.h"

namespace muster {

std::string xml_comment(std::string_view command) {
  std::string safe;
  for (const char c : command) {
    if (c == '-' && !safe.empty() && safe.back() == '-') safe += "''";
    safe += c;
  }
  return safe;
}

}  // namespace muster
