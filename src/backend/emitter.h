// The capability to emit: program → files for one target.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/program.h"

namespace muster {

/// What --target names, or --form.
struct Target {
  std::string name;
  std::string summary;
};

struct EmitOptions {
  std::string target;
  std::string form = {};      ///< one of the emitter's forms; empty: the first
  std::string command;        ///< the command line that asked, for the header comment
  std::int64_t elements = 0;  ///< of the vector, as the user counts them
  Options options = {};       ///< the family's own
};

struct EmittedFile {
  std::string name;
  std::string text;
  std::string remark = {};  ///< what to know before using it: a sentence
};

class Emitter {
 public:
  virtual ~Emitter() = default;
  [[nodiscard]] virtual Target target() const = 0;
  /// In which forms it writes a program, the default first; none if there is only one.
  [[nodiscard]] virtual std::vector<Target> forms() const { return {}; }
  /// Files; or why this program cannot be written for the target.
  [[nodiscard]] virtual Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                               const EmitOptions& options) const = 0;
  /// Where the emitted program takes longer than the simulated one, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> remarks(const Program& /*program*/,
                                                         const EmitOptions& /*options*/) const {
    return {};
  }
};

}  // namespace muster
