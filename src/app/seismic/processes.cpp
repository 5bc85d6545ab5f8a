#include "app/seismic/processes.h"

#include <new>

#include "base/error.h"

namespace muster::seismic {
namespace {

constexpr char kAnswerIsNo = 'n';
constexpr char kBadInput = 'i';
constexpr char kBug = 'b';

/// What went wrong, and of which kind it was; empty: nothing.
std::string trouble_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const NothingFits& error) {
    return kAnswerIsNo + std::string(error.what());
  } catch (const InputError& error) {
    return kBadInput + std::string(error.what());
  } catch (const std::bad_alloc&) {
    return kBadInput + std::string("not enough memory for this request; use a smaller grid or more machines");
  } catch (const std::exception& error) {
    return kBug + std::string(error.what());
  }
  return "";
}

}  // namespace

void together(Processes& processes, const std::function<void()>& action) {
  if (processes.count() == 1) return action();
  for (const std::string& trouble : processes.all_gather(trouble_of(action))) {
    if (trouble.empty()) continue;
    const std::string message = trouble.substr(1);
    processes.note_common_failure();
    if (trouble.front() == kAnswerIsNo) throw NothingFits(message);
    if (trouble.front() == kBadInput) throw InputError(message);
    throw InternalError(message);
  }
}

}  // namespace muster::seismic
