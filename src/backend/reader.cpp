// What a reader need not have: whoever asks for it has looked at the format before.
#include "backend/reader.h"

namespace muster {

Outcome<std::unique_ptr<Program>> Reader::with_contract(const Program& /*program*/, const Contract& /*contract*/,
                                                        const Arithmetic& /*arithmetic*/) const {
  MUSTER_ASSERT(format().has_schedule, "the reader of '{}' does not hold programs to a contract", format().name);
  return Refusal{fmt::format("files of format '{}' say themselves which collective they perform", format().name)};
}

std::optional<std::string> Reader::difference(const Program& /*program*/, const Program& /*read*/) const {
  return fmt::format("files of format '{}' are not read into programs", format().name);
}

}  // namespace muster
