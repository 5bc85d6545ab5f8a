// Numbers in sentences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace muster {

/// 1234567 → "1,234,567"
inline std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t end = digits.size(); end > sign + 3;) digits.insert(end -= 3, ",");
  return digits;
}

/// "1 node", "2,048 nodes"; `several` where an s behind `singular` is not the plural: "2 classes"
inline std::string counted(std::int64_t number, std::string_view singular, std::string_view several = {}) {
  const bool regular = several.empty() || number == 1;
  return grouped(number).append(" ").append(regular ? singular : several).append(regular && number != 1 ? "s" : "");
}

}  // namespace muster
