#include "cli/failure.h"

#include <fmt/format.h>

#include <new>

#include "base/error.h"
#include "base/one_line.h"
#include "cli/commands.h"

namespace muster {

Failure failure_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const NothingFits& no) {
    return {kAnswerIsNo, no.what()};
  } catch (const InputError& bad) {
    return {kBadInput, bad.what()};
  } catch (const std::bad_alloc&) {
    return {kBadInput, "not enough memory for this request; use a smaller grid or vector"};
  } catch (const std::exception& bug) {
    return {kOwnBug, fmt::format("this is a bug in muster: {}", bug.what())};
  }
}

void complain(const std::string& message) { fmt::print(stderr, "muster: {}\n", one_line(message, 2000)); }

}  // namespace muster
