// Each entry has a lock of its own, so that different simulations run concurrently.
#include "paper/simulations.h"

namespace muster {

const Result& Simulations::of(const std::string& key, const std::function<Result()>& make) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Entry>& found = entries_[key];
    if (found == nullptr) found = std::make_unique<Entry>();
    entry = found.get();
  }
  std::call_once(entry->is_made, [&] { entry->result = make(); });
  return entry->result;
}

}  // namespace muster
