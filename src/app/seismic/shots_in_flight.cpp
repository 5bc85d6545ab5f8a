#include "app/seismic/shots_in_flight.h"

#include <utility>

namespace muster::seismic {

std::optional<std::int64_t> ShotsInFlight::take() {
  const std::scoped_lock lock(mutex_);
  if (error_ || next_ > last_) return std::nullopt;
  in_flight_.insert(next_);
  return next_++;
}

void ShotsInFlight::finish(std::int64_t number) {
  const std::scoped_lock lock(mutex_);
  in_flight_.erase(number);
}

bool ShotsInFlight::is_first(std::int64_t number) {
  const std::scoped_lock lock(mutex_);
  return !in_flight_.empty() && *in_flight_.begin() == number;
}

void ShotsInFlight::fail(std::int64_t number, std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  if (error_ && failed_ <= number) return;
  failed_ = number;
  error_ = std::move(error);
}

bool ShotsInFlight::has_failed() {
  const std::scoped_lock lock(mutex_);
  return error_ != nullptr;
}

void ShotsInFlight::rethrow() {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace muster::seismic
