// The capability to read files back: files → program, or schedule, or both.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/emitter.h"
#include "backend/program.h"
#include "schedule/schedule.h"
#include "schedule/verify.h"

namespace muster {

/// What files of a kind are, and what they say themselves: flags that repeat it are refused.
struct FileFormat {
  std::string_view name;        ///< "csl": --csl names such files
  std::string_view extension;   ///< of the files of a folder; empty: the format is a single file
  std::string_view main_file;   ///< that such a folder must have
  std::string_view mark = {};   ///< text by which a single file is known; empty: none
  bool says_machine = false;    ///< the files are read without a machine
  bool says_shape = false;      ///< the machine's shape is in the files
  bool has_schedule = false;    ///< they are read into a schedule, which is proven
  bool has_parameters = false;  ///< the text may leave parameters open; --set gives them
};

struct ReadOptions {
  std::map<std::string, std::string> parameters;  ///< that the files leave open, as the build command gives them
};

/// What files describe, as a schedule.
struct LiftedFiles {
  Schedule schedule;                    ///< with its contract
  Machine machine;                      ///< one on which it could run
  std::string stuck;                    ///< not empty: it cannot end, because of this
  StepName step_name = {};              ///< where a step of the schedule stands in the files
  std::vector<std::string> facts = {};  ///< what else is known of the files, a line each
};

/// A program, which can be simulated and checked; a schedule, which can be proven; or both, of the same files.
struct FileContents {
  std::unique_ptr<Program> program = {};  ///< without contracts
  std::optional<LiftedFiles> lifted = {};
};

class Reader {
 public:
  virtual ~Reader() = default;
  [[nodiscard]] virtual FileFormat format() const = 0;
  /// Throws InputError, with file and line, where the text is wrong or describes no program. `machine` is null where the format
  /// says its machine.
  [[nodiscard]] virtual FileContents read(const std::vector<EmittedFile>& files, const Machine* machine,
                                          const ReadOptions& options) const = 0;
  /// The same program with a contract to keep and other numbers to compute with; or which budget of its machine it exceeds. For
  /// formats without a schedule: their files do not say which collective they perform.
  [[nodiscard]] virtual Outcome<std::unique_ptr<Program>> with_contract(const Program& /*program*/,
                                                                        const Contract& /*contract*/,
                                                                        const Arithmetic& /*arithmetic*/) const {
    return Refusal{fmt::format("files of format '{}' are not held to a contract", format().name)};
  }
  /// What of `program` is missing in `read`, which was read from its files, up to numbering; nothing if they are equal. For formats
  /// that are read into programs.
  [[nodiscard]] virtual std::optional<std::string> difference(const Program& /*program*/,
                                                              const Program& /*read*/) const {
    return fmt::format("files of format '{}' are not read into programs", format().name);
  }
};

}  // namespace muster
