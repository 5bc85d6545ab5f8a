// How the ranking of algorithms changes when the timing parameters of a machine are varied.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "result/answer.h"

namespace muster {

/// The ranking with one parameter at one value; the others as in the machine's file.
struct SensitivityRow {
  std::string parameter;                 ///< key in the machine's file; empty: all values are the file's
  std::string value;                     ///< as the file would say it
  std::vector<CandidateAnswer> ranking;  ///< what was simulated, fastest first
  std::optional<std::size_t> asked;      ///< index of the requested algorithm in the ranking

  [[nodiscard]] bool from_file() const { return parameter.empty(); }
};

struct SensitivityAnswer {
  Question question;
  std::string asked;                 ///< the requested algorithm, otherwise the winner with the file's values
  std::vector<SensitivityRow> rows;  ///< the file's values first
  std::vector<SkippedAnswer> left_out;
  bool failed = false;  ///< something deadlocked or computed a wrong result
};

}  // namespace muster
