// The processes of an MPI run. Without MPI at build time there is none, and everything here says so.
#pragma once

#include <memory>
#include <span>

#include "app/seismic/decomposition.h"
#include "app/seismic/exchange.h"

namespace muster::seismic {

/// MPI begins with it and ends with it.
class Processes {
 public:
  /// Throws InputError if Muster was built without MPI.
  Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int count() const { return count_; }

  /// What this process has sent so far to its neighbours.
  [[nodiscard]] std::int64_t bytes_sent() const { return bytes_sent_; }

  template <class Real>
  std::unique_ptr<Exchange<Real>> exchange(const Decomposition& decomposition);

 private:
  int rank_ = 0;
  int count_ = 1;
  std::int64_t bytes_sent_ = 0;
};

}  // namespace muster::seismic
