// The processes that share a run. Most runs have one.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "app/seismic/communication.h"
#include "app/seismic/decomposition.h"
#include "app/seismic/exchange.h"

namespace muster::seismic {

/// This process alone. Others override what several do together: all of them must call it, in the same order.
class Processes {
 public:
  Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  virtual ~Processes() = default;

  [[nodiscard]] virtual int rank() const { return 0; }
  [[nodiscard]] virtual int count() const { return 1; }
  /// How many of them share this machine's memory.
  [[nodiscard]] virtual int on_this_machine() const { return 1; }
  [[nodiscard]] bool is_first() const { return rank() == 0; }

  /// Whether together() has thrown. Any other error is that of this process alone, for which the others may wait.
  [[nodiscard]] bool have_failed_together() const { return have_failed_together_; }
  void note_common_failure() { have_failed_together_ = true; }
  /// Ends all of them at once, with this exit code.
  virtual void abort(int code) { std::exit(code); }

  /// What this process has sent so far to its neighbours.
  [[nodiscard]] virtual Traffic sent() const { return {}; }

  /// Null: there are no neighbours.
  virtual std::unique_ptr<Exchange<float>> exchange_floats(const Decomposition& /*decomposition*/) { return nullptr; }
  virtual std::unique_ptr<Exchange<double>> exchange_doubles(const Decomposition& /*decomposition*/) { return nullptr; }

  /// The sums over all processes, in place, modulo 2^64.
  virtual void sum(std::span<std::uint64_t> /*values*/) {}
  /// The largest values of all processes, in place.
  virtual void max(std::span<double> /*values*/) {}
  /// The texts of all processes, in their order.
  virtual std::vector<std::string> all_gather(const std::string& text) { return {text}; }
  /// The values of all processes, in their order, at the first one; nothing at others.
  virtual std::vector<std::vector<double>> gather(std::vector<double> values) { return {std::move(values)}; }

 private:
  bool have_failed_together_ = false;
};

template <class Real>
std::unique_ptr<Exchange<Real>> exchange_of(Processes& processes, const Decomposition& decomposition) {
  if constexpr (std::is_same_v<Real, float>) {
    return processes.exchange_floats(decomposition);
  } else {
    return processes.exchange_doubles(decomposition);
  }
}

/// Does something on every process that may fail on some: then all of them throw what the first of those has thrown. Whatever can fail between
/// two of their common calls belongs into it.
void together(Processes& processes, const std::function<void()>& action);

}  // namespace muster::seismic
