// What a family adds to a question: values for --json, and how a sentence says them. Nothing here knows a family.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace muster {

/// A value as JSON has it: null, a truth value, a number, text, a list, or named values.
struct FactValue {
  using List = std::vector<FactValue>;
  using Object = std::vector<std::pair<std::string, FactValue>>;
  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Object> value = nullptr;
};

struct Fact {
  std::string key;
  FactValue value;
  bool of_algorithms = false;  ///< what algorithms were told: not known of a schedule from elsewhere
};

/// What a question says of one family's options.
struct FamilyFacts {
  std::string per_vector = {};  ///< behind the vector: " per node"
  std::string members = {};     ///< behind the shape: ", group 0:3,8"
  std::string conditions = {};  ///< at the end: ", jitter 0.1"
  std::vector<Fact> facts = {};
};

}  // namespace muster
