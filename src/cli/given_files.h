// Files with a program or a schedule that the user names instead of an algorithm: --csl, --msccl, --registers.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/question.h"
#include "plan/files.h"

namespace muster {

/// The flag of a format: "--csl".
std::string flag_of(const FileFormat& format);

/// Who reads the files that are named; null if none are. Throws InputError if there are two of them, or a second source beside:
/// a schedule of --schedule or of a positional argument.
const Reader* given_reader(const Arguments& arguments);

struct GivenFiles {
  std::optional<Machine>
      machine;  ///< none where the format says it; in the shape in use, or whole where the files say the shape
  ReadFiles read;
  /// What the question is made from. There is a machine.
  [[nodiscard]] Source source() const;
};

/// The files, read. Throws InputError for flags whose answer the files have.
GivenFiles read_given(const Arguments& arguments, const Reader& reader);

}  // namespace muster
